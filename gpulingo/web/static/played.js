// Shared by other views than the assistant: a guess as a row of small tiles, figures, texts to share, sums.

import { draw, made, spell, tile, write } from "./page.js";

export const sum = (numbers) => numbers.reduce((all, own) => all + own, 0);

export function rowOf(guess, row) {
  const isCounted = /^\d/.test(row), letters = spell(guess);
  const text = (mark, place) => (letters.length > 1 ? letters[place] : mark === "O" ? guess : "·");
  const tiles = isCounted ? [...letters.map((sign) => made("span.tile.plain", sign)), ` ${row}`]
    : [...row].map((mark, place) => tile(text(mark, place), mark, "span"));
  const node = made("span.row.small", tiles, { ariaHidden: true });
  node.style.setProperty("--count", tiles.length);
  return node;
}

export function figures(id, pairs) {
  draw(id, pairs.map(([name, text]) => made("div", [made("dt", name), made("dd", text)])));
}

/** Share a text if `share` is true and the browser can; otherwise copy it. #copied shows the result. */
export async function copy(text, share = false) {
  try {
    if (share && navigator.share) await navigator.share({ text });
    else await navigator.clipboard.writeText(text);
    write({ copied: "Copied." });
  } catch (error) { // the user cancelled, or the page came over plain http
    if (error.name === "AbortError") return;
    write({ copied: `This browser does not let the page copy. Take it from here:\n${text}` });
  }
}
