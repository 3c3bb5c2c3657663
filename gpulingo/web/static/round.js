// A round: guesses with their marks; kept in the address, so that a reload loses nothing. Where letters are guessed, a
// guess is one letter, and its marks say the places where it stands.

import { MARKS } from "./page.js";

export class Round {
  constructor() {
    this.game = "wordle";
    this.length = 5;
    this.hard = false;
    this.rows = []; // of { word, marks }
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

  /** Add a guess: a letter that was placed at its place before is so again, the others are absent. */
  add(word) {
    const marks = this.letters ? Array(this.length).fill("X") : [...word].map((letter, place) =>
      this.rows.some((row) => row.marks[place] === "O" && row.word[place] === letter) ? "O" : "X");
    this.rows.push({ word, marks });
  }

  /** Go on to the next mark of a letter, or to one that is named. */
  mark(row, place, mark) {
    const own = this.rows[row].marks, known = this.marks;
    if (mark && !known.includes(mark)) return;
    own[place] = mark ?? known[(known.indexOf(own[place]) + 1) % known.length];
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
      const fits = [...(word ?? "")].length === round.size && signs.length === round.length;
      if (fits && signs.every((mark) => round.marks.includes(mark)) && /^\p{L}+$/u.test(word)) {
        round.rows.push({ word: word.toLowerCase(), marks: signs });
      }
    }
    return round;
  }
}
