// The keyboard on the screen: a key for each letter of the words, in the colour of the best mark it has; what hard mode asks.

import { spell, made, MARKS, NAMES, SIGNS } from "./page.js";

const LATIN = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const COMMANDS = { Enter: "Enter", Backspace: "⌫" };
const ROW = 10; // keys

/** Rows of keys: as on an English keyboard, other letters in their order below. */
function rowsOf(letters) {
  const all = spell(letters);
  const rows = LATIN.map((row) => [...row].filter((letter) => all.includes(letter))).filter((row) => row.length > 0);
  const others = all.filter((letter) => !LATIN.join("").includes(letter));
  for (let start = 0; start < others.length; start += ROW) rows.push(others.slice(start, start + ROW));
  return rows;
}

function key(name, text = name) {
  const node = made("button", text, { type: "button", className: name in COMMANDS ? "command" : "", ariaLabel: name });
  node.dataset.key = name;
  return node;
}

export function makeKeys(place, letters, commands) {
  const rows = rowsOf(letters).map((row) => row.map((letter) => key(letter)));
  if (commands) {
    const [enter, back] = Object.entries(COMMANDS).map(([name, text]) => key(name, text));
    rows.at(-1).unshift(enter);
    rows.at(-1).push(back);
  }
  place.replaceChildren(...rows.map((row) => made("div", row)));
}

/** Give the keys the marks of their letters; the nodes stay, so that a click under way is not lost. */
export function markKeys(place, marks, idle) {
  for (const node of place.querySelectorAll("button")) {
    const letter = node.dataset.key;
    node.disabled = idle;
    if (letter in COMMANDS) continue;
    const mark = marks[letter];
    node.className = mark === "?" ? "M" : mark ?? "";
    if (mark) node.dataset.sign = SIGNS[mark];
    else delete node.dataset.sign;
    node.ariaLabel = mark ? `${letter}, ${NAMES[mark]}` : letter;
  }
}

export function bestMarks(history) {
  const best = { __proto__: null };
  for (const [word, marks] of history) {
    spell(word).forEach((letter, place) => {
      const mark = marks[place];
      if (!(letter in best) || MARKS.indexOf(mark) > MARKS.indexOf(best[letter])) best[letter] = mark;
    });
  }
  return best;
}

/** What hard mode asks of the next guess; nothing where it asks nothing. */
export function hints(history, length) {
  const placed = Array(length).fill("_");
  const held = { __proto__: null };
  for (const [word, marks] of history) {
    const counts = { __proto__: null };
    spell(word).forEach((letter, place) => {
      if (marks[place] === "O") placed[place] = letter;
      if (marks[place] !== "X") counts[letter] = (counts[letter] ?? 0) + 1;
    });
    for (const [letter, count] of Object.entries(counts)) held[letter] = Math.max(held[letter] ?? 0, count);
  }
  const more = Object.entries(held).flatMap(([letter, count]) =>
    Array(Math.max(0, count - placed.filter((own) => own === letter).length)).fill(letter));
  const parts = placed.flatMap((letter, place) => (letter === "_" ? [] : [`${letter.toUpperCase()} in place ${place + 1}`]));
  const all = [...parts, ...more.map((letter) => letter.toUpperCase())], end = all.pop();
  return end ? `Hard mode: use ${all.length ? `${all.join(", ")} and ` : ""}${end}.` : "";
}
