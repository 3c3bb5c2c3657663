// The assistant: the round on the left; on the right the best guess, others, and the possible answers.

import { posted, streamed } from "./ask.js";
import { add, begin, fault, paste, round } from "./entry.js";
import {
  at, counted, heard, listed, listen, made, number, problem, remember, remembered, show, showNotes, Task,
  write,
} from "./page.js";
import { bar, drawFinish, fill, smallBar, writeCard } from "./tables.js";

const COLUMNS = 6; // most columns for turns
const SHOWN = 3; // other guesses shown unfolded
const SEEN = "gpulingo.seen"; // storage key: the user has read the hint
const asking = new Task();
let best = ""; // the guess on the card

/** Show the card; what is below it is drawn later. */
function showCard({ title = "Next guess", useful = false, ...card }) {
  writeCard(card);
  document.title = `${title} · gpulingo`;
  best = useful ? card.word : "";
  show({ use: useful, answer: card.word, bar: false, others: false, rarer: false });
  at("answer").classList.remove("stale");
}

/** Whether no guess is better: an opening may have a proven value and a better one beside it. */
const isBest = (own) => own.exact && own.by !== "opening";

function badgeOf(own, { stored }, searching) {
  if (isBest(own)) return "✓ Proven best";
  return searching ? "About best · still searching" : stored ? "Best stored" : "About best";
}

function cardOf(answer, searching) {
  const { suggestions: [first], card: { state, title, text }, left, sentences, candidates } = answer;
  const kind = round.codes ? "code" : "word", none = searching ? { eyebrow: "Searching", word: "…" } : {};
  const eyebrow = { one: `Only one ${kind} fits`, outside: "Not a usual answer", out: "" }[state];
  if (!first || state === "one") {
    return state ? { eyebrow, word: title, text, title, useful: title === candidates[0] } : none;
  }
  return {
    eyebrow: eyebrow ?? `Best guess for ${number(left)} ${kind}s`, badge: badgeOf(first, answer, searching),
    word: first.guess, text: sentences[0], title: `Next guess: ${first.guess.toUpperCase()}`, useful: true,
  };
}

function showAnswer(answer, searching = false) {
  const { suggestions, card, rarer, turn } = answer, [first] = suggestions;
  showPossible(answer);
  show({ possible: !searching || suggestions.length > 1 }); // it would move with more guesses
  showCard(cardOf(answer, searching));
  if (first && card.state !== "one") {
    drawFinish(at("bar"), first.found_by_turn, turn, true, round.letters);
    showOthers(answer);
  }
  write({ rarer });
  show({ rarer: rarer && first });
  const proven = first && isBest(first) ? ", proven" : "";
  if (proven) hideStop();
  const said = searching ? "Searching." : first ? `Best guess: ${first.guess}${proven}.` : card.text ?? "";
  const status = `${counted(answer.left, "possible answer")}. ${said}`;
  if (at("status").textContent !== status) write({ status }); // it is read aloud
}

function showPossible({ candidates, left, counted: count, whose, notes }) {
  const few = `${candidates.slice(0, 3).join(", ")}${left > 3 ? " …" : ""}`;
  at("counted").replaceChildren(counted(left, "possible answer"), made("span", few));
  write({ candidates: listed(candidates, left), fit: `${count}.${whose}` });
  showNotes(notes);
}

