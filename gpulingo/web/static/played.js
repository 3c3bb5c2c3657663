// Shared by the views of played rounds: a guess as a row of small tiles, and texts to share.

import { at, made, spell, tile } from "./page.js";

export function rowOf(guess, row) {
  const counts = /^\d/.test(row), letters = spell(guess);
  const text = (mark, place) => (letters.length > 1 ? letters[place] : mark === "O" ? guess : "·");
  const plain = (sign) => made("span", sign, { className: "tile plain" });
  const marked = (mark, place) => tile(text(mark, place), mark === "_" ? "X" : mark, "span");
  const tiles = counts ? [...letters.map(plain), ` ${row}`] : [...row].map(marked);
  const node = made("span", tiles, { className: "row small", ariaHidden: true });
  node.style.setProperty("--count", counts ? letters.length + 1 : row.length);
  return node;
}

/** Share a text if `share` is true and the browser can; else copy it to the clipboard. #copied shows the result. */
export async function copy(text, share = false) {
  try {
    if (share && navigator.share) await navigator.share({ text });
    else await navigator.clipboard.writeText(text);
    at("copied").textContent = "Copied.";
  } catch (error) { // the user cancelled, or the page came over plain http
    if (error.name !== "AbortError") at("copied").textContent = `This browser does not let the page copy. Take it from here:\n${text}`;
  }
}
