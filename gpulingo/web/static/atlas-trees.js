// Trees: one is chosen, then walked by the marks of its guesses; the address holds the way.

import { endText, known, rowOf, valueText } from "./answers.js";
import { at, complaint, made, MARKS, posted, problem, said, tile } from "./page.js";
import { bar, counted, figures, fill, number } from "./tables.js";

const KEYS = { x: "X", 0: "X", "?": "?", 1: "?", o: "O", 2: "O" };
const FEW = 20, MORE = 100, WORDS = 40, MOST_WORDS = 2000; // classes and words that are shown
let told = null; // all trees
let tree = null; // the one that is chosen
let letter = "", path = []; // where one is
let here = null; // what the server said of it
let marks = []; // that are being set
let focus = ""; // what is to be focused when the answer is there
let previewing = null;

const addressOf = (way) =>
  `#${["trees", tree.game, tree.length, ...(tree.letters.length ? [letter] : []), ...way].map(encodeURIComponent).join("/")}`;
const places = () => tree.feedback === "positions";
const few = () => Math.max(2, Math.floor(36 / tree.length)); // words that stand beside a class
const turnName = (turn) => tree.turns[turn - 1]?.name ?? "";
const foundText = () => `${places() ? "won with" : "found on"} ${turnName(here.turn)}`;

/** Go to a place; what to focus there. */
function walk(way, then = "tile") {
  focus = then;
  location.hash = addressOf(way);
}

function ask(fields, signal) {
  return posted("atlas-branch", { game: tree.game, length: tree.length, letter, path, ...fields }, signal);
}

function option(text) {
  return made("option", text, { value: text });
}

function showChoice() {
  const games = [...new Set(told.trees.map((own) => own.game))];
  at("game").replaceChildren(...games.map(option));
  at("game").value = tree.game;
  at("length").replaceChildren(...told.trees.filter((own) => own.game === tree.game).map((own) => option(own.length)));
  at("length").value = tree.length;
  at("given").hidden = tree.letters.length === 0;
  at("letter").replaceChildren(...tree.letters.map(option));
  at("letter").value = letter;
  figures(at("figures"), [
    ...Object.entries(tree.cells), ["bound", tree.bound], ["gap", tree.optimal ? "proven optimal" : tree.gap || "-"],
    ["words", number(tree.words)], ["lost", number(tree.lost)], ["first guess", tree.opening],
  ]);
}

function showTrail() {
  const steps = here.trail.map((step, place) => {
    const item = made("li"), button = made("button", undefined, { type: "button" });
    button.dataset.back = place;
    button.append(made("span", step.guess), rowOf(step.guess, step.marks), made("span", `of ${number(step.left)}`));
    button.setAttribute("aria-label", `back to ${said(step.guess, step.marks)}, of ${counted(step.left, "word")}`);
    item.append(button);
    return item;
  });
  const now = made("li", here.end === "none" ? "no word" : `${counted(here.left, "word")} left`);
  now.setAttribute("aria-current", "step");
  at("trail").replaceChildren(...steps, now);
  at("up").hidden = path.length === 0;
}

function guessTile(place) {
  const mark = marks[place];
  if (!places()) return tile([...here.guess][place], mark);
  const fixed = known(here.trail, tree.length)[place];
  if (fixed) {
    const node = made("span", fixed, { className: "tile known" });
    node.setAttribute("aria-label", `place ${place + 1}: ${fixed} is known`);
    node.setAttribute("role", "img");
    return node;
  }
  const node = tile(mark === "O" ? here.guess : "·", mark === "O" ? "O" : "X");
  node.setAttribute("aria-label", `place ${place + 1}: ${mark === "O" ? here.guess : `no ${here.guess}`}`);
  return node;
}

function showGuess(place) {
  const nodes = marks.map((_, own) => Object.assign(guessTile(own), { id: `tile${own}` }));
  nodes.forEach((node, own) => (node.dataset.place = own));
  at("guess").replaceChildren(...nodes);
  if (place !== undefined) at(`tile${place}`)?.focus();
}

function showStatus() {
  const expected = here.expected === null ? "" : ` From here on: ${valueText(here)}.`;
  at("status").textContent = here.end ? `${counted(here.left, "word is", "words are")} left of ${number(tree.words)}.`
    : `${counted(here.left, "word is", "words are")} left of ${number(tree.words)}; ${turnName(here.turn)}: ${here.guess}.${expected}`;
}

