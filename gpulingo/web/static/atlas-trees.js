// Trees: a stored strategy as an opening explorer. A reply to its guess is a link, and the address is the path.

import { at, choose, complaint, counted, gameName, joined, KEYS, spell, linkTo, listed, made, MARKS, number, posted, problem, rowOf, said, streamed, tile } from "./page.js";
import { drawFinish, percent, smallBar } from "./tables.js";

const SHOWN = 20, WORDS = 500; // replies and words that are asked for at once
const LONG = 6; // letters, from which on tiles have a line of their own
const ANY = "."; // a mark that is not asked for, as the server has it
const ASKED = /^(wordle|lingo|hangman)(-(from\d-)?hard)?$/, PLAYED = /^(wordle|lingo)/; // games of the other views
let told = null, tree = null; // all strategies, and the one that is chosen
let letter = "", path = []; // the way here
let here = null; // what the server said of it, and its path
let marks = []; // that replies are to have
let asking = null; // what stops a request for other replies

const letters = () => tree.feedback === "positions";
const addressOf = (way) => `#${joined(["trees", tree.game, tree.length, ...(letter ? [letter] : []), ...way])}`;

function ask(fields, signal) {
  return posted("atlas-branch", { game: tree.game, length: tree.length, letter, path, count: SHOWN, words: 0, ...fields }, signal);
}

function drawTurns(node, { turns, left }, turn, large) {
  let found = 0;
  const chances = turns.map((count) => {
    found += count;
    return found / left;
  });
  drawFinish(node, chances, turn, large, letters());
}

function showChoice() {
  choose(at("game"), [...new Set(told.trees.map((own) => own.game))], tree.game, gameName);
  choose(at("length"), told.trees.filter((own) => own.game === tree.game).map((own) => own.length), tree.length);
  choose(at("letter"), tree.letters, letter);
  at("letter").parentElement.hidden = tree.letters.length === 0;
  at("chosen").textContent = `${gameName(tree.game)}, ${tree.length} letters`;
}

function showTrail() {
  at("trail").replaceChildren(...[{}, ...here.trail].map(({ guess, marks: row }, place) => {
    const link = made("a", guess ? rowOf(guess, row) : "Start", { href: addressOf(path.slice(0, place)), ariaLabel: guess ? said(guess, row) : "Start" });
    if (place === path.length) link.ariaCurrent = "step";
    return made("li", link);
  }));
}

function showCard() {
  const { guess, end, say, trail, turn, left } = here, history = trail.map((step) => `${step.guess}:${step.marks}`);
  const word = guess ?? (end === "found" ? trail.at(-1).guess : end === "none" ? "No word" : "Lost"), game = tree.game.replace(/\d+$/, "");
  const next = letters() ? `${turn - 1} of ${counted(tree.turns.length, "life", "lives")} lost` : `Guess ${turn} of ${tree.turns.length}`;
  at("eyebrow").textContent = end && !guess ? "End of the line" : `${next} · ${counted(left, "word")}`;
  at("badge").textContent = end ? "" : tree.optimal ? "✓ Proven best" : "Best stored";
  at("badge").classList.toggle("proven", tree.optimal);
  at("best").textContent = word;
  at("best").classList.toggle("long", word.length > 9);
  at("say").textContent = say;
  if (left) drawTurns(at("bar"), here, turn, true);
  at("bar").hidden = left === 0;
  at("ask").hidden = Boolean(end) || !ASKED.test(game);
  at("play").hidden = at("ask").hidden || !PLAYED.test(game);
  at("ask").href = linkTo("", joined([game, tree.length, ...history]));
  at("play").href = linkTo("play", joined([game, tree.length, ...history]));
  at("counted").textContent = counted(left, "possible answer");
  at("left").textContent = listed(here.words, left);
  at("status").textContent = `${counted(left, "possible answer")}. ${guess ? `Then ${guess}: ` : ""}${say}`;
  document.title = `Explore ${gameName(tree.game)}: ${word.toUpperCase()} · gpulingo`;
}

