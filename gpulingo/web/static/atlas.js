// Explore: the address names the part. Trees: a stored strategy as an opening explorer; each reply to its guess is a link, and the address
// is the path. Bounds: the best known results. Hangman: who wins. Racks: the best words, and statistics over all draws from a bag.

import {
  at, choose, complaint, counted, figures, gameName, heard, joined, KEYS, linkTo, listed, made, MARKS, number,
  partsOf, posted, problem, said, showNotes, showTyped, spell, streamed, tile, told,
} from "./page.js";
import { rowOf } from "./played.js";
import { bar, drawFinish, fill, percent, smallBar } from "./tables.js";

const PARTS = ["trees", "bounds", "hangman", "racks"];
const USUAL = 6; // usual number of lives
const SHOWN = 20, WORDS = 500; // replies and words per request
const LONG = 6; // from this many letters on, tiles get a separate line
const ANY = "."; // matches any mark, as in the server
const ASKED = /^(wordle|lingo|hangman)(-(from\d-)?hard)?$/, PLAYED = /^(wordle|lingo)/; // games that the assistant and the play view offer
const BAGS = ["challenge", "scrabble"];
const MOST = 200; // most words of a rack shown
const TILES = 7; // tiles of a full rack
const searched = new Set(); // lengths that the server searches now
let stored = null; // the server's list of trees, requested once
let lengths = null; // word lengths, with the misses that a perfect host forces
let opened = null; // AbortController of the open part's requests
let asking = null; // AbortController of a request for more replies or words
let tree = null; // the chosen strategy
let letter = "", path = []; // first letter and marks that lead to the shown branch
let here = null; // the server's answer for the branch, and its path
let marks = []; // marks that the shown replies must match

async function readStored(signal) {
  stored ??= await told("atlas-trees");
  if (!signal.aborted) showNotes(stored.notes);
}

/** Return the answer to a long request of a part of the page; null if the part is hidden now, or after an error. */
async function computed(name, request, part) {
  problem("");
  try {
    const answer = await streamed(name, request, undefined, ({ status }) => {
      if (status && !part.hidden) at("status").textContent = status;
    });
    return part.hidden ? null : answer;
  } catch (error) {
    if (!part.hidden) problem(complaint(error));
    return null;
  }
}

const figure = ([name, cell]) => `${cell} ${name === "won, %" ? "% won" : name.replace(/^mean (.*)/, "$1 on average")}`;

function known({ game, length, opening, cells, bound, gap, optimal, share, words }) {
  const figures = [opening, ...Object.entries(cells).map(figure), `limit ${bound}`, counted(words, "word")].join(" · ");
  const parts = [made("b", `${length} letters`), smallBar(["f1", share], ["limit", 1 - share]), made("em", gap, { className: optimal ? "proven" : "" }), made("small", figures)];
  return made("li", made("a", parts, { className: "known", href: `#trees/${game}/${length}` }));
}

async function showBounds(rest, signal) {
  await readStored(signal);
  if (signal.aborted) return;
  const games = [...new Set(stored.trees.map((tree) => tree.game))];
  at("by-game").replaceChildren(...games.map((game) => {
    const list = made("ol", stored.trees.filter((tree) => tree.game === game).map(known), { className: "list" });
    return made("section", [made("h3", gameName(game)), list], { className: "card" });
  }));
  const optimal = stored.trees.filter((tree) => tree.optimal).length;
  at("status").textContent = stored.none || `${counted(stored.trees.length, "strategy", "strategies")}, ${number(optimal)} proven best.`;
}

function winner({ forced, enough }) {
  if (forced === null || (forced < USUAL && !(enough !== null && enough < USUAL))) return made("td", "?");
  return forced < USUAL ? made("td", "✓ won", { className: "good" }) : made("td", "✗ lost", { className: "bad" });
}

function misses({ length, forced, enough }, most) {
  if (forced !== null) return bar(enough === forced ? forced : `${forced} or more`, forced / most);
  const disabled = searched.has(length), text = disabled ? "searching" : "compute";
  const button = made("button", text, { type: "button", disabled, ariaLabel: `compute ${length} letters` });
  button.dataset.length = length;
  return made("td", button);
}

