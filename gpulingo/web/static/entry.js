// Entering a round: guesses are typed or pasted, marks set by key or tap; the game is chosen above.

import { posted, told } from "./ask.js";
import {
  at, counted, draw, failed, gameOf, isShortcut, joined, KEYS, listen, made, MARKS, number, options, partsOf,
  problem, roundText, said, show, showTyped, spell, tile, write,
} from "./page.js";

const LONG = 9; // words with more letters get small tiles
const MOST_PASTED = 20000; // characters, as in the server
const UNDO = 10000; // milliseconds that undo is offered
const WRITTEN = /[:=\s,]|\p{Extended_Pictographic}/u; // never in a single word
const MOST = 32; // most guesses
const COLOURS = "rgbyop", DIGITS = "1234567890abcdefghijklmnopqrstuvwxyz"; // of codes, as in the server
export const DONE = "-"; // mark on a board that is found
const CHOICES = ["game", "length", "hard", "colours"];

const isTouched = () => matchMedia("(pointer: coarse)").matches; // a phone, without keys
const isOpen = ({ word, marks }) => !word || marks.includes("");

/** A round, which the address stores. In hangman a guess is a letter, and its marks are O at its places; on
 * several boards the marks of a guess are those of all, one board after the other. It has what the server
 * tells of its game. `counts`: their names, if feedback is no marks; `pegs`: the usual number in a code. */
class Round {
  colours = 0; // number of colours of a code
  marks = MARKS;
  boards = 1;
  kind = "letters";

  /** The round of the page's address. */
  constructor() {
    const [name = "", length, ...history] = partsOf(), [, game, hard = ""] = gameOf(name);
    const [, size, colours] = /^(\d{1,2})(?:x(\d{1,2}))?$/.exec(length) ?? [];
    this.unknown = name && !Object.hasOwn(games, game) ? game : null; // a game that does not exist
    this.play(name && this.unknown === null ? game : view.game, hard);
    if (this.pegs) this.colours = Number(colours ?? this.usual);
    this.take(size >= 1 && size <= 39 ? Number(size) : 5, history);
  }

  /** Take a game and its rule: "", hard, or from3-hard. */
  play(game, hard) {
    Object.assign(this, { game, hard, ...games[game] });
  }

  get size() {
    return this.letters ? 1 : this.length;
  }

  get signs() {
    return DIGITS.slice(0, this.colours);
  }

  get named() {
    const signs = [...this.signs].sort(), colours = [...COLOURS].slice(0, signs.length);
    const also = signs.length < 10 ? `, or colours ${colours.join(" ")}` : "";
    return `${this.length} signs ${signs[0]} to ${signs.at(-1)}${also}`;
  }

  /** A code with digits for letters of colours; a word unchanged. */
  coded(text) {
    const digit = (own) => (this.signs.includes(own) ? own : DIGITS[COLOURS.indexOf(own)] ?? own);
    return this.pegs ? [...text].map(digit).join("") : text;
  }

  /** The first row that lacks its word, or -1. */
  get unnamed() {
    return this.rows.findIndex(({ word }) => !word);
  }

  /** The first row that lacks its word or a mark. */
  get draft() {
    return this.rows.find(isOpen);
  }

  parts(marks) {
    const { boards, length } = this;
    return Array.from({ length: boards }, (_, at) => marks.slice(at * length, (at + 1) * length));
  }

  /** The number of the guess that finds each board, or 0. */
  get found() {
    const isFound = (board) => ({ marks }) => this.parts(marks)[board].every((mark) => mark === "O");
    return this.parts([]).map((_, board) => this.rows.findIndex(isFound(board)) + 1);
  }

  /** The marks of a new guess: a letter that was placed before is so again, a board found before is DONE. */
  newMarks(word, row = this.rows.length) {
    if (this.counts) return this.counts.map(() => "");
    if (this.letters) return Array(this.length).fill("X");
    return this.found.flatMap((found, board) => spell(word).map((letter, at) => {
      const isPlaced = ({ word, marks }) =>
        marks[board * this.length + at] === "O" && spell(word)[at] === letter;
      return this.boards > 1 && found && found <= row ? DONE : this.rows.some(isPlaced) ? "O" : "";
    }));
  }

  /** Add a guess, or the word of a row without one, and return its index. */
  add(word) {
    const { rows, unnamed: open } = this; // open: pasted without a word
    if (open < 0) return rows.push({ word, marks: this.newMarks(word) }) - 1;
    rows[open].word = word;
    return open;
  }

  mark(row, place, mark) {
    const own = this.rows[row].marks, known = this.counts ? [mark] : this.marks;
    if (mark && !known.includes(mark)) return;
    own[place] = mark ?? known[(known.indexOf(own[place]) + 1) % known.length];
  }

