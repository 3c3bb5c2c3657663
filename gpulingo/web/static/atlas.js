// Explore: the address names the part. Trees: a stored strategy as an opening explorer; the address is its
// path. Bounds: the best known results. Hangman: who wins. Racks: their best words, and statistics over all
// draws from a bag.

import { posted, streamed, told } from "./ask.js";
import { drawFinish, finish, listRow, percent, smallBar, writeCard } from "./card.js";
import {
  at, counted, draw, failed, heard, isShortcut, joined, KEYS, listed, listen, made, MARKS, number,
  options, partsOf, problem, said, show, showNotes, showTyped, spell, Task, tile, write,
} from "./page.js";
import { figures, rowOf } from "./played.js";
import { fill } from "./tables.js";

const PARTS = { trees: showTrees, bounds: showBounds, hangman: showHangman, racks: showRacks };
const SHOWN = 20, WORDS = 500; // replies and words per request
const LONG = 6; // from this many letters on, tiles get a separate line
const ANY = "."; // matches any mark, as in the server
// Games of the assistant and of the play view.
const ASKED = /^(wordle|lingo|hangman)(-(from\d-)?hard)?$/, PLAYED = /^(wordle|lingo)/;
const MOST = 200; // most words of a rack shown
const TILES = 7; // tiles of a full rack
const searched = new Set(); // lengths that the server searches now
const opening = new Task(), asking = new Task(); // of the open part: its requests, and those for more of it
let stored; // the server's list of trees, requested once
let misses; // the server's word lengths, with the misses that a perfect host forces
let tree; // the chosen strategy
let letter = "", path = []; // first letter and marks that lead to the shown branch
let here; // the server's answer for the branch, and its path
let marks = []; // marks that the shown replies must match

async function readStored(signal) {
  stored ??= await told("atlas-trees");
  signal.throwIfAborted();
  showNotes(stored.notes);
}

/** Return the answer to a long request of a part; undefined if the part is hidden now, or after an error. */
async function computed(name, request, part) {
  problem();
  try {
    const answer = await streamed(name, request, undefined, ({ status }) => {
      if (status && !part.hidden) write({ status });
    });
    if (!part.hidden) return answer;
  } catch (error) {
    if (!part.hidden) problem(error.message);
  }
}

/** Draw something again; what had the focus, and is lost, gives it to a node. */
function redraw(change, node) {
  const isIdle = document.activeElement === document.body; // the user has not focused anything else
  change();
  if (isIdle) node()?.focus();
}

const treesOf = (game) => stored.trees.filter((own) => own.game === game);
const titles = () => new Map(stored.trees.map((own) => [own.game, own.title]));

function known({ game, length, line, gap, optimal, share }) {
  return made("li", made("a.known", [
    made("b", `${length} letters`), smallBar(["f1", share], ["limit", 1 - share]),
    made(optimal ? "em.proven" : "em", gap), made("small", line),
  ], { href: `#trees/${game}/${length}` }));
}

async function showBounds(rest, signal) {
  await readStored(signal);
  draw("by-game", [...titles()].map(([game, title]) =>
    made("section.card", [made("h3", title), made("ol.list", treesOf(game).map(known))])));
  write({ status: stored.status });
}

function showMisses() {
  if (at("part-hangman").hidden) return; // another part is open now
  const { lengths, lives, status } = misses, most = Math.max(1, ...lengths.map((own) => own.forced ?? 0));
  fill("forced", ["letters", "misses forced", `with ${lives} lives`], lengths.map((own) => {
    const { length, forced, enough } = own, disabled = searched.has(length);
    const fields = { disabled, ariaLabel: `compute ${length} letters`, data: { length } };
    const compute = made("button", disabled ? "searching" : "compute", fields);
    const share = [enough === forced ? forced : `${forced} or more`, forced / most];
    const won = enough !== null && enough < lives ? made("td.good", "✓ won") : "?";
    return [length, forced === null ? compute : share, forced >= lives ? made("td.bad", "✗ lost") : won];
  }));
  write({ status });
}

async function showHangman(rest, signal) {
  misses ??= await told("atlas-misses");
  if (!signal.aborted) showMisses();
}

async function force({ target }) {
  const length = Number(target.dataset.length);
  if (!length) return;
  searched.add(length);
  showMisses();
  misses = await computed("atlas-force", { length }, at("part-hangman")) ?? misses;
  searched.delete(length);
  redraw(showMisses, () => at("forced").querySelector("button:enabled"));
}

