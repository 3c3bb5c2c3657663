// The assistant: the round on the left, what is left of it and what to guess on the right.

import { at, complaint, made, posted, problem, said, saidLetter, streamed, tile, told } from "./page.js";
import { Round } from "./round.js";

const COLUMNS = 6; // of turns
const WORD_KEYS = "Click a letter, or press space on it, until its colour is that of your game: absent, misplaced, placed. "
  + "Keys x, ? and o set it at once, arrows move, delete takes the guess back.";
const LETTER_KEYS = "Click the places where the letter stands, or press space or o on them; x takes it away, arrows move, "
  + "delete takes the guess back.";
const KEYS = { x: "X", 0: "X", "?": "?", 1: "?", o: "O", 2: "O" };
let round = Round.of(location.hash.slice(1));
let ruled = []; // games that hard mode is known of
let asking = null; // what stops the requests on their way

function tileOf(row, place) {
  const { word, marks } = round.rows[row];
  const here = marks[place] === "O";
  const node = tile(round.letters ? (here ? word : "·") : [...word][place], marks[place]);
  if (round.letters) {
    node.setAttribute("aria-label", `place ${place + 1}, ${here ? word : `no ${word}`}`);
    if (!here) node.dataset.sign = "";
  }
  Object.assign(node.dataset, { row, place });
  return node;
}

function showRows(focus) {
  const rows = round.rows.map(({ word, marks }, row) => {
    const item = made("li");
    item.setAttribute("aria-label", round.letters ? saidLetter(word, marks) : said(word, marks));
    if (round.letters) item.append(made("span", word, { className: "guessed" }));
    item.append(...marks.map((_, place) => tileOf(row, place)));
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
  at("word").maxLength = round.size;
  at("word-label").textContent = round.letters ? "Letter" : "Guess";
  at("hard").disabled = !ruled.includes(round.game);
  at("keys").textContent = round.letters ? LETTER_KEYS : WORD_KEYS;
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
  const ends = turns.map((turn) => (round.letters ? `${turn - 1} missed` : `by ${turn}`));
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
        showGuesses({ ...first, ...part });
        at("how").textContent = searching;
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

function changed(focus) {
  showRows(focus);
  ask();
}

function add(word) {
  const letters = [...word.trim().toLowerCase()];
  if (letters.length !== round.size || !/^\p{L}+$/u.test(letters.join(""))) {
    problem(`“${word}” has ${letters.length} characters, expected ${round.letters ? "one letter" : `a word of ${round.length} letters`}.`);
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
  if (!(Number.isInteger(length) && length >= 1 && length <= 39)) {
    problem("Words have 1 to 39 letters.");
    return;
  }
  round.choose(at("game").value, length, at("hard").checked);
  showChoices();
  changed();
});
/** Show the round of the address. */
function start() {
  const unknown = games.includes(round.game) ? "" : round.game;
  if (unknown) round.choose(games[0], round.length, round.hard);
  const { unread } = round;
  showChoices();
  changed();
  if (unknown) problem(`There is no game “${unknown.slice(0, 40)}” to be helped with: choose another.`);
  else if (unread) problem(`${unread} of the guesses in the address cannot be read and ${unread === 1 ? "is" : "are"} left out.`);
}

addEventListener("hashchange", () => {
  if (location.hash.slice(1) === round.text()) return;
  round = Round.of(location.hash.slice(1));
  start();
});

const { games, hard } = await told("games");
ruled = hard;
at("game").replaceChildren(...games.map((game) => made("option", game, { value: game })));
start();
at("word").focus();
