// Entering a round: guesses are typed or pasted, marks set by key or tap; the game is chosen above.

import { at, choose, complaint, gameName, joined, KEYS, spell, made, MARKS, partsOf, posted, problem, roundText, said, showTyped, tile, told } from "./page.js";

const USUAL = "wordle"; // the game if the address names an unknown one
const LONG = 9; // words with more letters get small tiles
const MOST_PASTED = 20000; // characters, the same limit as in the server
const UNDO = 10000; // milliseconds that undo is offered
const WRITTEN = /[:=\s,]|\p{Extended_Pictographic}/u; // never in a single word

const MOST = 32; // most guesses
/** Games whose feedback is counts, not marks: the names of the counts; for codes, pegs and colours. */
const COUNTED = {
  __proto__: null,
  mastermind: { names: ["placed", "elsewhere"], pegs: 4, colours: 6 },
  "bulls-and-cows": { names: ["bulls", "cows"], pegs: 4, colours: 10 },
  "black-pegs": { names: ["placed"], pegs: 4, colours: 6 },
  jotto: { names: ["in common"] },
};
const COLOURS = "rgbyop", DIGITS = "1234567890abcdefghijklmnopqrstuvwxyz"; // of codes, as in the server
const isTouched = () => matchMedia("(pointer: coarse)").matches; // a phone, without keys
export const SIGNS = { __proto__: null, X: "X", _: "X", "?": "?", O: "O" }; // in addresses

/** A round; the address stores it, so that a reload loses nothing. In hangman a guess is one letter, and its marks are
 * O at the places of the letter. */
class EnteredRound {
  constructor() {
    this.game = "wordle";
    this.length = 5;
    this.colours = 0; // number of colours of a code
    this.hard = ""; // the rule: "", hard, or from3-hard
    this.rows = []; // list of { word, marks }
    this.unread = 0; // guesses in the address that cannot be read
  }

  get letters() {
    return this.game.startsWith("hangman");
  }

  get counted() {
    return COUNTED[this.game];
  }

  get codes() {
    return Boolean(this.counted?.pegs);
  }

  numbers(row, place) {
    const other = Number(this.rows[row].marks[1 - place] || 0);
    const all = Array.from({ length: this.length - other + 1 }, (_, number) => `${number}`);
    return this.game === "jotto" ? [...all, `${this.length}!`] : all;
  }

  get size() {
    return this.letters ? 1 : this.length;
  }

  get marks() {
    return this.letters ? ["X", "O"] : MARKS;
  }

  get signs() {
    return DIGITS.slice(0, this.colours);
  }

  /** What may be typed for a code: its signs, or letters of colours. */
  get named() {
    const signs = [...this.signs].sort(), colours = [...COLOURS].slice(0, signs.length);
    const also = signs.length < 10 ? `, or colours ${colours.join(" ")}` : "";
    return `${this.length} signs ${signs[0]} to ${signs.at(-1)}${also}`;
  }

  /** A code with digits for letters of colours; a word unchanged. */
  coded(text) {
    const digit = (own) => (this.signs.includes(own) ? own : DIGITS[COLOURS.indexOf(own)] ?? own);
    return this.codes ? [...text].map(digit).join("") : text;
  }

  /** The first row that lacks colours, -1 without one. */
  get uncoloured() {
    return this.counted ? -1 : this.rows.findIndex(({ marks }) => marks.includes(""));
  }

  /** Add a guess, or the word of a row without one, and return its index. A letter that was placed there before is marked so
   * again; the others have no mark yet. */
  add(word) {
    const marks = this.counted ? this.counted.names.map(() => "") : this.letters ? Array(this.length).fill("X") : spell(word).map((letter, place) =>
      this.rows.some((row) => row.marks[place] === "O" && spell(row.word)[place] === letter) ? "O" : "");
    const open = this.rows.findIndex((row) => !row.word); // pasted without a word
    if (open >= 0) this.rows[open].word = word;
    else this.rows.push({ word, marks });
    return open >= 0 ? open : this.rows.length - 1;
  }