  get solved() {
    const last = this.rows.at(-1);
    if (this.counts) return last?.marks[0] === `${this.length}${this.game === "jotto" ? "!" : ""}`;
    return !this.letters && Boolean(last) && last.marks.every((mark) => mark === "O" || mark === DONE);
  }

  choose(game, length, hard) {
    const { pegs, counts, letters, boards } = this;
    this.play(game, hard);
    if (pegs !== this.pegs) length = this.pegs || 5;
    if (counts !== this.counts) this.colours = this.usual;
    const isSame = counts === this.counts && letters === this.letters && boards === this.boards;
    if (!isSame || length !== this.length) this.rows = [];
    this.length = length;
  }

  /** The guesses as the server reads them; in hangman X would mean the letter x. */
  history() {
    const sign = (mark) => (this.letters && mark === "X" ? "_" : mark);
    const text = (marks) => marks.map(sign).join("").replace(/^-+/, DONE);
    const every = ({ marks }) => (this.counts ? marks : this.parts(marks).map(text)).join(",");
    return this.rows.filter((row) => !isOpen(row)).map((row) => `${row.word}:${every(row)}`);
  }

  asked() {
    const { game, colours, hard } = this;
    return { game, colours, hard, history: this.history() };
  }

  /** The marks in a text, of a letter also the letter itself; null if they cannot be read. */
  marksOf(text, word) {
    const { counts, boards, length } = this, parts = text.split(",");
    const isCounts = parts.length === counts?.length && parts.every((own) => /^\d+!?$/.test(own));
    if (counts) return isCounts ? parts : null;
    const markOf = (sign) => (this.letters && sign === word ? "O" : KEYS[sign.toLowerCase()]);
    const rows = parts.map((part) =>
      (boards > 1 && part === DONE ? Array(length).fill(DONE) : [...part].map(markOf)));
    const isKnown = (mark) => mark === DONE || this.marks.includes(mark);
    const isWhole = rows.length === boards && (word || boards === 1);
    return isWhole && rows.every((own) => own.length === length && own.every(isKnown)) ? rows.flat() : null;
  }

  /** Read guesses { word, marks }, also without a word; leave out and count those that cannot be read. */
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
    return spell(word).length === this.size && (this.pegs ? /^[\p{L}\d]+$/u : /^[\p{L}\p{M}]+$/u).test(word);
  }

  text() {
    const { game, hard, length, colours } = this;
    return roundText({ game, hard, length: this.pegs ? `${length}x${colours}` : length }, this.history());
  }
}

export let round;
let games = {}, ruled = []; // by code; those that have hard mode
let view = {}; // what it does at changes
let leaving, back; // timer and action of the undo

/** Begin to enter a round. `name`: the question for the games; `game`: the usual one. Called are `changed`
 * after a change, `opened` after the address is read, `entered` at Enter without a guess, `showRows`.
 * `several`: guesses may lack colours. */
export async function begin(name, own) {
  view = { game: "wordle", opened() {}, entered: use, showRows, ...own };
  try {
    ({ games, hard: ruled } = await told(name));
  } catch (error) {
    return failed(error);
  } finally {
    round = new Round();
  }
  draw("game", options(Object.keys(games), "", (code) => games[code].title));
  open();
  at("word").focus();
  addEventListener("hashchange", () => {
    if (joined(partsOf()) === round.text()) return;
    round = new Round();
    open();
  });
}

function open() {
  const { unread, unknown, title } = round;
  showAll();
  const fault = `This link asks for a game called “${unknown?.slice(0, 40)}”, which does not exist.`;
  if (unknown !== null) problem(`${fault} Showing ${title}.`);
  else if (unread) problem(`${counted(unread, "guess", "guesses")} in this link could not be read.`);
  else view.opened();
}

/** Show the round, and the text that is typed. */
function showAll(text = at("word").value) {
  at("word").value = text;
  showChoices();
  view.showRows();
  showTyping();
  history.replaceState(null, "", `#${round.text()}`);
  view.changed();
}

function focusOn(row, place) {
  at("rows").querySelector(`[data-row="${row}"][data-place="${place}"]`)?.focus();
}

function showAt(row, place) {
  showAll();
  focusOn(row, place);
}

function typeOn(text) {
  showAll(text);
  at("word").focus();
}

function showChoices() {
  const { game, length, hard, colours, pegs, kind, title } = round;
  for (const id of CHOICES) at(id).value = round[id];
  at("hard").disabled = !ruled.includes(game);
  at("colours").parentElement.hidden = !pegs;
  at("length").labels[0].firstChild.data = pegs ? "Pegs " : "Letters ";
  const mode = hard === "hard" ? ", hard mode" : hard && `, hard ${at("hard").selectedOptions[0].text}`;
  write({ chosen: `${title}, ${length} ${kind}${pegs ? `, ${colours} colours` : mode}` });
  for (const id of ["rows", "typing"]) at(id).classList.toggle("long", length > LONG);
}

