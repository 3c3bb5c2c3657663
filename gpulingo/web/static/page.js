// Shared by all views: nodes, links, error messages, colours, help. Objects indexed by outside text have no prototype.

import { ENDING, GONE, ownList, posted, streamed, told } from "./ask.js";

export { posted, streamed, told };

export const MARKS = ["X", "?", "O"];
export const NAMES = { __proto__: null, X: "absent", "?": "misplaced", O: "placed", "": "not coloured" };
export const KEYS = { __proto__: null, b: "X", y: "?", g: "O", x: "X", "?": "?", o: "O", 0: "X", 1: "?", 2: "O", "-": "X" }; // key or digit -> mark
export const SIGNS = { __proto__: null, X: "–", "?": "?", O: "✓", "": "" }; // shown with the colour, for colour-blind users

const GAMES = {
  wordle: "Wordle", lingo: "Lingo", absurdle: "Absurdle", "evil-wordle": "Evil Wordle", hangman: "Hangman",
  mastermind: "Mastermind", "bulls-and-cows": "Bulls and Cows", "black-pegs": "Black pegs", jotto: "Jotto",
};
const RULES = { // and objectives
  __proto__: null, hard: "hard mode", consistent: "guesses must fit", letter: "first letter given",
  lost: "fewest lost", found: "most found", misses: "fewest misses",
};

export function gameName(code) {
  const name = code.replace(/\d+$/, "").replace(/from(\d)-hard/, "hard from turn $1");
  const game = Object.keys(GAMES).find((own) => `${name}-`.startsWith(`${own}-`));
  if (!game) return name;
  const rules = name.slice(game.length + 1).split("-").filter(Boolean).map((own) => RULES[own] ?? own);
  return [GAMES[game], ...rules].join(", ");
}

export const at = (id) => document.getElementById(id);

export const number = (value) => value.toLocaleString("en");
export const counted = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;

/** Make a node that contains texts and nodes; a text is never parsed as HTML. */
export function made(tag, content, fields = {}) {
  const node = Object.assign(document.createElement(tag), fields);
  node.append(...[content ?? []].flat());
  return node;
}

export const heard = (text) => made("span", text, { className: "heard" }); // by screen readers only

export const listed = (words, all) => words.join(" ") + (words.length && all > words.length ? ` and ${number(all - words.length)} more` : "");

export function choose(list, values, chosen, name = (value) => value) {
  list.replaceChildren(...values.map((value) => made("option", name(value), { value, selected: value === chosen })));
}

export function figures(list, pairs) {
  list.replaceChildren(...pairs.map(([name, text]) => made("div", [made("dt", name), made("dd", text)])));
}

export function showNotes(notes = []) {
  at("notes").replaceChildren(...notes.map((note) => made("li", note)));
  at("notes").hidden = notes.length === 0;
}

export const spell = (text) => text.normalize("NFC").match(/\P{M}\p{M}*/gu) ?? [];

export function tile(letter, mark, tag = "button") {
  const node = made(tag, letter, { className: `tile ${mark === "?" ? "M" : mark}`, ariaLabel: `${letter}, ${NAMES[mark]}` });
  if (tag === "button") node.type = "button";
  if (spell(letter.toUpperCase()).length > 1) node.classList.add("small"); // as ß, whose capital is SS
  node.dataset.sign = SIGNS[mark];
  return node;
}

export function showTyped(node, text, size) {
  const typed = spell(text), tiles = Array.from({ length: Math.max(size, typed.length) }, (_, place) => typed[place] ?? "");
  node.replaceChildren(...tiles.map((sign, place) => made("span", sign, { className: place === typed.length ? "next" : "" })));
}

/** The text of a guess for screen readers: a word with its marks, or a letter with its places. */
export function said(guess, marks) {
  if (/^\d/.test(marks)) return `${guess}: ${marks}`; // counts
  const letters = spell(guess), places = [...marks].flatMap((mark, place) => (mark === "O" ? [place + 1] : []));
  if (letters.length > 1) return `${guess}: ${letters.map((letter, place) => `${letter} ${NAMES[marks[place]]}`).join(", ")}`;
  return places.length ? `${guess}: at place ${places.join(", ")}` : `${guess}: not in the word`;
}

export const joined = (parts) => parts.map((part) => encodeURIComponent(part).replaceAll("%3A", ":").replaceAll("%3F", "?")).join("/");

/** The parts of an address after #; [] if they cannot be decoded. */
export function partsOf(text) {
  try {
    return text.split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

export const linkTo = (view, text) => `${view ? view + ENDING : "./"}#${text}`;

export const roundText = ({ game, length, hard }, history) => joined([hard ? `${game}-${hard}` : game, length, ...history]);

export function problem(text) {
  at("problem").textContent = text;
  at("problem").hidden = !text;
}

export function complaint(error) {
  return error instanceof TypeError ? GONE : error.message;
}

if (ownList && at("choices")) { // offer the form for own word lists below the choices
  const { text } = ownList(), box = made("details", made("summary", text ? `Words: ${text}` : "Words of your own"));
  box.addEventListener("toggle", async () => (await import("./own-list.js")).offer(box), { once: true });
  at("choices").after(box);
}

const held = { __proto__: null }; // used if the browser forbids storage

export function remembered(name) {
  try {
    return held[name] ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, text) {
  held[name] = text;
  try {
    localStorage.setItem(name, text);
  } catch { /* it lasts as long as this page */ }
}

export function paint() {
  const contrast = remembered("contrast") ?? (matchMedia("(prefers-contrast: more)").matches ? "yes" : "no");
  document.documentElement.dataset.theme = remembered("theme") ?? "";
  document.body.classList.toggle("contrast", contrast === "yes");
}

paint();
const help = async () => (await import("./help.js")).help();
at("help").addEventListener("click", help);
addEventListener("keydown", (event) => {
  const free = event.key === "?" && !event.target.closest(".tile, textarea, input:not(#word)"); // elsewhere ? is a mark, or text
  if (event.key !== "F1" && !free) return;
  event.preventDefault();
  help();
});
