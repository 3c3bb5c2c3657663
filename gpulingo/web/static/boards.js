// Several boards: a guess is marked on every board, and one guess is the best next one for all of them.

import { streamed } from "./ask.js";
import { add, begin, DONE, EnteredRound, isOpen, remove, round, tileOf } from "./entry.js";
import { at, counted, listen, made, number, problem, said, show, showNotes, Task, write } from "./page.js";
import { percent, writeCard } from "./tables.js";

const BOARDS = { __proto__: null, dordle: 2, quordle: 4, octordle: 8 }; // as in the server
const asking = new Task();
let left = []; // of each board, the words left at the last answer
let best = ""; // the guess on the card, "" while it is stale
const take = (word) => best && word && add(word);
const boardsOf = ({ answer_on: on }) => (on.length ? `on board ${on.join(" or ")}` : "");

/** A round in which the marks of a guess are those of all boards, one after the other. */
class BoardsRound extends EnteredRound {
  game = "quordle";

  /** The marks of each board. */
  parts(marks) {
    const first = Array.from({ length: BOARDS[this.game] ?? 1 }, (_, board) => board * this.length);
    return first.map((place) => marks.slice(place, place + this.length));
  }

  /** The number of the guess that finds each board, or 0. */
  get found() {
    const isFound = (board) => ({ marks }) => this.parts(marks)[board].every((mark) => mark === "O");
    return this.parts([]).map((_, board) => this.rows.findIndex(isFound(board)) + 1);
  }

  /** The marks of a word in a row: DONE on a board that an earlier guess finds. */
  newMarks(word, row = this.rows.length) {
    const own = (board) => super.newMarks(word, board * this.length);
    return this.found.flatMap((found, at) => own(at).map((mark) => (found && found <= row ? DONE : mark)));
  }

  choose(game, length, hard) {
    if (BOARDS[game] !== BOARDS[this.game]) this.rows = [];
    super.choose(game, length, hard);
  }

  history() {
    const text = (marks) => this.parts(marks).map((own) => own.join("").replace(/^-+/, DONE)).join(",");
    return this.rows.filter((row) => !isOpen(row)).map(({ word, marks }) => `${word}:${text(marks)}`);
  }

  marksOf(text, word) {
    const marks = (row) => (row === DONE ? Array(this.length).fill(DONE) : super.marksOf(row));
    const rows = text.split(",").map(marks), isWhole = rows.length === BOARDS[this.game];
    return word && isWhole && rows.every(Boolean) ? rows.flat() : null;
  }

  read({ text }) {
    const history = text.match(/[^\s:]+:[^\s,]+,\S+/g);
    if (history) return { length: history[0].indexOf(":"), history };
    throw new Error("write guesses with the marks of all boards: crane:BYBBG,BBBBG");
  }
}

function boardOf(found, board) {
  const name = `board ${board + 1}`, rows = round.rows.slice(0, found || undefined);
  const own = rows.map(({ word, marks }, row) => {
    const mine = round.parts(marks)[board], className = mine.includes("") ? "draft" : "";
    const tiles = mine.map((_, place) => tileOf(row, board * round.length + place));
    for (const tile of tiles) tile.ariaLabel += `, ${name}`;
    return made("li", tiles, { className, ariaLabel: said(word, mine) });
  });
  return made("li", [made("b", name), made("ol", own), made("p")], { className: found ? "found" : "" });
}

/** Draw the boards; those after a changed guess become DONE, or open again. */
function showRows() {
  round.rows.forEach(({ word, marks }, row) => round.newMarks(word, row).forEach((mark, place) => {
    if ((mark === DONE) !== (marks[place] === DONE)) marks[place] = mark;
  }));
  at("rows").style.setProperty("--count", round.length);
  at("rows").replaceChildren(...round.found.map(boardOf));
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
  best = first?.guess ?? "";
  at("alternatives").replaceChildren(...others.map((own) => {
    const cells = [made("b", own.guess), made("span", boardsOf(own)), made("em", own.mean_turn.toFixed(2))];
    return made("li", made("button", cells, { className: "alt", data: { take: own.guess } }));
  }));
  show({ answer: card.word, use: best, others: others.length });
  at("answer").classList.remove("stale");
}

function showAnswer({ boards, suggestions, how, notes }, searching = false) {
  const [{ guess: word, exact, mean_turn: turn, won, ...own }] = suggestions, on = boardsOf(own);
  const open = counted(boards.filter(({ found }) => !found).length, "board");
  const eyebrow = `Best guess for ${open}`, more = searching ? " · still searching" : "";
  const badge = exact ? "✓ Proven best" : `About best${more}`;
  const text = `Done by guess ${turn.toFixed(2)} on average, ${percent(won)} of rounds won.`;
  showLeft(boards);
  showCard({ eyebrow, badge, word, text: on ? `${text} It may be the word ${on}.` : text }, suggestions);
  showNotes(notes);
  write({ how, status: `${open} left. ${badge}: ${word}.` });
}

function changed() {
  const { game, length, rows, solved, draft } = round, text = `All found in ${rows.length}.`;
  const request = { game, length, history: round.history(), top: 5 };
  asking.stop();
  best = "";
  show({ clear: rows.length, back: rows.length, use: false });
  at("answer").classList.add("stale");
  if (draft) return;
  problem("");
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
    write({ status: "" });
    problem(error.message);
  });
}

listen("click", {
  use: () => take(best),
  back: () => remove(round.rows.length - 1),
  others: ({ target }) => take(target.closest("[data-take]")?.dataset.take),
});
at("all").append(at("rows")); // below the best guess
begin("boards-games", { changed, entered: () => take(best), showRows, Round: BoardsRound });