function showMisses() {
  if (at("part-hangman").hidden) return; // another part is open now
  const most = Math.max(1, ...lengths.map((own) => own.forced ?? 0));
  fill(at("forced"), ["letters", "misses forced", `with ${USUAL} lives`], lengths.map((own) => [own.length, misses(own, most), winner(own)]));
  const wins = lengths.filter((own) => own.forced >= USUAL).map((own) => own.length), known = lengths.filter((own) => own.forced !== null);
  at("status").textContent = known.length === 0 ? "Not computed for this list yet. Compute takes some seconds."
    : `With ${USUAL} lives the host wins at ${wins.length ? `${wins.join(", ")} letters` : "no length"}; ${known.length} of ${lengths.length} lengths are known.`;
}

async function showHangman(rest, signal) {
  lengths ??= (await told("atlas-misses")).lengths;
  if (!signal.aborted) showMisses();
}

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
  choose(at("game"), [...new Set(stored.trees.map((own) => own.game))], tree.game, gameName);
  choose(at("length"), stored.trees.filter((own) => own.game === tree.game).map((own) => own.length), tree.length);
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
  const row = heard(`${said(own.guess, own.marks)}; `), noun = heard(own.left === 1 ? " word, " : " words, ");
  const words = made("span", [row, number(own.left), noun, made("small", share)]), className = own.next ? "" : "end";
  const then = made("b", [heard(own.next ? "; then " : "; "), next, heard("; average ")], { className });
  const parts = [rowOf(own.guess, own.marks), words, bar, then, made("em", average)];
  const link = made("a", parts, { className: "reply", href: addressOf(way) });
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
  if (here.path !== path) return; // another branch is loading
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

/** Without a stored strategy, show how to make one, and the assistant's first guesses. */
async function showNone(signal) {
  at("choices").hidden = at("ask").hidden = at("play").hidden = at("bar").hidden = true;
  [at("chosen").textContent, at("best").textContent, at("say").textContent] = ["Words", "No strategy", stored.none];
  at("best").classList.add("long");
  at("status").textContent = stored.none;
  at("answer").hidden = false;
  const { suggestions, turn } = await streamed("search", { game: "wordle", length: stored.length, top: 3 }, signal);
  at("openers").replaceChildren(...suggestions.map(({ guess, found_by_turn: chances, expected }) => {
    const bar = smallBar();
    drawFinish(bar, chances, turn);
    return made("li", made("a", [made("b", guess), bar, made("em", expected.toFixed(2))], { className: "alt", href: linkTo("", `wordle/${stored.length}`) }));
  }));
}

