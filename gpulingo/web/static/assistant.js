// The assistant: the round on the left; on the right the best guess, others, and the possible answers.

import { Entry } from "./entry.js";
import { at, counted, heard, spell, linkTo, listed, made, number, posted, problem, remember, remembered, showNotes, streamed } from "./page.js";
import { bar, drawFinish, fill, smallBar } from "./tables.js";

const COLUMNS = 6; // most columns for turns
const SHOWN = 3; // other guesses shown unfolded
const SEEN = "gpulingo.seen"; // storage key, set once the user has read the hint
const LONG = 9; // longer words are written smaller
const entry = new Entry(() => changed(), { entered: () => use() });
let asking = null; // AbortController of the current requests
let best = ""; // the guess on the card

/** Show the card: eyebrow, badge, word, sentence; hide the bar and the other cards, which are drawn later. */
function showCard({ eyebrow = "", badge = "", word = "", text = "", title = "Next guess", useful = false, proven = false }) {
  document.title = `${title} · gpulingo`;
  best = useful ? word : "";
  for (const [id, own] of Object.entries({ eyebrow, badge, best: word, say: text })) at(id).textContent = own;
  at("badge").classList.toggle("proven", proven);
  at("best").classList.toggle("long", spell(word).length > LONG);
  at("use").hidden = !useful;
  at("answer").hidden = !word;
  at("bar").hidden = at("others").hidden = at("rarer").hidden = true;
  at("answer").classList.remove("stale");
}

/** Whether no guess is better: an opening may have a proven value and a better one beside it. */
const isBest = (own) => own.exact && own.by !== "opening";

function badgeOf(own, answer, searching) {
  if (isBest(own)) return "✓ Proven best";
  if (searching) return "About best · still searching";
  return answer.stored ? "Best stored" : "About best";
}

function showAnswer(answer, searching = false) {
  showPossible(answer);
  const [first] = answer.suggestions, { card } = answer;
  at("possible").hidden = searching && answer.suggestions.length < 2; // it would move when more guesses are found
  if (first && card.state !== "one") {
    const eyebrow = card.state === "outside" ? "Not a usual answer" : `Best guess for ${number(answer.left)} ${entry.round.codes ? "codes" : "words"}`;
    showCard({ eyebrow, badge: badgeOf(first, answer, searching), proven: isBest(first), word: first.guess,
      text: answer.sentences[0], title: `Next guess: ${first.guess.toUpperCase()}`, useful: true });
    drawFinish(at("bar"), first.found_by_turn, answer.turn, true, entry.round.letters);
    showOthers(answer);
  } else if (card.state) {
    const eyebrow = { one: `Only one ${entry.round.codes ? "code" : "word"} fits`, outside: "Not a usual answer", out: "" }[card.state];
    showCard({ eyebrow, word: card.title, text: card.text, title: card.title, useful: card.title === answer.candidates[0] });
  } else showCard(searching ? { eyebrow: "Searching", word: "…" } : {});
  at("rarer").textContent = answer.rarer;
  at("rarer").hidden = !answer.rarer || !first;
  const sure = first && isBest(first) ? ", proven" : "";
  if (sure) hideStop();
  const said = first ? ` Best guess: ${first.guess}${sure}.` : ` ${card.text ?? ""}`;
  const text = `${counted(answer.left, "possible answer")}.${searching ? " Searching." : said}`;
  if (at("status").textContent !== text) at("status").textContent = text; // it is read aloud
}

function showPossible(answer) {
  const few = answer.candidates.slice(0, 3).join(", ");
  at("counted").replaceChildren(counted(answer.left, "possible answer"), made("span", `${few}${answer.left > 3 ? " …" : ""}`));
  at("candidates").textContent = listed(answer.candidates, answer.left);
  at("fit").textContent = `${answer.counted}.${answer.whose}`;
  showNotes(answer.notes);
}

function showOthers(answer) {
  const { suggestions: [first, ...others], costs, noun } = answer;
  at("costs").hidden = !costs.some(Boolean); // values of different methods have no cost between them
  at("costs").textContent = `cost in ${noun}`;
  at("others").hidden = others.length === 0;
  const focused = document.activeElement?.dataset.take;
  at("alternatives").replaceChildren(...others.slice(0, SHOWN).map((own, place) => {
    const bar = smallBar(), cost = costs[place], isGood = cost.endsWith("good");
    drawFinish(bar, own.found_by_turn, answer.turn, false, entry.round.letters);
    const [before, after] = isGood ? [", ", ` as ${first.guess}`] : [", costs ", cost.endsWith("more") ? "" : ` ${noun}`];
    const parts = [made("b", own.guess), bar, made("em", cost && [heard(before), cost, heard(after)])];
    const row = made("button", parts, { type: "button", className: "alt" });
    row.dataset.take = own.guess;
    return made("li", row);
  }));
  showFigures(answer);
  if (focused) [...document.querySelectorAll("[data-take]")].find((own) => own.dataset.take === focused)?.focus();
}