export function tileOf(row, place) {
  const { word, marks } = round.rows[row], mark = marks[place], isHere = mark === "O";
  const own = place % round.length, letter = spell(word)[own] ?? "";
  const node = tile(!round.letters ? letter : isHere ? word : "·", mark);
  if (!round.letters) node.ariaLabel += `, place ${own + 1} of ${word}`;
  else node.ariaLabel = `place ${place + 1}, ${isHere ? word : `no ${word}`}`;
  Object.assign(node.dataset, { row, place });
  return node;
}

function countOf(row, place) {
  const { word, marks } = round.rows[row], name = round.counts[place], { length } = round;
  const most = length - (marks[1 - place] || 0), numbers = ["", ...Array(most + 1).keys()].map(String);
  if (round.game === "jotto") numbers.push(`${length}!`);
  const counts = options(numbers, marks[place], (count) => count || "–");
  const fields = { ariaLabel: `${name} of ${word}`, data: { row, place } };
  return made("label.number", [`${name} `, made("select", counts, fields)]);
}

function showRows() {
  const { letters, rows, counts } = round;
  draw("rows", rows.map(({ word, marks }, row) => {
    const names = counts?.map((name, at) => `${marks[at] || "no"} ${name}`);
    const ariaLabel = names ? `${word}: ${names.join(", ")}` : said(word || "?".repeat(marks.length), marks);
    const signs = letters ? [made("span.guessed", word)]
      : counts ? [...word].map((sign) => made("span.tile.plain", sign)) : [];
    const cells = marks.map((_, place) => (counts ? countOf : tileOf)(row, place));
    const fields = { ariaLabel: `remove ${word || `row ${row + 1}`}`, data: { remove: row } };
    const nodes = [...signs, ...cells, made("button.remove", "✕", fields)];
    return made(isOpen(rows[row]) ? "li.draft" : "li", nodes, { ariaLabel });
  }));
}

/** The row for typing: shown if a row lacks its word; hidden if one lacks colours, or the word is found. */
function showTyping() {
  const { draft, unnamed, rows: { length }, size, solved, letters, kind } = round;
  const isTyped = unnamed >= 0 || !((draft && !view.several) || solved || length >= MOST);
  show({ typing: isTyped, grey: uncoloured() >= 0 });
  showTyped("letters", at("word").value, size);
  const next = 1 + (unnamed < 0 ? length : unnamed);
  write({ "word-label": letters ? "Letter" : `Guess ${next}, ${size} ${kind}`, keys: hint() });
}

function uncoloured() {
  return round.counts ? -1 : round.rows.findIndex(({ marks }) => marks.includes(""));
}

function hint() {
  const { draft, unnamed, rows, letters, counts, pegs, named } = round;
  const names = counts?.join(" and "), word = draft?.word.toUpperCase();
  if (unnamed >= 0) return `Type the word of row ${unnamed + 1}.`;
  if (counts && draft) return `How many of ${word} are ${names}?`;
  if (counts) return `Type ${pegs ? named : "a guess"}; then say how many are ${names}.`;
  if (draft) return `Colour ${word} to continue: tap its tiles${isTouched() ? "" : ", or press b, y and g"}.`;
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
  const row = round.add(word);
  showAll("");
  if (!round.letters) focusOn(row, round.rows[row].marks.indexOf(""));
}

function use() {
  if (!at("use").hidden) add(at("best").textContent);
}

export function remove(row) {
  const [gone] = round.rows.splice(row, 1), name = gone.word.toUpperCase() || `Row ${row + 1}`;
  typeOn();
  offer(`${name} removed`, () => round.rows.splice(row, 0, gone));
}

function clear() {
  const gone = round.rows;
  round.rows = [];
  problem();
  typeOn("");
  if (gone.length) offer("Round cleared", () => { round.rows = gone; });
}

function offer(text, undo) {
  clearTimeout(leaving);
  write({ "toast-text": text });
  back = undo;
  leaving = setTimeout(write, UNDO, { "toast-text": "" });
}

/** Show what is wrong with the round; ask about a mark if its change would repair it. */
export async function fault({ message, slip }) {
  const text = round.text();
  if (!slip) return problem(message);
  const { ask } = await import("./slip.js");
  if (round.text() === text) ask(round, slip, () => {
    typeOn();
    view.opened();
  });
}

function count({ target: { value, dataset: { row, place } } }) {
  round.mark(row, place, value);
  const next = round.rows[row].marks.indexOf("");
  showAt(row, next < 0 ? place : next);
  if (next < 0) at("word").focus();
}

