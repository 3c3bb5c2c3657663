// The assistant: the round on the left, what is left of it and what to guess on the right.

import { Entry } from "./entry.js";
import { at, complaint, made, posted, problem, streamed, told } from "./page.js";

const COLUMNS = 6; // of turns
const entry = new Entry(() => ask());
let asking = null; // what stops the requests on their way

function showAnswer(answer) {
  at("status").textContent = `${answer.counted}.`;
  const more = answer.left - answer.candidates.length;
  at("candidates").textContent = answer.candidates.join(" ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
  at("notes").replaceChildren(...answer.notes.map((note) => made("li", note)));
  at("notes").hidden = answer.notes.length === 0;
  at("how").textContent = answer.how;
  showGuesses(answer);
}

/** The turns that have a column: of many the first, and the last on which a word is found. */
function shownTurns({ turn, suggestions }) {
  const chances = suggestions.map((own) => own.found_by_turn);
  let last = chances[0].length;
  while (last > turn + COLUMNS - 1 && chances.every((own) => own[last - 1] === own[last - 2])) last -= 1;
  const turns = Array.from({ length: last - turn + 1 }, (_, more) => turn + more);
  return turns.length > COLUMNS ? [...turns.slice(0, COLUMNS - 1), last] : turns;
}

function showGuesses(answer) {
  const table = at("guesses");
  const focused = document.activeElement?.dataset.take;
  table.replaceChildren();
  if (answer.suggestions.length === 0) return;
  const turns = shownTurns(answer);
  const head = made("tr");
  const ends = turns.map((turn) => (entry.round.letters ? `${turn - 1} missed` : `by ${turn}`));
  const names = ["guess", answer.measure, ...ends];
  names.push("classes", "largest", "left");
  head.append(...names.map((name) => made("th", name, { scope: "col" })));
  const rows = answer.suggestions.map((own) => {
    const row = made("tr");
    const guess = made("th", undefined, { scope: "row" });
    const take = made("button", own.guess, { type: "button" });
    take.dataset.take = own.guess;
    guess.append(take);
    row.append(guess, made("td", own.expected.toFixed(turns.length ? 3 : 0) + (own.exact ? "" : " *")));
    for (const turn of turns) {
      const percent = 100 * own.found_by_turn[turn - 1];
      row.append(made("td", `${percent.toFixed(1)} %`, { className: `chance s${5 * Math.round(percent / 5)}` }));
    }
    row.append(made("td", own.classes), made("td", own.largest), made("td", own.candidate ? "yes" : "no"));
    return row;
  });
  const top = made("thead"), body = made("tbody");
  top.append(head);
  body.append(...rows);
  table.append(top, body);
  if (focused) [...table.querySelectorAll("[data-take]")].find((own) => own.dataset.take === focused)?.focus();
}

/** Ask what is left, which takes no search, then for the best guesses. */
async function ask(longer = false) {
  const { round } = entry;
  history.replaceState(null, "", `#${round.text()}`);
  at("review").href = `review.html#${round.text()}`;
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const { game, length, hard } = round;
  const request = { game, length, hard, history: round.history() };
  problem("");
  at("longer").hidden = true;
  try {
    const first = await posted("suggest", request, signal);
    if (!longer) showAnswer(first);
    if (first.left > 1 && first.open) {
      at("stop").hidden = false;
      const searching = "searching: the best so far";
      at("how").textContent = first.how && !longer ? `${first.how}; searching for others` : searching;
      const answer = await streamed("search", { ...request, longer }, signal, (part) => {
        if (!part.status) showGuesses({ ...first, ...part });
        at("how").textContent = part.status ?? searching;
      });
      showAnswer(answer);
      at("longer").hidden = longer || answer.suggestions.every((own) => own.exact);
    }
  } catch (error) {
    if (signal.aborted) return;
    at("guesses").replaceChildren();
    at("candidates").textContent = at("how").textContent = at("status").textContent = "";
    problem(complaint(error));
  } finally {
    if (asking?.signal === signal && !at("stop").hidden) {
      if (document.activeElement === at("stop")) (at("longer").hidden ? at("word") : at("longer")).focus();
      at("stop").hidden = true;
    }
  }
}

at("add").addEventListener("submit", (event) => {
  event.preventDefault();
  if (entry.add(at("word").value)) at("word").value = "";
  at("word").focus();
});
at("stop").addEventListener("click", () => {
  asking?.abort();
  at("how").textContent = "The search was stopped: these are the best so far; * is what a guess has at least.";
  at("longer").hidden = false;
  at("longer").focus();
  at("stop").hidden = true;
});
at("longer").addEventListener("click", () => {
  at("stop").hidden = false; // to be there for the focus
  at("stop").focus();
  ask(true);
});
at("guesses").addEventListener("click", (event) => {
  const word = event.target.dataset.take;
  if (word && entry.add(word)) entry.go(entry.round.rows.length - 1, 0);
});

const { games, hard } = await told("games");
entry.begin(games, hard);
