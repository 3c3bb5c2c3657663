// Reads rounds as people write them, on an exported page, by the rules and the tables of advice/notation.py.

import { feedback } from "./ranking.js";

const size = (text) => [...text].length;
const isOf = (text, signs) => [...text].every((sign) => signs.includes(sign));
const isWord = (text) => /^\p{L}+$/u.test(text);
const every = (pattern) => new RegExp(pattern, "giu");
const split = (text) => text.split(/[\s,]+/).filter(Boolean);

/** A text in lower case, with the usual squares in place of names and other palettes. */
function usual(written, { unseen, named, names, spaced, runs, palettes }) {
  const text = written.normalize("NFC").toLowerCase().replace(every(unseen), "")
    .replace(every(named), (_, colour) => names[colour])
    .replace(every(spaced), (row) => row.replace(/\s/g, ""));
  const signs = (text.match(every(runs)) ?? []).join("");
  const [, palette = {}] = palettes.find(([when]) => every(when).test(signs)) ?? [];
  return text.replace(/./gsu, (sign) => palette[sign] ?? sign);
}

function check(text, { strange, written }) {
  for (const word of text.split(/\s+/)) {
    const all = word.match(/\p{Extended_Pictographic}/gu) ?? [], other = all.filter((sign) => !written[sign]);
    const isRow = other.length < all.length || /[🟥🟫]/u.test(word);
    const [sign] = isRow && other.length ? other : word.match(every(strange)) ?? [];
    const known = "green or orange, yellow, blue or purple, black or white";
    if (sign) throw new Error(`${sign} in '${word}' is not a mark: squares are ${known}`);
  }
}

/** Whether a text after a guess and a blank is its marks, or the first of them. */
function isRow(text, guess, { written, kinds }) {
  const isLike = isWord(text) || /[^ -~]/.test(text); // else it is marks, perhaps too many
  const fits = size(text) === size(guess) || (size(text) === 1 && written[text]) || !isLike;
  return isWord(guess) && fits && kinds.some((kind) => isOf(text, kind));
}

/** The guesses of a line with their marks as written, and its other parts. A row may lack its guess. */
function pairs(line, tables) {
  const { array, nouns, written, kinds } = tables, marked = [], others = [];
  const text = line.replace(every(array), (whole, printed, named) => {
    const signs = (printed ?? named).split(/[\s,'"]+/).filter(Boolean).map((part) => nouns[part] ?? part);
    return signs.length > 1 && signs.every((sign) => written[sign]) ? ` ${signs.join("")} ` : whole;
  });
  let isSpaced = false; // whether the last marks may go on after a blank
  for (const part of split(text.replace(/\s*[:=]\s*/g, ":"))) {
    const [guess, row] = part.split(":"), last = marked.at(-1);
    const isNext = isSpaced && written[part] && size(last[1]) < size(last[0]);
    if (isNext) last[1] += part;
    else if (row !== undefined) marked.push([guess, row]);
    else if (others.length && isRow(part, others.at(-1), tables)) marked.push([others.pop(), part]);
    else if (size(part) > 1 && isOf(part, kinds.at(-1))) marked.push(["", part]);
    else if (last && !last[0] && isWord(part) && size(part) === size(last[1])) last[0] = part;
    else others.push(part);
    isSpaced = isNext || (marked.length > 0 && size(marked.at(-1)[1]) === 1);
  }
  return { marked, others };
}

/** The marks of a row; only one sign means absent, because in some programs one of two does not. */
function marksOf(row, guess, { written, forms }) {
  const absent = new Set([...row.toUpperCase()].filter((sign) => sign < "~" && written[sign] === "X"));
  const fault = `marks '${row}' of ${guess} have ${[...absent].sort().join(" and ")} for an absent letter`;
  if (absent.size > 1) throw new Error(`${fault}: write ${forms}`);
  return [...row].map((sign) => written[sign]).join("");
}

/** The guesses with marks of a text, of a share text and its guesses, or of the word and the guesses. */
export function readRound({ text = "", words = "", target = "" }, tables) {
  const whole = usual(text, tables), guesses = split(words.toLowerCase());
  check(whole, tables);
  const isColoured = ([, row]) => isOf(row, tables.kinds.at(-1));
  const lines = whole.split("\n").map((line) => pairs(line, tables).marked.filter(isColoured))
    .filter((line) => line.length);
  if (lines.length > 1 && lines.some((line) => line.filter(([guess]) => !guess).length > 1)) {
    throw new Error("squares of several boards: paste one board");
  }
  const { marked, others } = pairs(whole, tables), rows = lines.flat();
  const isShared = guesses.length || others.length || marked.some(([guess]) => !guess);
  let history = (isShared && rows.length ? rows : marked).map(([guess, row], place) =>
    [guesses[place] ?? guess, marksOf(row, guess, tables)]);
  if (target || !history.length) {
    const [answer, ...tried] = target ? [target.trim().toLowerCase(), ...guesses] : split(whole);
    history = tried.map((guess) => [guess, guess.length === answer.length ? feedback(guess, answer) : ""]);
  }
  const length = history[0]?.[1].length;
  const fits = ([guess, row]) => row.length === length && (!guess || guess.length === length);
  if (length && history.every(fits)) return { length, history: history.map((own) => own.join(":")) };
  throw new Error("not a round: paste crane:BYBBG, or give the answer and the guesses");
}