  mark(row, place, mark) {
    const own = this.rows[row].marks, known = this.counted ? [mark] : this.marks;
    if (mark && !known.includes(mark)) return;
    own[place] = mark ?? known[(known.indexOf(own[place]) + 1) % known.length];
  }

  get draft() {
    return this.rows.findIndex(({ word, marks }) => !word || marks.includes(""));
  }

  get solved() {
    const last = this.rows.at(-1);
    if (this.counted) return last?.marks[0] === `${this.length}${this.game === "jotto" ? "!" : ""}`;
    return !this.letters && Boolean(last) && last.marks.every((mark) => mark === "O");
  }

  choose(game, length, hard) {
    const { letters, codes, counted } = this;
    Object.assign(this, { game, hard });
    if (codes !== this.codes) length = this.counted?.pegs ?? 5;
    if (letters !== this.letters || counted !== this.counted || length !== this.length) this.rows = [];
    if (counted !== this.counted) this.colours = this.counted?.colours ?? 0;
    this.length = length;
  }

  /** The guesses as the server reads them; in hangman X becomes _, because X would mean the letter x. */
  history() {
    const sign = (mark) => (this.letters && mark === "X" ? "_" : mark);
    const between = this.counted ? "," : "";
    return this.rows.filter(({ word, marks }) => word && !marks.includes("")).map(({ word, marks }) => `${word}:${marks.map(sign).join(between)}`);
  }

  /** Read the guesses of a history, also rows without a word; leave out and count those that cannot be read. */
  take(length, history) {
    this.length = length;
    this.rows = history.slice(0, MOST).flatMap((part) => {
      const [guess, row] = part.split(":"), word = this.coded(guess.toLowerCase());
      if (word && !this.fits(word)) return [];
      const numbers = (row ?? "").split(",");
      if (this.counted) return numbers.length === this.counted.names.length && numbers.every((own) => /^\d+!?$/.test(own)) ? [{ word, marks: numbers }] : [];
      const marks = [...(row ?? "")].map((sign) => (this.letters && sign === word ? "O" : SIGNS[sign]));
      return marks.length === length && marks.every((mark) => this.marks.includes(mark)) ? [{ word, marks }] : [];
    });
    this.unread = history.length - this.rows.length;
  }

  fits(word) {
    return spell(word).length === this.size && (this.codes ? /^[\p{L}\d]+$/u : /^[\p{L}\p{M}]+$/u).test(word);
  }

  text() {
    return roundText(this.codes ? { ...this, length: `${this.length}x${this.colours}` } : this, this.history());
  }

  static of(text) {
    const round = new EnteredRound(), [game, length, ...history] = partsOf(text);
    if (game) {
      round.hard = /(from[345]-)?hard$/.exec(game)?.[0] ?? "";
      round.game = round.hard ? game.slice(0, -round.hard.length - 1) : game;
    }
    const [, size, colours] = /^(\d{1,2})(?:x(\d{1,2}))?$/.exec(length ?? "") ?? [];
    if (size >= 1 && size <= 39) round.length = Number(size);
    if (round.codes) round.colours = Number(colours ?? round.counted.colours);
    round.take(round.length, history);
    return round;
  }
}

export class Entry {
  /** `changed` is called after every change, once the rows are drawn; `opened` after the address has been read;
   * `entered` when Enter is pressed without a guess; `several`: guesses may be added before earlier ones are coloured. */
  constructor(changed, { opened = () => {}, entered = () => {}, several = false } = {}) {
    this.round = EnteredRound.of(location.hash.slice(1));
    this.games = [];
    this.ruled = []; // games that have hard mode
    Object.assign(this, { changed, opened, entered, several });
    this.listen();
  }

  async begin(name) {
    try {
      const { games, hard } = await told(name);
      Object.assign(this, { games, ruled: hard });
    } catch (error) {
      at("status").textContent = "";
      problem(complaint(error));
      return;
    }
    choose(at("game"), this.games, "", gameName);
    this.open();
    at("word").focus();
    addEventListener("hashchange", () => {
      if (joined(partsOf(location.hash.slice(1))) === this.round.text()) return;
      this.round = EnteredRound.of(location.hash.slice(1));
      this.open();
    });
  }

