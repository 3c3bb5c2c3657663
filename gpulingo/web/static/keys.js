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

function key(letter, mark, idle) {
  const node = made("button", letter, { type: "button", disabled: idle });
  node.dataset.key = letter;
  if (mark) {
    node.className = mark === "?" ? "M" : mark;
    node.dataset.sign = SIGNS[mark];
  }
  node.setAttribute("aria-label", mark ? `${letter}, ${NAMES[mark]}` : letter);
  return node;
}

/** Show the keys; the one that has the focus keeps it. */
export function showKeys(place, letters, marks, { commands, idle }) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const rows = rowsOf(letters);
  place.replaceChildren(...rows.map((row, number) => {
    const line = made("div");
    line.append(...row.map((letter) => key(letter, marks[letter], idle)));
    if (commands && number === rows.length - 1) {
      for (const [name, text] of Object.entries(COMMANDS)) {
        const node = made("button", text, { type: "button", disabled: idle, className: "command" });
        node.dataset.key = name;
        node.setAttribute("aria-label", name);
        if (name === "Enter") line.prepend(node);
        else line.append(node);
      }
    }
    return line;
  }));
  if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}
