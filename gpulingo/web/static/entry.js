// Entering a round: guesses are typed or pasted, marks set by key or tap; the game is chosen above.

import { posted, told } from "./ask.js";
import {
  at, choose, counted, gameName, gameOf, isShortcut, joined, KEYS, listen, made, MARKS, number, partsOf,
  problem, roundText, said, show, showTyped, spell, tile, write,
} from "./page.js";

const LONG = 9; // words with more letters get small tiles
const MOST_PASTED = 20000; // characters, as in the server
const UNDO = 10000; // milliseconds that undo is offered
const WRITTEN = /[:=\s,]|\p{Extended_Pictographic}/u; // never in a single word
const MOST = 32; // most guesses
/** Games whose feedback is counts, not marks: the names of the counts; for codes, pegs and colours. */
const COUNTED = {
  __proto__: null,
  mastermind: { names: ["placed", "elsewhere"], pegs: 4, colours: 6 },
  "bulls-and-cows": { names: ["bulls", "cows"], pegs: 4, colours: 10 },
  "black-pegs": { names: ["placed"], pegs: 4, colours: 6 },
  jotto: { names: ["in common"] },
};
const COLOURS = "rgbyop", DIGITS = "1234567890abcdefghijklmnopqrstuvwxyz"; // of codes, as in the server
export const DONE = "-"; // mark on a board that is found

const isTouched = () => matchMedia("(pointer: coarse)").matches; // a phone, without keys
const isSet = (field) => field.value !== "" && field.validity.valid;
export const isOpen = ({ word, marks }) => !word || marks.includes("");
const placeOf = ({ target: { dataset } }) => [dataset.row, dataset.place].map(Number);

/** A round, which the address stores. In hangman a guess is a letter, and its marks are O at its places. */
export class EnteredRound {
  game = "wordle"; // also if the address names an unknown one
  length = 5;
  colours = 0; // number of colours of a code
  hard = ""; // the rule: "", hard, or from3-hard
  rows = []; // list of { word, marks }
  unread = 0; // guesses in the address that cannot be read

  get letters() {
    return this.game.startsWith("hangman");
  }

  get counted() {
    return COUNTED[this.game];
  }

  get codes() {
    return Boolean(this.counted?.pegs);
  }

  get kind() {
    return this.codes ? "pegs" : "letters";
  }

  numbers(row, place) {
    const other = Number(this.rows[row].marks[1 - place] || 0);
    const all = Array.from({ length: this.length - other + 1 }, (_, count) => `${count}`);
    return this.game === "jotto" ? [...all, `${this.length}!`] : all;
  }

  get size() {
    return this.letters ? 1 : this.length;
  }

  get marks() {
    return this.letters ? ["X", "O"] : MARKS;
  }

  get signs() {
    return DIGITS.slice(0, this.colours);
  }

  /** What may be typed for a code. */
  get named() {
    const signs = [...this.signs].sort(), colours = [...COLOURS].slice(0, signs.length);
    const also = signs.length < 10 ? `, or colours ${colours.join(" ")}` : "";
    return `${this.length} signs ${signs[0]} to ${signs.at(-1)}${also}`;
  }

  /** A code with digits for letters of colours; a word unchanged. */
  coded(text) {
    const digit = (own) => (this.signs.includes(own) ? own : DIGITS[COLOURS.indexOf(own)] ?? own);
    return this.codes ? [...text].map(digit).join("") : text;
  }

  /** The first row that lacks colours, or -1. */
  get uncoloured() {
    return this.counted ? -1 : this.rows.findIndex(({ marks }) => marks.includes(""));
  }

  /** The first row that lacks its word, or -1. */
  get unnamed() {
    return this.rows.findIndex(({ word }) => !word);
  }

  /** The first row that lacks its word or a mark. */
  get draft() {
    return this.rows.find(isOpen);
  }

  /** The marks of a new guess, of which one is at `first`: a letter that was placed before is so again. */
  newMarks(word, first = 0) {
    if (this.counted) return this.counted.names.map(() => "");
    if (this.letters) return Array(this.length).fill("X");
    const isPlaced = (letter, place) =>
      this.rows.some((row) => row.marks[first + place] === "O" && spell(row.word)[place] === letter);
    return spell(word).map((letter, place) => (isPlaced(letter, place) ? "O" : ""));
  }