function reply(own, way) {
  const share = percent(own.left / here.left), next = own.next || own.end, average = own.expected.toFixed(2), bar = smallBar();
  drawTurns(bar, own, letters() || own.end === "found" ? here.turn : here.turn + 1, false);
  const words = made("span", [number(own.left), made("small", share)]), then = made("b", next, { className: own.next ? "" : "end" });
  const link = made("a", [rowOf(own.guess, own.marks), words, bar, then, made("em", average)], { className: "reply", href: addressOf(way) });
  link.ariaLabel = `${said(own.guess, own.marks)}; ${counted(own.left, "word")}, ${share}; ${own.next ? `then ${next}` : next}; average ${average}`;
  link.dataset.marks = own.marks;
  return made("li", link);
}

function showReplies() {
  const { classes, class_count: count, word } = here, more = Math.min(SHOWN, count - classes.length);
  const ways = classes.map(({ marks: row }, place) => (word ? classes.slice(0, place + 1).map((step) => step.marks) : [row]));
  at("replies").replaceChildren(...classes.map((own, place) => reply(own, [...path, ...ways[place]])));
  at("below").classList.toggle("long", tree.length > LONG);
  at("below").style.setProperty("--count", tree.length);
  at("counted-replies").textContent = word ? `of ${word}, step by step` : `${number(count)}, most words first`;
  at("more").hidden = word || more <= 0;
  at("more").textContent = `Show ${more} more of ${number(count)}`;
}

function showTiles(focus) {
  at("tiles").hidden = !["marks", "positions"].includes(tree.feedback);
  at("tiles").replaceChildren(...marks.map((mark, place) => {
    const node = tile(letters() ? here.guess : spell(here.guess)[place], mark === ANY ? "" : mark === "_" ? "X" : mark);
    if (mark === ANY) node.classList.add("plain");
    node.ariaLabel += `, place ${place + 1}`;
    node.dataset.place = place;
    return node;
  }));
  at("tiles").children[focus]?.focus();
}

function showPlace() {
  at("answer").hidden = at("possible").hidden = false;
  at("below").hidden = here.end !== "";
  showTrail();
  showCard();
  at("word").value = "";
  at("word").maxLength = tree.length;
  marks = here.end ? [] : Array(tree.length).fill(ANY);
  if (!here.end) {
    showTiles();
    showReplies();
  }
}

async function turnTo(fields, shown = () => {}) {
  if (here.path !== path) return; // another place is on its way
  asking?.abort();
  const now = here, { signal } = (asking = new AbortController());
  problem("");
  try {
    const { classes, class_count } = await ask({ shown: marks.join(""), ...fields }, signal);
    if (here !== now) return;
    const before = fields.start ? now.classes : [];
    Object.assign(here, { classes: [...before, ...classes], class_count, word: fields.word });
    showReplies();
    shown();
  } catch (error) {
    if (!signal.aborted && here === now) problem(complaint(error));
  }
}

function setMark(place, mark, step = 0) {
  const kinds = [ANY, ...(letters() ? ["_", "O"] : MARKS)], own = letters() && mark === "X" ? "_" : mark;
  if (own && !kinds.includes(own)) return;
  marks[place] = own ?? kinds[(kinds.indexOf(marks[place]) + 1) % kinds.length];
  at("word").value = "";
  showTiles(Math.max(0, Math.min(marks.length - 1, place + step)));
  turnTo({});
}

/** What can be said where no strategy is stored: how to make one, and the assistant's first guesses. */
async function showNone(signal) {
  at("choices").hidden = at("ask").hidden = at("play").hidden = at("bar").hidden = true;
  [at("chosen").textContent, at("best").textContent, at("say").textContent] = ["Words", "No strategy", told.none];
  at("best").classList.add("long");
  at("status").textContent = told.none;
  at("answer").hidden = false;
  const { suggestions, turn } = await streamed("search", { game: "wordle", length: told.length, top: 3 }, signal);
  at("openers").replaceChildren(...suggestions.map(({ guess, found_by_turn: chances, expected }) => {
    const bar = smallBar();
    drawFinish(bar, chances, turn);
    return made("li", made("a", [made("b", guess), bar, made("em", expected.toFixed(2))], { className: "alt", href: linkTo("", `wordle/${told.length}`) }));
  }));
}

