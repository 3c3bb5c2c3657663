// A round: guesses with a mark for each letter; kept in the address, so that a reload loses nothing.

import { MARKS } from "./page.js";

export class Round {
  constructor() {
    this.game = "wordle";
    this.length = 5;
    this.hard = false;
    this.rows = []; // of { word, marks }
  }

  /** Add a guess: a letter that was placed at its place before is so again, the others are absent. */
  add(word) {
    const marks = [...word].map((letter, place) =>
      this.rows.some((row) => row.marks[place] === "O" && row.word[place] === letter) ? "O" : "X");
    this.rows.push({ word, marks });
  }

  /** Go on to the next mark of a letter, or to one that is named. */
  mark(row, place, mark) {
    const marks = this.rows[row].marks;
    marks[place] = mark ?? MARKS[(MARKS.indexOf(marks[place]) + 1) % MARKS.length];
  }

  remove(row) {
    this.rows.splice(row, 1);
  }

  history() {
    return this.rows.map((row) => `${row.word}:${row.marks.join("")}`);
  }

  /** What the address says, after its #. */
  text() {
    const rule = this.hard ? "-hard" : "";
    return [`${this.game}${rule}`, this.length, ...this.history()].map(encodeURIComponent).join("/");
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
      round.hard = game.endsWith("-hard");
      round.game = game.replace(/-hard$/, "");
    }
    if (/^\d{1,2}$/.test(length ?? "") && Number(length) > 0) round.length = Number(length);
    for (const part of history.slice(0, 32)) {
      const [word, marks] = part.split(":");
      const signs = [...(marks ?? "")];
      const fits = [...(word ?? "")].length === round.length && signs.length === round.length;
      if (fits && signs.every((mark) => MARKS.includes(mark)) && /^\p{L}+$/u.test(word)) {
        round.rows.push({ word: word.toLowerCase(), marks: signs });
      }
    }
    return round;
  }
}