  /** Add a guess, or the word of a row without one, and return its index. */
  add(word) {
    const open = this.unnamed; // pasted without a word
    if (open < 0) return this.rows.push({ word, marks: this.newMarks(word) }) - 1;
    this.rows[open].word = word;
    return open;
  }

  mark(row, place, mark) {
    const own = this.rows[row].marks, known = this.counted ? [mark] : this.marks;
    if (mark && !known.includes(mark)) return;
    own[place] = mark ?? known[(known.indexOf(own[place]) + 1) % known.length];
  }

  get solved() {
    const last = this.rows.at(-1);
    if (this.counted) return last?.marks[0] === `${this.length}${this.game === "jotto" ? "!" : ""}`;
    return !this.letters && Boolean(last) && last.marks.every((mark) => mark === "O" || mark === DONE);
  }

  choose(game, length, hard) {
    const { letters, codes, counted } = this;
    Object.assign(this, { game, hard });
    if (codes !== this.codes) length = this.counted?.pegs ?? 5;
    if (letters !== this.letters || counted !== this.counted || length !== this.length) this.rows = [];
    if (counted !== this.counted) this.colours = this.counted?.colours ?? 0;
    this.length = length;
  }

  /** The guesses as the server reads them; in hangman X would mean the letter x. */
  history() {
    const sign = (mark) => (this.letters && mark === "X" ? "_" : mark), between = this.counted ? "," : "";
    const rows = this.rows.filter((row) => !isOpen(row));
    return rows.map(({ word, marks }) => `${word}:${marks.map(sign).join(between)}`);
  }

  /** The marks in a text, of a letter also the letter itself; null if they cannot be read. */
  marksOf(text, word) {
    const names = this.counted?.names, key = (sign) => KEYS[sign.toLowerCase()];
    const markOf = (sign) => (this.letters && sign === word ? "O" : key(sign));
    const marks = names ? text.split(",") : [...text].map(markOf), count = names?.length ?? this.length;
    const isKnown = (mark) => (names ? /^\d+!?$/.test(mark) : this.marks.includes(mark));
    return marks.length === count && marks.every(isKnown) ? marks : null;
  }

  /** Read guesses, also without a word; leave out and count those that cannot be read. */
  take(length, history) {
    this.length = length;
    this.rows = history.slice(0, MOST).flatMap((part) => {
      const [guess, row = ""] = part.split(":"), word = this.coded(guess.toLowerCase());
      const marks = this.marksOf(row, word);
      return marks && (!word || this.fits(word)) ? [{ word, marks }] : [];
    });
    this.unread = history.length - this.rows.length;
  }

  fits(word) {
    return spell(word).length === this.size && (this.codes ? /^[\p{L}\d]+$/u : /^[\p{L}\p{M}]+$/u).test(word);
  }

  text() {
    const { game, hard, length, colours } = this;
    return roundText({ game, hard, length: this.codes ? `${length}x${colours}` : length }, this.history());
  }

  /** The round of the page's address. */
  static here() {
    const round = new this(), [name, length, ...history] = partsOf(location.hash.slice(1));
    if (name) [, round.game, round.hard = ""] = gameOf(name);
    const [, size, colours] = /^(\d{1,2})(?:x(\d{1,2}))?$/.exec(length) ?? [];
    if (size >= 1 && size <= 39) round.length = Number(size);
    if (round.codes) round.colours = Number(colours ?? round.counted.colours);
    round.take(round.length, history);
    return round;
  }
}

export let round;
let games = [], ruled = []; // ruled: games that have hard mode
let view = {}; // what it does at changes
let leaving, back; // timer and action of the undo

/** Begin to enter a round. `name`: the question for the games. `changed` is called after a change, `opened`
 * after the address is read, `entered` at Enter without a guess, `showRows` to draw guesses of a `Round`.
 * `several`: guesses may lack colours. */