const isHangman = () => tree.feedback === "positions";
const addressOf = (way) =>
  `#${joined(["trees", tree.game, tree.length, ...(letter ? [letter] : []), ...way])}`;

function ask(fields, signal) {
  const { game, length } = tree;
  return posted("atlas-branch", { game, length, letter, path, count: SHOWN, words: 0, ...fields }, signal);
}

/** What is drawn of a branch: the chance to have found the word by each turn, from a turn on. */
function finishOf({ turns, left }, turn) {
  let found = 0;
  return [turns.map((count) => (found += count) / left), turn, isHangman()];
}

function showChoice() {
  const games = titles();
  draw("game", options([...games.keys()], tree.game, (game) => games.get(game)));
  draw("length", options(treesOf(tree.game).map((own) => own.length), tree.length));
  draw("letter", options(tree.letters, letter));
  at("letter").parentElement.hidden = tree.letters.length === 0;
  write({ chosen: `${tree.title}, ${tree.length} letters` });
}

function showTrail() {
  draw("trail", [{}, ...here.trail].map(({ guess, marks: row }, place) => {
    const ariaLabel = guess ? said(guess, row) : "Start", href = addressOf(path.slice(0, place));
    const ariaCurrent = place === path.length ? "step" : null;
    return made("li", made("a", guess ? rowOf(guess, row) : "Start", { href, ariaLabel, ariaCurrent }));
  }));
}

function showCard() {
  const { guess, end, say, trail, turn, left, words } = here, { length, turns, title, optimal } = tree;
  const word = guess ?? (end === "found" ? trail.at(-1).guess : end === "none" ? "No word" : "Lost");
  const next = isHangman() ? `${turn - 1} of ${counted(turns.length, "life", "lives")} lost`
    : `Guess ${turn} of ${turns.length}`;
  writeCard({
    eyebrow: end && !guess ? "End of the line" : `${next} · ${counted(left, "word")}`,
    badge: end ? "" : optimal ? "✓ Proven best" : "Best stored", word, text: say,
    title: `Explore ${title}: ${word.toUpperCase()}`,
  });
  const game = tree.game.replace(/\d+$/, ""), isAsked = !end && ASKED.test(game);
  const answers = counted(left, "possible answer"), then = guess ? `Then ${guess}: ` : "";
  if (left) drawFinish(...finishOf(here, turn));
  show({ ask: isAsked, play: isAsked && PLAYED.test(game) });
  const history = trail.map((own) => `${own.guess}:${own.marks}`);
  at("ask").hash = at("play").hash = joined([game, length, ...history]);
  write({ counted: answers, left: listed(words, left), status: `${answers}. ${then}${say}` });
}

function reply(own, way) {
  const { guess, marks: row, left, next, end } = own, average = own.expected.toFixed(2);
  const turn = isHangman() || end === "found" ? here.turn : here.turn + 1;
  const noun = heard(left === 1 ? " word, " : " words, "), share = made("small", percent(left / here.left));
  const then = [heard(next ? "; then " : "; "), next || end, heard("; average ")];
  return made("li", made("a.reply", [
    rowOf(guess, row), made("span", [heard(`${said(guess, row)}; `), number(left), noun, share]),
    finish(...finishOf(own, turn)), made(next ? "b" : "b.end", then), made("em", average),
  ], { href: addressOf(way), data: { marks: row } }));
}

function showReplies() {
  const { classes, class_count: count, word } = here, more = Math.min(SHOWN, count - classes.length);
  const wayTo = (place) => (word ? classes.slice(0, place + 1) : [classes[place]]).map((step) => step.marks);
  draw("replies", classes.map((own, place) => reply(own, [...path, ...wayTo(place)])));
  at("below").classList.toggle("long", tree.length > LONG);
  at("below").style.setProperty("--count", tree.length);
  show({ more: !word && more > 0 });
  write({
    "counted-replies": word ? `of ${word}, step by step` : `${number(count)}, most words first`,
    more: `Show ${more} more of ${number(count)}`,
  });
}

function showTiles(focus) {
  const letters = spell(here.guess);
  show({ tiles: ["marks", "positions"].includes(tree.feedback) });
  draw("tiles", marks.map((mark, place) => {
    const node = tile(isHangman() ? here.guess : letters[place], mark === ANY ? "" : mark);
    node.classList.toggle("plain", mark === ANY);
    node.ariaLabel += `, place ${place + 1}`;
    node.dataset.place = place;
    return node;
  }));
  at("tiles").children[focus]?.focus();
}