function showTurns() {
  at("turns").replaceChildren();
  if (here.end === "none") return;
  let found = 0;
  const most = Math.max(1, ...here.turns, here.lost);
  const rows = here.turns.flatMap((count, place) => {
    found += count;
    if (count === 0 && (found === 0 || found === here.left)) return [];
    return [[turnName(place + 1), bar(number(count), count / most), `${(100 * found / here.left).toFixed(1)} %`]];
  });
  if (here.lost) rows.push(["lost", bar(number(here.lost), here.lost / most), ""]);
  fill(at("turns"), [places() ? "misses" : "turn", "words", "found by then"], rows);
}

function nextOf(own) {
  if (own.end === "found") return "found";
  if (own.end === "lost") return "lost";
  return own.end === "word" && places() ? "the word" : own.guess;
}

function showClasses() {
  const rows = here.classes.map((own) => {
    const button = made("button", undefined, { type: "button" });
    button.dataset.take = own.marks;
    button.append(rowOf(here.guess, own.marks));
    button.setAttribute("aria-label", `${said(here.guess, own.marks)}; ${counted(own.left, "word")}, go there`);
    const some = own.words.slice(0, few());
    const more = own.left > some.length ? ` and ${number(own.left - some.length)} more` : "";
    return [button, number(own.left), nextOf(own), own.expected.toFixed(3), some.join(" ") + more];
  });
  at("classes").replaceChildren();
  if (!here.end) fill(at("classes"), ["answer", "words", "next", here.measure, "which"], rows, [4]);
  const more = here.class_count - here.classes.length;
  at("more").hidden = more <= 0;
  at("more").textContent = `Show ${number(Math.min(more, MORE))} more of ${number(here.class_count)}`;
}

function showWords() {
  const more = here.left - here.words.length;
  at("left").textContent = here.words.join(" ") + (more > 0 ? ` and ${number(more)} more` : "");
  at("more-words").hidden = more <= 0 || here.words.length >= MOST_WORDS;
  at("more-words").textContent = here.left > MOST_WORDS ? `Show ${number(MOST_WORDS)} of them` : "Show all";
}

function showPlace() {
  at("walk").hidden = false;
  at("below").hidden = at("guess").hidden = here.end !== "";
  at("words-title").hidden = here.left === 0;
  marks = here.end ? [] : Array(tree.length).fill(places() ? "_" : "X");
  at("guess-title").textContent = here.end ? "The end of the way" : `The guess: ${here.guess}`;
  at("go").hidden = here.end !== "";
  at("preview").textContent = here.end ? endText(here, foundText()) : "";
  at("keys").textContent = here.end ? "" : places()
    ? "Click the places where the word has the letter, or press o and x on them; enter goes on, backspace back, arrow down to the answers."
    : "Click a letter until its colour is that of the answer, or press x, ? and o on it; enter goes on, backspace back, arrow down to the answers.";
  showTrail();
  showGuess();
  showStatus();
  showTurns();
  showClasses();
  showWords();
  if (focus) (at("guess").querySelector("button") ?? at("up")).focus();
  focus = "";
}

/** Say what the marks that are set lead to, before one goes there. */
async function preview() {
  previewing?.abort();
  const own = (previewing = new AbortController());
  const row = marks.join("");
  try {
    const next = await ask({ path: [...path, row], count: 0, words: 6 }, own.signal);
    if (own.signal.aborted) return;
    const some = next.words.join(" ") + (next.left > next.words.length ? " .." : "");
    at("preview").textContent = next.end === "none" ? "No word gives this answer."
      : `${counted(next.left, "word")}: ${some}`;
  } catch (error) {
    if (!own.signal.aborted) at("preview").textContent = complaint(error);
  }
}

function setMark(place, mark) {
  const kinds = places() ? ["_", "O"] : MARKS;
  marks[place] = mark ?? kinds[(kinds.indexOf(marks[place]) + 1) % kinds.length];
  preview();
}