export async function begin(name, own) {
  view = { opened() {}, showRows, Round: EnteredRound, ...own };
  round = view.Round.here();
  try {
    ({ games, hard: ruled } = await told(name));
  } catch (error) {
    write({ status: "" });
    return problem(error.message);
  }
  choose(at("game"), games, "", gameName);
  open();
  at("word").focus();
  addEventListener("hashchange", () => {
    if (joined(partsOf(location.hash.slice(1))) === round.text()) return;
    round = view.Round.here();
    open();
  });
}

function open() {
  const { unread, game } = round, isKnown = games.includes(game), usual = new view.Round().game;
  if (!isKnown) round.choose(usual, round.length, round.hard);
  showAll();
  const asked = `This link asks for a game called “${game.slice(0, 40)}”, which does not exist.`;
  if (!isKnown) problem(`${asked} Showing ${gameName(usual)}.`);
  else if (unread) problem(`${counted(unread, "guess", "guesses")} in this link could not be read.`);
  else view.opened();
}

/** Show the round, and focus a tile. */
function showAll(row, place) {
  showChoices();
  view.showRows();
  showTyping();
  focusOn(row, place);
  history.replaceState(null, "", `#${round.text()}`);
  view.changed();
}

function focusOn(row, place) {
  at("rows").querySelector(`[data-row="${row}"][data-place="${place}"]`)?.focus();
}

function typeOn() {
  showAll();
  at("word").focus();
}

function showChoices() {
  const { game, length, hard, colours, codes, kind } = round, name = gameName(game);
  for (const [id, value] of Object.entries({ game, length, hard, colours })) at(id).value = value;
  at("hard").disabled = !ruled.includes(game);
  at("colours").parentElement.hidden = !codes;
  at("length").labels[0].firstChild.data = codes ? "Pegs " : "Letters ";
  const rule = codes ? `, ${colours} colours` : gameName(`${game}-${hard}`).replace(name, "");
  write({ chosen: `${name}, ${length} ${kind}${rule}` });
  for (const id of ["rows", "typing"]) at(id).classList.toggle("long", length > LONG);
}

export function tileOf(row, place) {
  const { word, marks } = round.rows[row], mark = marks[place], isHere = mark === "O";
  const own = place % round.length, letter = spell(word)[own] ?? "";
  const node = tile(!round.letters ? letter : isHere ? word : "·", mark);
  if (round.letters) {
    node.ariaLabel = `place ${place + 1}, ${isHere ? word : `no ${word}`}`;
    if (!isHere) node.dataset.sign = "";
  } else node.ariaLabel += `, place ${own + 1} of ${word}`;
  if (mark) node.dataset.mark = mark;
  Object.assign(node.dataset, { row, place });
  return node;
}

function countOf(row, place) {
  const { word, marks } = round.rows[row], name = round.counted.names[place];
  const node = made("select", [], { ariaLabel: `${name} of ${word}`, data: { row, place } });
  choose(node, ["", ...round.numbers(row, place)], marks[place], (count) => count || "–");
  return made("label", [`${name} `, node], { className: "number" });
}

function showRows() {
  const { letters, rows, counted } = round, className = letters ? "guessed" : "tile plain";
  at("rows").replaceChildren(...rows.map(({ word, marks }, row) => {
    const counts = counted?.names.map((name, place) => `${marks[place] || "no"} ${name}`).join(", ");
    const ariaLabel = counted ? `${word}: ${counts}` : said(word || "?".repeat(marks.length), marks);
    const signs = letters ? [word] : counted ? [...word] : [];
    const cells = marks.map((_, place) => (counted ? countOf : tileOf)(row, place));
    const remove = made("button", "✕", {
      className: "remove", ariaLabel: `remove ${word || `row ${row + 1}`}`, data: { remove: row },
    });
    const nodes = [...signs.map((sign) => made("span", sign, { className })), ...cells, remove];
    return made("li", nodes, { className: isOpen(rows[row]) ? "draft" : "", ariaLabel });
  }));
}

