// The assistant: the round on the left; on the right the best guess, others, and the possible answers.

import { posted, streamed } from "./ask.js";
import { drawFinish, finish, listRow, writeCard } from "./card.js";
import { begin, fault, paste, round } from "./entry.js";
import {
  at, counted, draw, heard, listed, listen, made, number, problem, remember, remembered, show, showNotes,
  Task, write,
} from "./page.js";
import { fill } from "./tables.js";

const COLUMNS = 6; // most columns for turns
const SHOWN = 3; // other guesses shown unfolded
const LONGER = "Search longer";
const SEEN = "gpulingo.seen"; // storage key: the user has read the hint
const asking = new Task();

function showCard({ title = "Next guess", useful = false, rarer = "", ...card }) {
  writeCard({ title, ...card });
  write({ rarer });
  show({ use: useful, others: false });
}

/** Whether no guess is better: an opening may have a proven value and a better one beside it. */
const isBest = (own) => own?.exact && own.by !== "opening";

function cardOf(answer, searching) {
  const { suggestions: [first], card: { state, title, text }, left, sentences, candidates, stored } = answer;
  const { noun: kind } = round;
  const eyebrow = { one: `Only one ${kind} fits`, outside: "Not a usual answer" }[state];
  if (state && (!first || state === "one")) {
    return { eyebrow, word: title, text, title, useful: title === candidates[0] };
  }
  if (!first) return searching ? { eyebrow: "Searching", word: "…" } : {};
  const about = searching ? "About best · still searching" : stored ? "Best stored" : "About best";
  return {
    eyebrow: eyebrow ?? `Best guess for ${number(left)} ${kind}s`, word: first.guess, text: sentences[0],
    badge: isBest(first) ? "✓ Proven best" : about, title: `Next guess: ${first.guess.toUpperCase()}`,
    useful: true,
  };
}

function showAnswer(answer, searching = false) {
  const { suggestions: [first, ...others], card, rarer, turn, left } = answer;
  showPossible(answer);
  show({ possible: !searching || others.length }); // it would move with more guesses
  showCard({ ...cardOf(answer, searching), rarer: first ? rarer : "" });
  if (first && card.state !== "one") {
    drawFinish(first.found_by_turn, turn, round.letters);
    showOthers(answer);
  }
  const proven = isBest(first) ? ", proven" : "";
  if (proven) offer();
  const said = searching ? "Searching." : first ? `Best guess: ${first.guess}${proven}.` : card.text ?? "";
  const status = `${counted(left, "possible answer")}. ${said}`;
  if (at("status").textContent !== status) write({ status }); // it is read aloud
}

function showPossible({ candidates, left, counted: count, whose, notes }) {
  const few = `${candidates.slice(0, 3).join(", ")}${left > 3 ? " …" : ""}`;
  draw("counted", [counted(left, "possible answer"), made("span", few)]);
  write({ candidates: listed(candidates, left), fit: `${count}.${whose}` });
  showNotes(notes);
}

function showOthers(answer) {
  const { suggestions: [first, ...others], costs, noun, turn } = answer;
  const focused = document.activeElement?.dataset.take;
  write({ costs: `cost in ${noun}` });
  show({ costs: costs.some(Boolean), others: others.length }); // values of different methods have no cost
  draw("alternatives", others.slice(0, SHOWN).map(({ guess, found_by_turn: chances }, place) => {
    const cost = costs[place], after = cost.endsWith("more") ? "" : ` ${noun}`;
    const said = cost.endsWith("good") ? [", ", ` as ${first.guess}`] : [", costs ", after];
    const figure = cost && [heard(said[0]), cost, heard(said[1])];
    return listRow(guess, finish(chances, turn, round.letters), figure, { data: { take: guess } });
  }));
  showFigures(answer);
  const takes = [...document.querySelectorAll("[data-take]")];
  if (focused) takes.find((own) => own.dataset.take === focused)?.focus();
}

