// Shared by all views: nodes, marks, words and numbers. Objects indexed by outside text have no prototype.

export const MARKS = ["X", "?", "O"];
export const NAMES = { __proto__: null, X: "absent", "?": "misplaced", O: "placed", "": "not coloured" };
export const SIGNS = { __proto__: null, X: "–", "?": "?", O: "✓", "": "" }; // for colour-blind users
// key or sign -> mark
export const KEYS = {
  __proto__: null, b: "X", y: "?", g: "O", x: "X", "?": "?", o: "O", 0: "X", 1: "?", 2: "O", "-": "X", _: "X",
};

const GAMES = {
  wordle: "Wordle", lingo: "Lingo", absurdle: "Absurdle", "evil-wordle": "Evil Wordle", hangman: "Hangman",
  mastermind: "Mastermind", "bulls-and-cows": "Bulls and Cows", "black-pegs": "Black pegs", jotto: "Jotto",
};
const RULES = { // and objectives
  __proto__: null, hard: "hard mode", consistent: "guesses must fit", letter: "first letter given",
  lost: "fewest lost", found: "most found", misses: "fewest misses",
};

export function gameName(code) {
  const name = code.replace(/\d+$/, "").replace(/from(\d)-hard/, "hard from turn $1");
  const game = Object.keys(GAMES).find((own) => `${name}-`.startsWith(`${own}-`));
  if (!game) return name.replace(/-$/, "").replace(/^./, (own) => own.toUpperCase());
  const rules = name.slice(game.length + 1).split("-").filter(Boolean).map((own) => RULES[own] ?? own);
  return [GAMES[game], ...rules].join(", ");
}

export const at = (id) => document.getElementById(id);

/** Write texts into nodes, by id. */
export function write(texts) {
  for (const [id, text] of Object.entries(texts)) at(id).textContent = text;
}

/** Show or hide nodes, by id. */
export function show(shown) {
  for (const [id, isShown] of Object.entries(shown)) at(id).hidden = !isShown;
}

/** Call an action at each event of one kind, by the node's id. */
export function listen(kind, actions) {
  for (const [id, act] of Object.entries(actions)) at(id).addEventListener(kind, act);
}

export const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey;

export const number = (value) => value.toLocaleString("en");
export const counted = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;

/** Make a node of texts and nodes; a text is never parsed as HTML. `share`: the length of a bar. */
export function made(tag, content, { data, share, ...fields } = {}) {
  const node = document.createElement(tag);
  if (tag === "button") node.type = "button";
  Object.assign(node, fields);
  Object.assign(node.dataset, data);
  if (share !== undefined) node.style.setProperty("--share", share);
  node.append(...[content ?? []].flat());
  return node;
}

export const heard = (text) => made("span", text, { className: "heard" }); // by screen readers only

export function listed(words, all) {
  const more = words.length ? all - words.length : 0;
  return words.join(" ") + (more > 0 ? ` and ${number(more)} more` : "");
}

export function choose(list, values, chosen, name = (value) => value) {
  list.replaceChildren(...values.map((value) =>
    made("option", name(value), { value, selected: value === chosen })));
}

export function showNotes(notes = []) {
  at("notes").replaceChildren(...notes.map((note) => made("li", note)));
  at("notes").hidden = notes.length === 0;
}

export const spell = (text) => text.normalize("NFC").match(/\P{M}\p{M}*/gu) ?? [];

/** A tile of a letter; _ in hangman is X. */
export function tile(letter, mark, tag = "button") {
  const own = mark === "_" ? "X" : mark, data = { sign: SIGNS[own] };
  const className = `tile ${own === "?" ? "M" : own}`, ariaLabel = `${letter}, ${NAMES[own]}`;
  const node = made(tag, letter, { className, ariaLabel, data });
  if (spell(letter.toUpperCase()).length > 1) node.classList.add("small"); // as ß, whose capital is SS
  return node;
}

export function showTyped(node, text, size) {
  const typed = spell(text), count = Math.max(size, typed.length);
  node.replaceChildren(...Array.from({ length: count }, (_, place) =>
    made("span", typed[place], { className: place === typed.length ? "next" : "" })));
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

/** The parts of an address after #; [] if they cannot be decoded. */
export function partsOf(text) {
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

export function problem(text) {
  write({ problem: text });
  at("problem").hidden = !text;
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

const memory = { __proto__: null }; // used if the browser forbids storage

export function remembered(name) {
  try {
    return memory[name] ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, text) {
  memory[name] = text;
  try {
    localStorage.setItem(name, text);
  } catch { /* it lasts as long as this page */ }
}
