// Several boards: a guess is marked on every board, and one guess is the best next one for all of them.

import { streamed } from "./ask.js";
import { listRow, percent, writeCard } from "./card.js";
import { begin, DONE, remove, round, tileOf } from "./entry.js";
import {
  at, counted, draw, failed, listen, made, number, problem, said, show, showNotes, Task, write,
} from "./page.js";

const asking = new Task();
let left = []; // of each board, the words left at the last answer
const boardsOf = ({ answer_on: on }) => (on.length ? `on board ${on.join(" or ")}` : "");

function boardOf(found, board) {
  const name = `board ${board + 1}`, rows = round.rows.slice(0, found || undefined);
  const own = rows.map(({ word, marks }, row) => {
    const mine = round.parts(marks)[board];
    const tiles = mine.map((_, place) => tileOf(row, board * round.length + place));
    for (const tile of tiles) tile.ariaLabel += `, ${name}`;
    return made(mine.includes("") ? "li.draft" : "li", tiles, { ariaLabel: said(word, mine) });
  });
  return made(found ? "li.found" : "li", [made("b", name), made("ol", own), made("p")]);
}

/** Draw the boards; those after a changed guess are done, or open again. */
function showRows() {
  round.rows.forEach((own, row) => {
    own.marks = round.newMarks(own.word, row).map((mark, place) =>
      ((mark === DONE) === (own.marks[place] === DONE) ? own.marks[place] : mark));
  });
  at("rows").style.setProperty("--count", round.length);
  draw("rows", round.found.map(boardOf));
  showLeft();
}

/** Show what each board has left; `boards` is an answer's. */
function showLeft(boards = left) {
  left = boards;
  at("rows").querySelectorAll("p").forEach((node, board) => {
    const found = round.found[board], { left: count, candidates = [] } = left[board] ?? {};
    const words = count > candidates.length ? "" : `: ${candidates.join(", ")}`;
    node.textContent = found ? `found on guess ${found}` : count ? `${number(count)} left${words}` : "";
  });
}

function showCard(card, [first, ...others] = []) {
  writeCard(card);
  draw("alternatives", others.map((own) => {
    const { guess, mean_turn: turn } = own;
    return listRow(guess, made("span", boardsOf(own)), turn.toFixed(2), { data: { take: guess } });
  }));
  show({ use: first, others: others.length });
}

function showAnswer({ boards, suggestions, how, notes }, searching = false) {
  const [{ guess: word, exact, mean_turn: turn, won, ...own }] = suggestions, on = boardsOf(own);
  const open = counted(boards.filter(({ found }) => !found).length, "board");
  const badge = exact ? "✓ Proven best" : `About best${searching ? " · still searching" : ""}`;
  const text = `Done by guess ${turn.toFixed(2)} on average, ${percent(won)} of rounds won.`;
  showLeft(boards);
  showCard({
    eyebrow: `Best guess for ${open}`, badge, word, text: on ? `${text} It may be the word ${on}.` : text,
  }, suggestions);
  showNotes(notes);
  write({ how, status: `${open} left. ${badge}: ${word}.` });
}

function changed() {
  const { game, length, rows, solved, draft } = round, text = `All found in ${rows.length}.`;
  const request = { game, length, history: round.history(), top: 5 };
  asking.stop();
  show({ clear: rows.length, back: rows.length, use: false });
  at("answer").classList.add("stale");
  if (draft) return;
  problem();
  if (solved) showCard({ eyebrow: text, word: rows.at(-1).word });
  write({ status: solved ? text : "Searching." });
  if (!solved) asking.run(async (signal) => {
    showAnswer(await streamed("boards", request, signal, ({ status = "Searching", boards, ...part }) => {
      write({ badge: status });
      showLeft(boards);
      if (part.suggestions) showAnswer({ boards, ...part }, true);
    }));
  }, (error) => {
    showCard({});
    showLeft([]);
    failed(error);
  });
}

listen("click", { back: () => remove(round.rows.length - 1) });
at("all").append(at("rows")); // below the best guess
begin("boards-games", { game: "quordle", changed, showRows });