/** The turns that have a column: those on which a word is found, or the first ones and the last. */
function shownTurns({ turn: first, suggestions }) {
  const chances = suggestions.map((own) => own.found_by_turn);
  let last = chances[0].length;
  while (last > first && chances.every((own) => own[last - 1] === own[last - 2])) last -= 1;
  while (first < last && chances.every((own) => !own[first - 1])) first += 1;
  const turns = Array.from({ length: last - first + 1 }, (_, more) => first + more);
  return turns.length > COLUMNS ? [...turns.slice(0, COLUMNS - 1), last] : turns;
}

function showFigures({ suggestions, measure, turn: first }) {
  const turns = shownTurns({ suggestions, turn: first }), isAlike = suggestions.some((own) => own.alike > 1);
  const digits = turns.length ? 3 : 0; // without turns, values are whole numbers of guesses
  const ends = turns.map((turn) => (round.letters ? `${turn - 1} missed` : `by ${turn}`));
  const names = ["guess", measure, ...ends, "groups", "biggest group", "bits", "could be the answer"];
  fill("guesses", isAlike ? [...names, "alike"] : names, suggestions.map((own) => {
    const shares = turns.map((turn) => own.found_by_turn[turn - 1]), value = own.expected.toFixed(digits);
    return [
      made("button", own.guess, { data: { take: own.guess } }), own.exact ? value : `${value} *`,
      ...shares.map((share) => [`${(100 * share).toFixed(1)} %`, share]), own.classes, own.largest,
      own.bits.toFixed(3), own.candidate ? "yes" : "no", ...(isAlike ? [number(own.alike)] : []),
    ];
  }));
}

/** Offer to stop a search or to search longer; by default nothing, and the button has no focus then. */
function offer(search = "") {
  if (!search && document.activeElement === at("search")) at("word").focus();
  write({ search });
}

function changed() {
  const { rows, draft, solved, letters, counts } = round, title = `Found in ${rows.length}`;
  const isFirst = !rows.length && remembered(SEEN) === null, isMarked = !letters && !counts;
  at("review").hash = round.text();
  write(round.steps);
  asking.stop();
  offer();
  show({ review: round.history().length, clear: rows.length, first: isFirst, demo: isMarked });
  if (draft) return at("answer").classList.add("stale");
  if (!solved) return ask();
  problem();
  showCard({ eyebrow: "Solved", word: rows.at(-1).word, text: `${title}.`, title });
  show({ possible: false, notes: false });
  write({ status: `${title}.` });
}

async function ask(longer = false) {
  const request = { ...round.asked(), length: round.length };
  if (longer) offer("Stop");
  else problem();
  await asking.run(async (signal) => {
    const first = await posted("suggest", request, signal), searching = first.left > 1 && first.open;
    offer(searching ? "Stop" : "");
    if (!longer) showAnswer(first, searching);
    write({ how: searching ? "searching" : first.how });
    if (searching) await search(first, { ...request, longer }, signal);
  }, (error) => {
    offer();
    showCard({});
    show({ possible: false });
    write({ status: "", how: "" });
    fault(error);
  });
}

async function search(first, request, signal) {
  const answer = await streamed("search", request, signal, (part) => {
    if (first.suggestions[0]?.exact) return; // only the other guesses are being searched
    if (part.status) write({ badge: part.status });
    else showAnswer({ ...first, ...part, stored: false }, true);
    write({ how: part.status ?? "searching" });
  });
  const { how, stored, suggestions: [best] } = answer;
  showAnswer(answer);
  write({ how });
  offer(request.longer || stored || !best || best.exact ? "" : LONGER);
}

function hideSteps() {
  remember(SEEN, "yes");
  show({ first: false });
}

listen("click", {
  got() {
    hideSteps();
    at("word").focus();
  },
  demo() {
    hideSteps();
    paste("crane:BYBBG");
  },
  search({ target }) {
    if (target.textContent === LONGER) return ask(true);
    asking.stop();
    write({ badge: "Stopped early: about best" });
    show({ possible: true });
    offer(LONGER);
  },
});
begin("games", { changed });