function showPlace() {
  const isOver = here.end !== "";
  show({ possible: true, below: !isOver });
  showTrail();
  showCard();
  at("word").value = "";
  at("word").maxLength = tree.length;
  marks = isOver ? [] : Array(tree.length).fill(ANY);
  if (isOver) return;
  showTiles();
  showReplies();
}

async function turnTo(fields) {
  if (here.path !== path) return; // another branch is loading
  problem();
  const answer = await asking.run((signal) => ask({ shown: marks.join(""), ...fields }, signal));
  if (!answer) return;
  const { classes, class_count } = answer, { start, word } = fields;
  Object.assign(here, { classes: start ? [...here.classes, ...classes] : classes, class_count, word });
  showReplies();
  if (start) at("replies").children[start]?.firstChild.focus();
}

function setMark(place, mark, step = 0) {
  const kinds = [ANY, ...(isHangman() ? ["_", "O"] : MARKS)], own = isHangman() && mark === "X" ? "_" : mark;
  if (own && !kinds.includes(own)) return;
  marks[place] = own ?? kinds[(kinds.indexOf(marks[place]) + 1) % kinds.length];
  at("word").value = "";
  showTiles(Math.max(0, Math.min(marks.length - 1, place + step)));
  turnTo({});
}

/** Without a stored strategy, show how to make one, and the assistant's first guesses. */
async function showNone(signal) {
  const { status, length } = stored;
  writeCard({ word: "No strategy", text: status });
  show({ choices: false, ask: false, play: false });
  write({ chosen: "Words", status });
  const { suggestions, turn } = await streamed("search", { game: "wordle", length, top: 3 }, signal);
  draw("openers", suggestions.map(({ guess, found_by_turn: chances, expected }) =>
    listRow(guess, finish(chances, turn), expected.toFixed(2), { href: `./#wordle/${length}` })));
}

async function showTrees([game, length, ...way], signal) {
  await readStored(signal);
  const { trees } = stored, before = path;
  if (!trees.length) return showNone(signal);
  const isAsked = (own) => own.game === game && String(own.length) === length;
  tree = trees.find(isAsked) ?? trees.find((own) => own.length === 5) ?? trees[0];
  letter = tree.letters.includes(way[0]) ? way[0] : tree.letters[0] ?? "";
  path = isAsked(tree) ? way.slice(letter ? 1 : 0) : [];
  const shown = `${tree.title}, ${tree.length} letters`;
  if (game && !isAsked(tree)) problem(`No strategy is stored for this link. Showing ${shown}.`);
  showChoice();
  const asked = () => ask({ words: WORDS }, signal);
  const answer = await asked().catch((error) => {
    if (signal.aborted || path.length === 0) throw error;
    problem(error.message); // the path does not exist: show the root
    path = [];
    return asked();
  });
  if (signal.aborted) return;
  here = { ...answer, path };
  const isFollowed = document.activeElement.closest("#replies, #tiles, #trail");
  showPlace();
  if (isFollowed) focusOn(before.length > path.length ? before[path.length] : "");
}

const replyLinks = () => [...at("replies").querySelectorAll("a")];

/** Focus the reply with some marks, or the first one; at the end of a line the last step. */
function focusOn(row) {
  const links = replyLinks();
  scrollTo(0, 0);
  const link = links.find((own) => own.dataset.marks === row) ?? links[0];
  (here.end ? at("trail").lastChild.firstChild : link).focus({ preventScroll: !row });
}

const showTray = () => showTyped("tray", at("rack").value, TILES);

function showWords({ words, laid, notes, of, points, ties, status }) {
  const [best] = words, all = laid > MOST ? `the best ${MOST}` : "all";
  show({ found: true, "more-laid": words.length < Math.min(MOST, laid) });
  draw("laid", words.map(({ word, points: own }) => {
    const share = Math.max(0, own) / Math.max(1, best.points);
    return listRow(word, smallBar(["f1", share], ["none", 1 - share]), own);
  }));
  write({
    "top-of": of, "top-points": points, "top-word": best?.word ?? "–", status,
    ties: [ties, ...notes.map((note) => `There are ${note}.`)].join(" "),
    "more-laid": `Show ${all} of ${number(laid)}`,
  });
}

