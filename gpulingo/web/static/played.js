// A round that was played, of words or of letters; kept in the address as rounds of all views are.

import { Round } from "./round.js";

const LETTERS = ["hangman", "hangman-misses"]; // games in which letters are guessed
const SIGNS = { X: "X", _: "X", "?": "?", O: "O" }; // of addresses

export class Played extends Round {
  /** Whether letters are guessed, each of which has a mark for every place of the word. */
  get letters() {
    return LETTERS.includes(this.game);
  }

  add(word) {
    if (this.letters) this.rows.push({ word, marks: Array(this.length).fill("X") });
    else super.add(word);
  }

  mark(row, place, mark) {
    if (this.letters && mark === "?") return;
    const marks = this.rows[row].marks;
    super.mark(row, place, mark ?? (this.letters ? { X: "O", O: "X" }[marks[place]] : undefined));
  }

  /** Go over to a game and a length; guesses that do not fit them are left out. */
  choose(game, length, hard) {
    const before = this.letters;
    Object.assign(this, { game, hard });
    if (before !== this.letters || length !== this.length) this.rows = [];
    this.length = length;
  }

  history() {
    const sign = (mark) => (this.letters && mark === "X" ? "_" : mark);
    return this.rows.map(({ word, marks }) => `${word}:${marks.map(sign).join("")}`);
  }

  /** Take the guesses of a history; those that cannot be read are left out and counted. */
  take(length, history) {
    this.length = length;
    this.rows = history.slice(0, 32).flatMap((part) => {
      const [guess, row] = part.split(":"), word = guess.toLowerCase();
      if (!/^\p{L}+$/u.test(word) || [...word].length !== (this.letters ? 1 : length)) return [];
      const signs = [...(row ?? "")];
      const marks = signs.map((sign) => (this.letters && sign === word ? "O" : SIGNS[sign]));
      return marks.length === length && marks.every(Boolean) ? [{ word, marks }] : [];
    });
    this.unread = history.length - this.rows.length;
  }

  /** The round of an address. */
  static of(text) {
    const round = new Played();
    round.unread = 0;
    let parts;
    try {
      parts = text.split("/").map(decodeURIComponent);
    } catch {
      return round;
    }
    const [game, length, ...history] = parts;
    if (game) {
      round.hard = game.endsWith("-hard");
      round.game = game.replace(/-hard$/, "");
    }
    if (/^\d{1,2}$/.test(length ?? "") && Number(length) >= 1 && Number(length) <= 39) round.length = Number(length);
    round.take(round.length, history);
    return round;
  }
}
