// The keyboard on the screen: a key for each letter of the words, in the colour of the best mark it has.

import { made, NAMES, SIGNS } from "./page.js";

const LATIN = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const COMMANDS = { Enter: "Enter", Backspace: "⌫" };
const ROW = 10; // keys

/** Rows of keys: as on an English keyboard, other letters in their order below. */
function rowsOf(letters) {
  const all = [...letters];
  const rows = LATIN.map((row) => [...row].filter((letter) => all.includes(letter))).filter((row) => row.length > 0);
  const others = all.filter((letter) => !LATIN.join("").includes(letter));
  for (let start = 0; start < others.length; start += ROW) rows.push(others.slice(start, start + ROW));
  return rows;
}

function key(name, text = name) {
  const node = made("button", text, { type: "button", className: name in COMMANDS ? "command" : "" });
  node.dataset.key = name;
  node.setAttribute("aria-label", name);
  return node;
}

/** Make the keys anew, with Enter and Backspace where words are guessed. */
export function makeKeys(place, letters, commands) {
  const rows = rowsOf(letters).map((row) => row.map((letter) => key(letter)));
  if (commands) {
    const [enter, back] = Object.entries(COMMANDS).map(([name, text]) => key(name, text));
    rows.at(-1).unshift(enter);
    rows.at(-1).push(back);
  }
  place.replaceChildren(...rows.map((row) => {
    const line = made("div");
    line.append(...row);
    return line;
  }));
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
    node.setAttribute("aria-label", mark ? `${letter}, ${NAMES[mark]}` : letter);
  }
}