  open() {
    const { round } = this, { unread, game } = round, known = this.games.includes(game);
    if (!known) round.choose(USUAL, round.length, round.hard);
    this.show();
    if (!known) problem(`This link asks for a game called “${game.slice(0, 40)}”, which does not exist. Showing Wordle.`);
    else if (unread) problem(`${unread} ${unread === 1 ? "guess" : "guesses"} in this link could not be read.`);
    else this.opened();
  }

  show(focus) {
    this.showChoices();
    this.showRows();
    this.showTyping();
    if (focus) this.go(...focus);
    this.changed();
  }

  typeOn() {
    this.show();
    at("word").focus();
  }

  showChoices() {
    const { round } = this, rule = round.hard === "hard" ? ", hard mode" : round.hard ? `, hard from turn ${round.hard[4]}` : "";
    at("game").value = round.game;
    at("length").value = round.length;
    at("hard").value = round.hard;
    at("hard").disabled = !this.ruled.includes(round.game);
    at("colours").parentElement.hidden = !round.codes;
    at("length").labels[0].firstChild.data = round.codes ? "Pegs " : "Letters ";
    at("colours").value = round.colours;
    at("chosen").textContent = `${gameName(round.game)}, ${round.length} ${round.codes ? `pegs, ${round.colours} colours` : `letters${rule}`}`;
    at("rows").classList.toggle("long", round.length > LONG);
    at("typing").classList.toggle("long", round.length > LONG);
  }

  tile(row, place) {
    const { letters, rows } = this.round, { word, marks } = rows[row], here = marks[place] === "O";
    const node = tile(letters ? (here ? word : "·") : spell(word)[place] ?? "", marks[place]);
    if (letters) {
      node.ariaLabel = `place ${place + 1}, ${here ? word : `no ${word}`}`;
      if (!here) node.dataset.sign = "";
    } else node.ariaLabel += `, place ${place + 1} of ${word}`;
    if (marks[place]) node.dataset.mark = marks[place];
    Object.assign(node.dataset, { row, place });
    return node;
  }

  number(row, place) {
    const { rows, counted } = this.round, { word, marks } = rows[row], name = counted.names[place];
    const node = made("select", [], { ariaLabel: `${name} of ${word}` });
    choose(node, ["", ...this.round.numbers(row, place)], marks[place], (number) => number || "–");
    Object.assign(node.dataset, { row, place });
    return made("label", [`${name} `, node], { className: "number" });
  }

  showRows() {
    const { letters, rows, counted } = this.round;
    at("rows").replaceChildren(...rows.map(({ word, marks }, row) => {
      const remove = made("button", "✕", { type: "button", className: "remove", ariaLabel: `remove ${word || `row ${row + 1}`}` });
      remove.dataset.remove = row;
      const own = letters ? [made("span", word, { className: "guessed" })] : counted ? [...word].map((sign) => made("span", sign, { className: "tile plain" })) : [];
      const nodes = [...own, ...marks.map((_, place) => (counted ? this.number(row, place) : this.tile(row, place))), remove];
      const ariaLabel = counted ? `${word}: ${counted.names.map((name, place) => `${marks[place] || "no"} ${name}`).join(", ")}` : said(word || "?".repeat(marks.length), marks);
      return made("li", nodes, { className: !word || marks.includes("") ? "draft" : "", ariaLabel });
    }));
  }

