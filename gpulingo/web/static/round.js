// A round: guesses with their marks; kept in the address, so that a reload loses nothing. Where letters are guessed, a
// guess is one letter, and its marks say the places where it stands.

import { spell, MARKS, partsOf, roundText } from "./page.js";

export const MOST = 32; // guesses
/** What is counted of a guess where no letter is marked; pegs and colours where codes are guessed. */
const COUNTED = {
  __proto__: null,
  mastermind: { names: ["placed", "elsewhere"], pegs: 4, colours: 6 },
  "bulls-and-cows": { names: ["bulls", "cows"], pegs: 4, colours: 10 },
  "black-pegs": { names: ["placed"], pegs: 4, colours: 6 },
  jotto: { names: ["in common"] },
};
const SIGNS = { __proto__: null, X: "X", _: "X", "?": "?", O: "O" }; // of addresses

export class Round {
  constructor() {
    this.game = "wordle";
    this.length = 5;
    this.colours = 0; // of codes
    this.hard = ""; // or the rule: hard, or from3-hard
    this.rows = []; // of { word, marks }
    this.unread = 0; // guesses of an address that were left out
  }

  get letters() {
    return this.game.startsWith("hangman");
  }

  /** What is counted of a guess; undefined where its letters are marked. */
  get counted() {
    return COUNTED[this.game];
  }

  get codes() {
    return Boolean(this.counted?.pegs);
  }

  numbers(row, place) {
    const { length, counted } = this, all = Array.from({ length: length + 1 }, (_, number) => `${number}`);
    if (this.game === "jotto") return [...all, `${length}!`];
    if (counted.names.length === 1) return all.filter((number) => Number(number) !== length - 1);
    const other = Number(this.rows[row].marks[1 - place] || 0);
    const fit = (number) => number + other <= length && !(number + other === length && [number, other][place] === 1);
    return all.filter((number) => fit(Number(number)));
  }

  get size() {
    return this.letters ? 1 : this.length;
  }

  get marks() {
    return this.letters ? ["X", "O"] : MARKS;
  }

  /** Add a guess, or the word of a row that lacks it, and return its index: a letter that was placed at its place before is so
   * again, the others have no mark yet. */
  add(word) {
    const marks = this.counted ? this.counted.names.map(() => "") : this.letters ? Array(this.length).fill("X") : spell(word).map((letter, place) =>
      this.rows.some((row) => row.marks[place] === "O" && spell(row.word)[place] === letter) ? "O" : "");
    const open = this.rows.findIndex((row) => !row.word); // pasted without its word
    if (open >= 0) this.rows[open].word = word;
    else this.rows.push({ word, marks });
    return open >= 0 ? open : this.rows.length - 1;
  }

  /** Set the next mark of a letter, or one that is named; "" takes it back. */
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

  /** Go over to a game and a length; guesses that do not fit them are left out. */
  choose(game, length, hard) {
    const { letters, codes, counted } = this;
    Object.assign(this, { game, hard });
    if (codes !== this.codes) length = this.counted?.pegs ?? 5;
    if (letters !== this.letters || counted !== this.counted || length !== this.length) this.rows = [];
    if (counted !== this.counted) this.colours = this.counted?.colours ?? 0;
    this.length = length;
  }

  /** The guesses as the server reads them; the X of a letter would be its place where x is guessed. */
  history() {
    const sign = (mark) => (this.letters && mark === "X" ? "_" : mark);
    const between = this.counted ? "," : "";
    return this.rows.filter(({ word, marks }) => word && !marks.includes("")).map(({ word, marks }) => `${word}:${marks.map(sign).join(between)}`);
  }

  /** Take the guesses of a history, also rows without their word; those that cannot be read are left out and counted. */
  take(length, history) {
    this.length = length;
    this.rows = history.slice(0, MOST).flatMap((part) => {
      const [guess, row] = part.split(":"), word = guess.toLowerCase();
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

  /** The round of an address; what cannot be read is left out. */
  static of(text) {
    const round = new Round(), [game, length, ...history] = partsOf(text);
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