function showOthers(answer) {
  const { suggestions: [first, ...others], costs, noun, turn } = answer;
  const focused = document.activeElement?.dataset.take;
  write({ costs: `cost in ${noun}` });
  show({ costs: costs.some(Boolean), others: others.length }); // values of different methods have no cost
  at("alternatives").replaceChildren(...others.slice(0, SHOWN).map((own, place) => {
    const bar = smallBar(), cost = costs[place], after = cost.endsWith("more") ? "" : ` ${noun}`;
    drawFinish(bar, own.found_by_turn, turn, false, round.letters);
    const said = cost.endsWith("good") ? [", ", ` as ${first.guess}`] : [", costs ", after];
    const cells = [made("b", own.guess), bar, made("em", cost && [heard(said[0]), cost, heard(said[1])])];
    return made("li", made("button", cells, { className: "alt", data: { take: own.guess } }));
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

function showFigures(answer) {
  const turns = shownTurns(answer), isAlike = answer.suggestions.some((own) => own.alike > 1);
  const digits = turns.length ? 3 : 0; // without turns, values are whole numbers of guesses
  const ends = turns.map((turn) => (round.letters ? `${turn - 1} missed` : `by ${turn}`));
  const names = ["guess", answer.measure, ...ends, "groups", "biggest group", "bits", "could be the answer"];
  fill(at("guesses"), isAlike ? [...names, "alike"] : names, answer.suggestions.map((own) => {
    const shares = turns.map((turn) => own.found_by_turn[turn - 1]), value = own.expected.toFixed(digits);
    return [
      made("button", own.guess, { data: { take: own.guess } }), own.exact ? value : `${value} *`,
      ...shares.map((share) => bar(`${(100 * share).toFixed(1)} %`, share)), own.classes, own.largest,
      own.bits.toFixed(3), own.candidate ? "yes" : "no", ...(isAlike ? [number(own.alike)] : []),
    ];
  }));
}

function hideStop() {
  if (document.activeElement === at("stop")) at(at("longer").hidden ? "word" : "longer").focus();
  show({ stop: false });
}

function showSteps({ letters, counted, codes }) {
  const counts = counted && `Say how many are ${counted.names.join(" and ")}.`;
  write({
    type: `Type the ${letters ? "letter" : codes ? "code" : "word"} you guessed.`,
    mark: letters ? "Tap the places where it stands." : counts ?? "Colour it as your game did.",
  });
  show({ demo: !letters && !counted }); // the demo has coloured marks
}

function changed() {
  const { rows } = round;
  at("review").hash = round.text();
  const isFirst = !rows.length && remembered(SEEN) === null;
  show({ review: round.history().length, clear: rows.length, first: isFirst });
  showSteps(round);
  asking.stop();
  show({ stop: false, longer: false });
  if (round.draft) at("answer").classList.add("stale");
  else if (round.solved) showSolved(round);
  else ask();
}

function showSolved({ rows }) {
  const title = `Found in ${rows.length}`, text = `${title}.`;
  problem("");
  showCard({ eyebrow: "Solved", word: rows.at(-1).word, text, title });
  show({ possible: false, notes: false });
  write({ status: text });
}

async function ask(longer = false) {
  const { game, length, colours, hard } = round;
  const request = { game, length, colours, hard, history: round.history() };
  if (!longer) problem("");
  show({ longer: false });
  await asking.run(async (signal) => {
    const first = await posted("suggest", request, signal), searching = first.left > 1 && first.open;
    show({ stop: searching });
    if (!longer) showAnswer(first, searching);
    write({ how: searching ? "searching" : first.how });
    if (searching) await search(first, { ...request, longer }, signal);
    hideStop();
  }, (error) => {
    hideStop();
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
  showAnswer(answer);
  write({ how: answer.how });
  const isDone = request.longer || answer.stored || !answer.suggestions.length || answer.suggestions[0].exact;
  show({ longer: !isDone });
}

function use() {
  if (best) add(best);
}

function hideSteps() {
  remember(SEEN, "yes");
  show({ first: false });
}

listen("click", {
  use,
  got() {
    hideSteps();
    at("word").focus();
  },
  demo() {
    hideSteps();
    paste("crane:BYBBG");
  },
  stop() {
    asking.stop();
    write({ badge: "Stopped early: about best" });
    show({ longer: true, possible: true });
    at("longer").focus();
    show({ stop: false });
  },
  longer() {
    asking.stop();
    show({ stop: true }); // only a visible button takes the focus
    at("stop").focus();
    ask(true);
  },
  others({ target }) {
    const word = target.closest("[data-take]")?.dataset.take;
    if (word) add(word);
  },
});

begin("games", { changed, entered: use });
