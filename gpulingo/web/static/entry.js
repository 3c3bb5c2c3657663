// A round that is entered on the page: the choices above it, its rows of tiles, and what changes them by mouse and by key.

import { at, made, problem, said, saidLetter, tile } from "./page.js";
import { MOST, Round } from "./round.js";

const KEYS = { x: "X", 0: "X", "?": "?", 1: "?", o: "O", 2: "O" };
const USUAL = "wordle"; // where the address names a game that is not known
const WORD_KEYS = "Click a letter, or press space on it, until its colour is that of your game: absent, misplaced, placed. "
  + "Keys x, ? and o set it at once, arrows move, delete takes the guess back.";
const LETTER_KEYS = "Click the places where the letter stands, or press space or o on them; x takes it away, arrows move, "
  + "delete takes the guess back.";

export class Entry {
  /** `changed` is called after every change, when the rows are drawn; `opened` after the round of the address is. */
  constructor(changed, opened = () => {}) {
    this.round = Round.of(location.hash.slice(1));
    this.games = [];
    this.ruled = []; // games that hard mode is known of
    this.changed = changed;
    this.opened = opened;
    this.listen();
  }

  /** Begin: offer the games, and show the round of the address. */
  begin(games, ruled) {
    Object.assign(this, { games, ruled });
    at("game").replaceChildren(...games.map((game) => made("option", game, { value: game })));
    this.open();
    at("word").focus();
    addEventListener("hashchange", () => {
      if (location.hash.slice(1) === this.round.text()) return;
      this.round = Round.of(location.hash.slice(1));
      this.open();
    });
  }

  /** Show the round of the address, and tell what of it cannot be read. */
  open() {
    const { round } = this, { unread } = round, unknown = this.games.includes(round.game) ? "" : round.game;
    if (unknown) round.choose(USUAL, round.length, round.hard);
    this.show();
    if (unknown) problem(`There is no game “${unknown.slice(0, 40)}” here: choose another.`);
    else if (unread) problem(`${unread} of the guesses in the address cannot be read and ${unread === 1 ? "is" : "are"} left out.`);
    else this.opened();
  }

  /** Draw all anew, and go on to a tile. */
  show(focus) {
    this.showChoices();
    this.showRows(focus);
    this.changed();
  }

  showChoices() {
    const { round } = this;
    at("game").value = round.game;
    at("length").value = round.length;
    at("hard").value = round.hard;
    at("hard").disabled = !this.ruled.includes(round.game);
    at("word").maxLength = round.size;
    at("word-label").textContent = round.letters ? "Letter" : "Guess";
    at("keys").textContent = round.letters ? LETTER_KEYS : WORD_KEYS;
  }

  tile(row, place) {
    const { letters, rows } = this.round, { word, marks } = rows[row], here = marks[place] === "O";
    const node = tile(letters ? (here ? word : "·") : [...word][place], marks[place]);
    if (letters) {
      node.setAttribute("aria-label", `place ${place + 1}, ${here ? word : `no ${word}`}`);
      if (!here) node.dataset.sign = "";
    }
    Object.assign(node.dataset, { row, place });
    return node;
  }

  showRows(focus) {
    const { letters, rows } = this.round;
    at("rows").replaceChildren(...rows.map(({ word, marks }, row) => {
      const item = made("li");
      item.setAttribute("aria-label", letters ? saidLetter(word, marks) : said(word, marks));
      if (letters) item.append(made("span", word, { className: "guessed" }));
      item.append(...marks.map((_, place) => this.tile(row, place)));
      const remove = made("button", "remove", { type: "button", className: "remove" });
      remove.dataset.remove = row;
      remove.setAttribute("aria-label", `remove ${word}`);
      item.append(remove);
      return item;
    }));
    if (focus) this.go(...focus);
  }

  /** Go on to a tile, if it is there. */
  go(row, place) {
    at("rows").querySelector(`[data-row="${row}"][data-place="${place}"]`)?.focus();
  }

  /** Add a guess; false where it is none, which is told. */
  add(text) {
    const { round } = this, word = text.trim().toLowerCase(), letters = [...word];
    if (letters.length !== round.size || !/^\p{L}+$/u.test(word)) {
      const what = round.letters ? "one letter" : `a word of ${round.length} letters`;
      problem(`“${text.slice(0, 60)}” has ${letters.length} characters, expected ${what}.`);
      return false;
    }
    if (round.rows.length >= MOST) {
      problem(`There are ${MOST} guesses already: remove one.`);
      return false;
    }
    round.add(word);
    this.show();
    return true;
  }

  /** Take a guess back. */
  remove(row) {
    this.round.remove(row);
    this.show();
    at("word").focus();
  }

  listen() {
    at("clear").addEventListener("click", () => {
      this.round.rows = [];
      this.show();
      at("word").focus();
    });
    at("rows").addEventListener("click", ({ target }) => {
      const { row, place, remove } = target.dataset;
      if (remove !== undefined) this.remove(Number(remove));
      else if (row !== undefined) {
        this.round.mark(Number(row), Number(place));
        this.show([row, place]);
      }
    });
    at("rows").addEventListener("keydown", (event) => this.press(event));
    at("choices").addEventListener("submit", (event) => event.preventDefault());
    at("choices").addEventListener("change", () => {
      const length = Number(at("length").value);
      if (!(Number.isInteger(length) && length >= 1 && length <= 39)) {
        problem("Words have 1 to 39 letters.");
        return;
      }
      this.round.choose(at("game").value, length, at("hard").value);
      this.show();
    });
  }

  /** A key on a tile. */
  press(event) {
    const { row, place } = event.target.dataset;
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const [r, p] = [Number(row), Number(place)];
    const moves = { ArrowLeft: [r, p - 1], ArrowRight: [r, p + 1], ArrowUp: [r - 1, p], ArrowDown: [r + 1, p] };
    const mark = KEYS[event.key.toLowerCase()];
    if (mark) {
      this.round.mark(r, p, mark);
      this.show([r, Math.min(p + 1, this.round.length - 1)]);
    } else if (event.key === "Delete" || event.key === "Backspace") this.remove(r);
    else if (moves[event.key]) this.go(...moves[event.key]);
    else return;
    event.preventDefault();
  }
}
