// Review: a played round on the left; on the right, the loss by its choices and the luck of its marks.

import { streamed } from "./ask.js";
import { begin, fault, read, round, take } from "./entry.js";
import { at, gameName, heard, listen, made, problem, said, show, showNotes, Task, write } from "./page.js";
import { copy, rowOf } from "./played.js";
import { fill } from "./tables.js";

const COLUMNS = { // and their headings
  guess: "guess", marks: "colours", left: "possible before", after: "possible after", expected: "average",
  best: "best guess", chosen: "with yours", choice: "choice", luck: "luck", by: "by",
};
const NAMES = Object.keys(COLUMNS), TEXTS = [0, 1, 5, 9]; // columns with texts
const asking = new Task(); // the server stops the request too
let answer = null; // the review that is shown

function score(name, value, about) {
  const bar = made("meter", [], { max: 99, value, ariaLabel: `${name}, of 99` });
  return made("div", [made("dt", name), made("dd", [about, `${value}`, bar])]);
}

function judgedGuess({ guess, marks }, { label, sign, sentence, small }) {
  const tag = made("span", label, { className: `tag ${label}`, data: { sign } });
  const figures = small ? [made("p", small, { className: "faint" })] : [];
  return made("li", [heard(said(guess, marks)), rowOf(guess, marks), tag, made("p", sentence), ...figures]);
}

function showVerdict({ verdict: { headline, lead, skill, luck, about, turns, share } }) {
  const sign = about ? "about " : "", scores = [score("Skill", skill, sign)];
  write({ headline, lead, copied: "" });
  at("scores").replaceChildren(...scores, ...(luck === null ? [] : [score("Luck", luck, sign)]));
  at("judged").replaceChildren(...turns.map((own, place) => judgedGuess(answer.turns[place], own)));
  show({ share });
  document.title = `${headline}: skill ${sign}${skill} · gpulingo`;
}

async function drawChart() {
  if (!answer) return;
  const { chart } = await import("./review-chart.js");
  const width = Math.max(270, Math.min(620, at("chart").clientWidth));
  if (answer) at("chart").replaceChildren(chart(answer, width));
}

function showAnswer() {
  show({ review: answer });
  document.title = "Review · gpulingo";
  showNotes(answer?.notes);
  at("turns").replaceChildren();
  at("chart").replaceChildren();
  if (!answer) return;
  const { list, sums, hows, rows } = answer;
  write({ status: `${gameName(round.game)}, ${list}.`, sums });
  showVerdict(answer);
  at("hows").replaceChildren(...hows.map((how) => made("li", how)));
  fill(at("turns"), Object.values(COLUMNS), rows.map((row) => NAMES.map((name) => row[name])), TEXTS);
  drawChart();
}

function stop() {
  asking.stop();
  show({ stop: false });
}

function changed() {
  stop();
  answer = null;
  at("form").open = true;
  problem("");
  write({ status: round.rows.length ? "" : "Type or paste a finished round." });
  showAnswer();
}

/** Send a request, the button Stop for it. Return its answer, or undefined if it is stopped or fails. */
async function asked(status, question, stoppable = false) {
  problem("");
  write({ status });
  show({ stop: stoppable });
  const reply = await asking.run(question, (error) => {
    show({ stop: false });
    write({ status: "" });
    fault(error);
  });
  if (reply) show({ stop: false });
  return reply;
}

/** What is lacking for a review. */
function lack({ rows, draft, counted, unnamed }) {
  if (!rows.length) return "Type your first guess.";
  if (!draft) return "";
  if (counted) return "Fill in every number first.";
  return unnamed < 0 ? "Colour every tile first." : "Type the word of each row.";
}

async function review() {
  const { game, colours, hard } = round, request = { game, colours, hard, history: round.history() };
  problem(lack(round));
  if (lack(round)) return;
  answer = null;
  showAnswer();
  const searching = "Judging your guesses";
  const reply = await asked(`${searching}.`, (signal) =>
    streamed("review", request, signal, ({ status, seconds, most }) => {
      write({ status: status ?? `${searching}: ${seconds} s of at most ${most} s.` });
    }), true);
  answer = reply ?? answer;
  if (!answer) return;
  showAnswer();
  at("form").open = !matchMedia("(max-width: 760px)").matches; // on a phone the verdict replaces the form
  if (!at("form").open) at("headline").focus();
}

async function readRound(request, status) {
  const reply = await asked(status, (signal) => read(request, signal));
  if (!reply) return;
  take(reply);
  await review();
}

listen("click", {
  share: () => copy(answer.verdict.share, true),
  copy: () => copy(location.href),
  go: review,
  stop() {
    stop();
    write({ status: "The search was stopped." });
    at("go").focus();
  },
});
listen("submit", {
  marked() {
    const target = at("target").value.trim(), { rows } = round;
    if (!target || !rows.length) problem(target ? "Type your first guess." : "Type the answer.");
    else readRound({ target, words: rows.map(({ word }) => word).join(" ") }, "Colouring the guesses.");
  },
  pasted() {
    readRound({ text: at("text").value, words: at("words").value, target: "" }, "Reading the round.");
  },
});
new ResizeObserver(drawChart).observe(at("review"));

begin("review-games", {
  changed, entered: review, several: true,
  opened() {
    if (round.rows.length) review();
  },
});
