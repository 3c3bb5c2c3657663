// The assistant: the round on the left, what is left of it and what to guess on the right.

import { at, complaint, made, posted, problem, said, tile, told } from "./page.js";
import { Round } from "./round.js";

const KEYS = { x: "X", 0: "X", "?": "?", 1: "?", o: "O", 2: "O" };
let round = Round.of(location.hash.slice(1));
let asking = null; // what stops the requests on their way

function tileOf(row, place) {
  const { word, marks } = round.rows[row];
  const node = tile([...word][place], marks[place]);
  Object.assign(node.dataset, { row, place });
  return node;
}

function showRows(focus) {
  const rows = round.rows.map(({ word, marks }, row) => {
    const item = made("li");
    item.setAttribute("aria-label", said(word, marks));
    item.append(...[...word].map((_, place) => tileOf(row, place)));
    const remove = made("button", "remove", { type: "button", className: "remove" });
    remove.dataset.remove = row;
    remove.setAttribute("aria-label", `remove ${word}`);
    item.append(remove);
    return item;
  });
  at("rows").replaceChildren(...rows);
  if (focus) at("rows").querySelector(`[data-row="${focus[0]}"][data-place="${focus[1]}"]`)?.focus();
}

function showChoices() {
  at("game").value = round.game;
  at("length").value = round.length;
  at("hard").checked = round.hard;
  at("word").maxLength = round.length;
}

function showAnswer(answer) {
  const count = answer.left.toLocaleString("en");
  at("status").textContent = `${count} word${answer.left === 1 ? " is" : "s are"} left of ${answer.list}.`;
  const more = answer.left - answer.candidates.length;
  at("candidates").textContent = answer.candidates.join(" ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
  at("notes").replaceChildren(...answer.notes.map((note) => made("li", note)));
  at("notes").hidden = answer.notes.length === 0;
  at("how").textContent = answer.how;
  showGuesses(answer);
}

function showGuesses(answer) {
  const table = at("guesses");
  table.replaceChildren();
  if (answer.suggestions.length === 0) return;
  const turns = answer.suggestions[0].found_by_turn.length;
  const head = made("tr");
  const names = ["guess", answer.measure];
  for (let turn = answer.turn; turn <= turns; turn += 1) names.push(`by turn ${turn}`);
  names.push("classes", "largest", "may be it");
  head.append(...names.map((name) => made("th", name, { scope: "col" })));
  const rows = answer.suggestions.map((own) => {
    const row = made("tr");
    const guess = made("th", undefined, { scope: "row" });
    const take = made("button", own.guess, { type: "button" });
    take.dataset.take = own.guess;
    guess.append(take);
    row.append(guess, made("td", own.expected.toFixed(3) + (own.exact ? "" : " *")));
    for (const chance of own.found_by_turn.slice(answer.turn - 1)) {
      const percent = 100 * chance;
      row.append(made("td", `${percent.toFixed(1)} %`, { className: `chance s${5 * Math.round(percent / 5)}` }));
    }
    row.append(made("td", own.classes), made("td", own.largest), made("td", own.candidate ? "yes" : "no"));
    return row;
  });
  const top = made("thead"), body = made("tbody");
  top.append(head);
  body.append(...rows);
  table.append(top, body);
}

function fetched(search, signal) {
  const { game, length, hard } = round;
  return posted("suggest", { game, length, hard, history: round.history(), search }, signal);
}

/** Ask what is left, which takes no search, then for the best guesses. */
async function ask() {
  history.replaceState(null, "", `#${round.text()}`);
  asking?.abort();
  const here = (asking = new AbortController());
  problem("");
  try {
    const first = await fetched(false, here.signal);
    if (here.signal.aborted) return;
    showAnswer(first);
    if (first.left > 1 && first.open) {
      at("stop").hidden = false;
      at("how").textContent = first.how ? `${first.how}; searching for others` : "searching";
      const answer = await fetched(true, here.signal);
      if (!here.signal.aborted) showAnswer(answer);
    }
  } catch (error) {
    if (here.signal.aborted) return;
    at("guesses").replaceChildren();
    at("candidates").textContent = at("how").textContent = at("status").textContent = "";
    problem(complaint(error));
  } finally {
    if (asking === here) at("stop").hidden = true;
  }
}

function changed(focus) {
  showRows(focus);
  ask();
}

function add(word) {
  const letters = [...word.trim().toLowerCase()];
  if (letters.length !== round.length || !/^\p{L}+$/u.test(letters.join(""))) {
    problem(`“${word}” has ${letters.length} characters, expected a word of ${round.length} letters.`);
    return false;
  }
  if (round.rows.length >= 32) {
    problem("There are 32 guesses already: remove one.");
    return false;
  }
  round.add(letters.join(""));
  changed();
  return true;
}

at("add").addEventListener("submit", (event) => {
  event.preventDefault();
  if (add(at("word").value)) at("word").value = "";
  at("word").focus();
});
at("clear").addEventListener("click", () => {
  round.rows = [];
  changed();
  at("word").focus();
});
at("stop").addEventListener("click", () => {
  asking?.abort();
  at("stop").hidden = true;
  at("how").textContent = "The search was stopped.";
});
at("rows").addEventListener("click", (event) => {
  const { row, place, remove } = event.target.dataset;
  if (remove !== undefined) {
    round.remove(Number(remove));
    changed();
    at("word").focus();
  } else if (row !== undefined) {
    round.mark(Number(row), Number(place));
    changed([row, place]);
  }
});
at("rows").addEventListener("keydown", (event) => {
  const { row, place } = event.target.dataset;
  if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const [r, p] = [Number(row), Number(place)];
  const moves = { ArrowLeft: [r, p - 1], ArrowRight: [r, p + 1], ArrowUp: [r - 1, p], ArrowDown: [r + 1, p] };
  const mark = KEYS[event.key.toLowerCase()];
  if (mark) {
    round.mark(r, p, mark);
    changed([r, Math.min(p + 1, round.length - 1)]);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    round.remove(r);
    changed();
    at("word").focus();
  } else if (moves[event.key]) {
    const [to, where] = moves[event.key];
    at("rows").querySelector(`[data-row="${to}"][data-place="${where}"]`)?.focus();
  } else return;
  event.preventDefault();
});
at("guesses").addEventListener("click", (event) => {
  const word = event.target.dataset.take;
  if (word && add(word)) at("rows").querySelector(`[data-row="${round.rows.length - 1}"][data-place="0"]`).focus();
});
at("choices").addEventListener("submit", (event) => event.preventDefault());
at("choices").addEventListener("change", (event) => {
  const length = Number(at("length").value);
  if (!(length >= 1 && length <= 39)) {
    problem("Words have 1 to 39 letters.");
    return;
  }
  if (length !== round.length) round.rows = [];
  Object.assign(round, { game: at("game").value, length, hard: at("hard").checked });
  showChoices();
  changed();
});
addEventListener("hashchange", () => {
  if (location.hash.slice(1) === round.text()) return;
  round = Round.of(location.hash.slice(1));
  showChoices();
  changed();
});

const { games } = await told("games");
at("game").replaceChildren(...games.map((game) => made("option", game, { value: game })));
if (!games.includes(round.game)) round.game = games[0];
showChoices();
changed();
at("word").focus();