/** The turns that have a column: those on which a word is found; if too many, the first ones and the last. */
function shownTurns({ turn: first, suggestions }) {
  const chances = suggestions.map((own) => own.found_by_turn);
  let last = chances[0].length;
  while (last > first && chances.every((own) => own[last - 1] === own[last - 2])) last -= 1;
  while (first < last && chances.every((own) => !own[first - 1])) first += 1;
  const turns = Array.from({ length: last - first + 1 }, (_, more) => first + more);
  return turns.length > COLUMNS ? [...turns.slice(0, COLUMNS - 1), last] : turns;
}

function showFigures(answer) {
  const turns = shownTurns(answer), ends = turns.map((turn) => (entry.round.letters ? `${turn - 1} missed` : `by ${turn}`));
  const alike = answer.suggestions.some((own) => own.alike > 1);
  const names = ["guess", answer.measure, ...ends, "groups", "biggest group", "bits", "could be the answer", ...(alike ? ["alike"] : [])];
  fill(at("guesses"), names, answer.suggestions.map((own) => {
    const take = made("button", own.guess, { type: "button" }), value = own.expected.toFixed(turns.length ? 3 : 0);
    take.dataset.take = own.guess;
    const shares = turns.map((turn) => own.found_by_turn[turn - 1]).map((share) => bar(`${(100 * share).toFixed(1)} %`, share));
    return [take, value + (own.exact ? "" : " *"), ...shares, own.classes, own.largest, own.bits.toFixed(3), own.candidate ? "yes" : "no", ...(alike ? [number(own.alike)] : [])];
  }));
}

function hideStop() {
  if (document.activeElement === at("stop")) (at("longer").hidden ? at("word") : at("longer")).focus();
  at("stop").hidden = true;
}

function showSteps({ letters, counted, codes }) {
  at("type").textContent = `Type the ${letters ? "letter" : codes ? "code" : "word"} you guessed.`;
  at("mark").textContent = letters ? "Tap the places where it stands." : counted ? `Say how many are ${counted.names.join(" and ")}.` : "Colour it as your game did.";
  at("demo").hidden = letters || Boolean(counted); // the demo has coloured marks
}

function changed() {
  const { round } = entry;
  history.replaceState(null, "", `#${round.text()}`);
  at("review").href = linkTo("review", round.text());
  at("review").hidden = round.history().length === 0;
  at("clear").hidden = round.rows.length === 0;
  at("first").hidden = round.rows.length > 0 || remembered(SEEN) !== null;
  showSteps(round);
  asking?.abort();
  at("stop").hidden = at("longer").hidden = true;
  if (round.draft >= 0) at("answer").classList.add("stale");
  else if (round.solved) showSolved(round);
  else ask();
}

function showSolved({ rows }) {
  const title = `Found in ${rows.length}`, text = `${title}.`;
  problem("");
  showCard({ eyebrow: "Solved", word: rows.at(-1).word, text, title });
  at("possible").hidden = at("notes").hidden = true;
  at("status").textContent = text;
}

async function ask(longer = false) {
  const { round } = entry, { game, length, colours, hard } = round;
  const { signal } = (asking = new AbortController());
  const request = { game, length, colours, hard, history: round.history() };
  if (!longer) problem("");
  at("longer").hidden = true;
  try {
    const first = await posted("suggest", request, signal), searching = first.left > 1 && first.open;
    at("stop").hidden = !searching;
    if (!longer) showAnswer(first, searching);
    if (searching) {
      at("how").textContent = "searching";
      const answer = await streamed("search", { ...request, longer }, signal, (part) => {
        if (first.suggestions[0]?.exact) return; // only the other guesses are being searched
        if (part.status) at("badge").textContent = part.status;
        else showAnswer({ ...first, ...part, stored: false }, true);
        at("how").textContent = part.status ?? "searching";
      });
      showAnswer(answer);
      at("how").textContent = answer.how;
      at("longer").hidden = longer || answer.stored || !answer.suggestions.length || answer.suggestions[0].exact;
    } else at("how").textContent = first.how;
  } catch (error) {
    if (signal.aborted) return;
    showCard({});
    at("possible").hidden = true;
    at("status").textContent = at("how").textContent = "";
    entry.fault(error);
  } finally {
    if (asking?.signal === signal) hideStop();
  }
}

function use() {
  if (best) entry.add(best);
}

at("use").addEventListener("click", use);
at("got").addEventListener("click", () => {
  remember(SEEN, "yes");
  at("first").hidden = true;
  at("word").focus();
});
at("demo").addEventListener("click", () => {
  remember(SEEN, "yes");
  entry.paste("crane:BYBBG");
});
at("stop").addEventListener("click", () => {
  asking?.abort();
  at("badge").textContent = "Stopped early: about best";
  at("longer").hidden = at("possible").hidden = false;
  at("longer").focus();
  at("stop").hidden = true;
});
at("longer").addEventListener("click", () => {
  asking?.abort();
  at("stop").hidden = false; // only a visible button takes the focus
  at("stop").focus();
  ask(true);
});
at("others").addEventListener("click", ({ target }) => {
  const word = target.closest("[data-take]")?.dataset.take;
  if (word) entry.add(word);
});

entry.begin("games");
