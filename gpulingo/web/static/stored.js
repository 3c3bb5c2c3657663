// What the views ask a server, answered from stored strategies: an exported page has this file in place of ask.js.

import { Strategy, feedback } from "./strategy.js";

export const ENDING = ".html", ownList = null, useList = null; // no words of one's own
export const GONE = "The files of this page cannot be read. Open it again.";
const HARD = /-((?:from\d-)?hard)$/; // the end of a game's name
const WRITTEN = { X: "XB0.-_⬛⬜◼◻⚫⚪🖤🤍", "?": "?Y1🟨🟦🟡🔵💛💙", O: "OG2🟩🟧🟢🟠💚🧡" }; // as in gpulingo/advice/notation.py
const COLOURED = /^[⬛⬜◼◻⚫⚪🖤🤍🟨🟦🟡🔵💛💙🟩🟧🟢🟠💚🧡]{2,}$/u, ROWS = [COLOURED, /^[by.\-_g]+$/, /^[x?.\-_o]+$/, /^[012]+$/];
const UNSEEN = /[\ufe0f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const TURNS = 6, MOST_WORDS = 500, LATEST = 86400000; // a word is there a day ahead, in milliseconds: dates are local
const rounds = new Map(); // that are played, by name
const read = { __proto__: null }; // promises of files and strategies, by name

/** What is made of files, once; where they cannot be read a TypeError, as fetch has it. */
function once(name, make) {
  return (read[name] ??= make().catch(() => { throw new TypeError(name); }));
}

const file = (name, kind = "json") => once(name, async () => {
  const answer = await fetch(name);
  return answer.ok ? answer[kind]() : Promise.reject();
});

async function strategyOf(fits) {
  const tree = (await file("stored.json")).trees.find(fits);
  if (!tree) throw new Error("No strategy is stored here for this game and length. Run gpulingo web on your computer for one.");
  return once(`strategy of ${tree.data}`, async () => new Strategy(...await Promise.all([file(tree.data, "arrayBuffer"), file("sentences.json")])));
}

const ofGame = ({ game, hard, length }) => strategyOf((tree) => tree.name === (hard ? `${game}-${hard}` : game) && tree.length === length);
const ofCode = ({ game, length }) => strategyOf((tree) => tree.game === game && tree.length === length);

const split = (text) => text.toLowerCase().replace(UNSEEN, "").replace(/\s*[:=]\s*/g, ":").split(/[\s,]+/).filter(Boolean);

/** The guesses of a line with their marks as written; a coloured row may lack its guess. */
function pairsOf(line) {
  const found = [], others = [];
  for (const part of split(line)) {
    const [guess, row] = part.split(":"), { length } = [...part], open = found.at(-1), beside = others.at(-1)?.length === length;
    if (row !== undefined) found.push([guess, row]);
    else if (beside && ROWS.some((kind) => kind.test(part))) found.push([others.pop(), part]);
    else if (COLOURED.test(part)) found.push(["", part]);
    else if (open && !open[0] && [...open[1]].length === length) open[0] = part;
    else others.push(part);
  }
  return found;
}

function readRound({ text = "", words = "", target = "" }) {
  const mark = (sign) => Object.keys(WRITTEN).find((own) => WRITTEN[own].includes(sign.toUpperCase())) ?? "";
  const lines = text.split(/\n/).map(pairsOf), guesses = split(words);
  const [answer, ...tried] = target ? [target.trim().toLowerCase(), ...guesses] : split(text);
  let history = lines.flat().map(([guess, row], place) => [guesses[place] ?? guess, [...row].map(mark).join("")]);
  if (target || !history.length) history = tried.map((guess) => [guess, guess.length === answer.length ? feedback(guess, answer) : ""]);
  const length = history[0]?.[1].length;
  if (lines.length > 1 && lines.some((line) => line.filter(([guess]) => !guess).length > 1)) throw new Error("squares of several boards: paste one board");
  if (!length || !history.every(([guess, row]) => row.length === length && (!guess || guess.length === length))) {
    throw new Error("not a round: paste crane:BYBBG, or give the answer and the guesses");
  }
  return { length, history: history.map((own) => own.join(":")) };
}

function ofDay({ words, days, mark, series }, day) {
  const date = new Date(Date.UTC(2026, 0, 1 + day));
  if (day < 0 || day >= days.length || date - Date.now() > LATEST) throw new Error("That day has no daily word here: set the clock, or practise.");
  const dated = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return { word: words[days[day]], daily: { day, number: `${day + 1}${mark}`, dated, series } };
}

function byLot(targets, history, length) {
  const fits = (word) => history.every((row) => row === `${row.slice(0, length)}:${feedback(row.slice(0, length), word)}`);
  const left = targets.filter(fits);
  if (!left.length) throw new Error("No usual answer fits these colours. Start a new round.");
  return { word: left[Math.floor(Math.random() * left.length)], helped: history.length > 0 };
}

async function begun({ game = "wordle", length, day, history = [], words }) {
  if (game !== "wordle") throw new Error("Only Wordle is played here. Run gpulingo web on your computer for other games.");
  const own = await strategyOf((tree) => tree.length === length);
  const targets = (own.drawable ??= [...new Set(own.days)].sort((a, b) => a - b).map((place) => own.words[place]));
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

async function shown(round, words = false) {
  const { own, word, targets, left, history } = round, count = history.length, { squares } = await file("sentences.json");
  const over = history.at(-1)?.[0] === word ? "found" : count >= TURNS ? "lost" : round.givenUp ? "given up" : "";
  if (words && !over) round.helped = true;
  const rows = history.map(([, marks]) => [...marks].map((mark) => squares[mark]).join(""));
  const share = count ? [`gpulingo ${over === "found" ? count : "X"}/${TURNS}`, "", ...rows].join("\n") : "";
  return {
    round: round.name, game: "wordle", length: own.length, hard: "", host: "honest", source: own.drawn, targets: targets.length, turns: TURNS, points: [],
    letters: [...new Set(own.words.join(""))].sort().join(""), history, left: left.length, words: words ? left.slice(0, MOST_WORDS) : [], over,
    end: over && own.filled(`round ${over}`, { count, word: word.toUpperCase(), points: "" }), before: round.before ?? targets.length, helped: Boolean(round.helped),
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
  suggest: async (request) => (await ofGame(request)).suggest(request.history),
  search: (request) => ANSWERS.suggest(request),
  review: async (request) => (await ofGame({ ...request, length: request.history[0].indexOf(":") })).review(request.history),
  "review-read": readRound,
  "play-new": begun,
  "play-round": (request) => changed(request),
  "play-guess": (request) => changed(request, (round) => take(round, request.guess)),
  "play-end": (request) => changed(request, (round) => { round.givenUp = true; }),
  "atlas-branch": async (request) => (await ofCode(request)).branch(request),
};

function unanswered() {
  throw new Error("This page has stored strategies only. Run gpulingo web on your computer for this.");
}

export async function posted(name, request, signal) {
  const answer = await (ANSWERS[name] ?? unanswered)(request);
  signal?.throwIfAborted();
  return answer;
}

export const streamed = posted;

export async function told(name) {
  const { trees, about } = await file("stored.json"), family = (tree) => tree.name.replace(HARD, "");
  const games = { games: [...new Set(trees.map(family))], hard: [...new Set(trees.filter((tree) => HARD.test(tree.name)).map(family))], letters: [] };
  const lengths = [...new Set(trees.map((tree) => tree.length))], play = { games: { wordle: ["honest"] }, hard: [], segments: { practice: ["wordle"] }, lengths };
  return { games, "review-games": games, "play-games": play, "atlas-trees": { trees, notes: [], none: "" }, about: { text: about } }[name] ?? unanswered();
}
