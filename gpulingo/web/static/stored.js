// Answers the views' requests from stored strategies: an exported page has this file in place of ask.js.
// For assistant, review and explorer, every number is derived from the strategy and equals the server's.
// Sentences come from templates in sentences.json.

export const ENDING = ".html", ownList = null, useList = null; // no word lists of the user
export const GONE = "The files of this page cannot be read. Open it again.";
const HARD = /-((?:from\d-)?hard)$/; // suffix of a game's name
const WRITTEN = { X: "XB0.-_⬛⬜◼◻⚫⚪🖤🤍", "?": "?Y1🟨🟦🟡🔵💛💙", O: "OG2🟩🟧🟢🟠💚🧡" }; // as in gpulingo/advice/notation.py
const COLOURED = /^[⬛⬜◼◻⚫⚪🖤🤍🟨🟦🟡🔵💛💙🟩🟧🟢🟠💚🧡]{2,}$/u, ROWS = [COLOURED, /^[by.\-_g]+$/, /^[x?.\-_o]+$/, /^[012]+$/];
const UNSEEN = /[\ufe0f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const TURNS = 6, MOST_WORDS = 500, LATEST = 86400000; // milliseconds: as dates are local, a word is available a day early
const rounds = new Map(); // name -> round
const read = { __proto__: null }; // name -> promise of a file or a strategy
const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }; // bytes of an element -> array type
const MARKS = "X?O", ANY = ".";
const MOST_LISTED = 20; // most words in a text
const RARE = 0.3; // warn if usual answers are a smaller share of the words that fit
const SURE = 1 - 1e-9;

const sum = (numbers) => numbers.reduce((all, own) => all + own, 0);
const number = (value) => value.toLocaleString("en");
const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
const lettered = (marks) => [...marks].map((mark) => "BYG"[MARKS.indexOf(mark)]).join("");
const pattern = (marks) => [...marks].reduce((code, mark) => 3 * code + MARKS.indexOf(mark), 0);