  /** The row for typing: shown if a row lacks its word; hidden if a row lacks colours, or if the word has been found. */
  showTyping() {
    const { round } = this, draft = round.rows[round.draft], open = round.rows.findIndex(({ word }) => !word), next = open < 0 ? round.rows.length : open;
    at("typing").hidden = open < 0 && ((Boolean(draft) && !this.several) || round.solved || round.rows.length >= MOST);
    showTyped(at("letters"), at("word").value, round.size);
    const kind = round.codes ? "pegs" : "letters";
    at("word-label").textContent = round.letters ? "Letter" : `Guess ${next + 1}, ${round.size} ${kind}`;
    at("grey").hidden = round.uncoloured < 0;
    const keys = isTouched() ? "" : ", or press b, y and g", names = round.counted?.names.join(" and ");
    at("keys").textContent = open >= 0 ? `Type the word of row ${open + 1}.`
      : names ? (draft ? `How many of ${draft.word.toUpperCase()} are ${names}?`
        : `Type ${round.codes ? round.named : "a guess"}; then say how many are ${names}.`)
      : draft ? `Colour ${draft.word.toUpperCase()} to continue: tap its tiles${keys}.`
      : round.letters ? "Type a letter, then tap the places where it stands."
        : round.rows.length ? "Type a guess. Tap a tile to change its colour." : "Type your first guess.";
  }

  go(row, place) {
    at("rows").querySelector(`[data-row="${row}"][data-place="${place}"]`)?.focus();
  }

  /** Add a guess and move the focus to its colours; return false if the guess has the wrong length. */
  add(text) {
    const { round } = this, word = text.trim().toLowerCase(), letters = spell(word);
    if (!round.fits(word)) {
      const kind = round.codes ? "pegs" : "letters";
      problem(letters.length < round.size ? `Too short: ${round.letters ? "type a letter" : `this game has ${round.size} ${kind}`}.`
        : `That is ${letters.length} ${kind}; this game has ${round.size}.`);
      return false;
    }
    if (round.rows.length >= MOST && round.rows.every((row) => row.word)) {
      problem(`${MOST} guesses is the limit. Remove one to continue.`);
      return false;
    }
    problem("");
    at("word").value = "";
    const row = round.add(word), place = round.rows[row].marks.indexOf("");
    this.show(round.letters || place < 0 ? undefined : [row, place]);
    return true;
  }

  remove(row) {
    const [gone] = this.round.rows.splice(row, 1);
    this.typeOn();
    this.offer(`${gone.word.toUpperCase() || `Row ${row + 1}`} removed`, () => this.round.rows.splice(row, 0, gone));
  }

  /** Show what is wrong with the round; if one changed mark would repair it, ask about that mark instead. */
  async fault(error) {
    const text = this.round.text();
    if (!error.slip) problem(complaint(error));
    else {
      const { ask } = await import("./slip.js");
      if (this.round.text() === text) ask(this, error.slip);
    }
  }

  offer(text, back) {
    clearTimeout(this.leaving);
    at("toast-text").textContent = text;
    at("toast").hidden = false;
    this.back = back;
    this.leaving = setTimeout(() => { at("toast").hidden = true; }, UNDO);
  }