/** The place of a game, a length and a way, as the address says. */
export async function showTrees(rest, signal, trees) {
  previewing?.abort();
  told = await trees(signal);
  if (signal.aborted) return;
  if (told.none) {
    at("choose").hidden = at("walk").hidden = true;
    at("status").textContent = told.none;
    return;
  }
  const [game, length, ...way] = rest;
  const own = (other) => other.game === game && String(other.length) === length;
  tree = told.trees.find(own) ?? told.trees.find((other) => other.length === 5) ?? told.trees[0];
  letter = tree.letters.length ? (tree.letters.includes(way[0]) ? way[0] : tree.letters[0]) : "";
  path = told.trees.some(own) ? way.slice(tree.letters.length ? 1 : 0) : [];
  showChoice();
  at("walk").hidden = true;
  try {
    here = await ask({ count: FEW, words: WORDS }, signal);
  } catch (error) {
    if (signal.aborted || path.length === 0) throw error;
    problem(complaint(error)); // an address that leads nowhere: the beginning is shown
    path = [];
    here = await ask({ count: FEW, words: WORDS }, signal);
  }
  if (!signal.aborted) showPlace();
}

at("choose").addEventListener("submit", (event) => event.preventDefault());
at("choose").addEventListener("change", (event) => {
  const game = at("game").value;
  const lengths = told.trees.filter((own) => own.game === game);
  tree = lengths.find((own) => own.length === Number(at("length").value)) ?? lengths[0];
  letter = event.target === at("letter") ? at("letter").value : tree.letters[0] ?? "";
  location.hash = addressOf([]);
});
at("trail").addEventListener("click", (event) => {
  const back = event.target.closest("button")?.dataset.back;
  if (back !== undefined) walk(path.slice(0, Number(back)));
});
at("up").addEventListener("click", () => walk(path.slice(0, -1)));
at("go").addEventListener("click", () => walk([...path, marks.join("")]));
at("classes").addEventListener("click", (event) => {
  const take = event.target.closest("button")?.dataset.take;
  if (take !== undefined) walk([...path, take]);
});
at("classes").addEventListener("keydown", (event) => {
  const buttons = [...at("classes").querySelectorAll("button")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const place = buttons.indexOf(event.target);
  if (place < 0) return;
  if (step) (buttons[place + step] ?? (step < 0 ? at("guess").querySelector("button") : null))?.focus();
  else if (event.key === "Backspace" && path.length) walk(path.slice(0, -1));
  else return;
  event.preventDefault();
});
at("guess").addEventListener("click", (event) => {
  const node = event.target.closest("button");
  if (!node) return;
  const place = Number(node.dataset.place);
  setMark(place);
  showGuess(place);
});

/** The next tile that can be pressed, from a place on in a direction. */
function beside(place, step) {
  const nodes = [...at("guess").children];
  for (let own = place + step; own >= 0 && own < nodes.length; own += step) {
    if (nodes[own].tagName === "BUTTON") return own;
  }
  return place;
}

at("guess").addEventListener("keydown", (event) => {
  if (event.target.tagName !== "BUTTON" || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = Number(event.target.dataset.place);
  let mark = KEYS[event.key.toLowerCase()];
  if (places() && mark) mark = mark === "X" ? "_" : mark === "O" ? "O" : undefined;
  if (mark) {
    setMark(place, mark);
    showGuess(beside(place, 1));
  } else if (event.key === "ArrowLeft") at(`tile${beside(place, -1)}`).focus();
  else if (event.key === "ArrowRight") at(`tile${beside(place, 1)}`).focus();
  else if (event.key === "ArrowDown") at("classes").querySelector("button")?.focus();
  else if (event.key === "Enter") walk([...path, marks.join("")]);
  else if (event.key === "Backspace") {
    if (path.length) walk(path.slice(0, -1));
  } else return;
  event.preventDefault();
});
/** Ask for more of the place where one is; nothing where one has gone on meanwhile, or there is no answer. */
async function askMore(fields) {
  const now = here;
  try {
    const next = await ask(fields);
    return here === now ? next : null;
  } catch (error) {
    problem(complaint(error));
    return null;
  }
}

at("more").addEventListener("click", async () => {
  const now = here;
  const next = await askMore({ start: now.classes.length, count: MORE, words: 0 });
  if (!next) return;
  const first = now.classes.length;
  now.classes.push(...next.classes);
  showClasses();
  at("classes").querySelectorAll("button")[first]?.focus();
});
at("more-words").addEventListener("click", async () => {
  const next = await askMore({ count: 0, words: MOST_WORDS });
  if (!next) return;
  here.words = next.words;
  showWords();
  at("left").focus();
});
