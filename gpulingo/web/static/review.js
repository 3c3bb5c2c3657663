// The review: a played round on the left, what its choices lost and what its marks gave on the right.

import { at, complaint, made, posted, problem, said, streamed, tile, told } from "./page.js";
import { chart } from "./review-chart.js";
import { Round } from "./round.js";

const KEYS = { x: "X", 0: "X", "?": "?", 1: "?", o: "O", 2: "O" };
const MOST_PASTED = 20000; // characters, as the server has it
const COLUMNS = ["guess", "marks", "left", "after", "expected", "best", "chosen", "lost", "luck", "by"];
const TEXTS = ["guess", "marks", "best", "by"];
let round = Round.of(location.hash.slice(1));
let asking = null; // what stops the request on its way, and at the server
let answer = null; // that is shown

function tileOf(row, place) {
  const { word, marks } = round.rows[row];
  const node = tile(round.letters ? word : [...word][place], marks[place]);
  if (round.letters) node.setAttribute("aria-label", `${word} at place ${place + 1}, ${marks[place] === "O" ? "placed" : "absent"}`);
  Object.assign(node.dataset, { row, place });
  return node;
}

function rowText({ word, marks }) {
  if (!round.letters) return said(word, marks);
  const places = marks.flatMap((mark, place) => (mark === "O" ? [place + 1] : []));
  return places.length ? `${word}: at place ${places.join(", ")}` : `${word}: absent`;
}

