// Review: a played round on the left; on the right, the loss by its choices and the luck of its marks.

import { Entry } from "./entry.js";
import { at, gameName, made, problem, said, showNotes, streamed } from "./page.js";
import { copy, rowOf } from "./played.js";
import { fill } from "./tables.js";

const COLUMNS = { guess: "guess", marks: "colours", left: "possible before", after: "possible after", expected: "average", best: "best guess", chosen: "with yours",
  choice: "choice", luck: "luck", by: "by" }; // column -> heading
const TEXTS = ["guess", "marks", "best", "by"];
const entry = new Entry(changed, { opened: () => entry.round.rows.length && review(), entered: () => review(), several: true });
let asking = null; // AbortController of the current request, which the server stops too
let answer = null; // the review that is shown

function score(name, own, about) {
  const bar = made("meter", [], { max: 99, value: own, ariaLabel: `${name}, of 99` });
  return made("div", [made("dt", name), made("dd", [`${about ? "about " : ""}${own}`, bar])]);
}

function judgedGuess({ guess, marks }, { label, sign, sentence, small }) {
  const tag = made("span", label, { className: `tag ${label}` }), figures = small ? [made("p", small, { className: "faint" })] : [];
  tag.dataset.sign = sign;
  return made("li", [made("span", said(guess, marks), { className: "heard" }), rowOf(guess, marks), tag, made("p", sentence), ...figures]);
}

function showVerdict({ verdict, turns }) {
  at("headline").textContent = verdict.headline;
  at("lead").textContent = verdict.lead;
  const luck = verdict.luck === null ? [] : [score("Luck", verdict.luck, verdict.about)];
  at("scores").replaceChildren(score("Skill", verdict.skill, verdict.about), ...luck);
  at("judged").replaceChildren(...verdict.turns.map((own, place) => judgedGuess(turns[place], own)));
  at("share").hidden = !verdict.share;
  at("copied").textContent = "";
  document.title = `${verdict.headline}: skill ${verdict.about ? "about " : ""}${verdict.skill} · gpulingo`;
}

async function drawChart() {
  if (!answer) return;
  const { chart } = await import("./review-chart.js");
  if (answer) at("chart").replaceChildren(chart(answer, Math.max(270, Math.min(620, at("chart").clientWidth))));
}

function showAnswer() {
  at("review").hidden = !answer;
  document.title = "Review · gpulingo";
  showNotes(answer?.notes);
  at("turns").replaceChildren();
  at("chart").replaceChildren();
  if (!answer) return;
  at("status").textContent = `${gameName(entry.round.game)}, ${answer.list}.`;
  showVerdict(answer);
  at("sums").textContent = answer.sums;
  at("hows").replaceChildren(...answer.hows.map((how) => made("li", how)));
  const names = Object.keys(COLUMNS);
  fill(at("turns"), Object.values(COLUMNS), answer.rows.map((row) => names.map((name) => row[name])), TEXTS.map((name) => names.indexOf(name)));
  drawChart();
}

function stop() {
  asking?.abort();
  asking = null;
  at("stop").hidden = true;
}

function changed() {
  const { round } = entry;
  stop();
  answer = null;
  at("form").open = true;
  history.replaceState(null, "", `#${round.text()}`);
  problem("");
  at("status").textContent = round.rows.length ? "" : "Type or paste a finished round.";
  showAnswer();
}

/** Send one request and stop the one before; return null if it is stopped, or after showing its error. */
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
    entry.fault(error);
    return null;
  } finally {
    if (asking === here) {
      asking = null;
      at("stop").hidden = true;
    }
  }
}

async function review() {
  const { round } = entry;
  if (round.rows.length === 0 || round.draft >= 0) {
    problem(round.rows.length ? (round.counted ? "Fill in every number first." : round.rows.every(({ word }) => word) ? "Colour every tile first." : "Type the word of each row.") : "Type your first guess.");
    return;
  }
  answer = null;
  showAnswer();
  const request = { game: round.game, colours: round.colours, hard: round.hard, history: round.history() };
  const searching = "Judging your guesses";
  const coming = asked(`${searching}.`, (signal) => streamed("review", request, signal, ({ status, seconds, most }) => {
    at("status").textContent = status ?? `${searching}: ${seconds} s of at most ${most} s.`;
  }));
  at("stop").hidden = false;
  answer = (await coming) ?? answer;
  if (!answer) return;
  showAnswer();
  at("form").open = !matchMedia("(max-width: 760px)").matches; // on a phone the verdict replaces the form
  if (!at("form").open) at("headline").focus();
}

async function take(request, status) {
  const reply = await asked(status, (signal) => entry.read(request, signal));
  if (!reply) return;
  entry.take(reply);
  await review();
}

at("share").addEventListener("click", () => copy(answer.verdict.share, true));
at("copy").addEventListener("click", () => copy(location.href));
at("go").addEventListener("click", review);
at("stop").addEventListener("click", () => {
  stop();
  at("status").textContent = "The search was stopped.";
  at("go").focus();
});
at("marked").addEventListener("submit", (event) => {
  event.preventDefault();
  const target = at("target").value.trim();
  if (!target) problem("Type the answer.");
  else if (entry.round.rows.length === 0) problem("Type your first guess.");
  else take({ target, words: entry.round.rows.map(({ word }) => word).join(" ") }, "Colouring the guesses.");
});
at("pasted").addEventListener("submit", (event) => {
  event.preventDefault();
  take({ text: at("text").value, words: at("words").value, target: "" }, "Reading the round.");
});
new ResizeObserver(drawChart).observe(at("review"));

entry.begin("review-games");