  listen() {
    at("clear").addEventListener("click", () => {
      const gone = this.round.rows;
      this.round.rows = [];
      at("word").value = "";
      problem("");
      this.typeOn();
      if (gone.length) this.offer("Round cleared", () => { this.round.rows = gone; });
    });
    at("grey").addEventListener("click", () => this.grey(this.round.uncoloured));
    at("undo").addEventListener("click", () => {
      this.back();
      at("toast").hidden = true;
      this.typeOn();
    });
    at("rows").addEventListener("click", ({ target }) => {
      const { row, place, remove } = target.dataset;
      if (remove !== undefined) this.remove(Number(remove));
      else if (!this.round.counted && row !== undefined) {
        this.round.mark(Number(row), Number(place));
        this.show([row, place]);
      }
    });
    at("rows").addEventListener("change", ({ target }) => {
      const [row, place] = [Number(target.dataset.row), Number(target.dataset.place)];
      this.round.mark(row, place, target.value);
      const next = this.round.rows[row].marks.indexOf("");
      this.show([row, next < 0 ? place : next]);
      if (next < 0) at("word").focus();
    });
    at("rows").addEventListener("keydown", (event) => this.press(event));
    at("word").addEventListener("input", () => this.typed());
    at("word").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        if (at("word").value === "") this.entered();
        else this.add(at("word").value);
      } else if (event.key === "ArrowUp") this.go(this.round.rows.length - 1, 0);
    });
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      const field = event.target.closest?.("input, textarea");
      if ((field && field !== at("word")) || !WRITTEN.test(text.trim())) return;
      event.preventDefault();
      this.paste(text);
    });
    at("choices").addEventListener("submit", (event) => event.preventDefault());
    at("choices").addEventListener("change", ({ target }) => {
      const length = Number(at("length").value);
      if (!(Number.isInteger(length) && length >= 1 && length <= 39)) {
        problem(this.round.codes ? "Codes have 1 to 39 pegs." : "Words have 1 to 39 letters.");
        return;
      }
      this.round.choose(at("game").value, length, at("hard").value);
      const colours = Number(at("colours").value);
      if (this.round.codes && target === at("colours") && Number.isInteger(colours) && colours >= 1 && colours <= 36) this.round.colours = colours;
      at("word").value = "";
      this.show();
    });
  }

  typed() {
    const field = at("word");
    const { signs, codes, named, size } = this.round;
    const letters = spell(this.round.coded(field.value.toLowerCase()));
    const own = letters.filter((sign) => (codes ? signs.includes(sign) : /\p{L}/u.test(sign)));
    if (codes && own.length < letters.length) problem(`Type ${named}.`);
    field.value = own.slice(0, size).join("");
    if (spell(field.value).length === this.round.size) this.add(field.value);
    else this.showTyping();
  }

  async read(pasted, signal) {
    const { game, colours, hard } = this.round, size = Object.values(pasted).join("").length;
    if (size > MOST_PASTED) throw new Error(`${size.toLocaleString("en")} characters were pasted, expected at most 20,000: paste one round.`);
    return posted("review-read", { game, colours, hard, ...pasted }, signal);
  }

  take({ length, history }) {
    this.round.take(length, history);
    at("word").value = "";
    this.show();
  }

  async paste(text) {
    const played = text.replace(/^.*\b(suggest|review)\s/, "").replace(/\s--?\w[\w-]*(\s+[^\s:]+(?=\s|$))?/g, "");
    try {
      this.take(await this.read({ text: played }));
      at("word").focus();
    } catch (error) {
      problem(`Not read: ${complaint(error)}`);
    }
  }

  press(event) {
    const { row, place } = event.target.dataset;
    if (row === undefined || this.round.counted || event.ctrlKey || event.metaKey || event.altKey) return;
    const [r, p] = [Number(row), Number(place)], { round } = this, { marks } = round.rows[r];
    const moves = { ArrowLeft: [r, p - 1], ArrowRight: [r, p + 1], ArrowUp: [r - 1, p], ArrowDown: [r + 1, p] };
    const mark = KEYS[event.key.toLowerCase()];
    if (mark) {
      const open = marks.includes("");
      round.mark(r, p, mark);
      this.show([r, Math.min(p + 1, round.length - 1)]);
      if (open && !marks.includes("")) at("word").focus();
    } else if (event.key === "Enter" && marks.includes("")) this.grey(r);
     else if (event.key === "Backspace") this.erase(r, p);
    else if (event.key === "Delete") this.remove(r);
    else if (event.key === "ArrowDown" && r === round.rows.length - 1) at("word").focus();
    else if (moves[event.key]) this.go(...moves[event.key]);
    else return;
    event.preventDefault();
  }

  /** Mark the open tiles of a row as absent; a touch does not open the keyboard. */
  grey(row) {
    const own = this.round.rows[row];
    own.marks = own.marks.map((mark) => mark || "X");
    if (isTouched()) this.show([row, own.marks.length - 1]);
    else this.typeOn();
  }

  /** Remove the mark here or the last one before it; without any, move the word back to typing, less its last letter. */
  erase(row, place) {
    const { rows } = this.round, { word, marks } = rows[row];
    const at_ = marks[place] ? place : marks.findLastIndex((mark, other) => mark && other < place);
    if (at_ >= 0 && !this.round.letters) {
      marks[at_] = "";
      this.show([row, at_]);
      return;
    }
    rows.splice(row, 1);
    at("word").value = this.round.letters ? "" : spell(word).slice(0, -1).join("");
    this.typeOn();
  }
}