export async function show([game, length, ...way], signal, trees) {
  asking?.abort();
  told = await trees(signal);
  if (signal.aborted) return;
  if (told.none) {
    await showNone(signal);
    return;
  }
  const own = (other) => other.game === game && String(other.length) === length, before = [...path];
  tree = told.trees.find(own) ?? told.trees.find((other) => other.length === 5) ?? told.trees[0];
  letter = tree.letters.length ? (tree.letters.includes(way[0]) ? way[0] : tree.letters[0]) : "";
  path = own(tree) ? way.slice(letter ? 1 : 0) : [];
  if (game && !own(tree)) problem(`No strategy is stored for this link. Showing ${gameName(tree.game)}, ${tree.length} letters.`);
  showChoice();
  let answer;
  try {
    answer = await ask({ words: WORDS }, signal);
  } catch (error) {
    if (signal.aborted || path.length === 0) throw error;
    problem(complaint(error)); // an address that leads nowhere: the beginning is shown
    path = [];
    answer = await ask({ words: WORDS }, signal);
  }
  if (signal.aborted) return;
  here = { ...answer, path };
  const followed = document.activeElement.closest("#replies, #tiles, #trail");
  showPlace();
  if (!followed) return;
  const back = before.length > path.length ? before[path.length] : "", rows = [...at("replies").children].map((item) => item.firstChild);
  scrollTo(0, 0);
  (here.end ? at("trail").lastChild.firstChild : rows.find((row) => row.dataset.marks === back) ?? rows[0]).focus({ preventScroll: !back });
}

at("choices").addEventListener("submit", (event) => event.preventDefault());
at("choices").addEventListener("change", ({ target }) => {
  const lengths = told.trees.filter((own) => own.game === at("game").value);
  tree = lengths.find((own) => own.length === Number(at("length").value)) ?? lengths[0];
  letter = target === at("letter") ? at("letter").value : tree.letters[0] ?? "";
  location.hash = addressOf([]);
});
at("tiles").addEventListener("click", ({ target }) => {
  const place = target.closest("button")?.dataset.place;
  if (place !== undefined) setMark(Number(place));
});
at("word").addEventListener("input", () => {
  const word = at("word").value.trim().toLowerCase();
  if (spell(word).length === tree.length) turnTo({ word });
  else if (here.word) turnTo({});
});
at("more").addEventListener("click", () => {
  const first = here.classes.length;
  turnTo({ start: first }, () => at("replies").children[first]?.firstChild.focus());
});
addEventListener("keydown", (event) => {
  const { target, key } = event, rows = [...at("replies").querySelectorAll("a")], place = rows.indexOf(target), own = target.dataset.place;
  if (at("part-trees").hidden || !here || event.ctrlKey || event.metaKey || event.altKey || target.closest("select, dialog, summary")) return;
  const typing = target === at("word"), mark = own === undefined ? undefined : KEYS[key.toLowerCase()];
  if (mark) setMark(Number(own), mark, 1);
  else if (key === "ArrowDown" || (typing && key === "Enter")) rows[place + 1]?.focus();
  else if (typing) return;
  else if (key === "ArrowUp") rows[place - 1]?.focus();
  else if (key === "ArrowRight" || (key === "Enter" && own !== undefined)) rows[Math.max(0, place)]?.click();
  else if (key === "Backspace" && own !== undefined && marks.some((row) => row !== ANY)) setMark(Number(own), ANY, -1);
  else if ((key === "ArrowLeft" || key === "Backspace") && path.length) location.hash = addressOf(path.slice(0, -1));
  else return;
  event.preventDefault();
});