function chooseGame({ target }) {
  const [game, length, hard, colours] = CHOICES.map(at);
  if (!length.validity.valid) return problem(`${round.pegs ? "Codes" : "Words"} have 1 to 39 ${round.kind}.`);
  round.choose(game.value, Number(length.value), hard.value);
  if (round.pegs && target === colours && colours.validity.valid) round.colours = Number(colours.value);
  showAll("");
}

function typed() {
  const field = at("word"), { signs, pegs, named, size } = round;
  const letters = spell(round.coded(field.value.toLowerCase()));
  const own = letters.filter((sign) => (pegs ? signs.includes(sign) : /\p{L}/u.test(sign)));
  if (pegs && own.length < letters.length) problem(`Type ${named}.`);
  field.value = own.slice(0, size).join("");
  if (own.length >= size) add(field.value);
  else showTyping();
}

export async function read(pasted, signal) {
  const { history, ...asked } = round.asked(), size = Object.values(pasted).join("").length;
  if (round.boards > 1) {
    const rows = pasted.text.match(/[^\s:]+:[^\s,]+,\S+/g);
    if (rows) return { length: rows[0].indexOf(":"), history: rows };
    throw new Error("write guesses with the marks of all boards: crane:BYBBG,BBBBG");
  }
  if (size <= MOST_PASTED) return posted("review-read", { ...asked, ...pasted }, signal);
  throw new Error(`${number(size)} characters were pasted, expected at most 20,000: paste one round.`);
}

export function take({ length, history }) {
  round.take(length, history);
  showAll("");
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
  const { key, target: { dataset } } = event, [row, place] = [dataset.row, dataset.place].map(Number);
  if (dataset.row === undefined || round.counts || isShortcut(event)) return;
  const { marks } = round.rows[row], mark = KEYS[key.toLowerCase()], isUncoloured = marks.includes("");
  const step = (by, next = place + by) => (marks[next] === DONE ? step(by, next + by) : next);
  const keys = {
    ArrowLeft: () => focusOn(row, step(-1)), ArrowRight: () => focusOn(row, step(1)),
    ArrowUp: () => focusOn(row - 1, place), Backspace: () => erase(row, place), Delete: () => remove(row),
    ArrowDown: () => (row + 1 < round.rows.length ? focusOn(row + 1, place) : at("word").focus()),
    ...(isUncoloured && { Enter: () => grey(row, place) }),
  };
  if (mark) {
    round.mark(row, place, mark);
    showAt(row, step(1) < marks.length ? step(1) : place);
    if (isUncoloured && !marks.includes("")) at("word").focus();
  } else if (Object.hasOwn(keys, key)) keys[key]();
  else return;
  event.preventDefault();
}

/** Mark the open tiles of a row as absent, or those of one board; a touch does not open the keyboard. */
function grey(row, at = NaN) {
  const own = round.rows[row], first = at - (at % round.length), end = first + round.length;
  own.marks = own.marks.map((mark, place) => mark || (place < first || place >= end ? "" : "X"));
  const next = own.marks.indexOf("");
  if (next >= 0) showAt(row, next);
  else if (isTouched()) showAt(row, own.marks.length - 1);
  else typeOn();
}

/** Remove the mark here or the last one before it; without one, type the word again, less a letter. */
function erase(row, place) {
  const { letters, rows } = round, { word, marks } = rows[row];
  const last = marks[place] ? place : marks.findLastIndex((mark, at) => at < place && MARKS.includes(mark));
  if (last >= 0 && !letters) {
    marks[last] = "";
    return showAt(row, last);
  }
  rows.splice(row, 1);
  typeOn(letters ? "" : spell(word).slice(0, -1).join(""));
}

/** What a click does, by the data of the node: a row is removed, a tile changed, a word added. */
function click({ target }) {
  const node = target.closest("[data-row], [data-remove], [data-take]") ?? target;
  const { row, place, remove: removed, take: word } = node.dataset;
  if (removed) remove(Number(removed));
  else if (word) add(word);
  else if (row && !round.counts) {
    round.mark(row, Number(place));
    showAt(row, place);
  }
}

addEventListener("click", click);
at("use")?.addEventListener("click", use);
listen("click", {
  clear,
  grey: () => grey(uncoloured()),
  undo() {
    back();
    write({ "toast-text": "" });
    typeOn();
  },
});
listen("submit", {
  typing() {
    if (at("word").value === "") view.entered();
    else add(at("word").value);
  },
});
listen("change", { rows: count, choices: chooseGame });
listen("input", { word: typed });
listen("keydown", {
  rows: press,
  word({ key }) {
    if (key === "ArrowUp") focusOn(round.rows.length - 1, 0);
  },
});
document.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "", field = event.target.closest?.("input, textarea");
  if ((field && field !== at("word")) || !WRITTEN.test(text.trim())) return;
  event.preventDefault();
  paste(text);
});