async function showTrees([game, length, ...way], signal) {
  await readStored(signal);
  if (signal.aborted) return;
  if (stored.none) {
    await showNone(signal);
    return;
  }
  const own = (other) => other.game === game && String(other.length) === length, before = [...path];
  tree = stored.trees.find(own) ?? stored.trees.find((other) => other.length === 5) ?? stored.trees[0];
  letter = tree.letters.length ? (tree.letters.includes(way[0]) ? way[0] : tree.letters[0]) : "";
  path = own(tree) ? way.slice(letter ? 1 : 0) : [];
  if (game && !own(tree)) problem(`No strategy is stored for this link. Showing ${gameName(tree.game)}, ${tree.length} letters.`);
  showChoice();
  let answer;
  try {
    answer = await ask({ words: WORDS }, signal);
  } catch (error) {
    if (signal.aborted || path.length === 0) throw error;
    problem(complaint(error)); // the path does not exist: show the root
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

const showTray = () => showTyped(at("tray"), at("rack").value, TILES);

function showWords({ rack, words, laid, notes }) {
  const [best] = words, most = Math.max(1, best?.points), ties = words.slice(1).filter((own) => own.points === best.points);
  at("found").hidden = false;
  at("top-of").textContent = best ? `Best of ${counted(laid, "word")}` : `No word of ${rack}`;
  at("top-points").textContent = best ? counted(best.points, "point") : "";
  at("top-word").textContent = best?.word ?? "–";
  at("ties").textContent = [ties.length ? `As many points: ${ties.map((own) => own.word).join(", ")}.` : "", ...notes.map((note) => `There are ${note}.`)].join(" ");
  at("laid").replaceChildren(...words.map(({ word, points }) => {
    const share = Math.max(0, points) / most;
    return made("li", [made("b", word), smallBar(["f1", share], ["none", 1 - share]), made("em", points)], { className: "alt" });
  }));
  const shown = Math.min(MOST, laid);
  at("more-laid").hidden = words.length >= shown;
  at("more-laid").textContent = `Show ${laid > MOST ? `the best ${MOST}` : "all"} of ${number(laid)}`;
  at("status").textContent = best ? `${rack}: ${best.word}, ${counted(best.points, "point")}; ${counted(laid, "word")}.` : `${rack}: no word.`;
}

async function find(top) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const rack = at("rack").value.trim(), bag = at("bag").value;
  problem("");
  if (!rack) at("status").textContent = "Type the letters of a rack.";
  at("found").hidden ||= !rack;
  if (!rack) return;
  try {
    showWords(await posted("atlas-rack", { rack, bag, top }, signal));
  } catch (error) {
    if (signal.aborted) return;
    at("found").hidden = true;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

async function showRacks([bag, rack]) {
  if (BAGS.includes(bag)) at("bag").value = bag;
  if (rack !== undefined) at("rack").value = rack.slice(0, 20);
  showTray();
  await find(SHOWN);
  at("all-draws").hidden = false;
}

function address() {
  const text = `#${joined(["racks", at("bag").value, at("rack").value.trim()])}`;
  if (location.hash === text) find(SHOWN);
  else location.hash = text;
}

at("rack").addEventListener("input", showTray);
at("rack-form").addEventListener("submit", (event) => {
  event.preventDefault();
  address();
});
at("bag").addEventListener("change", () => {
  showDraws(null);
  address();
});
at("more-laid").addEventListener("click", () => find(MOST));

function showDraws(draws) {
  for (const id of ["best-draws", "held"]) at(id).parentElement.hidden = !draws;
  at("draws").hidden = !draws;
  if (!draws) return;
  figures(at("draws"), [
    ["points on average", draws.expected.toFixed(6)], ["deviation", draws.deviation.toFixed(6)],
    ["without a word", `${(100 * draws.without_word).toFixed(6)} %`], ["racks", number(draws.racks)], ["draws", number(draws.draws)],
  ]);
  fill(at("best-draws"), ["best rack", "points", "draws", "words"],
    draws.best.map((own) => [own.rack, own.points, number(own.draws), own.words.join(", ")]), [3]);
  fill(at("held"), ["tile", "drawn", "average with it", "gain"], draws.held.map((own) =>
    [own.tile, bar(`${(100 * own.share).toFixed(2)} %`, own.share), own.given.toFixed(3), own.gain === null ? "-" : own.gain.toFixed(3)]));
  at("status").textContent = `${counted(draws.tiles, "tile")} drawn from ${draws.bag}: ${draws.expected.toFixed(6)} points on average.`;
}

at("draws-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("compute").disabled = true;
  at("compute").textContent = "Computing";
  at("status").textContent = "All racks are being counted.";
  const bag = at("bag").value, draws = await computed("atlas-draws", { bag, tiles: Number(at("count").value) }, at("part-racks"));
  const idle = document.activeElement === document.body; // the user has not focused anything else
  at("compute").disabled = false;
  at("compute").textContent = "Compute";
  if (idle) at("compute").focus();
  if (draws && at("bag").value === bag) showDraws(draws);
});

at("choices").addEventListener("submit", (event) => event.preventDefault());
at("choices").addEventListener("change", ({ target }) => {
  const lengths = stored.trees.filter((own) => own.game === at("game").value);
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

async function show() {
  const [name, ...rest] = partsOf(location.hash.slice(1));
  const part = PARTS.includes(name) ? name : "trees";
  for (const link of at("parts").children) {
    const own = link.hash.slice(1).split("/")[0] === part;
    link.ariaCurrent = own ? "page" : null;
    if (own) document.title = `Explore: ${link.textContent} · gpulingo`;
    if (own && name === part) link.href = location.hash; // the link returns to this state
  }
  for (const other of PARTS) at(`part-${other}`).hidden = other !== part;
  at("status").classList.toggle("heard", ["trees", "racks"].includes(part));
  showNotes();
  opened?.abort();
  asking?.abort();
  const { signal } = (opened = new AbortController());
  problem("");
  try {
    await { trees: showTrees, bounds: showBounds, hangman: showHangman, racks: showRacks }[part](rest, signal);
  } catch (error) {
    if (signal.aborted) return;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

at("forced").addEventListener("click", async ({ target }) => {
  const length = Number(target.dataset.length);
  if (!length || target.disabled) return;
  searched.add(length);
  showMisses();
  const found = await computed("atlas-force", { length }, at("part-hangman"));
  if (found) lengths = lengths.map((own) => (own.length === length ? found : own));
  searched.delete(length);
  const idle = document.activeElement === document.body; // the user has not focused anything else
  showMisses();
  if (idle) at("forced").querySelector("button:enabled")?.focus();
});
choose(at("bag"), BAGS);
choose(at("count"), [1, 2, 3, 4, 5, 6, TILES], TILES);
addEventListener("hashchange", show);
show();
