// A round: guesses with their marks; kept in the address, so that a reload loses nothing. Where letters are guessed, a
// guess is one letter, and its marks say the places where it stands.

import { MARKS, roundText } from "./page.js";

export const MOST = 32; // guesses
const SIGNS = { X: "X", _: "X", "?": "?", O: "O" }; // of addresses

export class Round {
  constructor() {
    this.game = "wordle";
    this.length = 5;
    this.hard = ""; // or the rule: hard, or from3-hard
    this.rows = []; // of { word, marks }
    this.unread = 0; // guesses of an address that were left out
  }

  /** Whether letters are guessed instead of words. */
  get letters() {
    return this.game.startsWith("hangman");
  }

  /** Letters of a guess. */
  get size() {
    return this.letters ? 1 : this.length;
  }

  /** The marks that a letter of a guess may have. */
  get marks() {
    return this.letters ? ["X", "O"] : MARKS;
  }

  /** Add a guess: a letter that was placed at its place before is so again, the others have no mark yet. */
  add(word) {
    const marks = this.letters ? Array(this.length).fill("X") : [...word].map((letter, place) =>
      this.rows.some((row) => row.marks[place] === "O" && row.word[place] === letter) ? "O" : "");
    this.rows.push({ word, marks });
  }

  /** Set the next mark of a letter, or one that is named; "" takes it back. */
  mark(row, place, mark) {
    const own = this.rows[row].marks, known = this.marks;
    if (mark && !known.includes(mark)) return;
    own[place] = mark ?? known[(known.indexOf(own[place]) + 1) % known.length];
  }

  /** The index of the first row that lacks a mark; -1 if every row is finished. */
  get draft() {
    return this.rows.findIndex(({ marks }) => marks.includes(""));
  }

  /** Whether the last guess is the word. */
  get solved() {
    const last = this.rows.at(-1);
    return !this.letters && Boolean(last) && last.marks.every((mark) => mark === "O");
  }

  remove(row) {
    this.rows.splice(row, 1);
  }

  /** Go over to a game and a length; guesses that do not fit them are left out. */
  choose(game, length, hard) {
    const before = this.letters;
    Object.assign(this, { game, hard });
    if (before !== this.letters || length !== this.length) this.rows = [];
    this.length = length;
  }

  /** The guesses as the server reads them; the X of a letter would be its place where x is guessed. */
  history() {
    const sign = (mark) => (this.letters && mark === "X" ? "_" : mark);
    return this.rows.filter(({ marks }) => !marks.includes("")).map(({ word, marks }) => `${word}:${marks.map(sign).join("")}`);
  }

  /** Take the guesses of a history; those that cannot be read are left out and counted. */
  take(length, history) {
    this.length = length;
    this.rows = history.slice(0, MOST).flatMap((part) => {
      const [guess, row] = part.split(":"), word = guess.toLowerCase();
      if (!/^\p{L}+$/u.test(word) || [...word].length !== this.size) return [];
      const marks = [...(row ?? "")].map((sign) => (this.letters && sign === word ? "O" : SIGNS[sign]));
      return marks.length === length && marks.every((mark) => this.marks.includes(mark)) ? [{ word, marks }] : [];
    });
    this.unread = history.length - this.rows.length;
  }

  /** What the address says, after its #. */
  text() {
    return roundText(this, this.history());
  }

  /** The round of an address; what cannot be read is left out. */
  static of(text) {
    const round = new Round();
    let parts;
    try {
      parts = text.split("/").map(decodeURIComponent);
    } catch {
      return round;
    }
    const [game, length, ...history] = parts;
    if (game) {
      round.hard = /(from[345]-)?hard$/.exec(game)?.[0] ?? "";
      round.game = round.hard ? game.slice(0, -round.hard.length - 1) : game;
    }
    if (/^\d{1,2}$/.test(length ?? "") && Number(length) >= 1 && Number(length) <= 39) round.length = Number(length);
    round.take(round.length, history);
    return round;
  }
}