/** Format a number with fixed digits; round half to even, as Python does. */
function fixed(value, digits) {
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

/** Marks of a guess: placed letters first; then a letter is misplaced if an unused one is left in the word. */
function feedback(guess, word) {
  let rest = "", marks = "";
  for (let at = 0; at < word.length; at += 1) if (guess[at] !== word[at]) rest += word[at];
  for (let at = 0; at < word.length; at += 1) {
    const placed = guess[at] === word[at], there = !placed && rest.includes(guess[at]);
    if (there) rest = rest.replace(guess[at], "");
    marks += placed ? "O" : there ? "?" : "X";
  }
  return marks;
}

function classesOf(guess, words) {
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

class StoredStrategy {
  /** `data`: the bytes of the file; `tables`: sentences.json. */
  constructor(data, tables) {
    const size = new DataView(data).getUint32(0, true);
    Object.assign(this, JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size))), { tables });
    let from = 4 + size;
    for (const [name, bytes, count] of this.arrays) {
      this[name] = new KINDS[bytes](data, from, count);
      from += bytes * count;
    }
    this.words = this.words.split(" ");
    const left = this.words.filter((_, place) => this.target[place]);
    this.known = new Map([["", { every: this.words, ...this.position(0, left, 1) }]]);
  }

  filled(name, fields) {
    return this.tables[name].replace(/\{(\w+)\}/g, (_, field) => fields[field]);
  }

  /** A position: node and guess (undefined outside the tree), words left, turn, words found per turn, their summed value. */
  position(node, left, turn) {
    const turns = Array(this.turns).fill(0), stored = node !== undefined;
    for (let [start, end, at] = [node, node + 1, turn]; start < end; [start, end, at] = [this.first[start], this.first[end], at + 1]) {
      turns[at - 1] = sum(this.hit.subarray(start, end));
    }
    const lost = left.length - sum(turns), value = sum(turns.map((count, place) => count * this.worth[place])) + lost * this.worth[this.turns];
    return { node, guess: stored ? this.words[this.guess[node]] : undefined, left, turn, turns, lost, value };
  }

  below({ node, guess: own, turn }, guess, marks, left) {
    const [start, end] = guess === own ? this.first.subarray(node, node + 2) : [0, 0];
    const place = this.pattern.subarray(start, end).indexOf(pattern(marks));
    return this.position(place < 0 ? undefined : start + place, left, turn + 1);
  }

  at(history) {
    const key = history.join(" ");
    if (!this.known.has(key)) {
      const before = this.at(history.slice(0, -1)), [guess, marks] = history.at(-1).split(":"), fits = (word) => feedback(guess, word) === marks;
      this.known.set(key, { every: before.every.filter(fits), ...this.below(before, guess, marks, before.left.filter(fits)) });
    }
    return this.known.get(key);
  }

  shows({ guess, left }) {
    return guess !== undefined && (left.length === 1 || !this.unfit.includes(guess));
  }

  suggest(history) {
    const here = this.at(history), { left, every, turn } = here, count = left.length, rarer = every.length - count, open = turn <= this.turns;
    if (!every.length) throw new Error(this.filled("none fits"));
    const own = open && count && this.shows(here) ? this.outlook(here) : null, fit = counted(every.length, "word");
    const answers = `${number(count)} ${count === 1 ? this.answers.replace(/^(\S+)s/, "$1") : this.answers}`; // as "1 answer"
    const few = this.answers && turn > 1 && count < RARE * every.length;
    return {
      left: count, turn, open, measure: this.measure, candidates: left.slice(0, MOST_LISTED), card: this.card(here, history),
      unit: this.unit, counted: `${this.answers ? `${answers}, ${fit}` : counted(count, "word")} left of ${this.source}`,
      rarer: few ? this.filled(rarer === 1 ? "rarer one" : "rarer", { count: number(rarer) }) : "",
      suggestions: own ? [own] : [], sentences: own ? [this.sentence(own, here)] : [], costs: [], stored: own !== null, whose: this.whose,
      how: own ? `${own.guess} ${this.how}` : "", notes: open ? [] : [this.filled("no more", { code: this.code })],
    };
  }

  outlook({ guess, left, turns, value }) {
    const sizes = [...classesOf(guess, left).values()].map((words) => words.length);
    const chances = turns.map((_, place) => sum(turns.slice(0, place + 1)) / left.length);
    return { guess, expected: value / left.length, exact: this.exact, by: "tree", cost: 0, alike: 1, found_by_turn: chances,
      classes: sizes.length, largest: Math.max(...sizes), candidate: left.includes(guess) };
  }

  sentence({ exact, candidate, found_by_turn: chances }, { left, turns, turn, lost }) {
    const last = chances.findIndex((chance) => chance >= SURE) + 1, soon = chances[turn] ?? 0, count = left.length;
    const mean = (sum(turns.map((own, place) => (place + 1) * own)) + (this.turns + 1) * lost) / count;
    let kind = last ? "ends" : "risk";
    if (last && soon >= 0.5) kind = "soon";
    if (last && last <= turn + 1) kind = count === 1 ? "only" : candidate ? "sure" : "next";
    const text = this.filled(`guess ${kind}`, { left: number(count), noun: "word", about: exact ? "" : "About ", chance: percent(soon),
      by: candidate ? "by" : "on", next: turn + 1, last, mean: fixed(mean, 1), risk: percent(1 - chances.at(-1)) });
    return text[0].toUpperCase() + text.slice(1);
  }

  /** The card without a guess: the state of the round, or that no guess is stored. {} if a guess is shown. */
  card(here, history) {
    const { left, turn } = here, one = left.length === 1, words = counted(left.length, "word");
    if (left.length && turn > this.turns) {
      return { state: "out", title: "Out of guesses", text: this.filled("card out", { words, fit: one ? "fits" : "fit", listed: listed(left) }) };
    }
    if (one) return { state: "one", title: left[0], text: this.filled("card one", { noun: "word", word: left[0].toUpperCase() }) };
    if (left.length && this.shows(here)) return {};
    const before = this.at(history.slice(0, -1)), [guess] = (history.at(-1) ?? "").split(":");
    const kind = before.guess !== guess && this.shows(before) ? "card left" : "card ends";
    return { state: "off", title: "Not stored", text: this.filled(kind, { guess: guess.toUpperCase(), best: before.guess?.toUpperCase() }) };
  }

  /** Review a round as long as its guesses are the strategy's; a note names the first other guess. */
  review(history) {
    const turns = [];
    let here = this.at([]), state = "open", note = "";
    for (const row of history) {
      const [guess, marks] = row.split(":"), best = here.guess, found = marks === this.solved;
      if (guess !== best) {
        note = this.filled(best ? "review left" : "review ends", { guess: guess.toUpperCase(), turn: here.turn, best: best?.toUpperCase() });
        break;
      }
      const classes = classesOf(guess, here.left), left = classes.get(marks);
      if (!left) throw new Error(this.filled("none fits"));
      const after = found ? { left, turn: here.turn + 1, value: this.worth[here.turn - 1] } : this.below(here, guess, marks, left);
      state = found ? "found" : after.turn > this.turns ? "lost" : "open";
      const how = [here.left.length === 1, left.length === 1 || state === "lost"].map((known) => (known ? "exact" : "tree"));
      const mean = sum([...classes.values()].map((own) => own.length ** 2)) / here.left.length; // mean number of words left
      turns.push({ guess, marks, found, how, mean, before: here, after, luck: this.gained(here, after) });
      here = after;
    }
    if (!turns.length) throw new Error(note);
    return this.verdict(turns, state, note);
  }

  /** How much the marks improve the expected value per word; above 0 is good. */
  gained(before, after) {
    const more = after.value * before.left.length - before.value * after.left.length;
    return (this.rises ? more : -more) / (before.left.length * after.left.length);
  }

  effect(gained) {
    return `${gained > 0 ? (this.rises ? "gained" : "saved") : "cost"} ${fixed(Math.abs(gained), 3)}`;
  }

  judged({ found, mean, before, after, luck }) {
    const count = before.left.length, [[label, sign]] = this.tables.labels, kind = count === 1 ? "only" : found ? "right" : "best";
    let small = Math.abs(luck) > this.one / 1000 ? this.filled("small luck", { effect: this.effect(luck) }) : "";
    const shown = mean >= 10 ? number(Number(fixed(mean, 0))) : fixed(mean, 1);
    const odds = luck * (after.left.length - mean) > 0 ? (luck < 0 ? "harder" : "easier") : "left";
    if (small && mean > 1) small += this.filled(`small ${odds}`, { after: counted(after.left.length, "word"), mean: shown });
    return { label, sign, sentence: this.filled(`choice ${kind}`, { noun: "word", words: number(count) }), small };
  }

  /** The verdict of a round that follows the strategy: its choices lose nothing, so every change is luck. */
  verdict(turns, state, note) {
    const { unit, rises, tables } = this, count = turns.length, [{ before, how }] = turns, { after, guess } = turns.at(-1);
    const mean = (own) => own.value / own.left.length, [start, result, gained] = [mean(before), mean(after), this.gained(before, after)];
    const skill = 99, luck = Math.round(skill / (1 + 10 ** (-gained / this.one))), judged = turns.map((own) => this.judged(own));
    const scores = this.filled("scores", { about: "", skill, luck: this.filled("scores luck", { luck }) });
    const squares = turns.map(({ marks }, place) => `${[...marks].map((mark) => tables.squares[mark]).join("")} ${judged[place].sign}`);
    const shown = state !== "open" && Number.isInteger(result) ? `${result}` : fixed(result, 3);
    const amount = `${shown} ${unit === "won, %" ? "% won" : shown === "1" ? unit.replace(/es$/, "") : unit}`;
    const sums = this.filled("sum", { play: this.filled(how[0] === "exact" ? "sum proven" : "sum known"), start: fixed(start, 3), choices: this.effect(0),
      kind: gained > 0 ? "good " : gained < 0 ? "bad " : "", luck: this.effect(gained), result: this.filled(`result ${state}`, { amount }) });
    const exact = this.filled("sum exact", { start: fixed(start, 3), lost: `+ ${fixed(0, 3)}`, result: fixed(result, 3), unit,
      luck: `${(rises ? gained < 0 : gained > 0) ? "-" : "+"} ${fixed(Math.abs(gained), 3)}`, end: this.filled(`end ${state}`, { count }) });
    const hows = ["tree", "exact"].filter((own) => turns.some((turn) => turn.how.includes(own))).map((own) => this.filled(`how ${own}`));
    const title = state === "open" && count === 1 ? "headline open one" : `headline ${state}`;
    const headline = state === "lost" ? "Not found" : this.filled(title, { count, word: guess.toUpperCase() });
    return {
      list: this.list, unit, rises, state, start, result, scores, sums, hows: [exact, ...hows], notes: note ? [note] : [],
      verdict: { skill, luck, about: false, headline, lead: this.filled("lead free", { band: tables.bands[0][1] }), turns: judged,
        share: note ? "" : [`gpulingo ${state === "found" ? count : "X"}/${this.turns}  ${scores}`, "", ...squares].join("\n") },
      turns: turns.map((own) => ({ guess: own.guess, marks: own.marks, expected_before: mean(own.before), expected_chosen: mean(own.before),
        expected_after: mean(own.after) })),
      rows: turns.map((own, place) => ({ turn: `${place + 1}`, guess: own.guess, marks: lettered(own.marks), left: number(own.before.left.length),
        after: number(own.after.left.length), expected: fixed(mean(own.before), 3), by: own.how[0], best: own.guess,
        chosen: fixed(mean(own.before), 3), choice: this.effect(0), luck: this.effect(own.luck) })),
    };
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
  const tree = (await file("stored.json")).trees.find(fits);
  if (!tree) throw new Error("No strategy is stored here for this game and length. Run gpulingo web on your computer for one.");
  return once(`strategy of ${tree.data}`, async () => new StoredStrategy(...await Promise.all([file(tree.data, "arrayBuffer"), file("sentences.json")])));
}

const ofGame = ({ game, hard, length }) => strategyOf((tree) => tree.name === (hard ? `${game}-${hard}` : game) && tree.length === length);

const split = (text) => text.toLowerCase().replace(UNSEEN, "").replace(/\s*[:=]\s*/g, ":").split(/[\s,]+/).filter(Boolean);

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
  search: (request) => ANSWERS.suggest(request),
  review: async (request) => (await ofGame({ ...request, length: request.history[0].indexOf(":") })).review(request.history),
  "review-read": readRound,
  "play-new": begun,
  "play-round": (request) => changed(request),
  "play-guess": (request) => changed(request, (round) => take(round, request.guess)),
  "play-end": (request) => changed(request, (round) => { round.givenUp = true; }),
  "atlas-branch": async (request) => (await strategyOf(({ game, length }) => game === request.game && length === request.length)).branch(request),
};

function unanswered() {
  throw new Error("This page has stored strategies only. Run gpulingo web on your computer for this.");
}

export async function posted(name, request, signal) {
  const answer = await (ANSWERS[name] ?? unanswered)(request);
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
