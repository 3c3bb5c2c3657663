// A stored strategy of an exported page. Along it every number is derived from it and equals the server's;
// off it guesses are ranked here. Rows of guesses have the names of the server's, and more.

import { counted, listed, number } from "./page.js";
import { sum } from "./played.js";
import { classesOf, feedback, MARKS, pattern, Ranking } from "./ranking.js";

const ANY = ".";
const MOST_LISTED = 20; // most words in a text
const RARE = 0.3; // warn if usual answers are a smaller share of the words that fit
const SURE = 1 - 1e-9;
// Guesses that are followed to the end; OF_LARGE from LARGE words left on.
const FOLLOWED = 10, PATIENT = 50, LARGE = 400, OF_LARGE = 4;
const SMALL = 0.005; // a cost that rounds to 0 with two digits

export const lettered = (marks) => [...marks].map((mark) => "BYG"[MARKS.indexOf(mark)]).join("");

/** Format a number with fixed digits; round half to even, as Python does. */
export function fixed(value, digits) {
  const text = value.toFixed(digits), isTie = (Math.abs(value) * 2 ** (digits + 1)) % 2 === 1;
  return isTie && /[13579]$/.test(text) ? text.slice(0, -1) + (Number(text.at(-1)) - 1) : text;
}

/** Format a chance; only exact values are shown as 0 % or 100 %. */
function percent(chance) {
  const share = 100 * chance, isNear = (share > 0 && share < 0.5) || (share >= 99.5 && share < 100);
  if (!isNear || (share >= 0.05 && share < 99.95)) return `${fixed(share, isNear ? 1 : 0)} %`;
  return share < 1 ? "under 0.1 %" : "over 99.9 %";
}

/** The fields and arrays of a file: a header after its length in 4 bytes, then the arrays that it lists. */
function unpacked(data) {
  const size = new DataView(data).getUint32(0, true);
  const fields = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
  let from = 4 + size;
  for (const [name, bytes, count] of fields.arrays) {
    fields[name] = new globalThis[`Uint${8 * bytes}Array`](data, from, count);
    from += bytes * count;
  }
  return fields;
}

export class StoredStrategy {
  opened = new Map(); // first guess -> stored strategy after it

  constructor(name, data) {
    Object.assign(this, unpacked(data), { name });
    this.words = this.words.split(" ");
    this.unfit = new Set(this.unfit); // places of words that are not suggested
    this.ranking = new Ranking(this);
  }

