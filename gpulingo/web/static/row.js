// A guess as a row of small tiles.

import { made, spell, tile } from "./page.js";

export function rowOf(guess, row) {
  const counts = /^\d/.test(row), letters = spell(guess), text = (mark, place) => (letters.length > 1 ? letters[place] : mark === "O" ? guess : "·");
  const node = made("span", counts ? [...letters.map((sign) => made("span", sign, { className: "tile plain" })), ` ${row}`]
    : [...row].map((mark, place) => tile(text(mark, place), mark === "_" ? "X" : mark, "span")), { className: "row small", ariaHidden: true });
  node.style.setProperty("--count", counts ? letters.length + 1 : row.length);
  return node;
}
