// Answers to guesses, and what a branch of a tree comes to, in words and small tiles.

import { made, tile } from "./page.js";
import { number } from "./tables.js";

/** A guess with its marks, small: of a letter the places where it is. */
export function rowOf(guess, row) {
  const node = made("span", undefined, { className: "row" });
  if (/^\d/.test(row)) node.append(...[...guess].map((sign) => made("span", sign, { className: "tile plain" })), ` ${row}`);
  else [...row].forEach((mark, place) => {
    const sign = mark === "_" ? "X" : mark === "!" ? "O" : mark;
    const text = guess.length > 1 ? [...guess][place] : mark === "O" ? guess : "·";
    node.append(tile(text, sign, "span"));
  });
  node.setAttribute("aria-hidden", "true");
  return node;
}

/** What is expected, in the measure of the game. */
export function valueText(here) {
  const value = here.expected.toFixed(3);
  return here.measure === "won, %" ? `${value} % won` : `${value} ${here.measure}`;
}

/** Why a way ends where it does; `found` says how the word is found there. */
export function endText(here, found) {
  const last = here.trail.at(-1);
  if (here.end === "none") return `No word gives ${last.marks.replaceAll("!", "O")} after ${last.guess}: nothing is left here.`;
  if (here.end === "found") return `${last.guess} is the word: ${found}.`;
  if (here.end === "word") return `Only ${here.guess} is left: ${found}.`;
  return `No guess is left: ${here.left === 1 ? "this word is" : `these ${number(here.left)} words are`} lost.`;
}

/** The letters of a word that guesses have shown so far; empty where none is known. */
export function known(trail, length) {
  const letters = Array(length).fill("");
  for (const step of trail) {
    [...step.marks].forEach((mark, place) => {
      if (mark === "O") letters[place] = step.guess;
    });
  }
  return letters;
}
