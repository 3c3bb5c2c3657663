// Answers the views' requests from stored strategies: an exported page has this file in place of ask.js.

import { feedback } from "./ranking.js";
import { StoredStrategy } from "./strategy.js";

const TURNS = 6, MOST_WORDS = 500;
const LATEST = 86400000; // milliseconds: as dates are local, a word is available a day early
const rounds = new Map(); // name -> round
const read = { __proto__: null }; // name -> promise of a file or a strategy

/** Make a value from files once; if they cannot be read, throw a TypeError as fetch does. */
function once(name, make) {
  return (read[name] ??= make().catch(() => {
    throw new TypeError("The files of this page cannot be read. Open it again.");
  }));
}

const file = (name, kind = "json") => once(name, async () => {
  const answer = await fetch(name);
  return answer.ok ? answer[kind]() : Promise.reject();
});

async function strategyOf(fits) {
  const { data } = (await told("atlas-trees")).trees.find(fits) ?? {};
  const make = async () => new StoredStrategy(data, await file(data, "arrayBuffer"));
  if (data) return once(`strategy of ${data}`, make);
  const instead = "Run gpulingo web on your computer for one.";
  throw new Error(`No strategy is stored here for this game and length. ${instead}`);
}

async function ofGame({ game, hard, length, history }) {
  const name = hard ? `${game}-${hard}` : game;
  return (await strategyOf((tree) => tree.name === name && tree.length === length)).reading(history);
}

function ofDay({ words, days, mark, series }, day) {
  const date = new Date(Date.UTC(2026, 0, 1 + day));
  if (day < 0 || day >= days.length || date - Date.now() > LATEST) {
    throw new Error("That day has no daily word here: set the clock, or practise.");
  }
  const dated = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return { word: words[days[day]], daily: { day, number: `${day + 1}${mark}`, dated, series } };
}

function byLot(targets, history) {
  const pairs = history.map((row) => row.split(":"));
  const left = targets.filter((word) => pairs.every(([guess, marks]) => feedback(guess, word) === marks));
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
  const drawn = day === undefined ? byLot(targets, history) : ofDay(own, day);
  const name = `${rounds.size + 1}`;
  const round = { name, own, targets, left: targets, history: [], helped: false, ...drawn };
  rounds.set(name, round);
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
    history, left: left.length, before: round.before ?? targets.length, helped: round.helped, over,
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
    const strategy = await ofGame(request);
    return strategy.answer(strategy.asked(request.history));
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
  async "review-read"(request) {
    const { readRound } = await import("./notation.js");
    return readRound(request, await told("notation"));
  },
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

/** The answers of a server that never change, which the export has written. */
export async function told(name) {
  return (await file("stored.json"))[name] ?? unanswered();
}
