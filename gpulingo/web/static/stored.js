// Answers the views' requests from stored strategies: an exported page has this file in place of ask.js. Along a strategy
// every number is derived from it and equals the server's; off it guesses are ranked here. Sentences: sentences.json.

import { feedback, Ranking } from "./ranking.js";

export const ENDING = ".html", ownList = null, useList = null; // no word lists of the user
export const GONE = "The files of this page cannot be read. Open it again.";
const HARD = /-((?:from\d-)?hard)$/; // suffix of a game's name
const WRITTEN = { X: "XB0.-_⬛⬜◼◻⚫⚪🖤🤍", "?": "?Y1🟨🟦🟡🔵💛💙", O: "OG2🟩🟧🟢🟠💚🧡" }; // as in gpulingo/advice/notation.py
const COLOURS = "⬛⬜◼◻⚫⚪🖤🤍🟨🟦🟡🔵💛💙🟩🟧🟢🟠💚🧡", COLOURED = new RegExp(`^[${COLOURS}]{2,}$`, "u"), ROWS = [COLOURED, /^[by.\-_g]+$/, /^[x?.\-_o]+$/, /^[012]+$/];
const NAMED = /:(?:large_)?(black|white|yellow|blue|green|orange)_(?:\w+_)?(?:square|circle|heart):/g; // in Slack
const SQUARES = { black: "⬛", white: "⬜", yellow: "🟨", blue: "🟦", green: "🟩", orange: "🟧" };
const STRANGE = new RegExp(`:\\w+_(?:square|circle):|(?![${COLOURS}])\\p{Extended_Pictographic}`, "u");
const UNSEEN = /[\ufe0f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const TURNS = 6, MOST_WORDS = 500, LATEST = 86400000; // milliseconds: as dates are local, a word is available a day early
const rounds = new Map(); // name -> round
const read = { __proto__: null }; // name -> promise of a file or a strategy
const KINDS = { 1: globalThis.Uint8Array, 2: globalThis.Uint16Array, 4: globalThis.Uint32Array }; // bytes of an element -> array type
const MARKS = "X?O", ANY = ".";
const MOST_LISTED = 20; // most words in a text
const RARE = 0.3; // warn if usual answers are a smaller share of the words that fit
const SURE = 1 - 1e-9;
const FOLLOWED = 10, PATIENT = 50, LARGE = 400, OF_LARGE = 4; // guesses that are followed to the end; OF_LARGE from LARGE words left on
const AT_ONCE = 50; // milliseconds of work between two looks at the page
const SMALL = 0.005; // a cost that rounds to 0 with two digits

export const sum = (numbers) => numbers.reduce((all, own) => all + own, 0);
export const number = (value) => value.toLocaleString("en");
export const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
export const lettered = (marks) => [...marks].map((mark) => "BYG"[MARKS.indexOf(mark)]).join("");
const pattern = (marks) => [...marks].reduce((code, mark) => 3 * code + MARKS.indexOf(mark), 0);

/** Format a number with fixed digits; round half to even, as Python does. */
export function fixed(value, digits) {
  const text = value.toFixed(digits), tie = (Math.abs(value) * 2 ** (digits + 1)) % 2 === 1;
  return tie && /[13579]$/.test(text) ? text.slice(0, -1) + (Number(text.at(-1)) - 1) : text;
}

/** Format a chance; only exact values are shown as 0 % or 100 %. */
function percent(chance) {
  const share = 100 * chance, near = (share > 0 && share < 0.5) || (share >= 99.5 && share < 100);
  if (!near || (share >= 0.05 && share < 99.95)) return `${fixed(share, near ? 1 : 0)} %`;
  return share < 1 ? "under 0.1 %" : "over 99.9 %";
}

function listed(words) {
  const more = words.length > MOST_LISTED ? ` and ${number(words.length - MOST_LISTED)} more` : "";
  return words.slice(0, MOST_LISTED).join(" ").toUpperCase() + more;
}

let looked = 0; // when the page could draw last

/** Let the page draw from time to time, and stop if nobody waits for the answer. */
export async function pause(signal) {
  if (performance.now() - looked < AT_ONCE) return;
  await new Promise((resolve) => setTimeout(resolve));
  looked = performance.now();
  signal?.throwIfAborted();
}

export function classesOf(guess, words) {
  const classes = new Map();
  for (const word of words) {
    const marks = feedback(guess, word), own = classes.get(marks);
    if (own) own.push(word);
    else classes.set(marks, [word]);
  }
  return classes;
}

function endOf({ left, guess }, marks) {
  if (!left.length) return "none";
  if (/^O+$/.test(marks)) return "found";
  if (guess === undefined) return "lost";
  return left.length === 1 && left[0] === guess ? "word" : "";
}

/** The fields and arrays of a file: a header after its length in 4 bytes, then the arrays that it lists. */
function unpacked(data) {
  const size = new DataView(data).getUint32(0, true), fields = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
  let from = 4 + size;
  for (const [name, bytes, count] of fields.arrays) {
    fields[name] = new KINDS[bytes](data, from, count);
    from += bytes * count;
  }
  return fields;
}

class StoredStrategy {
  /** `data`: the bytes of the file `name`; `tables`: sentences.json. */
  constructor(name, data, tables) {
    Object.assign(this, unpacked(data), { name, tables });
    this.words = this.words.split(" ");
    this.unfit = new Set(this.unfit); // places of words that are not suggested
    this.known = new Map(); // positions
    this.opened = new Map(); // first guess -> stored strategy after it
  }

  /** Read the strategy after the first guess of a history, if one is stored; without it, guesses are ranked. */
  async reading([first = ""]) {
    const [guess] = first.split(":");
    if (!this.openings.includes(guess) || this.opened.has(guess)) return this;
    try {
      const { body } = await fetch(this.name.replace(".bin", `-${guess}.z`));
      this.opened.set(guess, unpacked(await new Response(body.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer()));
      this.known.clear(); // positions after it without the strategy
    } catch { /* the file cannot be read, or the browser does not decompress */ }
    return this;
  }

  get ranking() {
    return (this.ranks ??= new Ranking(this));
  }

  filled(name, fields) {
    return (this.tables[name] ?? this[name]).replace(/\{(\w+)\}/g, (_, field) => fields[field]);
  }

  /** A position: tree, node and guess (undefined outside the tree), words left, turn, words found per turn, their summed value. */
  position(node, left, turn, tree = this) {
    const turns = Array(this.turns).fill(0), stored = node !== undefined;
    for (let [start, end, at] = [node, node + 1, turn]; start < end; [start, end, at] = [tree.first[start], tree.first[end], at + 1]) {
      turns[at - 1] = sum(tree.hit.subarray(start, end));
    }
    return { tree, node, guess: stored ? this.words[tree.guess[node]] : undefined, left, turn, turns, ...this.summed(turns, left.length) };
  }

  summed(turns, count) {
    const lost = count - sum(turns);
    return { lost, value: sum(turns.map((own, place) => own * this.worth[place])) + lost * this.worth[this.turns] };
  }

  below({ tree, node, guess: own, turn }, guess, marks, left) {
    const [start, end] = guess === own ? tree.first.subarray(node, node + 2) : [0, 0];
    const place = tree.pattern.subarray(start, end).indexOf(pattern(marks));
    return this.position(place < 0 ? undefined : start + place, left, turn + 1, tree);
  }

  /** The position after a history; if `wide`, every word is a possible answer, and no strategy is stored. */
  at(history, wide = false) {
    const key = [wide, ...history].join(" ");
    if (!this.known.has(key)) this.known.set(key, history.length ? this.after(history, wide) : this.start(wide));
    return this.known.get(key);
  }

  start(wide) {
    const left = wide ? this.words : this.words.filter((_, place) => this.target[place]);
    return { every: this.words, pairs: [], ...this.position(wide ? undefined : 0, left, 1) };
  }

  /** The start, with the strategy after a first guess if it was read. */
  startOf(guess, wide) {
    const here = this.at([], wide), tree = wide ? null : this.opened.get(guess);
    return tree ? { ...here, ...this.position(0, here.left, 1, tree) } : here;
  }

  after(history, wide) {
    const [guess, marks] = history.at(-1).split(":"), before = history.length > 1 ? this.at(history.slice(0, -1), wide) : this.startOf(guess, wide), { turn } = before;
    const broken = turn >= this.since && before.pairs.find((own) => !this.ranking.rule(...own)(guess));
    if (broken) throw new Error(`guess ${turn}, ${guess}, is not allowed in ${this.code}: it does not use what ${broken[0]} showed`);
    const fits = (word) => feedback(guess, word) === marks;
    return { every: before.every.filter(fits), pairs: [...before.pairs, [guess, marks]], ...this.below(before, guess, marks, before.left.filter(fits)) };
  }

  /** The position that is answered: if no usual answer fits, any word may be one. */
  asked(history) {
    const here = this.at(history), wide = !here.left.length;
    if (!here.every.length) throw new Error(this.filled("none fits"));
    return { wide, here: wide ? this.at(history, true) : here };
  }

  isUnfit(word) {
    return this.unfit.has(this.ranking.numbers.get(word));
  }

  /** The answer of the strategy, without a guess outside it. */
  suggest(history) {
    const { wide, here } = this.asked(history), { every, turn } = here, count = here.left.length, rarer = every.length - count, open = turn <= this.turns;
    const left = wide ? [...here.left].sort((one, other) => this.levelOf(one) - this.levelOf(other)) : here.left;
    const { own, hidden } = open ? this.offered(here) : { own: [] };
    const few = this.answers && !wide && turn > 1 && count < RARE * every.length;
    return {
      left: count, turn, open, measure: this.measure, candidates: left.slice(0, MOST_LISTED), card: this.card(left, turn, wide),
      unit: this.unit, noun: this.noun,
      counted: this.counted(count, every.length, wide), rarer: few ? this.filled(rarer === 1 ? "rarer one" : "rarer", { count: number(rarer) }) : "",
      ...this.entries(own, here), stored: own.length > 0, whose: wide ? "" : this.whose, how: own.length ? this.howText(own, hidden) : "",
      notes: [...this.strange(here), ...(open ? [] : [this.filled("no more", { code: this.code })])],
    };
  }

  levelOf(word) {
    return this.level[this.ranking.numbers.get(word)];
  }

  /** Notes on guesses outside the list. */
  strange({ pairs }) {
    const guesses = new Set(pairs.map(([guess]) => guess));
    return [...guesses].filter((guess) => !this.ranking.numbers.has(guess)).map((guess) => this.filled("unlisted", { guess }));
  }

  counted(count, every, wide) {
    if (wide) return `no answer fits; of all ${number(this.words.length)} words of ${this.source} ${number(count)} ${count === 1 ? "does" : "do"}`;
    const answers = `${number(count)} ${count === 1 ? this.answers.replace(/^(\S+)s/, "$1") : this.answers}`; // as "1 answer"
    return `${this.answers ? `${answers}, ${counted(every, "word")}` : counted(count, "word")} left of ${this.source}`;
  }

  /** The best guesses for the page, with a sentence about each, and costs of those after the first. */
  entries(guesses, here) {
    const [best] = guesses, costs = guesses.map((own) => this.cost(own, best));
    return {
      suggestions: guesses.map(({ guess, turns, value, exact, by, classes, largest, bits, candidate }, place) => ({ guess, expected: value / here.left.length, exact, by,
        cost: costs[place], alike: 1, found_by_turn: turns.map((_, turn) => sum(turns.slice(0, turn + 1)) / here.left.length), classes, largest, bits, candidate })),
      sentences: guesses.map((own) => this.sentence(own, here)),
      costs: guesses.map((own, place) => this.costText(costs[place], own.exact && best.exact)).slice(1),
    };
  }

  /** The cost of a guess against the best; null for values of different methods. */
  cost(own, best) {
    const [mean, least] = [own, best].map(({ value, turns, lost }) => value / (sum(turns) + lost)), more = this.rises ? least - mean : mean - least;
    return more < 0 || (own.by !== best.by && !(own.exact && best.exact)) ? null : more;
  }

  costText(cost, exact) {
    const about = exact ? "" : "about ";
    if (cost === null) return "";
    if (cost < SMALL && (about || !cost)) return `${about}as good`;
    return cost < SMALL ? `under ${fixed(2 * SMALL, 2)}` : `${about}${fixed(cost, 2)}`;
  }

  /** A guess that is followed to the end, with the words found on each turn. */
  outlook(guess, { left, turn }, turns, by) {
    const sizes = [...classesOf(guess, left).values()].map((words) => words.length), candidate = left.includes(guess), { lost, value } = this.summed(turns, left.length);
    const credits = sum(turns.map((own, place) => own * this.payoff[this.turns - place])) + lost * this.payoff[0];
    // The guess and a word of each group are found within two turns, the others a turn later at best.
    const limit = sizes.length + candidate + left.length * (this.turns - turn - 1), reached = turn === this.turns || (this.bonus > 0 && credits === limit);
    return { guess, turns, lost, value, credits, limit, reached, by, exact: false, classes: sizes.length, largest: Math.max(...sizes), candidate,
      bits: Number((sum(sizes.map((size) => size * Math.log2(left.length / size))) / left.length).toFixed(6)) };
  }

  /** The first guesses of the stored strategies, the best first, until enough are not unfit. */
  starts(here) {
    const rows = [];
    for (const [place, exact, found] of this.first_guesses) {
      if (rows.filter(({ guess }) => !this.isUnfit(guess)).length < FOLLOWED) {
        rows.push({ ...this.outlook(this.words[place], here, found, this.exact ? "tree" : "opening"), exact, how: this.how_first });
      }
    }
    return rows;
  }

  /** The strategy's guess of a position, of the start and after a first guess of its own the best ones. */
  stored(here) {
    if (here.node === 0 && here.tree === this) return this.starts(here);
    const { tree: { best = [], found, first, exact }, node } = here, each = best.length / (first[1] - 1), from = (node - 1) * each, turns = this.turns - 1;
    const places = node >= 1 && node < first[1] ? [...best.slice(from, from + each).keys()].map((own) => from + own).filter((own) => best[own] < this.words.length) : [];
    const rows = places.map((own) => [this.words[best[own]], [0, ...found.subarray(own * turns, (own + 1) * turns)]]);
    if (!rows.length && node !== undefined) rows.push([here.guess, here.turns]);
    return rows.map(([guess, own]) => ({ ...this.outlook(guess, here, own, "tree"), exact, how: here.tree.how }));
  }

  /** The stored guesses that are shown, and the note about better ones: unfit words are not suggested. */
  offered(here) {
    const rows = this.stored(here), own = rows.filter(({ guess }) => here.left.length === 1 || !this.isUnfit(guess)), count = Math.max(0, rows.indexOf(own[0]));
    return { own, hidden: this.hiddenText(rows.slice(0, count), own[0]) };
  }

  /** The note about better guesses than the best one that is shown. */
  hiddenText(better, best) {
    const count = better.length, cost = count ? this.cost(best, better[0]) : null, amount = cost === null ? "" : ` (${fixed(cost, 3)} ${this.noun} better)`;
    return count ? `; ${count} guess${count === 1 ? " is" : "es are"} not shown${amount}` : "";
  }

  /** Yield the best guesses so far, the best first: the strategy's, then those of most groups, each followed by `parts`. */
  async *ranked(here, { most = here.left.length > LARGE ? OF_LARGE : FOLLOWED, own = [], signal } = {}) {
    const { ranking } = this, { left } = here, position = ranking.position(left, here.pairs), rows = [...own];
    const best = ranking.top(position, most, 1, this.unfit);
    for (const guess of best.length ? best : ranking.top(position, most, 1)) {
      await pause(signal);
      if (own.some((stored) => stored.guess === this.words[guess])) continue;
      rows.push(this.outlook(this.words[guess], here, ranking.follow(position, guess), this.estimated));
      yield this.sorted(rows);
    }
  }

  /** Sort guesses, the best first, and mark those whose value is proven. */
  sorted(rows) {
    const { numbers } = this.ranking, most = Math.max(...rows.map((own) => own.limit)), credits = Math.max(...rows.map((own) => own.credits));
    const proven = rows.some((own) => own.credits === credits && (own.exact || (own.reached && own.limit === most)));
    for (const own of rows) own.exact ||= proven && (own.reached || own.credits === credits);
    return rows.sort((one, other) => other.credits - one.credits || other.exact - one.exact || other.candidate - one.candidate || numbers.get(one.guess) - numbers.get(other.guess));
  }

  /** The best guesses of a position, by a ranking next to the strategy's guess; `progress` gets the best so far. */
  async search(history, { longer, signal, progress }) {
    const answer = this.suggest(history), { here } = this.asked(history), own = answer.stored ? this.offered(here).own : [];
    if (answer.left < 2 || !answer.open || here.node === 0 || own.length > 1) return answer;
    let shown = answer;
    for await (const rows of this.ranked(here, { most: longer ? PATIENT : undefined, own, signal })) {
      const good = answer.left > 2 ? rows.slice(0, FOLLOWED) : rows.filter((row) => row.candidate); // with two words left only these
      const better = this.stored(here).filter((stored) => stored.credits > good[0]?.credits);
      shown = { ...answer, ...this.entries(good, here), stored: false, how: this.howText(good, this.hiddenText(better, good[0])) };
      progress?.({ ...shown, how: "searching" });
    }
    return shown;
  }

  /** How some guesses were found. */
  howText(rows, hidden = "") {
    const [stored, ranked] = [true, false].map((own) => rows.filter(({ how }) => Boolean(how) === own)), apart = rows.some((own) => this.cost(own, rows[0]) === null);
    const limit = ranked.every((own) => own.exact) ? "" : `${ranked[0].exact ? ";" : ":"} ${this.limit}`, how = `${ranked[0]?.exact ? this.proven : this.followed}${limit}`;
    if (!stored.length) return `${how}${hidden}${this.condition}`;
    const others = ranked.length ? `; the others${apart ? ", not comparable with it," : ""} ${how}` : "";
    const names = stored.length < FOLLOWED ? `${stored.map(({ guess }) => guess).join(", ")} ` : ""; // all are stored
    return `${names}${stored[0].how}${others}${hidden}${this.condition}`;
  }

  sentence({ exact, candidate, turns, lost }, { left: { length: count }, turn }) {
    const chances = turns.map((_, place) => sum(turns.slice(0, place + 1)) / count);
    const last = chances.findIndex((chance) => chance >= SURE) + 1, soon = chances[turn] ?? 0;
    const mean = (sum(turns.map((own, place) => (place + 1) * own)) + (this.turns + 1) * lost) / count;
    let kind = last ? "ends" : "risk";
    if (last && soon >= 0.5) kind = "soon";
    if (last && last <= turn + 1) kind = count === 1 ? "only" : candidate ? "sure" : "next";
    const text = this.filled(`guess ${kind}`, { left: number(count), noun: "word", about: exact ? "" : "About ", chance: percent(soon),
      by: candidate ? "by" : "on", next: turn + 1, last, mean: fixed(mean, 1), risk: percent(1 - chances.at(-1)) });
    return text[0].toUpperCase() + text.slice(1);
  }

  /** The card in place of a guess: the state of the round; {} if a guess is shown. */
  card(left, turn, wide) {
    const one = left.length === 1, state = turn > this.turns ? "out" : wide ? "outside" : one ? "one" : "";
    if (!state) return {};
    const title = state === "out" ? "Out of guesses" : left[0], words = counted(left.length, "word");
    return { state, title, text: this.filled(`card ${state}`, { noun: "word", word: title.toUpperCase(), words, listed: listed(left), ...(one ? { fit: "fits", do: "does" } : { fit: "fit", do: "do" }) }) };
  }

  branch({ path = [], start = 0, count = 20, words = 40, shown = "", word = "" }) {
    const trail = [];
    let here = { ...this.at([]), end: "" };
    for (const marks of path) {
      if (here.end || marks.length !== this.length || /[^X?O]/.test(marks)) throw new Error("This path leads nowhere.");
      trail.push({ guess: here.guess, marks, left: here.left.length });
      here = this.reply(here, marks, classesOf(here.guess, here.left).get(marks) ?? []);
    }
    const { left, end, turn, turns, lost, guess = null } = here, every = word ? this.steps(here, word) : end ? [] : this.replies(here, shown);
    const replies = (word ? every : every.slice(start, start + count)).map((own) => own.entry);
    return { trail, end, left: left.length, turn, words: left.slice(0, words), guess, say: this.say(here, trail), turns, lost, classes: replies,
      expected: left.length ? here.value / left.length : null, class_count: word ? 0 : every.length };
  }

  reply(here, marks, left) {
    const below = this.below(here, here.guess, marks, left), end = endOf(below, marks);
    if (end === "found") {
      below.turns[here.turn - 1] = 1;
      Object.assign(below, { value: this.worth[here.turn - 1], lost: 0 });
    }
    const { turns, lost, value, guess = "" } = below, turn = end === "none" || end === "found" ? here.turn : below.turn;
    return { ...below, end, turn, entry: { guess: here.guess, marks, left: left.length, next: guess, end, turns, lost, expected: value / left.length } };
  }

  replies(here, shown) {
    const fits = (marks) => [...shown].every((mark, place) => mark === ANY || mark === marks[place]);
    const classes = [...classesOf(here.guess, here.left)].filter(([marks]) => fits(marks));
    classes.sort(([a, one], [b, other]) => other.length - one.length || pattern(b) - pattern(a));
    return classes.map(([marks, left]) => this.reply(here, marks, left));
  }

  steps(here, word) {
    if (!here.left.includes(word)) throw new Error(`“${word}” is not among the ${counted(here.left.length, "possible answer")} here.`);
    const rows = [];
    for (let own = here; own.guess !== undefined && (!own.end || !rows.length); rows.push(own)) {
      const marks = feedback(own.guess, word);
      own = this.reply(own, marks, classesOf(own.guess, own.left).get(marks));
    }
    return rows;
  }

  say({ left, turn, end, value }, trail) {
    if (!end) return this.filled(`average ${this.shown}`, { value: fixed(value / left.length, this.shown === "words" ? 1 : 2) }) + this.limits[trail.length ? 1 : 0];
    const { guess = "", marks = "" } = trail.at(-1) ?? {}, words = left.length === 1 ? "this word is" : `these ${number(left.length)} words are`;
    return this.filled(`branch ${end}`, { guess: guess.toUpperCase(), marks: lettered(marks), word: left[0]?.toUpperCase(), words, found: this.filled("branch turn", { turn }) });
  }
}

/** Make a value from files once; if they cannot be read, throw a TypeError as fetch does. */
function once(name, make) {
  return (read[name] ??= make().catch(() => { throw new TypeError(name); }));
}

const file = (name, kind = "json") => once(name, async () => {
  const answer = await fetch(name);
  return answer.ok ? answer[kind]() : Promise.reject();
});

async function strategyOf(fits) {
  if (!globalThis.Uint32Array) throw new Error("This browser cannot read the stored strategies, because it has no typed arrays. Use a newer one.");
  const tree = (await file("stored.json")).trees.find(fits);
  if (!tree) throw new Error("No strategy is stored here for this game and length. Run gpulingo web on your computer for one.");
  return once(`strategy of ${tree.data}`, async () => new StoredStrategy(tree.data, ...await Promise.all([file(tree.data, "arrayBuffer"), file("sentences.json")])));
}

async function ofGame({ game, hard, length, history }) {
  const own = await strategyOf((tree) => tree.name === (hard ? `${game}-${hard}` : game) && tree.length === length);
  return own.reading(history);
}

const plain = (text) => text.toLowerCase().replace(UNSEEN, "").replace(NAMED, (_, colour) => SQUARES[colour]);
const split = (text) => plain(text).replace(/\s*[:=]\s*/g, ":").split(/[\s,]+/).filter(Boolean);

/** The guesses of a line with their marks as written; a row of coloured squares may lack its guess. */
function pairsOf(line) {
  const found = [], others = [];
  for (const part of split(line)) {
    const [guess, row] = part.split(":"), { length } = [...part], open = found.at(-1), beside = others.at(-1)?.length === length;
    if (row !== undefined) found.push([guess, row]);
    else if (beside && ROWS.some((kind) => kind.test(part))) found.push([others.pop(), part]);
    else if (COLOURED.test(part)) found.push(["", part]);
    else if (open && !open[0] && [...open[1]].length === length) open[0] = part;
    else others.push(part);
  }
  return found;
}

function readRound({ text = "", words = "", target = "" }) {
  const mark = (sign) => Object.keys(WRITTEN).find((own) => WRITTEN[own].includes(sign.toUpperCase())) ?? "";
  const isRow = (part) => STRANGE.test(part) && /[⬛⬜🟨🟦🟩🟧🟥🟪🟫]|_square:/u.test(part);
  const row = plain(text).split(/\s+/).find(isRow), known = "green or orange, yellow or blue, black or white";
  if (row) throw new Error(`${STRANGE.exec(row)[0]} in '${row}' is not a mark: squares are ${known}`);
  const lines = text.split(/\n/).map(pairsOf), guesses = split(words);
  const [answer, ...tried] = target ? [target.trim().toLowerCase(), ...guesses] : split(text);
  let history = lines.flat().map(([guess, row], place) => [guesses[place] ?? guess, [...row].map(mark).join("")]);
  if (target || !history.length) history = tried.map((guess) => [guess, guess.length === answer.length ? feedback(guess, answer) : ""]);
  const length = history[0]?.[1].length;
  if (lines.length > 1 && lines.some((line) => line.filter(([guess]) => !guess).length > 1)) throw new Error("squares of several boards: paste one board");
  if (!length || !history.every(([guess, row]) => row.length === length && (!guess || guess.length === length))) {
    throw new Error("not a round: paste crane:BYBBG, or give the answer and the guesses");
  }
  return { length, history: history.map((own) => own.join(":")) };
}

function ofDay({ words, days, mark, series }, day) {
  const date = new Date(Date.UTC(2026, 0, 1 + day));
  if (day < 0 || day >= days.length || date - Date.now() > LATEST) throw new Error("That day has no daily word here: set the clock, or practise.");
  const dated = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return { word: words[days[day]], daily: { day, number: `${day + 1}${mark}`, dated, series } };
}

function byLot(targets, history, length) {
  const fits = (word) => history.every((row) => row === `${row.slice(0, length)}:${feedback(row.slice(0, length), word)}`);
  const left = targets.filter(fits);
  if (!left.length) throw new Error("No usual answer fits these colours. Start a new round.");
  return { word: left[Math.floor(Math.random() * left.length)], helped: history.length > 0 };
}

async function begun({ game = "wordle", length, day, history = [], words }) {
  if (game !== "wordle") throw new Error("Only Wordle is played here. Run gpulingo web on your computer for other games.");
  const own = await strategyOf((tree) => tree.length === length);
  const targets = (own.drawable ??= [...new Set(own.days)].sort((a, b) => a - b).map((place) => own.words[place]));
  const drawn = day === undefined ? byLot(targets, history, length) : ofDay(own, day);
  const round = { name: `${rounds.size + 1}`, own, targets, left: targets, history: [], ...drawn };
  rounds.set(round.name, round);
  for (const row of history) take(round, row.split(":")[0]);
  return shown(round, words);
}

function take(round, text) {
  const guess = text.trim().toLowerCase(), marks = feedback(guess, round.word);
  if (!round.own.words.includes(guess)) throw new Error("Not in the list. It costs nothing.");
  round.history.push([guess, marks]);
  round.before = round.left.length;
  round.left = round.left.filter((word) => feedback(guess, word) === marks);
}

async function shown(round, words = false) {
  const { own, word, targets, left, history } = round, count = history.length, { squares } = await file("sentences.json");
  const over = history.at(-1)?.[0] === word ? "found" : count >= TURNS ? "lost" : round.givenUp ? "given up" : "";
  if (words && !over) round.helped = true;
  const rows = history.map(([, marks]) => [...marks].map((mark) => squares[mark]).join(""));
  const share = count ? [`gpulingo ${over === "found" ? count : "X"}/${TURNS}`, "", ...rows].join("\n") : "";
  return {
    round: round.name, game: "wordle", length: own.length, hard: "", host: "honest", source: own.drawn, targets: targets.length, turns: TURNS, points: [],
    letters: [...new Set(own.words.join(""))].sort().join(""), history, left: left.length, words: words ? left.slice(0, MOST_WORDS) : [], over,
    end: over && own.filled(`round ${over}`, { count, word: word.toUpperCase(), points: "" }), before: round.before ?? targets.length, helped: Boolean(round.helped),
    ...round.daily, ...(over ? { word, share } : {}),
  };
}

function changed(request, change = () => {}) {
  const round = rounds.get(request.round);
  if (!round) throw Object.assign(new Error("This round has expired. Start a new one."), { status: 410 });
  change(round);
  return shown(round, request.words);
}

const ANSWERS = {
  suggest: async (request) => (await ofGame(request)).suggest(request.history),
  search: async (request, tools) => (await ofGame(request)).search(request.history, { ...tools, longer: request.longer }),
  review: async (request, tools) => (await import("./verdict.js")).reviewed(await ofGame({ ...request, length: request.history[0].indexOf(":") }), request.history, tools),
  "review-read": readRound,
  "play-new": begun,
  "play-round": (request) => changed(request),
  "play-guess": (request) => changed(request, (round) => take(round, request.guess)),
  "play-end": (request) => changed(request, (round) => { round.givenUp = true; }),
  "atlas-branch": async (request) => (await strategyOf(({ game, length }) => game === request.game && length === request.length)).branch(request),
};

function unanswered() {
  throw new Error("This page cannot do this. Run gpulingo web on your computer for it.");
}

export async function posted(name, request, signal, progress) {
  const answer = await (ANSWERS[name] ?? unanswered)(request, { signal, progress });
  signal?.throwIfAborted();
  return answer;
}

export const streamed = posted;

export async function told(name) {
  const { trees, about } = await file("stored.json"), family = (tree) => tree.name.replace(HARD, "");
  const games = { games: [...new Set(trees.map(family))], hard: [...new Set(trees.filter((tree) => HARD.test(tree.name)).map(family))], letters: [] };
  const lengths = [...new Set(trees.map((tree) => tree.length))], play = { games: { wordle: ["honest"] }, hard: [], segments: { practice: ["wordle"] }, lengths };
  return { games, "review-games": games, "play-games": play, "atlas-trees": { trees, notes: [], none: "" }, about: { text: about } }[name] ?? unanswered();
}