  /** Read the strategy after the first guess of a history, if one is stored; otherwise guesses are ranked. */
  async reading([first = ""]) {
    const [guess] = first.split(":");
    if (!this.openings.includes(guess) || this.opened.has(guess)) return this;
    try {
      const { body } = await fetch(this.name.replace(".bin", `-${guess}.z`));
      const data = await new Response(body.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
      this.opened.set(guess, unpacked(data));
    } catch { /* the file cannot be read, or the browser does not decompress */ }
    return this;
  }

  squares(marks) {
    return [...marks].map((mark) => this.sentences.squares[mark]).join("");
  }

  filled = (name, fields) =>
    this.sentences[name].replace(/\{(\w+)\}/g, (_, field) => fields[field] ?? this.known[field]);

  /** The summed value of `count` words, of which so many are found on each turn; more is worse in a loss. */
  total(turns, count) {
    return sum([...turns, count - sum(turns)].map((found, place) => found * this.worth[place]));
  }

  gain(value, other) {
    return this.rises ? value - other : other - value;
  }

  /** A position: tree, node and guess (undefined off the tree), words left, turn, words found per turn. */
  position(node, left, turn, tree = this) {
    const turns = Array(this.turns).fill(0);
    for (let [start, end, at] = [node, node + 1, turn - 1]; start < end; at += 1) {
      turns[at] = sum(tree.hit.subarray(start, end));
      [start, end] = [tree.first[start], tree.first[end]];
    }
    const guess = this.words[tree.guess[node]];
    return { tree, node, guess, left, turn, turns, value: this.total(turns, left.length) };
  }

  below({ tree, node, guess: own, turn }, guess, marks, left) {
    const [start, end] = guess === own ? tree.first.subarray(node, node + 2) : [0, 0];
    const place = tree.pattern.subarray(start, end).indexOf(pattern(marks));
    return this.position(place < 0 ? undefined : start + place, left, turn + 1, tree);
  }

  /** The position at the start; if `wide`, every word may be the answer, and no strategy is stored. */
  start(wide = false) {
    const left = wide ? this.words : this.words.filter((_, place) => this.target[place]);
    return { wide, every: this.words, pairs: [], ...this.position(wide ? undefined : 0, left, 1) };
  }

  /** The position before a guess; at the start with the strategy after this guess if it was read. */
  before(guess, here) {
    const tree = here.wide || here.turn > 1 ? null : this.opened.get(guess);
    return tree ? { ...here, ...this.position(0, here.left, 1, tree) } : here;
  }

  /** The position after a guess and its marks: crane:X?XXO. */
  after(here, row) {
    const [guess, marks] = row.split(":"), before = this.before(guess, here), { wide, turn, pairs } = before;
    const broken = turn >= this.since && pairs.find((own) => !this.ranking.rule(...own)(guess));
    if (broken) {
      const fault = `it does not use what ${broken[0]} showed`;
      throw new Error(`guess ${turn}, ${guess}, is not allowed in ${this.code}: ${fault}`);
    }
    const [every, left] = [before.every, before.left].map((words) =>
      words.filter((word) => feedback(guess, word) === marks));
    const last = [guess, marks], below = this.below(before, guess, marks, left);
    return { wide, every, above: here, last, pairs: [...pairs, last], ...below };
  }

  /** The position that is answered: if no usual answer fits, any word may be one. */
  asked(history) {
    const at = (wide) => history.reduce((here, row) => this.after(here, row), this.start(wide));
    const here = at(false);
    if (!here.every.length) throw new Error(this.sentences["none fits"]);
    return here.left.length ? here : at(true);
  }

  /** The answer of the strategy, without a guess outside it. */
  answer(here) {
    const { wide, every, turn } = here, count = here.left.length, open = turn <= this.turns;
    const rarer = every.length - count, isRare = this.answers && !wide && turn > 1;
    const levelOf = (word) => this.level[this.ranking.numbers.get(word)];
    const left = wide ? [...here.left].sort((one, other) => levelOf(one) - levelOf(other)) : here.left;
    const isOne = count === 1, rows = open ? this.stored(here) : []; // unfit words are not suggested
    const own = rows.filter(({ guess }) => isOne || !this.isUnfit(guess)), better = rows.indexOf(own[0]);
    const hidden = this.hiddenText(rows.slice(0, Math.max(0, better)), own[0]);
    return {
      left: count, turn, open, measure: this.measure, noun: this.noun,
      candidates: left.slice(0, MOST_LISTED), card: this.card(left, turn, wide),
      counted: this.filled(`left${wide ? " wide" : ""}${isOne ? " one" : ""}`, {
        count: number(count), words: counted(every.length, "word"),
      }), whose: wide ? "" : this.whose,
      rarer: isRare && count < RARE * every.length
        ? this.filled(rarer === 1 ? "rarer one" : "rarer", { count: number(rarer) }) : "",
      ...this.entries(own, here), stored: own.length > 0, how: own.length ? this.howText(own, hidden) : "",
      notes: [...this.strange(here), ...(open ? [] : [this.filled("no more", {})])],
    };
  }

  /** Notes on guesses outside the list. */
  strange({ pairs }) {
    const guesses = [...new Set(pairs.map(([guess]) => guess))];
    const unlisted = guesses.filter((guess) => !this.ranking.numbers.has(guess));
    return unlisted.map((guess) => this.filled("unlisted", { guess }));
  }

  /** The best guesses for the page, with a sentence about each, and costs of those after the first. */
  entries(suggestions, here) {
    const [best, ...others] = suggestions, sentences = suggestions.map((own) => this.sentence(own, here));
    return { suggestions, sentences, costs: others.map((own) => this.costText(own, best)) };
  }

  /** The cost of a guess against the best; null for values of different methods. */
  cost(own, best) {
    const more = this.gain(best.expected, own.expected);
    return more < 0 || (own.by !== best.by && !(own.exact && best.exact)) ? null : more;
  }

  costText(own, best) {
    const cost = this.cost(own, best), about = own.exact && best.exact ? "" : "about ";
    if (cost === null) return "";
    if (cost < SMALL && (about || !cost)) return `${about}as good`;
    return cost < SMALL ? `under ${fixed(2 * SMALL, 2)}` : `${about}${fixed(cost, 2)}`;
  }

  /** A guess that is followed to the end, with the words found on each turn. `limit`: no value is better. */
  outlook(guess, { left, turn }, turns, by) {
    const sizes = [...classesOf(guess, left).values()].map((words) => words.length), count = left.length;
    const candidate = left.includes(guess), value = this.total(turns, count), best = Array(turn - 1).fill(0);
    best.push(Number(candidate), sizes.length - candidate, count - sizes.length); // a word of each group
    const bits = sum(sizes.map((size) => size * Math.log2(count / size))) / count;
    const mean = (value) => sum([...turns, count - sum(turns)].map(value)) / count;
    const limit = this.total(best, count);
    return {
      guess, value, limit, by, exact: false, candidate, expected: value / count,
      found_by_turn: turns.map((_, place) => sum(turns.slice(0, place + 1)) / count),
      guesses: mean((found, place) => found * (place + 1)),
      reached: turn === this.turns || (this.bonus > 0 && value === limit),
      classes: sizes.length, largest: Math.max(...sizes), bits: Number(bits.toFixed(6)),
    };
  }

  /** The strategy's guess of a position, of the start and after a first guess of its own the best ones. */
  stored(here) {
    const { tree, node } = here, { best = [], found, first, exact, how } = tree, turns = this.turns - 1;
    if (node === 0 && tree === this) {
      const by = this.exact ? "tree" : "opening";
      return this.first_guesses.map(([place, exact, found]) =>
        ({ ...this.outlook(this.words[place], here, found, by), exact, how: this.how_first }));
    }
    const each = best.length / (first[1] - 1), from = (node - 1) * each, rows = [];
    for (let own = from; node >= 1 && node < first[1] && own < from + each; own += 1) {
      const guess = this.words[best[own]]; // none for an empty place
      if (guess) rows.push([guess, [0, ...found.subarray(own * turns, (own + 1) * turns)]]);
    }
    if (!rows.length && node !== undefined) rows.push([here.guess, here.turns]);
    return rows.map(([guess, own]) => ({ ...this.outlook(guess, here, own, "tree"), exact, how }));
  }

  isUnfit(word) {
    return this.unfit.has(this.ranking.numbers.get(word));
  }

  /** The note about better guesses than the best one that is shown. */
  hiddenText({ length: count, 0: first }, best) {
    const cost = count ? this.cost(best, first) : null;
    const amount = cost === null ? "" : ` (${fixed(cost, 3)} ${this.noun} better)`;
    return count ? `; ${count} guess${count === 1 ? " is" : "es are"} not shown${amount}` : "";
  }

  /** Yield the best guesses so far: the strategy's, then those of most groups, each followed by `parts`. */
  async *ranked(here, { most = here.left.length > LARGE ? OF_LARGE : FOLLOWED, own = [], signal } = {}) {
    const { ranking } = this, rows = [...own], best = ranking.top(here, most, 1, this.unfit);
    for (const guess of best.length ? best : ranking.top(here, most, 1)) {
      if (own.some((stored) => stored.guess === guess)) continue;
      rows.push(this.outlook(guess, here, await ranking.follow(here, guess, signal), this.estimated));
      yield this.sorted(rows);
    }
  }

  /** Sort guesses, the best first, and mark those whose value is proven. */
  sorted(rows) {
    const { numbers } = this.ranking, better = (name) => (one, other) => this.gain(other[name], one[name]);
    const [limit, value] = ["limit", "value"].map((name) => [...rows].sort(better(name))[0][name]);
    const isProof = (own) => own.exact || (own.reached && own.limit === limit);
    const isProven = rows.some((own) => own.value === value && isProof(own));
    for (const own of rows) own.exact ||= isProven && (own.reached || own.value === value);
    return rows.sort((one, other) => better("value")(one, other) || other.exact - one.exact
      || other.candidate - one.candidate || numbers.get(one.guess) - numbers.get(other.guess));
  }

  /** The best guesses of a position, ranked ones next to the strategy's; `progress` gets the best so far. */
  async search(history, { longer, signal, progress }) {
    const here = this.asked(history), answer = this.answer(here), { suggestions: own } = answer;
    let shown = answer;
    if (answer.left < 2 || !answer.open || here.node === 0 || own.length > 1) return shown;
    for await (const rows of this.ranked(here, { most: longer ? PATIENT : undefined, own, signal })) {
      // with two words left only these
      const good = answer.left > 2 ? rows.slice(0, FOLLOWED) : rows.filter((row) => row.candidate);
      const better = this.stored(here).filter((stored) => this.gain(stored.value, good[0]?.value) > 0);
      const how = this.howText(good, this.hiddenText(better, good[0]));
      shown = { ...answer, ...this.entries(good, here), stored: false, how };
      progress?.({ ...shown, how: "searching" });
    }
    return shown;
  }

  howText(rows, hidden) {
    const [stored, ranked] = [true, false].map((own) => rows.filter(({ how }) => Boolean(how) === own));
    const [first] = ranked, end = `${hidden}${this.condition}`;
    const limit = ranked.every((own) => own.exact) ? "" : `${first.exact ? ";" : ":"} ${this.limit}`;
    const how = `${first?.exact ? this.proven : this.followed}${limit}`;
    if (!stored.length) return `${how}${end}`;
    const apart = rows.some((own) => this.cost(own, rows[0]) === null) ? ", not comparable with it," : "";
    const others = ranked.length ? `; the others${apart} ${how}` : "";
    const names = stored.length < FOLLOWED ? `${stored.map(({ guess }) => guess).join(", ")} ` : "";
    return `${names}${stored[0].how}${others}${end}`;
  }

  sentence({ exact, candidate, found_by_turn: chances, guesses }, { left: { length: count }, turn }) {
    const last = chances.findIndex((chance) => chance >= SURE) + 1, soon = chances[turn] ?? 0;
    let kind = last ? (soon >= 0.5 ? "soon" : "ends") : "risk";
    if (last && last <= turn + 1) kind = count === 1 ? "only" : candidate ? "sure" : "next";
    const text = this.filled(`guess ${kind}`, {
      left: number(count), about: exact ? "" : "About ", by: candidate ? "by" : "on",
      next: turn + 1, last, chance: percent(soon), mean: fixed(guesses, 1), risk: percent(1 - chances.at(-1)),
    });
    return text[0].toUpperCase() + text.slice(1);
  }

  /** The card in place of a guess: the state of the round; {} if a guess is shown. */
  card(left, turn, wide) {
    const count = left.length, isOne = count === 1;
    const state = turn > this.turns ? "out" : wide ? "outside" : isOne ? "one" : "";
    if (!state) return {};
    const capitals = left.slice(0, MOST_LISTED).map((word) => word.toUpperCase());
    const text = this.filled(`card ${state}`, {
      word: capitals[0], words: counted(count, "word"), fit: isOne ? "fits" : "fit",
      do: isOne ? "does" : "do", listed: listed(capitals, count),
    });
    return { state, title: state === "out" ? "Out of guesses" : left[0], text };
  }

  /** The replies at the end of a path of marks, or the steps of a word from there on. */
  branch({ path = [], start = 0, count = 20, words = 40, shown = "", word = "" }) {
    const trail = [];
    let here = { ...this.start(), end: "" };
    for (const marks of path) {
      const isRow = marks.length === this.length && !/[^X?O]/.test(marks);
      if (here.end || !isRow) throw new Error("This path leads nowhere.");
      trail.push({ guess: here.guess, marks, left: here.left.length });
      here = this.reply(here, marks);
    }
    const { left, end, turn, turns, guess = null } = here;
    const every = word ? this.steps(here, word) : end ? [] : this.replies(here, shown);
    return {
      trail, end, left: left.length, turn, turns, guess, words: left.slice(0, words),
      say: this.say(here, trail), class_count: word ? 0 : every.length,
      classes: (word ? every : every.slice(start, start + count)).map((own) => own.entry),
    };
  }

  /** The position after a reply, why the path ends there, and what is shown of it. */
  reply(here, marks, left = classesOf(here.guess, here.left).get(marks) ?? []) {
    const below = this.below(here, here.guess, marks, left), count = left.length;
    let { turn, guess: next = "" } = below, end = next ? "" : "lost";
    if (!count) end = "none";
    else if (marks === this.solved) end = "found";
    else if (count === 1 && left[0] === next) end = "word";
    if (end === "found") below.turns[here.turn - 1] = 1;
    if (end === "found" || !count) ({ turn } = here);
    const { turns } = below, value = this.total(turns, count);
    const entry = { guess: here.guess, marks, left: count, next, end, turns, expected: value / count };
    return { ...below, value, end, turn, entry };
  }

  replies(here, shown) {
    const fits = (marks) => [...shown].every((mark, place) => mark === ANY || mark === marks[place]);
    const classes = [...classesOf(here.guess, here.left)].filter(([marks]) => fits(marks));
    classes.sort(([a, one], [b, other]) => other.length - one.length || pattern(b) - pattern(a));
    return classes.map(([marks, left]) => this.reply(here, marks, left));
  }

  steps(here, word) {
    const count = counted(here.left.length, "possible answer"), rows = [];
    if (!here.left.includes(word)) throw new Error(`“${word}” is not among the ${count} here.`);
    for (let own = here; own.guess !== undefined && (!own.end || !rows.length); rows.push(own)) {
      own = this.reply(own, feedback(own.guess, word));
    }
    return rows;
  }

  say({ left: { length: count, 0: word }, turn, end, value }, trail) {
    if (!end) {
      const mean = this.filled(`average ${this.shown}`, { value: fixed(value / count, 2) });
      return mean + this.limits[trail.length ? 1 : 0];
    }
    const { guess = "", marks = "" } = trail.at(-1) ?? {};
    return this.filled(`branch ${end}`, {
      guess: guess.toUpperCase(), marks: lettered(marks), word: word?.toUpperCase(),
      words: count === 1 ? "this word is" : `these ${number(count)} words are`,
      found: this.filled("branch turn", { turn }),
    });
  }
}
