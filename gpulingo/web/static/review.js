// Review: a played round on the left; on the right, the loss by its choices and the luck of its marks.

import { streamed } from "./ask.js";
import { begin, fault, read, round, take } from "./entry.js";
import { at, draw, heard, listen, made, problem, said, show, showNotes, Task, write } from "./page.js";
import { copy, rowOf } from "./played.js";
import { fill } from "./tables.js";

const COLUMNS = { // and their headings
  guess: "guess", marks: "colours", left: "possible before", after: "possible after", expected: "average",
  best: "best guess", chosen: "with yours", choice: "choice", luck: "luck", by: "by",
};
const asking = new Task(); // the server stops the request too
let answer; // the review that is shown

function score(name, value, about) {
  const bar = made("meter", [], { max: 99, value, ariaLabel: `${name}, of 99` });
  return made("div", [made("dt", name), made("dd", [about, `${value}`, bar])]);
}

function judgedGuess({ guess, marks }, { label, sign, sentence, small }) {
  const tag = made(`span.tag.${label}`, label, { data: { sign } }), texts = [made("p", sentence)];
  if (small) texts.push(made("p.faint", small));
  return made("li", [heard(said(guess, marks)), rowOf(guess, marks), tag, ...texts]);
}

function showVerdict({ headline, lead, skill, luck, about, turns, share }) {
  const sign = about ? "about " : "";
  write({ headline, lead, copied: "" });
  draw("scores", [score("Skill", skill, sign), ...(luck === null ? [] : [score("Luck", luck, sign)])]);
  draw("judged", turns.map((own, place) => judgedGuess(answer.turns[place], own)));
  show({ share });
  document.title = `${headline}: skill ${sign}${skill} · gpulingo`;
}

async function showAnswer(reply) {
  answer = reply;
  show({ review: answer });
  document.title = "Review · gpulingo";
  showNotes(answer?.notes);
  for (const id of ["turns", "chart"]) draw(id, []);
  if (!answer) return;
  const { list, sums, hows, rows, verdict } = answer;
  write({ status: `${round.title}, ${list}.`, sums });
  showVerdict(verdict);
  draw("hows", hows.map((how) => made("li", how)));
  fill("turns", Object.values(COLUMNS), rows.map((row) => Object.keys(COLUMNS).map((name) => row[name])));
  const { chart } = await import("./review-chart.js");
  if (answer === reply) draw("chart", [chart(reply)]);
}

function stop() {
  asking.stop();
  show({ stop: false });
}

function changed() {
  stop();
  at("form").open = true;
  problem();
  write({ status: round.rows.length ? "" : "Type or paste a finished round." });
  showAnswer();
}

/** Send a request, perhaps with the button Stop. Return its answer; undefined if it is stopped or fails. */
async function asked(status, question, stoppable = false) {
  problem();
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

function lack({ rows, draft, counts, unnamed }) {
  if (!rows.length) return "Type your first guess.";
  if (!draft) return "";
  if (counts) return "Fill in every number first.";
  return unnamed < 0 ? "Colour every tile first." : "Type the word of each row.";
}

async function review() {
  const searching = "Judging your guesses", request = round.asked();
  problem(lack(round));
  if (lack(round)) return;
  showAnswer();
  const reply = await asked(`${searching}.`, (signal) =>
    streamed("review", request, signal, ({ status, seconds, most }) => {
      write({ status: status ?? `${searching}: ${seconds} s of at most ${most} s.` });
    }), true);
  if (!reply) return;
  showAnswer(reply);
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
begin("review-games", {
  changed, entered: review, several: true,
  opened: () => round.rows.length && review(),
});
