// Shared by all views: nodes, marks, words and numbers. Objects indexed by outside text have no prototype.

export const MARKS = ["X", "?", "O"];
export const NAMES = { __proto__: null, X: "absent", "?": "misplaced", O: "placed", "": "not coloured" };
// key or sign -> mark
export const KEYS = {
  __proto__: null, b: "X", y: "?", g: "O", x: "X", "?": "?", o: "O", 0: "X", 1: "?", 2: "O", "-": "X", _: "X",
};

export const at = (id) => document.getElementById(id);

/** Write texts into nodes, by id. */
export function write(texts) {
  for (const [id, text] of Object.entries(texts)) at(id).textContent = text;
}

/** Show or hide nodes, by id. */
export function show(shown) {
  for (const [id, isShown] of Object.entries(shown)) at(id).hidden = !isShown;
}

/** Replace what a node has, by id, by other nodes. */
export function draw(id, nodes) {
  at(id).replaceChildren(...nodes);
}

/** Call an action at each event of one kind, by the node's id. */
export function listen(kind, actions) {
  for (const [id, act] of Object.entries(actions)) at(id).addEventListener(kind, act);
}

export const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey;

export const number = (value) => value.toLocaleString("en");
export const counted = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;

/** Make a node, as `span.row.small`, of texts and nodes; no text is parsed as HTML. `share`: of a bar. */
export function made(selector, content = [], { data, share, ...fields } = {}) {
  const [tag, ...classes] = selector.split("."), node = document.createElement(tag);
  if (tag === "button") node.type = "button";
  Object.assign(node, { className: classes.join(" "), ...fields });
  Object.assign(node.dataset, data);
  if (share !== undefined) node.style.setProperty("--share", share);
  node.append(...[content].flat());
  return node;
}

export const heard = (text) => made("span.heard", text); // by screen readers only

export function listed(words, all) {
  const more = words.length ? all - words.length : 0;
  return words.join(" ") + (more > 0 ? ` and ${number(more)} more` : "");
}

export function options(values, chosen, name = (value) => value) {
  return values.map((value) => new Option(name(value), value, false, value === chosen));
}

export function showNotes(notes = []) {
  draw("notes", notes.map((note) => made("li", note)));
}

export const spell = (text) => text.normalize("NFC").match(/\P{M}\p{M}*/gu) ?? [];

export const classOf = (mark) => (mark === "?" ? "M" : mark);

/** A tile of a letter; _ in hangman is X. */
export function tile(letter, mark, tag = "button") {
  const own = mark === "_" ? "X" : mark;
  const node = made(`${tag}.tile.${classOf(own)}`, letter, { ariaLabel: `${letter}, ${NAMES[own]}` });
  if (spell(letter.toUpperCase()).length > 1) node.classList.add("small"); // as ß, whose capital is SS
  return node;
}

export function showTyped(id, text, size) {
  const typed = spell(text), count = Math.max(size, typed.length);
  draw(id, Array.from({ length: count }, (_, place) =>
    made(place === typed.length ? "span.next" : "span", typed[place])));
}

/** The text of a guess for screen readers: a word with its marks, or a letter with its places. */
export function said(guess, marks) {
  if (/^\d/.test(marks)) return `${guess}: ${marks}`; // counts
  const letters = spell(guess), named = letters.map((letter, place) => `${letter} ${NAMES[marks[place]]}`);
  if (letters.length > 1) return `${guess}: ${named.join(", ")}`;
  const places = [...marks].flatMap((mark, place) => (mark === "O" ? [place + 1] : []));
  return `${guess}: ${places.length ? `at place ${places.join(", ")}` : "not in the word"}`;
}

export function joined(parts) {
  return parts.map((part) => encodeURIComponent(part).replace(/%3[AF]/g, decodeURIComponent)).join("/");
}

/** The parts of a text, or of the page's address after #; [] if they cannot be decoded. */
export function partsOf(text = location.hash.slice(1)) {
  try {
    return text.split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** The parts of a game's name: [, game, rule]. */
export const gameOf = (name) => /^(.*?)(?:-((?:from[345]-)?hard))?$/.exec(name);

export function roundText({ game, length, hard }, history) {
  return joined([hard ? `${game}-${hard}` : game, length, ...history]);
}

/** Show what is wrong; an empty text hides the last fault. */
export function problem(text = "") {
  write({ problem: text });
}

/** Show the error of a view that has nothing else to say. */
export function failed({ message }) {
  write({ status: "" });
  problem(message);
}

/** One task at a time: the next one stops it, and then it has no result and no error. */
export class Task {
  stop() {
    this.control?.abort();
  }

  /** Run `task`, which gets a signal. Return its result, or undefined after `failed` got its error. */
  async run(task, failed = (error) => problem(error.message)) {
    this.stop();
    const { signal } = (this.control = new AbortController());
    try {
      const result = await task(signal);
      signal.throwIfAborted();
      return result;
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }
}

let storage = {}; // as long as this page, if the browser forbids to store
try {
  storage = localStorage ?? storage;
} catch {}

export const keeps = () => storage instanceof Storage;
export const remembered = (name) => storage[name] ?? null;

export function remember(name, text) {
  try {
    storage[name] = text;
  } catch { // it is full
    storage = { ...storage, [name]: text };
  }
}