function showRows(focus) {
  const rows = round.rows.map((own, row) => {
    const item = made("li");
    item.setAttribute("aria-label", rowText(own));
    item.append(...own.marks.map((_, place) => tileOf(row, place)));
    const remove = made("button", "remove", { type: "button", className: "remove" });
    remove.dataset.remove = row;
    remove.setAttribute("aria-label", `remove ${own.word}`);
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
  at("hard").disabled = !hard.includes(round.game);
}

function cell(row, name) {
  const own = name === "guess" ? made("th", row[name], { scope: "row" }) : made("td", row[name]);
  own.classList.toggle("text", TEXTS.includes(name));
  return own;
}

function drawChart() {
  if (answer) at("chart").replaceChildren(chart(answer, Math.max(270, Math.min(620, at("chart").clientWidth))));
}

function showAnswer() {
  at("review").hidden = !answer;
  at("notes").replaceChildren(...(answer?.notes ?? []).map((note) => made("li", note)));
  at("notes").hidden = !answer?.notes.length;
  at("turns").replaceChildren();
  at("chart").replaceChildren();
  if (!answer) return;
  const source = answer.list + (answer.targets ? `, targets ${answer.targets}` : "");
  at("status").textContent = `${answer.game} over ${source}, guess by guess (${answer.unit}).`;
  at("sums").textContent = answer.sums;
  at("hows").replaceChildren(...answer.hows.map((how) => made("li", how)));
  const head = made("tr"), top = made("thead"), body = made("tbody");
  head.append(...COLUMNS.map((name) => made("th", name, { scope: "col", className: TEXTS.includes(name) ? "text" : "" })));
  top.append(head);
  body.append(...answer.rows.map((row) => {
    const own = made("tr");
    own.append(...COLUMNS.map((name) => cell(row, name)));
    return own;
  }));
  at("turns").replaceChildren(top, body);
  drawChart();
}

/** Stop what is asked for; the server ends a search that nobody reads. */
function stop() {
  asking?.abort();
  asking = null;
  at("stop").hidden = true;
}

function changed(focus) {
  stop();
  answer = null;
  history.replaceState(null, "", `#${round.text()}`);
  problem("");
  at("status").textContent = round.rows.length ? "" : "Type, colour or paste a round that was played.";
  showRows(focus);
  showAnswer();
}

/** Ask for something, one thing at a time; null where it was stopped or went wrong, which is told. */
async function asked(status, question) {
  stop();
  problem("");
  const here = (asking = new AbortController());
  at("status").textContent = status;
  try {
    const reply = await question(here.signal);
    return here.signal.aborted ? null : reply;
  } catch (error) {
    if (here.signal.aborted) return null;
    at("status").textContent = "";
    problem(complaint(error));
    return null;
  } finally {
    if (asking === here) {
      asking = null;
      at("stop").hidden = true;
    }
  }
}

async function review() {
  if (round.rows.length === 0) {
    problem("There are no guesses yet: add one.");
    return;
  }
  answer = null;
  showAnswer();
  const request = { game: round.game, hard: round.hard, history: round.history() };
  const searching = "Searching for what the round was worth";
  const coming = asked(`${searching}.`, (signal) => streamed("review", request, signal, ({ seconds, most }) => {
    at("status").textContent = `${searching}: ${seconds} s of at most ${most} s.`;
  }));
  at("stop").hidden = false;
  answer = (await coming) ?? answer;
  if (answer) showAnswer();
}

/** Take a round that the server reads, and review it. */
async function take(request, status) {
  const size = Object.values(request).join("").length;
  if (size > MOST_PASTED) {
    problem(`${size.toLocaleString("en")} characters were pasted, expected at most 20,000: paste one round.`);
    return;
  }
  const whole = { game: round.game, hard: round.hard, ...request };
  const reply = await asked(status, (signal) => posted("review-read", whole, signal));
  if (!reply) return;
  round.take(reply.length, reply.history);
  showChoices();
  changed();
  await review();
}

function add(text) {
  const word = text.trim().toLowerCase(), letters = [...word], count = round.letters ? 1 : round.length;
  if (letters.length !== count || !/^\p{L}+$/u.test(word)) {
    const what = round.letters ? "a letter" : `a word of ${count} letters`;
    problem(`“${text.slice(0, 60)}” has ${letters.length} characters, expected ${what}.`);
    return false;
  }
  if (round.rows.length >= 32) {
    problem("There are 32 guesses already: remove one.");
    return false;
  }
  round.add(word);
  changed();
  return true;
}

at("add").addEventListener("submit", (event) => {
  event.preventDefault();
  if (at("word").value.trim() === "") review();
  else if (add(at("word").value)) at("word").value = "";
  at("word").focus();
});
at("go").addEventListener("click", review);
at("clear").addEventListener("click", () => {
  round.rows = [];
  changed();
  at("word").focus();
});
at("stop").addEventListener("click", () => {
  stop();
  at("status").textContent = "The search was stopped.";
  at("go").focus();
});
at("marked").addEventListener("submit", (event) => {
  event.preventDefault();
  const target = at("target").value.trim();
  if (!target) problem("Type the word that was to be found.");
  else if (round.rows.length === 0) problem("There are no guesses yet: add one.");
  else take({ target, words: round.rows.map(({ word }) => word).join(" ") }, "Colouring the guesses.");
});
at("pasted").addEventListener("submit", (event) => {
  event.preventDefault();
  take({ text: at("text").value, words: at("words").value, target: "" }, "Reading the round.");
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
at("choices").addEventListener("submit", (event) => event.preventDefault());
at("choices").addEventListener("change", () => {
  const length = Number(at("length").value);
  if (!(Number.isInteger(length) && length >= 1 && length <= 39)) {
    problem("Words have 1 to 39 letters.");
    return;
  }
  round.choose(at("game").value, length, at("hard").checked);
  showChoices();
  changed();
});
addEventListener("hashchange", () => {
  if (location.hash.slice(1) === round.text()) return;
  round = Round.of(location.hash.slice(1));
  start();
});
new ResizeObserver(drawChart).observe(at("review"));

/** Show the round of the address, and review it if all of it can be read. */
function start() {
  const [unknown, unread] = [games.includes(round.game) ? "" : round.game, round.unread];
  if (unknown) round.choose("wordle", round.length, round.hard);
  showChoices();
  changed();
  if (unknown) problem(`There is no game “${unknown.slice(0, 40)}” to review: choose another.`);
  else if (unread) problem(`${unread} of the guesses in the address cannot be read and ${unread === 1 ? "is" : "are"} left out.`);
  else if (round.rows.length) review();
}

const { games, hard } = await told("review-games");
at("game").replaceChildren(...games.map((game) => made("option", game, { value: game })));
start();
at("word").focus();