/** The row for typing: shown if a row lacks its word; hidden if one lacks colours, or the word is found. */
function showTyping() {
  const { draft, unnamed, rows: { length }, size, solved, letters, kind, uncoloured } = round;
  const isTyped = unnamed >= 0 || !((draft && !view.several) || solved || length >= MOST);
  show({ typing: isTyped, grey: uncoloured >= 0 });
  showTyped(at("letters"), at("word").value, size);
  const next = 1 + (unnamed < 0 ? length : unnamed);
  write({ "word-label": letters ? "Letter" : `Guess ${next}, ${size} ${kind}`, keys: hint() });
}

/** What is to be done next. */
function hint() {
  const { draft, unnamed, rows, letters, counted, codes, named } = round;
  const names = counted?.names.join(" and "), word = draft?.word.toUpperCase();
  if (unnamed >= 0) return `Type the word of row ${unnamed + 1}.`;
  if (counted && draft) return `How many of ${word} are ${names}?`;
  if (counted) return `Type ${codes ? named : "a guess"}; then say how many are ${names}.`;
  const keys = isTouched() ? "" : ", or press b, y and g";
  if (draft) return `Colour ${word} to continue: tap its tiles${keys}.`;
  if (letters) return "Type a letter, then tap the places where it stands.";
  return rows.length ? "Type a guess. Tap a tile to change its colour." : "Type your first guess.";
}

/** What forbids a guess; empty if nothing does. */
function refusal(word) {
  const { letters, size, kind, rows, unnamed } = round, count = spell(word).length;
  if (round.fits(word)) {
    return rows.length < MOST || unnamed >= 0 ? "" : `${MOST} guesses is the limit. Remove one to continue.`;
  }
  if (count >= size) return `That is ${count} ${kind}; this game has ${size}.`;
  return `Too short: ${letters ? "type a letter" : `this game has ${size} ${kind}`}.`;
}

/** Add a guess and move the focus to its colours. */
export function add(text) {
  const word = text.trim().toLowerCase(), fault = refusal(word);
  problem(fault);
  if (fault) return;
  at("word").value = "";
  const row = round.add(word);
  showAll(row, round.letters ? -1 : round.rows[row].marks.indexOf(""));
}

export function remove(row) {
  const [gone] = round.rows.splice(row, 1), name = gone.word.toUpperCase() || `Row ${row + 1}`;
  typeOn();
  offer(`${name} removed`, () => round.rows.splice(row, 0, gone));
}

function clear() {
  const gone = round.rows;
  round.rows = [];
  at("word").value = "";
  problem("");
  typeOn();
  if (gone.length) offer("Round cleared", () => { round.rows = gone; });
}

/** Offer to undo a change for some time. */
function offer(text, undo) {
  clearTimeout(leaving);
  write({ "toast-text": text });
  show({ toast: true });
  back = undo;
  leaving = setTimeout(() => show({ toast: false }), UNDO);
}

/** Show what is wrong with the round; ask about a mark if its change would repair it. */
export async function fault(error) {
  const text = round.text();
  if (!error.slip) return problem(error.message);
  const { ask } = await import("./slip.js");
  if (round.text() === text) ask(round, error.slip, () => {
    typeOn();
    view.opened();
  });
}

function count(event) {
  const [row, place] = placeOf(event);
  round.mark(row, place, event.target.value);
  const next = round.rows[row].marks.indexOf("");
  showAll(row, next < 0 ? place : next);
  if (next < 0) at("word").focus();
}

function chooseGame({ target }) {
  const [game, length, hard, colours] = ["game", "length", "hard", "colours"].map(at);
  if (!isSet(length)) return problem(`${round.codes ? "Codes" : "Words"} have 1 to 39 ${round.kind}.`);
  round.choose(game.value, Number(length.value), hard.value);
  if (round.codes && target === colours && isSet(colours)) round.colours = Number(colours.value);
  at("word").value = "";
  showAll();
}

function enter(event) {
  if (event.key === "ArrowUp") focusOn(round.rows.length - 1, 0);
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  if (at("word").value === "") view.entered();
  else add(at("word").value);
}

