// What guesses have shown: of each letter, and to whoever has to use it.

import { MARKS } from "./page.js";

/** The best mark of each letter that was guessed. */
export function bestMarks(history) {
  const best = {};
  for (const [word, marks] of history) {
    [...word].forEach((letter, place) => {
      const mark = marks[place];
      if (!(letter in best) || MARKS.indexOf(mark) > MARKS.indexOf(best[letter])) best[letter] = mark;
    });
  }
  return best;
}

/** What hard mode asks of the next guess; nothing where it asks nothing. */
export function hints(history, length) {
  const placed = Array(length).fill("_");
  const held = {};
  for (const [word, marks] of history) {
    const counts = {};
    [...word].forEach((letter, place) => {
      if (marks[place] === "O") placed[place] = letter;
      if (marks[place] !== "X") counts[letter] = (counts[letter] ?? 0) + 1;
    });
    for (const [letter, count] of Object.entries(counts)) held[letter] = Math.max(held[letter] ?? 0, count);
  }
  const more = Object.entries(held).flatMap(([letter, count]) =>
    Array(Math.max(0, count - placed.filter((own) => own === letter).length)).fill(letter));
  const parts = [];
  if (placed.some((letter) => letter !== "_")) parts.push(`fits ${placed.join(" ")}`);
  if (more.length) parts.push(`holds ${more.join(", ")}`);
  return parts.length ? `Hard mode: the next guess ${parts.join(" and ")}.` : "";
}
