// Explore: the address names the part. Trees: a stored strategy as an opening explorer; the address is its
// path. Bounds: the best known results. Hangman: who wins. Racks: their best words, and statistics over all
// draws from a bag.

import { posted, streamed, told } from "./ask.js";
import {
  at, choose, counted, gameName, heard, isShortcut, joined, KEYS, listed, listen, made, MARKS,
  number, partsOf, problem, said, show, showNotes, showTyped, spell, Task, tile, write,
} from "./page.js";
import { figures, rowOf } from "./played.js";
import { bar, drawFinish, fill, percent, smallBar, writeCard } from "./tables.js";

const PARTS = { trees: showTrees, bounds: showBounds, hangman: showHangman, racks: showRacks };
const USUAL = 6; // usual number of lives
const SHOWN = 20, WORDS = 500; // replies and words per request
const LONG = 6; // from this many letters on, tiles get a separate line
const ANY = "."; // matches any mark, as in the server
// Games of the assistant and of the play view.
const ASKED = /^(wordle|lingo|hangman)(-(from\d-)?hard)?$/, PLAYED = /^(wordle|lingo)/;
const BAGS = ["challenge", "scrabble"];
const MOST = 200; // most words of a rack shown
const TILES = 7; // tiles of a full rack
const searched = new Set(); // lengths that the server searches now
const opening = new Task(), asking = new Task(); // of the open part: its requests, and those for more of it
let stored = null; // the server's list of trees, requested once
let lengths = null; // word lengths, with the misses that a perfect host forces
let tree = null; // the chosen strategy
let letter = "", path = []; // first letter and marks that lead to the shown branch
let here = null; // the server's answer for the branch, and its path
let marks = []; // marks that the shown replies must match

async function readStored(signal) {
  stored ??= await told("atlas-trees");
  signal.throwIfAborted();
  showNotes(stored.notes);
}

