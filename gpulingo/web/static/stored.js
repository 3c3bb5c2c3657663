// What the views ask a server, answered from stored strategies alone: in an exported page this file takes the place of ask.js.

import { Strategy, feedback } from "./strategy.js";

export const ENDING = ".html", ownList = null, useList = null; // only a server takes words
export const GONE = "The files of this page cannot be read. Open it again.";
const RULED = /-((?:from[345]-)?hard)$/; // the end of a game's name
const MARKS = { X: "X", "⬛": "X", "⬜": "X", "?": "?", "🟨": "?", "🟦": "?", O: "O", "🟩": "O", "🟧": "O" };
const MOST_WORDS = 500;
const read = async (name) => {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} cannot be read: export the page again.`);
  return answer;
};
const [{ trees, about }, tables] = await Promise.all(["stored.json", "sentences.json"].map(async (name) => (await read(name)).json()));
const strategies = new Map(); // by file, each read once
const rounds = new Map(); // that are played, by name

/** The strategy of a tree that fits. */
async function strategyOf(fits, what) {
  const tree = trees.find(fits);
  if (!tree) throw new Error(`No strategy is stored here for ${what}. gpulingo web answers it.`);
  if (!strategies.has(tree.data)) strategies.set(tree.data, read(tree.data).then(async (answer) => new Strategy(await answer.arrayBuffer(), tables)));
  return strategies.get(tree.data);
}

function ofGame({ game, hard = "", length }) {
  const name = hard ? `${game}-${hard}` : game;
  return strategyOf((tree) => tree.name === name && tree.length === length, `${name} with words of ${length} letters`);
}

/** A round in any form that is pasted: crane:X?XXO, squares and words, or the answer and the guesses. */
function readRound({ text, words = "", target = "" }) {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean), guesses = words.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const marks = (row) => [...row.replaceAll("\ufe0f", "").toUpperCase()].map((sign) => MARKS[sign]).join("");
  const rows = parts.filter((part) => /^[⬛⬜🟨🟦🟩🟧\ufe0f]{2,}$/u.test(part)).map(marks);
  let history = parts.filter((part) => part.includes(":")).map((part) => part.split(":")).map(([guess, row]) => [guess, marks(row)]);
  if (target) history = guesses.map((guess) => [guess, feedback(guess, target.toLowerCase())]);
  else if (rows.length) history = rows.map((row, place) => [guesses[place] ?? "", row]);
  else if (!history.length) history = parts.slice(1).map((guess) => [guess, feedback(guess, parts[0])]);
  const length = history[0]?.[1].length;
  if (!history.length || history.some(([guess, row]) => guess.length !== length || row.length !== length)) {
    throw new Error("not a round: paste crane:X?XXO, or type the guesses and the answer");
  }
  return { length, history: history.map((own) => own.join(":")) };
}

/** A round of Wordle that is begun: the word of a day, or one by lot. */
async function begun({ length, day, guesses = [], words }) {
  const own = await strategyOf((tree) => tree.length === length, `words of ${length} letters`);
  const targets = [...new Set(own.days)].sort((a, b) => a - b).map((place) => own.words[place]);
  const word = day === undefined ? targets[Math.floor(Math.random() * targets.length)] : own.words[own.days[day]];
  if (!word) throw new Error(day < 0 ? "The first daily word is that of 1 January 2026: set the clock." : "This page has no word of that day: export it again.");
  const dated = new Date(Date.UTC(2026, 0, 1 + day)).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  const daily = day === undefined ? {} : { day, number: `${day + 1}${own.mark}`, dated, series: own.series };
  const round = { name: `${rounds.size + 1}`, own, word, targets, left: targets, before: targets.length, history: [], helped: false, givenUp: false, daily };
  rounds.set(round.name, round);
  for (const guess of guesses) take(round, guess);
  return shown(round, words);
}

function take(round, text) {
  const guess = text.trim().toLowerCase();
  if (!round.own.words.includes(guess)) throw new Error("Not in the list. It costs nothing.");
  const marks = feedback(guess, round.word);
  round.history.push([guess, marks]);
  round.before = round.left.length;
  round.left = round.left.filter((word) => feedback(guess, word) === marks);
}

/** A round as its view is told it. */
function shown(round, words = false) {
  const { name, own, word, targets, left, before, history, givenUp, daily } = round, count = history.length;
  const over = history.at(-1)?.[0] === word ? "found" : count >= 6 ? "lost" : givenUp ? "given up" : "";
  round.helped ||= words && !over;
  const squares = history.map(([, marks]) => [...marks].map((mark) => tables.squares[mark]).join(""));
  const end = over ? { word, share: count ? [`gpulingo ${over === "found" ? count : "X"}/6`, "", ...squares].join("\n") : "" } : {};
  return { round: name, game: "wordle", length: own.length, hard: "", host: "honest", source: own.drawn, targets: targets.length,
    letters: [...new Set(own.words.join(""))].sort().join(""), history, left: left.length, words: words ? left.slice(0, MOST_WORDS) : [], over,
    end: over && own.filled(`round ${over}`, { count, word: word.toUpperCase(), points: "" }), before, helped: round.helped, turns: 6, points: [], ...daily, ...end };
}

function roundOf({ round }) {
  if (!rounds.has(round)) throw Object.assign(new Error("This round has expired. Start a new one."), { status: 410 });
  return rounds.get(round);
}

const families = [...new Set(trees.map(({ name }) => name.replace(RULED, "")))];
const ruled = [...new Set(trees.filter(({ name }) => RULED.test(name)).map(({ name }) => name.replace(RULED, "")))];
const TOLD = {
  games: { games: families, hard: ruled }, "review-games": { games: families, hard: ruled, letters: [] }, about: { text: about },
  "play-games": { games: { wordle: ["honest"] }, hard: [], segments: { practice: ["wordle"] }, lengths: [...new Set(trees.map(({ length }) => length))] },
};
const ASKED = {
  suggest: async (request) => (await ofGame(request)).suggest(request.history),
  search: (request) => ASKED.suggest(request),
  review: async (request) => (await ofGame({ ...request, length: request.history[0].indexOf(":") })).review(request.history),
  "review-read": readRound,
  "play-new": begun,
  "play-round": (request) => shown(roundOf(request), request.words),
  "play-guess": (request) => { take(roundOf(request), request.guess); return ASKED["play-round"](request); },
  "play-end": (request) => { roundOf(request).givenUp = true; return ASKED["play-round"](request); },
  "atlas-trees": () => ({ trees, notes: [], none: "" }),
  "atlas-branch": async (request) => (await strategyOf((tree) => tree.game === request.game && tree.length === request.length, request.game)).branch(request),
};

/** The answer to a request, as the server would give it. */
export async function posted(name, request) {
  if (!ASKED[name]) throw new Error("This page holds stored strategies only. gpulingo web answers this.");
  return ASKED[name](request);
}

export const streamed = posted;

/** What a server tells unasked. */
export const told = async (name) => TOLD[name];
