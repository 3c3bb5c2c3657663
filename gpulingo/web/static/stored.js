// Answers the views' requests from stored strategies: an exported page has this file in place of ask.js.

import { gameOf } from "./page.js";
import { feedback } from "./ranking.js";
import { StoredStrategy } from "./strategy.js";

export const ownList = null, useList = null; // no word lists of the user
const GONE = "The files of this page cannot be read. Open it again.";
// Marks as they are written, as in gpulingo/advice/notation.py.
const WRITTEN = { X: "XB0.-_⬛⬜◼◻◾◽▪▫⚫⚪🖤🤍", "?": "?Y1🟨🟦🟡🔵💛💙🟪🟣💜", O: "OG2🟩🟧🟢🟠💚🧡" };
const COLOURS = Object.values(WRITTEN).join("").replace(/[ -~]/g, "");
const COLOURED = new RegExp(`^[${COLOURS}]{2,}$`, "u");
const ROW = new RegExp(`${COLOURED.source}|^(?:[by.\\-_g]+|[xy.\\-_g]+|[x?.\\-_o]+|[012]+)$`, "u");
// As in Slack.
const SQUARES = {
  black: "⬛", white: "⬜", yellow: "🟨", blue: "🟦", green: "🟩", orange: "🟧", purple: "🟪", red: "🟥",
};
const NAMES = Object.keys(SQUARES).join("|");
const NAMED = new RegExp(`:(?:large_)?(${NAMES})_(?:\\w+_)?(?:square|circle|heart):`, "g");
// Other palettes, as there.
const BESIDE_GREEN = { "🟧": "🟨", "🟠": "🟡", "🧡": "💛" }, BESIDE_SQUARES = { "🟧": "🟨", "🟠": "⬜", "🟡": "⬜" };
const BESIDE_BLUE = { "🟥": "🟩", "🔴": "🟢", "🟦": "⬛", "🔵": "⚫" };
const SPACED = new RegExp(`(?<!\\S)[${COLOURS}🟥🔴](?:[ \\t]+[${COLOURS}🟥🔴]){2,}(?!\\S)`, "gu"); // of one row
const RUNS = new RegExp(`[${COLOURS}🟥🔴]{2,}`, "gu");
const STRANGE = new RegExp(`:\\w+_(?:square|circle):|(?![${COLOURS}])\\p{Extended_Pictographic}`, "u");
const UNSEEN = /[\ufe0f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const TURNS = 6, MOST_WORDS = 500;
const LATEST = 86400000; // milliseconds: as dates are local, a word is available a day early
const rounds = new Map(); // name -> round
const read = { __proto__: null }; // name -> promise of a file or a strategy

/** Make a value from files once; if they cannot be read, throw a TypeError as fetch does. */
function once(name, make) {
  return (read[name] ??= make().catch(() => { throw new TypeError(GONE); }));
}

const file = (name, kind = "json") => once(name, async () => {
  const answer = await fetch(name);
  return answer.ok ? answer[kind]() : Promise.reject();
});

async function strategyOf(fits) {
  if (!globalThis.Uint32Array) {
    const lacking = "This browser cannot read the stored strategies, because it has no typed arrays.";
    throw new Error(`${lacking} Use a newer one.`);
  }
  const { data } = (await file("stored.json")).trees.find(fits) ?? {};
  const make = async () =>
    new StoredStrategy(data, await file(data, "arrayBuffer"), await file("sentences.json"));
  if (data) return once(`strategy of ${data}`, make);
  const instead = "Run gpulingo web on your computer for one.";
  throw new Error(`No strategy is stored here for this game and length. ${instead}`);
}

async function ofGame({ game, hard, length, history }) {
  const name = hard ? `${game}-${hard}` : game;
  return (await strategyOf((tree) => tree.name === name && tree.length === length)).reading(history);
}

function plain(written) {
  const text = written.toLowerCase().replace(UNSEEN, "").replace(NAMED, (_, colour) => SQUARES[colour])
    .replace(SPACED, (row) => row.replace(/\s/g, ""));
  const signs = (text.match(RUNS) ?? []).join(""), isLingo = /[🟥🔴]/u.test(signs) && /[🟦🔵]/u.test(signs);
  const besideGreen = /🟩/u.test(signs) ? BESIDE_SQUARES : BESIDE_GREEN;
  const table = /[🟧🟠🧡]/u.test(signs) && /[🟩🟢💚]/u.test(signs) ? besideGreen
    : isLingo && !/[^🟥🔴🟨🟡🟦🔵]/u.test(signs) ? BESIDE_BLUE : {};
  return text.replace(/\p{Extended_Pictographic}/gu, (sign) => table[sign] ?? sign);
}

const split = (text) => plain(text).replace(/\s*[:=]\s*/g, ":").split(/[\s,]+/).filter(Boolean);

/** The guesses of a line with their marks as written; a row of coloured squares may lack its guess. */
function pairsOf(line) {
  const pairs = [], others = [];
  for (const part of split(line)) {
    const [guess, row] = part.split(":"), { length } = [...part], open = pairs.at(-1);
    if (row !== undefined) pairs.push([guess, row]);
    else if (others.at(-1)?.length === length && ROW.test(part)) pairs.push([others.pop(), part]);
    else if (COLOURED.test(part)) pairs.push(["", part]);
    else if (open && !open[0] && [...open[1]].length === length) open[0] = part;
    else others.push(part);
  }
  return pairs;
}

/** Refuse a text with a square that is no mark. */
function checkSquares(text) {
  const isRow = (part) => STRANGE.test(part) && /[⬛⬜🟨🟦🟩🟧🟥🟪🟫]|_square:/u.test(part);
  const row = plain(text).split(/\s+/).find(isRow);
  const known = "green or orange, yellow, blue or purple, black or white";
  if (row) throw new Error(`${STRANGE.exec(row)[0]} in '${row}' is not a mark: squares are ${known}`);
}

function readRound({ text = "", words = "", target = "" }) {
  const mark = (sign) => Object.keys(WRITTEN).find((own) => WRITTEN[own].includes(sign.toUpperCase())) ?? "";
  checkSquares(text);
  const lines = plain(text).split("\n").map(pairsOf), guesses = split(words);
  const marksOf = (row) => [...row].map(mark).join("");
  let history = lines.flat().map(([guess, row], place) => [guesses[place] ?? guess, marksOf(row)]);
  if (target || !history.length) {
    const [answer, ...tried] = target ? [target.trim().toLowerCase(), ...guesses] : split(text);
    history = tried.map((guess) => [guess, guess.length === answer.length ? feedback(guess, answer) : ""]);
  }
  const length = history[0]?.[1].length, isSeveral = (line) => line.filter(([guess]) => !guess).length > 1;
  const isRow = ([guess, row]) => row.length === length && (!guess || guess.length === length);
  if (lines.length > 1 && lines.some(isSeveral)) {
    throw new Error("squares of several boards: paste one board");
  }
  if (length && history.every(isRow)) return { length, history: history.map((own) => own.join(":")) };
  throw new Error("not a round: paste crane:BYBBG, or give the answer and the guesses");
}

function ofDay({ words, days, mark, series }, day) {
  const date = new Date(Date.UTC(2026, 0, 1 + day));
  if (day < 0 || day >= days.length || date - Date.now() > LATEST) {
    throw new Error("That day has no daily word here: set the clock, or practise.");
  }
  const dated = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return { word: words[days[day]], daily: { day, number: `${day + 1}${mark}`, dated, series } };
}

function byLot(targets, history, length) {
  const guesses = history.map((row) => row.slice(0, length));
  const left = targets.filter((word) =>
    history.every((row, turn) => row === `${guesses[turn]}:${feedback(guesses[turn], word)}`));
  if (!left.length) throw new Error("No usual answer fits these colours. Start a new round.");
  return { word: left[Math.floor(Math.random() * left.length)], helped: history.length > 0 };
}

async function begun({ game = "wordle", length, day, history = [], words }) {
  if (game !== "wordle") {
    throw new Error("Only Wordle is played here. Run gpulingo web on your computer for other games.");
  }
  const own = await strategyOf((tree) => tree.length === length);
  const places = [...new Set(own.days)].sort((one, other) => one - other);
  const targets = places.map((place) => own.words[place]);
  const drawn = day === undefined ? byLot(targets, history, length) : ofDay(own, day);
  const round = { name: `${rounds.size + 1}`, own, targets, left: targets, history: [], ...drawn };
  rounds.set(round.name, round);
  for (const row of history) take(round, row.split(":")[0]);
  return shown(round, words);
}

function take(round, text) {
  const guess = text.trim().toLowerCase(), marks = feedback(guess, round.word);
  if (!round.own.words.includes(guess)) throw new Error("Not in the list. It costs nothing.");
  round.history.push([guess, marks]);
  round.before = round.left.length;
  round.left = round.left.filter((word) => feedback(guess, word) === marks);
}

function shown(round, words = false) {
  const { own, word, targets, left, history } = round, count = history.length;
  const isFound = history.at(-1)?.[0] === word, rows = history.map(([, marks]) => own.squares(marks));
  const over = isFound ? "found" : count >= TURNS ? "lost" : round.givenUp ? "given up" : "";
  round.helped ||= words && !over;
  const share = count ? [`gpulingo ${isFound ? count : "X"}/${TURNS}`, "", ...rows].join("\n") : "";
  return {
    round: round.name, game: "wordle", length: own.length, hard: "", host: "honest", turns: TURNS, points: [],
    source: own.drawn, targets: targets.length, letters: [...new Set(own.words.join(""))].sort().join(""),
    history, left: left.length, before: round.before ?? targets.length, helped: Boolean(round.helped), over,
    words: words ? left.slice(0, MOST_WORDS) : [],
    end: over && own.filled(`round ${over}`, { count, word: word.toUpperCase(), points: "" }),
    ...round.daily, ...(over ? { word, share } : {}),
  };
}

function changed(request, change = () => {}) {
  const round = rounds.get(request.round);
  if (!round) throw Object.assign(new Error("This round has expired. Start a new one."), { status: 410 });
  change(round);
  return shown(round, request.words);
}

const ANSWERS = {
  async suggest(request) {
    return (await ofGame(request)).suggest(request.history);
  },
  async search(request, tools) {
    return (await ofGame(request)).search(request.history, { ...tools, longer: request.longer });
  },
  async review(request, tools) {
    const { reviewed } = await import("./verdict.js"), { history } = request;
    return reviewed(await ofGame({ ...request, length: history[0].indexOf(":") }), history, tools);
  },
  async "atlas-branch"(request) {
    const fits = ({ game, length }) => game === request.game && length === request.length;
    return (await strategyOf(fits)).branch(request);
  },
  "review-read": readRound,
  "play-new": begun,
  "play-round": (request) => changed(request),
  "play-guess": (request) => changed(request, (round) => take(round, request.guess)),
  "play-end": (request) => changed(request, (round) => { round.givenUp = true; }),
};

function unanswered() {
  throw new Error("This page cannot do this. Run gpulingo web on your computer for it.");
}

export async function posted(name, request, signal, progress) {
  const answer = await (ANSWERS[name] ?? unanswered)(request, { signal, progress });
  signal?.throwIfAborted();
  return answer;
}

export const streamed = posted;

export async function told(name) {
  const { trees, about } = await file("stored.json"), names = trees.map((tree) => gameOf(tree.name));
  const unique = (rows) => [...new Set(rows)], gamesOf = (rows) => unique(rows.map(([, game]) => game));
  const games = { games: gamesOf(names), hard: gamesOf(names.filter(([,, rule]) => rule)) };
  const lengths = unique(trees.map((tree) => tree.length));
  return {
    games, "review-games": games,
    "play-games": { games: { wordle: ["honest"] }, hard: [], segments: { practice: ["wordle"] }, lengths },
    "atlas-trees": { trees, notes: [], none: "" }, about: { text: about },
  }[name] ?? unanswered();
}