function typed() {
  const field = at("word"), { signs, codes, named, size } = round;
  const letters = spell(round.coded(field.value.toLowerCase()));
  const own = letters.filter((sign) => (codes ? signs.includes(sign) : /\p{L}/u.test(sign)));
  if (codes && own.length < letters.length) problem(`Type ${named}.`);
  field.value = own.slice(0, size).join("");
  if (spell(field.value).length === size) add(field.value);
  else showTyping();
}

export async function read(pasted, signal) {
  if (round.read) return round.read(pasted);
  const { game, colours, hard } = round, size = Object.values(pasted).join("").length;
  if (size <= MOST_PASTED) return posted("review-read", { game, colours, hard, ...pasted }, signal);
  throw new Error(`${number(size)} characters were pasted, expected at most 20,000: paste one round.`);
}

export function take({ length, history }) {
  round.take(length, history);
  at("word").value = "";
  showAll();
}

export async function paste(text) {
  const command = /^.*\b(suggest|review)\s/, options = /\s--?\w[\w-]*(\s+[^\s:]+(?=\s|$))?/g;
  try {
    take(await read({ text: text.replace(command, "").replace(options, "") }));
    at("word").focus();
  } catch (error) {
    problem(`Not read: ${error.message}`);
  }
}

function press(event) {
  if (event.target.dataset.row === undefined || round.counted || isShortcut(event)) return;
  const [row, place] = placeOf(event), { marks } = round.rows[row], { key } = event;
  const step = (by, next = place + by) => (marks[next] === DONE ? step(by, next + by) : next);
  const moves = {
    ArrowLeft: [row, step(-1)], ArrowRight: [row, step(1)],
    ArrowUp: [row - 1, place], ArrowDown: [row + 1, place],
  };
  const mark = KEYS[key.toLowerCase()], isUncoloured = marks.includes("");
  if (mark) {
    round.mark(row, place, mark);
    showAll(row, step(1) < marks.length ? step(1) : place);
    if (isUncoloured && !marks.includes("")) at("word").focus();
  } else if (key === "Enter" && isUncoloured) grey(row, place);
  else if (key === "Backspace") erase(row, place);
  else if (key === "Delete") remove(row);
  else if (key === "ArrowDown" && row === round.rows.length - 1) at("word").focus();
  else if (moves[key]) focusOn(...moves[key]);
  else return;
  event.preventDefault();
}

/** Mark the open tiles of a row as absent, or those of one board; a touch does not open the keyboard. */
function grey(row, at = NaN) {
  const own = round.rows[row], first = at - (at % round.length), end = first + round.length;
  own.marks = own.marks.map((mark, place) => mark || (place < first || place >= end ? "" : "X"));
  const next = own.marks.indexOf("");
  if (next >= 0) showAll(row, next);
  else if (isTouched()) showAll(row, own.marks.length - 1);
  else typeOn();
}

/** Remove the mark here or the last one before it; without one, type the word again, less a letter. */
function erase(row, place) {
  const { letters, rows } = round, { word, marks } = rows[row];
  const last = marks[place] ? place : marks.findLastIndex((mark, at) => at < place && MARKS.includes(mark));
  if (last >= 0 && !letters) {
    marks[last] = "";
    return showAll(row, last);
  }
  rows.splice(row, 1);
  at("word").value = letters ? "" : spell(word).slice(0, -1).join("");
  typeOn();
}

listen("click", {
  clear,
  grey: () => grey(round.uncoloured),
  undo() {
    back();
    show({ toast: false });
    typeOn();
  },
  rows(event) {
    const { row, remove: removed } = event.target.dataset, place = placeOf(event);
    if (removed !== undefined) remove(Number(removed));
    else if (!round.counted && row !== undefined) {
      round.mark(...place);
      showAll(...place);
    }
  },
});
listen("change", { rows: count, choices: chooseGame });
listen("input", { word: typed });
listen("keydown", { rows: press, word: enter });
document.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "", field = event.target.closest?.("input, textarea");
  if ((field && field !== at("word")) || !WRITTEN.test(text.trim())) return;
  event.preventDefault();
  paste(text);
});