async function find(top) {
  const rack = at("rack").value.trim(), bag = at("bag").value;
  asking.stop();
  problem();
  if (!rack) {
    show({ found: false });
    return write({ status: "Type the letters of a rack." });
  }
  const answer = await asking.run((signal) => posted("atlas-rack", { rack, bag, top }, signal), (error) => {
    show({ found: false });
    failed(error);
  });
  if (answer) showWords(answer);
}

async function showRacks([bag, rack]) {
  const chosen = at("bag").value;
  at("bag").value = bag;
  at("bag").value ||= chosen; // there is no other bag
  if (rack !== undefined) at("rack").value = rack.slice(0, 20);
  showTray();
  await find(SHOWN);
  show({ "all-draws": true });
}

function findRack() {
  const text = `#${joined(["racks", at("bag").value, at("rack").value.trim()])}`;
  if (location.hash === text) find(SHOWN);
  else location.hash = text;
}

function showDraws(draws) {
  show({ drawn: draws });
  if (!draws) return;
  for (const id of ["best-draws", "held"]) fill(id, ...draws.tables[id]);
  figures("draws", draws.figures);
  write({ status: draws.status });
}

async function compute() {
  at("compute").disabled = true;
  write({ compute: "Computing", status: "All racks are being counted." });
  const bag = at("bag").value, request = { bag, tiles: Number(at("count").value) };
  const draws = await computed("atlas-draws", request, at("part-racks"));
  redraw(() => {
    at("compute").disabled = false;
    write({ compute: "Compute" });
  }, () => at("compute"));
  if (draws && at("bag").value === bag) showDraws(draws);
}

async function open() {
  const [name, ...rest] = partsOf(), part = Object.hasOwn(PARTS, name) ? name : "trees";
  for (const link of at("parts").children) {
    const isOpen = link.hash.slice(1).split("/")[0] === part;
    link.ariaCurrent = isOpen ? "page" : null;
    if (isOpen) document.title = `Explore: ${link.textContent} · gpulingo`;
    if (isOpen && name === part) link.href = location.hash; // the link returns to this state
  }
  for (const other of Object.keys(PARTS)) at(`part-${other}`).hidden = other !== part;
  at("status").classList.toggle("heard", ["trees", "racks"].includes(part));
  showNotes();
  asking.stop();
  problem();
  await opening.run((signal) => PARTS[part](rest, signal), failed);
}

listen("input", {
  rack: showTray,
  word() {
    const word = at("word").value.trim().toLowerCase();
    if (spell(word).length === tree.length) turnTo({ word });
    else if (here.word) turnTo({});
  },
});
listen("submit", { "rack-form": findRack, "draws-form": compute });
listen("change", {
  bag() {
    showDraws(null);
    findRack();
  },
  choices({ target }) {
    const trees = treesOf(at("game").value);
    tree = trees.find((own) => own.length === Number(at("length").value)) ?? trees[0];
    letter = target === at("letter") ? target.value : tree.letters[0] ?? "";
    location.hash = addressOf([]);
  },
});
listen("click", {
  forced: force,
  "more-laid": () => find(MOST),
  more: () => turnTo({ start: here.classes.length }),
  tiles({ target: { dataset: { place } } }) {
    if (place !== undefined) setMark(Number(place));
  },
});
addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (at("part-trees").hidden || !here || isShortcut(event)) return;
  if (target.closest("select, dialog, summary")) return;
  const rows = replyLinks(), place = rows.indexOf(target);
  const { place: own } = target.dataset, isTile = own !== undefined, isTyping = target === at("word");
  const mark = isTile ? KEYS[key.toLowerCase()] : undefined;
  if (mark) setMark(Number(own), mark, 1);
  else if (key === "ArrowDown" || (isTyping && key === "Enter")) rows[place + 1]?.focus();
  else if (isTyping) return;
  else if (key === "ArrowUp") rows[place - 1]?.focus();
  else if (key === "ArrowRight" || (key === "Enter" && isTile)) rows[Math.max(0, place)]?.click();
  else if (key === "Backspace" && isTile && marks.some((row) => row !== ANY)) setMark(Number(own), ANY, -1);
  else if (path.length && ["ArrowLeft", "Backspace"].includes(key)) {
    location.hash = addressOf(path.slice(0, -1));
  } else return;
  event.preventDefault();
});
addEventListener("hashchange", open);
open();