/** Return the answer to a long request of a part; undefined if the part is hidden now, or after an error. */
async function computed(name, request, part) {
  problem("");
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
function redraw(draw, node) {
  const isIdle = document.activeElement === document.body; // the user has not focused anything else
  draw();
  if (isIdle) node()?.focus();
}

function known({ game, length, opening: first, cells, bound, gap, optimal, share, words }) {
  const values = Object.entries(cells).map(([name, cell]) =>
    `${cell} ${name === "won, %" ? "% won" : name.replace(/^mean (.*)/, "$1 on average")}`);
  return made("li", made("a", [
    made("b", `${length} letters`), smallBar(["f1", share], ["limit", 1 - share]),
    made("em", gap, { className: optimal ? "proven" : "" }),
    made("small", [first, ...values, `limit ${bound}`, counted(words, "word")].join(" · ")),
  ], { className: "known", href: `#trees/${game}/${length}` }));
}

const games = () => [...new Set(stored.trees.map((own) => own.game))];
const treesOf = (game) => stored.trees.filter((own) => own.game === game);

async function showBounds(rest, signal) {
  await readStored(signal);
  at("by-game").replaceChildren(...games().map((game) => {
    const list = made("ol", treesOf(game).map(known), { className: "list" });
    return made("section", [made("h3", gameName(game)), list], { className: "card" });
  }));
  const { trees, none } = stored, proven = number(trees.filter((own) => own.optimal).length);
  write({ status: none || `${counted(trees.length, "strategy", "strategies")}, ${proven} proven best.` });
}

function winner({ forced, enough }) {
  if (forced >= USUAL) return made("td", "✗ lost", { className: "bad" });
  return enough !== null && enough < USUAL ? made("td", "✓ won", { className: "good" }) : made("td", "?");
}

function misses({ length, forced, enough }, most) {
  if (forced !== null) return bar(enough === forced ? forced : `${forced} or more`, forced / most);
  const disabled = searched.has(length), ariaLabel = `compute ${length} letters`, data = { length };
  return made("td", made("button", disabled ? "searching" : "compute", { disabled, ariaLabel, data }));
}

function showMisses() {
  if (at("part-hangman").hidden) return; // another part is open now
  const most = Math.max(1, ...lengths.map((own) => own.forced ?? 0));
  const rows = lengths.map((own) => [own.length, misses(own, most), winner(own)]);
  fill(at("forced"), ["letters", "misses forced", `with ${USUAL} lives`], rows);
  const wins = lengths.filter((own) => own.forced >= USUAL).map((own) => own.length);
  const { length: count } = lengths.filter((own) => own.forced !== null);
  const won = wins.length ? `${wins.join(", ")} letters` : "no length";
  write({ status: count === 0 ? "Not computed for this list yet. Compute takes some seconds."
    : `With ${USUAL} lives the host wins at ${won}; ${count} of ${lengths.length} lengths are known.` });
}

async function showHangman(rest, signal) {
  lengths ??= (await told("atlas-misses")).lengths;
  if (!signal.aborted) showMisses();
}

async function force({ target }) {
  const length = Number(target.dataset.length);
  if (!length || target.disabled) return;
  searched.add(length);
  showMisses();
  const answer = await computed("atlas-force", { length }, at("part-hangman"));
  if (answer) lengths = lengths.map((own) => (own.length === length ? answer : own));
  searched.delete(length);
  redraw(showMisses, () => at("forced").querySelector("button:enabled"));
}

const isHangman = () => tree.feedback === "positions";
const begin = () => ["trees", tree.game, tree.length, ...(letter ? [letter] : [])];
const addressOf = (way) => `#${joined([...begin(), ...way])}`;

function ask(fields, signal) {
  const { game, length } = tree;
  return posted("atlas-branch", { game, length, letter, path, count: SHOWN, words: 0, ...fields }, signal);
}

function drawTurns(node, { turns, left }, turn, large) {
  let found = 0;
  drawFinish(node, turns.map((count) => (found += count) / left), turn, large, isHangman());
}

function showChoice() {
  choose(at("game"), games(), tree.game, gameName);
  choose(at("length"), treesOf(tree.game).map((own) => own.length), tree.length);
  choose(at("letter"), tree.letters, letter);
  at("letter").parentElement.hidden = tree.letters.length === 0;
  write({ chosen: `${gameName(tree.game)}, ${tree.length} letters` });
}

function showTrail() {
  at("trail").replaceChildren(...[{}, ...here.trail].map(({ guess, marks: row }, place) => {
    const ariaLabel = guess ? said(guess, row) : "Start", href = addressOf(path.slice(0, place));
    const link = made("a", guess ? rowOf(guess, row) : "Start", { href, ariaLabel });
    if (place === path.length) link.ariaCurrent = "step";
    return made("li", link);
  }));
}

function showCard() {
  const { guess, end, say, trail, turn, left, words } = here, { length, turns } = tree;
  const word = guess ?? (end === "found" ? trail.at(-1).guess : end === "none" ? "No word" : "Lost");
  const next = isHangman() ? `${turn - 1} of ${counted(turns.length, "life", "lives")} lost`
    : `Guess ${turn} of ${turns.length}`;
  writeCard({
    eyebrow: end && !guess ? "End of the line" : `${next} · ${counted(left, "word")}`,
    badge: end ? "" : tree.optimal ? "✓ Proven best" : "Best stored", word, text: say,
  });
  if (left) drawTurns(at("bar"), here, turn, true);
  const game = tree.game.replace(/\d+$/, ""), isAsked = !end && ASKED.test(game);
  show({ bar: left, ask: isAsked, play: isAsked && PLAYED.test(game) });
  const history = trail.map((step) => `${step.guess}:${step.marks}`);
  at("ask").hash = at("play").hash = joined([game, length, ...history]);
  const answers = counted(left, "possible answer"), then = guess ? `Then ${guess}: ` : "";
  write({ counted: answers, left: listed(words, left), status: `${answers}. ${then}${say}` });
  document.title = `Explore ${gameName(tree.game)}: ${word.toUpperCase()} · gpulingo`;
}

function reply(own, way) {
  const { guess, marks: row, left, next, end } = own, average = own.expected.toFixed(2), bar = smallBar();
  drawTurns(bar, own, isHangman() || end === "found" ? here.turn : here.turn + 1, false);
  const noun = heard(left === 1 ? " word, " : " words, "), share = made("small", percent(left / here.left));
  const words = made("span", [heard(`${said(guess, row)}; `), number(left), noun, share]);
  const then = [heard(next ? "; then " : "; "), next || end, heard("; average ")];
  const cells = [words, bar, made("b", then, { className: next ? "" : "end" }), made("em", average)];
  const fields = { className: "reply", href: addressOf(way), data: { marks: row } };
  return made("li", made("a", [rowOf(guess, row), ...cells], fields));
}

function showReplies() {
  const { classes, class_count: count, word } = here, more = Math.min(SHOWN, count - classes.length);
  const wayTo = (place) => (word ? classes.slice(0, place + 1) : [classes[place]]).map((step) => step.marks);
  at("replies").replaceChildren(...classes.map((own, place) => reply(own, [...path, ...wayTo(place)])));
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
  at("tiles").replaceChildren(...marks.map((mark, place) => {
    const node = tile(isHangman() ? here.guess : letters[place], mark === ANY ? "" : mark);
    if (mark === ANY) node.classList.add("plain");
    node.ariaLabel += `, place ${place + 1}`;
    node.dataset.place = place;
    return node;
  }));
  at("tiles").children[focus]?.focus();
}

function showPlace() {
  const isOver = here.end !== "";
  show({ answer: true, possible: true, below: !isOver });
  showTrail();
  showCard();
  at("word").value = "";
  at("word").maxLength = tree.length;
  marks = isOver ? [] : Array(tree.length).fill(ANY);
  if (isOver) return;
  showTiles();
  showReplies();
}

/** Show other replies of the branch. */
async function turnTo(fields) {
  if (here.path !== path) return; // another branch is loading
  problem("");
  const answer = await asking.run((signal) => ask({ shown: marks.join(""), ...fields }, signal));
  if (!answer) return;
  const before = fields.start ? here.classes : [];
  const { classes, class_count } = answer;
  Object.assign(here, { classes: [...before, ...classes], class_count, word: fields.word });
  showReplies();
  if (fields.start) at("replies").children[fields.start]?.firstChild.focus();
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
  const { none, length } = stored;
  show({ choices: false, ask: false, play: false, bar: false, answer: true });
  writeCard({ word: "No strategy", text: none });
  write({ chosen: "Words", status: none });
  const { suggestions, turn } = await streamed("search", { game: "wordle", length, top: 3 }, signal);
  at("openers").replaceChildren(...suggestions.map(({ guess, found_by_turn: chances, expected }) => {
    const bar = smallBar(), cells = [made("b", guess), bar, made("em", expected.toFixed(2))];
    drawFinish(bar, chances, turn);
    return made("li", made("a", cells, { className: "alt", href: `./#wordle/${length}` }));
  }));
}

async function showTrees([game, length, ...way], signal) {
  await readStored(signal);
  const { trees, none } = stored, before = [...path];
  if (none) return showNone(signal);
  const isAsked = (own) => own.game === game && String(own.length) === length;
  tree = trees.find(isAsked) ?? trees.find((own) => own.length === 5) ?? trees[0];
  letter = tree.letters.includes(way[0]) ? way[0] : tree.letters[0] ?? "";
  path = isAsked(tree) ? way.slice(letter ? 1 : 0) : [];
  const shown = `${gameName(tree.game)}, ${tree.length} letters`;
  if (game && !isAsked(tree)) problem(`No strategy is stored for this link. Showing ${shown}.`);
  showChoice();
  let answer;
  try {
    answer = await ask({ words: WORDS }, signal);
  } catch (error) {
    if (signal.aborted || path.length === 0) throw error;
    problem(error.message); // the path does not exist: show the root
    path = [];
    answer = await ask({ words: WORDS }, signal);
  }
  if (signal.aborted) return;
  here = { ...answer, path };
  const isFollowed = document.activeElement.closest("#replies, #tiles, #trail");
  showPlace();
  if (isFollowed) focusOn(before.length > path.length ? before[path.length] : "");
}

/** Focus the reply with some marks, or the first one; at the end of a line the last step. */
function focusOn(row) {
  const links = [...at("replies").querySelectorAll("a")];
  scrollTo(0, 0);
  const link = links.find((own) => own.dataset.marks === row) ?? links[0];
  (here.end ? at("trail").lastChild.firstChild : link).focus({ preventScroll: !row });
}

const showTray = () => showTyped(at("tray"), at("rack").value, TILES);

function showWords({ rack, words, laid, notes }) {
  const [best] = words, count = counted(laid, "word"), points = best ? counted(best.points, "point") : "";
  const ties = words.slice(1).filter((own) => own.points === best.points).map((own) => own.word).join(", ");
  const lines = [ties ? `As many points: ${ties}.` : "", ...notes.map((note) => `There are ${note}.`)];
  show({ found: true, "more-laid": words.length < Math.min(MOST, laid) });
  at("laid").replaceChildren(...words.map(({ word, points: own }) => {
    const share = Math.max(0, own) / Math.max(1, best.points);
    const bar = smallBar(["f1", share], ["none", 1 - share]);
    return made("li", [made("b", word), bar, made("em", own)], { className: "alt" });
  }));
  write({
    "top-of": best ? `Best of ${count}` : `No word of ${rack}`, "top-points": points,
    "top-word": best?.word ?? "–", ties: lines.join(" "),
    "more-laid": `Show ${laid > MOST ? `the best ${MOST}` : "all"} of ${number(laid)}`,
    status: best ? `${rack}: ${best.word}, ${points}; ${count}.` : `${rack}: no word.`,
  });
}

async function find(top) {
  const rack = at("rack").value.trim(), bag = at("bag").value;
  asking.stop();
  problem("");
  if (!rack) {
    write({ status: "Type the letters of a rack." });
    show({ found: false });
    return;
  }
  const answer = await asking.run((signal) => posted("atlas-rack", { rack, bag, top }, signal), (error) => {
    show({ found: false });
    write({ status: "" });
    problem(error.message);
  });
  if (answer) showWords(answer);
}

async function showRacks([bag, rack]) {
  if (BAGS.includes(bag)) at("bag").value = bag;
  if (rack !== undefined) at("rack").value = rack.slice(0, 20);
  showTray();
  await find(SHOWN);
  show({ "all-draws": true });
}

/** Go to the address of the rack. */
function findRack() {
  const text = `#${joined(["racks", at("bag").value, at("rack").value.trim()])}`;
  if (location.hash === text) find(SHOWN);
  else location.hash = text;
}

function showDraws(draws) {
  for (const id of ["best-draws", "held"]) at(id).parentElement.hidden = !draws;
  show({ draws });
  if (!draws) return;
  const { best, held, bag, tiles, racks } = draws, mean = draws.expected.toFixed(6);
  figures(at("draws"), [
    ["points on average", mean], ["deviation", draws.deviation.toFixed(6)],
    ["without a word", `${(100 * draws.without_word).toFixed(6)} %`],
    ["racks", number(racks)], ["draws", number(draws.draws)],
  ]);
  fill(at("best-draws"), ["best rack", "points", "draws", "words"],
    best.map((own) => [own.rack, own.points, number(own.draws), own.words.join(", ")]), [3]);
  fill(at("held"), ["tile", "drawn", "average with it", "gain"], held.map((own) => {
    const share = bar(`${(100 * own.share).toFixed(2)} %`, own.share);
    return [own.tile, share, own.given.toFixed(3), own.gain?.toFixed(3) ?? "-"];
  }));
  write({ status: `${counted(tiles, "tile")} drawn from ${bag}: ${mean} points on average.` });
}

async function draw() {
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
  const [name, ...rest] = partsOf(location.hash.slice(1)), part = Object.hasOwn(PARTS, name) ? name : "trees";
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
  problem("");
  await opening.run((signal) => PARTS[part](rest, signal), (error) => {
    write({ status: "" });
    problem(error.message);
  });
}

listen("input", {
  rack: showTray,
  word() {
    const word = at("word").value.trim().toLowerCase();
    if (spell(word).length === tree.length) turnTo({ word });
    else if (here.word) turnTo({});
  },
});
listen("submit", { "rack-form": findRack, "draws-form": draw });
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
  tiles({ target }) {
    const place = target.closest("button")?.dataset.place;
    if (place !== undefined) setMark(Number(place));
  },
});
addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (at("part-trees").hidden || !here || isShortcut(event)) return;
  if (target.closest("select, dialog, summary")) return;
  const rows = [...at("replies").querySelectorAll("a")], place = rows.indexOf(target);
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
choose(at("bag"), BAGS);
choose(at("count"), [1, 2, 3, 4, 5, 6, TILES], TILES);
addEventListener("hashchange", open);
open();
