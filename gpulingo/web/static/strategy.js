// A stored strategy of an exported page. Along it every number is derived from it and equals the server's;
// off it guesses are ranked here. Sentences: sentences.json.

import { counted, listed, number } from "./page.js";
import { classesOf, feedback, Ranking } from "./ranking.js";

const MARKS = "X?O", ANY = ".";
const MOST_LISTED = 20; // most words in a text
const RARE = 0.3; // warn if usual answers are a smaller share of the words that fit
const SURE = 1 - 1e-9;
// Guesses that are followed to the end; OF_LARGE from LARGE words left on.
const FOLLOWED = 10, PATIENT = 50, LARGE = 400, OF_LARGE = 4;
const SMALL = 0.005; // a cost that rounds to 0 with two digits

export const sum = (numbers) => numbers.reduce((all, own) => all + own, 0);
const weighed = (counts, weight) => sum(counts.map((own, place) => own * weight(place)));
export const lettered = (marks) => [...marks].map((mark) => "BYG"[MARKS.indexOf(mark)]).join("");
const pattern = (marks) => [...marks].reduce((code, mark) => 3 * code + MARKS.indexOf(mark), 0);

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

function endOf({ left, guess }, marks) {
  if (!left.length) return "none";
  if (/^O+$/.test(marks)) return "found";
  if (guess === undefined) return "lost";
  return left.length === 1 && left[0] === guess ? "word" : "";
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

  /** `data`: the bytes of the file `name`; `tables`: sentences.json. */
  constructor(name, data, tables) {
    Object.assign(this, unpacked(data), { name, tables });
    this.words = this.words.split(" ");
    this.unfit = new Set(this.unfit); // places of words that are not suggested
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

  get ranking() {
    return (this.ranks ??= new Ranking(this));
  }

  squares(marks) {
    return [...marks].map((mark) => this.tables.squares[mark]).join("");
  }

  /** A sentence with its fields. */
  filled = (name, fields) =>
    (this.tables[name] ?? this[name]).replace(/\{(\w+)\}/g, (_, field) => fields[field]);

  /** A position: tree, node and guess (undefined off the tree), words left, turn, words found per turn. */
  position(node, left, turn, tree = this) {
    const turns = Array(this.turns).fill(0);
    for (let [start, end, at] = [node, node + 1, turn - 1]; start < end; at += 1) {
      turns[at] = sum(tree.hit.subarray(start, end));
      [start, end] = [tree.first[start], tree.first[end]];
    }
    const guess = this.words[tree.guess[node]];
    return { tree, node, guess, left, turn, turns, ...this.summed(turns, left.length) };
  }

  /** The number of lost words, and the value of all. */
  summed(turns, count) {
    const lost = count - sum(turns);
    return { lost, value: weighed([...turns, lost], (place) => this.worth[place]) };
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
    return { wide, every, pairs: [...pairs, [guess, marks]], ...this.below(before, guess, marks, left) };
  }

  /** The position that is answered: if no usual answer fits, any word may be one. */
  asked(history) {
    const at = (wide) => history.reduce((here, row) => this.after(here, row), this.start(wide));
    const here = at(false);
    if (!here.every.length) throw new Error(this.filled("none fits"));
    return here.left.length ? here : at(true);
  }

  isUnfit(word) {
    return this.unfit.has(this.ranking.numbers.get(word));
  }

  /** The answer of the strategy, without a guess outside it. */
  suggest(history) {
    const here = this.asked(history), { wide, every, turn } = here, count = here.left.length;
    const rarer = every.length - count, open = turn <= this.turns;
    const isRare = this.answers && !wide && turn > 1 && count < RARE * every.length;
    const levelOf = (word) => this.level[this.ranking.numbers.get(word)];
    const left = wide ? [...here.left].sort((one, other) => levelOf(one) - levelOf(other)) : here.left;
    const { own, hidden } = open ? this.offered(here) : { own: [] };
    return {
      left: count, turn, open, measure: this.measure, noun: this.noun,
      candidates: left.slice(0, MOST_LISTED), card: this.card(left, turn, wide),
      counted: this.counted(count, every.length, wide), whose: wide ? "" : this.whose,
      rarer: isRare ? this.filled(rarer === 1 ? "rarer one" : "rarer", { count: number(rarer) }) : "",
      ...this.entries(own, here), stored: own.length > 0, how: own.length ? this.howText(own, hidden) : "",
      notes: [...this.strange(here), ...(open ? [] : [this.filled("no more", { code: this.code })])],
    };
  }

  /** Notes on guesses outside the list. */
  strange({ pairs }) {
    const guesses = [...new Set(pairs.map(([guess]) => guess))];
    const unlisted = guesses.filter((guess) => !this.ranking.numbers.has(guess));
    return unlisted.map((guess) => this.filled("unlisted", { guess }));
  }

  counted(count, every, wide) {
    const { answers, source } = this, all = `all ${number(this.words.length)} words of ${source}`;
    if (wide) return `no answer fits; of ${all} ${number(count)} ${count === 1 ? "does" : "do"}`;
    if (!answers) return `${counted(count, "word")} left of ${source}`;
    const own = count === 1 ? answers.replace(/^(\S+)s/, "$1") : answers; // as "1 answer"
    return `${number(count)} ${own}, ${counted(every, "word")} left of ${source}`;
  }

  /** The best guesses for the page, with a sentence about each, and costs of those after the first. */
  entries(guesses, here) {
    const [best] = guesses, costs = guesses.map((own) => this.cost(own, best));
    const texts = guesses.map((own, place) => this.costText(costs[place], own.exact && best.exact));
    return {
      suggestions: guesses.map((own, place) => ({
        guess: own.guess, expected: own.mean, found_by_turn: own.chances, exact: own.exact, by: own.by,
        classes: own.classes, largest: own.largest, bits: own.bits, candidate: own.candidate,
        cost: costs[place], alike: 1,
      })),
      sentences: guesses.map((own) => this.sentence(own, here)), costs: texts.slice(1),
    };
  }

  /** The cost of a guess against the best; null for values of different methods. */
  cost(own, best) {
    const more = this.rises ? best.mean - own.mean : own.mean - best.mean;
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
    const sizes = [...classesOf(guess, left).values()].map((words) => words.length), count = left.length;
    const candidate = left.includes(guess), { lost, value } = this.summed(turns, count);
    const all = [...turns, lost], credits = weighed(all, (place) => this.payoff[this.turns - place]);
    // The guess and a word of each group are found within two turns, the others a turn later at best.
    const limit = sizes.length + candidate + count * (this.turns - turn - 1);
    const bits = sum(sizes.map((size) => size * Math.log2(count / size))) / count;
    return {
      guess, value, mean: value / count, credits, limit, by, exact: false, candidate,
      chances: turns.map((_, place) => sum(turns.slice(0, place + 1)) / count),
      guesses: weighed(all, (place) => place + 1) / count,
      reached: turn === this.turns || (this.bonus > 0 && credits === limit),
      classes: sizes.length, largest: Math.max(...sizes), bits: Number(bits.toFixed(6)),
    };
  }

  /** The first guesses of the stored strategies, the best first, until enough are not unfit. */
  starts(here) {
    const rows = [];
    for (const [place, exact, found] of this.first_guesses) {
      if (rows.filter(({ guess }) => !this.isUnfit(guess)).length === FOLLOWED) break;
      const own = this.outlook(this.words[place], here, found, this.exact ? "tree" : "opening");
      rows.push({ ...own, exact, how: this.how_first });
    }
    return rows;
  }

  /** The strategy's guess of a position, of the start and after a first guess of its own the best ones. */
  stored(here) {
    const { tree, node } = here, { best = [], found, first, exact, how } = tree, turns = this.turns - 1;
    if (node === 0 && tree === this) return this.starts(here);
    const each = best.length / (first[1] - 1), from = (node - 1) * each, rows = [];
    for (let own = from; node >= 1 && node < first[1] && own < from + each; own += 1) {
      const guess = this.words[best[own]]; // none for an empty place
      if (guess) rows.push([guess, [0, ...found.subarray(own * turns, (own + 1) * turns)]]);
    }
    if (!rows.length && node !== undefined) rows.push([here.guess, here.turns]);
    return rows.map(([guess, own]) => ({ ...this.outlook(guess, here, own, "tree"), exact, how }));
  }

  /** The stored guesses that are shown, and the note about better ones: unfit words are not suggested. */
  offered(here) {
    const rows = this.stored(here), isOne = here.left.length === 1;
    const own = rows.filter(({ guess }) => isOne || !this.isUnfit(guess)), better = rows.indexOf(own[0]);
    return { own, hidden: this.hiddenText(rows.slice(0, Math.max(0, better)), own[0]) };
  }

  /** The note about better guesses than the best one that is shown. */
  hiddenText({ length: count, 0: first }, best) {
    const cost = count ? this.cost(best, first) : null;
    const amount = cost === null ? "" : ` (${fixed(cost, 3)} ${this.noun} better)`;
    return count ? `; ${count} guess${count === 1 ? " is" : "es are"} not shown${amount}` : "";
  }

  /** Yield the best guesses so far: the strategy's, then those of most groups, each followed by `parts`. */
  async *ranked(here, { most = here.left.length > LARGE ? OF_LARGE : FOLLOWED, own = [], signal } = {}) {
    const { ranking } = this, position = ranking.position(here), rows = [...own];
    const best = ranking.top(position, most, 1, this.unfit);
    for (const guess of best.length ? best : ranking.top(position, most, 1)) {
      if (own.some((stored) => stored.guess === guess)) continue;
      rows.push(this.outlook(guess, here, await ranking.follow(position, guess, signal), this.estimated));
      yield this.sorted(rows);
    }
  }

  /** Sort guesses, the best first, and mark those whose value is proven. */
  sorted(rows) {
    const { numbers } = this.ranking;
    const [most, credits] = ["limit", "credits"].map((name) => Math.max(...rows.map((own) => own[name])));
    const isProof = (own) => own.exact || (own.reached && own.limit === most);
    const isProven = rows.some((own) => own.credits === credits && isProof(own));
    for (const own of rows) own.exact ||= isProven && (own.reached || own.credits === credits);
    return rows.sort((one, other) => other.credits - one.credits || other.exact - one.exact
      || other.candidate - one.candidate || numbers.get(one.guess) - numbers.get(other.guess));
  }

  /** The best guesses of a position, ranked ones next to the strategy's; `progress` gets the best so far. */
  async search(history, { longer, signal, progress }) {
    const answer = this.suggest(history), here = this.asked(history);
    const own = answer.stored ? this.offered(here).own : [];
    if (answer.left < 2 || !answer.open || here.node === 0 || own.length > 1) return answer;
    let shown = answer;
    for await (const rows of this.ranked(here, { most: longer ? PATIENT : undefined, own, signal })) {
      // with two words left only these
      const good = answer.left > 2 ? rows.slice(0, FOLLOWED) : rows.filter((row) => row.candidate);
      const better = this.stored(here).filter((stored) => stored.credits > good[0]?.credits);
      const how = this.howText(good, this.hiddenText(better, good[0]));
      shown = { ...answer, ...this.entries(good, here), stored: false, how };
      progress?.({ ...shown, how: "searching" });
    }
    return shown;
  }

  /** How some guesses were found. */
  howText(rows, hidden = "") {
    const [stored, ranked] = [true, false].map((own) => rows.filter(({ how }) => Boolean(how) === own));
    const [first] = ranked, end = `${hidden}${this.condition}`;
    const limit = ranked.every((own) => own.exact) ? "" : `${first.exact ? ";" : ":"} ${this.limit}`;
    const how = `${first?.exact ? this.proven : this.followed}${limit}`;
    if (!stored.length) return `${how}${end}`;
    const apart = rows.some((own) => this.cost(own, rows[0]) === null) ? ", not comparable with it," : "";
    const others = ranked.length ? `; the others${apart} ${how}` : "";
    const names = stored.map(({ guess }) => guess).join(", ");
    const isAll = stored.length >= FOLLOWED;
    return `${isAll ? "" : `${names} `}${stored[0].how}${others}${end}`;
  }

  sentence({ exact, candidate, chances, guesses }, { left: { length: count }, turn }) {
    const last = chances.findIndex((chance) => chance >= SURE) + 1, soon = chances[turn] ?? 0;
    let kind = last ? (soon >= 0.5 ? "soon" : "ends") : "risk";
    if (last && last <= turn + 1) kind = count === 1 ? "only" : candidate ? "sure" : "next";
    const text = this.filled(`guess ${kind}`, {
      left: number(count), noun: "word", about: exact ? "" : "About ", by: candidate ? "by" : "on",
      next: turn + 1, last, chance: percent(soon), mean: fixed(guesses, 1), risk: percent(1 - chances.at(-1)),
    });
    return text[0].toUpperCase() + text.slice(1);
  }

  /** The card in place of a guess: the state of the round; {} if a guess is shown. */
  card(left, turn, wide) {
    const count = left.length, isOne = count === 1;
    const state = turn > this.turns ? "out" : wide ? "outside" : isOne ? "one" : "";
    if (!state) return {};
    const title = state === "out" ? "Out of guesses" : left[0], shown = left.slice(0, MOST_LISTED);
    const text = this.filled(`card ${state}`, {
      noun: "word", word: title.toUpperCase(), words: counted(count, "word"), fit: isOne ? "fits" : "fit",
      do: isOne ? "does" : "do", listed: listed(shown.map((word) => word.toUpperCase()), count),
    });
    return { state, title, text };
  }

  branch({ path = [], start = 0, count = 20, words = 40, shown = "", word = "" }) {
    const trail = [];
    let here = { ...this.start(), end: "" };
    for (const marks of path) {
      const isRow = marks.length === this.length && !/[^X?O]/.test(marks);
      if (here.end || !isRow) throw new Error("This path leads nowhere.");
      trail.push({ guess: here.guess, marks, left: here.left.length });
      here = this.reply(here, marks, classesOf(here.guess, here.left).get(marks) ?? []);
    }
    const { left, end, turn, turns, lost, guess = null, value } = here;
    const every = word ? this.steps(here, word) : end ? [] : this.replies(here, shown);
    return {
      trail, end, left: left.length, turn, turns, lost, guess,
      words: left.slice(0, words), say: this.say(here, trail),
      classes: (word ? every : every.slice(start, start + count)).map((own) => own.entry),
      expected: left.length ? value / left.length : null, class_count: word ? 0 : every.length,
    };
  }

  reply(here, marks, left) {
    const below = this.below(here, here.guess, marks, left), end = endOf(below, marks);
    const isFound = end === "found";
    if (isFound) {
      below.turns[here.turn - 1] = 1;
      Object.assign(below, this.summed(below.turns, 1));
    }
    const { turns, lost, value, guess: next = "" } = below, expected = value / left.length;
    const entry = { guess: here.guess, marks, left: left.length, next, end, turns, lost, expected };
    return { ...below, end, turn: isFound || end === "none" ? here.turn : below.turn, entry };
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
      const marks = feedback(own.guess, word);
      own = this.reply(own, marks, classesOf(own.guess, own.left).get(marks));
    }
    return rows;
  }

  say({ left: { length: count, 0: word }, turn, end, value }, trail) {
    if (!end) {
      const mean = fixed(value / count, this.shown === "words" ? 1 : 2);
      return this.filled(`average ${this.shown}`, { value: mean }) + this.limits[trail.length ? 1 : 0];
    }
    const { guess = "", marks = "" } = trail.at(-1) ?? {};
    return this.filled(`branch ${end}`, {
      guess: guess.toUpperCase(), marks: lettered(marks), word: word?.toUpperCase(),
      words: count === 1 ? "this word is" : `these ${number(count)} words are`,
      found: this.filled("branch turn", { turn }),
    });
  }
}
