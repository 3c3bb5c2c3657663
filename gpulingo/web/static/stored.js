// What the views ask a server, answered from stored strategies: an exported page has this file in place of ask.js.

import { Strategy, feedback } from "./strategy.js";

export const ENDING = ".html", ownList = null, useList = null; // no words of one's own
export const GONE = "The files of this page cannot be read. Open it again.";
const HARD = /-((?:from\d-)?hard)$/; // the end of a game's name
const SQUARES = { "⬛": "X", "⬜": "X", "🟨": "?", "🟦": "?", "🟩": "O", "🟧": "O" };
const ROW = /^[⬛⬜🟨🟦🟩🟧]{2,}$/u;
const TURNS = 6, MOST_WORDS = 500;
const rounds = new Map(); // that are played, by name
const read = {}; // promises of files, by name

function file(name, kind = "json") {
  return (read[name] ??= fetch(name).then((answer) => {
    if (!answer.ok) throw new TypeError(name);
    return answer[kind]();
  }));
}

/** The strategy of the first tree that fits. */
async function strategyOf(fits, what) {
  const tree = (await file("stored.json")).trees.find(fits);
  if (!tree) throw new Error(`No strategy is stored here for ${what}. gpulingo web answers it.`);
  return (read[`${tree.data} read`] ??= Promise.all([file(tree.data, "arrayBuffer"), file("sentences.json")]).then((own) => new Strategy(...own)));
}

function ofGame({ game, hard = "", length }) {
  const name = hard ? `${game}-${hard}` : game;
  return strategyOf((tree) => tree.name === name && tree.length === length, `${name} with ${length} letters`);
}

/** A round in any form that is pasted: crane:X?XXO, squares and words, or the answer and the guesses. */
function readRound({ text = "", words = "", target = "" }) {
  const parts = text.toLowerCase().replaceAll("\ufe0f", "").split(/\s+/).filter(Boolean), guesses = words.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const rows = parts.filter((part) => ROW.test(part)), marked = parts.filter((part) => part.includes(":"));
  const [answer, tried] = target ? [target.trim().toLowerCase(), guesses] : [parts[0] ?? "", parts.slice(1)];
  let history = tried.map((guess) => [guess, guess.length === answer.length ? feedback(guess, answer) : ""]);
  if (!target && rows.length) history = rows.map((row, place) => [guesses[place] ?? "", [...row].map((sign) => SQUARES[sign]).join("")]);
  else if (!target && marked.length) history = marked.map((part) => part.toUpperCase().split(":")).map(([guess, row]) => [guess.toLowerCase(), row]);
  const [[, { length } = ""] = []] = history;
  if (!history.every(([guess, row]) => /^[XO?]+$/.test(row) && row.length === length && guess.length === length) || !length) {
    throw new Error("this is no round: paste crane:X?XXO, or give the answer and the guesses");
  }
  return { length, history: history.map((own) => own.join(":")) };
}

/** A round of Wordle: the word of a day, or one by lot that fits the guesses so far. */
async function begun({ length, day, history = [], words }) {
  const own = await strategyOf((tree) => tree.length === length, `${length} letters`), targets = [...new Set(own.days)].sort((a, b) => a - b).map((place) => own.words[place]);
  const fits = (target) => history.every((row) => row === `${row.slice(0, length)}:${feedback(row, target)}`), fit = day === undefined ? targets.filter(fits) : [own.words[own.days[day]]];
  const word = fit[Math.floor(Math.random() * fit.length)];
  if (!word) throw new Error(day < 0 ? "The first daily word is that of 1 January 2026: set the clock." : "This page has no word for that.");
  const dated = new Date(Date.UTC(2026, 0, 1 + day)).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  const daily = day === undefined ? {} : { day, number: `${day + 1}${own.mark}`, dated, series: own.series };
  const round = { round: `${rounds.size + 1}`, own, word, targets, left: targets, before: targets.length, history: [], helped: day === undefined && history.length > 0, daily };
  rounds.set(round.round, round);
  for (const row of history) take(round, row.split(":")[0]);
  return shown(round, words);
}

function take(round, text) {
  const guess = text.trim().toLowerCase();
  if (!round.own.words.includes(guess)) throw new Error("Not in the list. It costs nothing.");
  const marks = feedback(guess, round.word), left = round.left.filter((word) => feedback(guess, word) === marks);
  round.history.push([guess, marks]);
  Object.assign(round, { left, before: round.left.length });
}

/** A round as its view is told it. */
async function shown(round, words) {
  const { own, word, targets, left, before, history, daily } = round, count = history.length, { squares } = await file("sentences.json");
  const over = history.at(-1)?.[0] === word ? "found" : count >= TURNS ? "lost" : round.givenUp ? "given up" : "";
  round.helped ||= Boolean(words) && !over;
  const share = count ? [`gpulingo ${over === "found" ? count : "X"}/${TURNS}`, "", ...history.map(([, marks]) => [...marks].map((mark) => squares[mark]).join(""))].join("\n") : "";
  return { round: round.round, game: "wordle", length: own.length, hard: "", host: "honest", source: own.drawn, targets: targets.length, history, left: left.length,
    letters: [...new Set(own.words.join(""))].sort().join(""), words: words ? left.slice(0, MOST_WORDS) : [], over, before, helped: round.helped, turns: TURNS, points: [],
    end: over && own.filled(`round ${over}`, { count, word: word.toUpperCase(), points: "" }), ...daily, ...(over ? { word, share } : {}) };
}

function roundOf({ round }) {
  if (!rounds.has(round)) throw Object.assign(new Error("This round has expired. Start a new one."), { status: 410 });
  return rounds.get(round);
}

const ANSWERS = {
  suggest: async (request) => (await ofGame(request)).suggest(request.history),
  search: (request) => ANSWERS.suggest(request),
  review: async (request) => (await ofGame({ ...request, length: request.history[0].indexOf(":") })).review(request.history),
  "review-read": readRound,
  "play-new": begun,
  "play-round": (request, change = () => {}) => {
    const round = roundOf(request);
    change(round);
    return shown(round, request.words);
  },
  "play-guess": (request) => ANSWERS["play-round"](request, (round) => take(round, request.guess)),
  "play-end": (request) => ANSWERS["play-round"](request, (round) => { round.givenUp = true; }),
  "atlas-trees": async () => ({ ...(await file("stored.json")), notes: [], none: "" }),
  "atlas-branch": async (request) => (await strategyOf((tree) => tree.game === request.game && tree.length === request.length, request.game)).branch(request),
};

/** The answer to a request, as a server gives it. */
export async function posted(name, request) {
  if (!ANSWERS[name]) throw new Error("This page has stored strategies only. gpulingo web answers this.");
  return ANSWERS[name](request);
}

export const streamed = posted;

/** What a server tells unasked. */
export async function told(name) {
  const { trees, about } = await file("stored.json"), hard = new Set(trees.filter((tree) => HARD.test(tree.name)).map((tree) => tree.name.replace(HARD, "")));
  const games = { games: [...new Set(trees.map((tree) => tree.name.replace(HARD, "")))], hard: [...hard], letters: [] };
  const play = { games: { wordle: ["honest"] }, hard: [], segments: { practice: ["wordle"] }, lengths: [...new Set(trees.map(({ length }) => length))] };
  return { games, "review-games": games, about: { text: about }, "play-games": play }[name];
}
