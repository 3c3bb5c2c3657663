// Ranks guesses by the groups that they make of the possible answers, and follows them to the end by that
// rule: order and results are those of gpulingo's strategy `parts`. Words are guessed under a game's rule.

export const MARKS = "X?O";
const FEW = 5; // parts of a pattern that are summed without a loop
const AT_ONCE = 50; // milliseconds of work between two looks at the page
let looked = 0; // when the page could draw last

/** Let the page draw from time to time, and stop if nobody waits for the answer. */
async function pause(signal) {
  if (performance.now() - looked < AT_ONCE) return;
  await new Promise((resolve) => setTimeout(resolve));
  looked = performance.now();
  signal?.throwIfAborted();
}

/** Marks of a guess: placed letters first; then a letter is misplaced if an unused one is left. */
export function feedback(guess, word) {
  let rest = "", marks = "";
  for (let at = 0; at < word.length; at += 1) if (guess[at] !== word[at]) rest += word[at];
  for (let at = 0; at < word.length; at += 1) {
    const isPlaced = guess[at] === word[at], isMisplaced = !isPlaced && rest.includes(guess[at]);
    if (isMisplaced) rest = rest.replace(guess[at], "");
    marks += isPlaced ? "O" : isMisplaced ? "?" : "X";
  }
  return marks;
}

export function pattern(marks) {
  let code = 0;
  for (const mark of marks) code = 3 * code + MARKS.indexOf(mark);
  return code;
}

/** The groups that a guess makes of some words, by their marks. */
export function classesOf(guess, words) {
  const classes = new Map();
  for (const word of words) {
    const marks = feedback(guess, word), own = classes.get(marks);
    if (own) own.push(word);
    else classes.set(marks, [word]);
  }
  return classes;
}

/** A list, and a game's rule: `legal` is any, hard or consistent, from the turn `since` on. `bonus`: on the
 * turn before the last a possible answer counts one group more. */
export class Ranking {
  stamp = 0;
  known = []; // codes of words
  chosen = new Map(); // bonus and possible answers -> guess

  constructor({ words, turns, legal, since, bonus }) {
    const { length } = words[0], most = Math.max(FEW, length), kinds = new Map([[" ", 0]]);
    Object.assign(this, { words, turns, legal, since, bonus, most, seen: new Uint32Array(3 ** length) });
    this.Codes = 3 ** length > 256 ? Uint32Array : Uint8Array;
    this.numbers = new Map(words.map((word, place) => [word, place]));
    this.parts = new Uint16Array(words.length * most); // of each word, the kinds of its letters
    words.forEach((word, own) => [...new Set(word)].forEach((letter, part) => {
      const kind = word.replace(/./gsu, (sign) => (sign === letter ? sign : " "));
      if (!kinds.has(kind)) kinds.set(kind, kinds.size);
      this.parts[own * most + part] = kinds.get(kind);
    }));
    this.kinds = [...kinds.keys()]; // parts of words: a letter at its places; the first adds nothing
    this.every = words.map((_, place) => place);
  }

  allowed(here) {
    if (this.legal === "any" || !here.last) return this.every;
    const allows = this.rule(...here.last);
    return (here.allowed ??= this.allowed(here.above).filter((own) => allows(this.words[own])));
  }

  /** Whether the marks of a guess allow a word as a later guess. */
  rule(guess, marks) {
    if (this.legal !== "hard") return (word) => this.legal === "any" || feedback(guess, word) === marks;
    const shown = [...guess].filter((_, place) => marks[place] !== "X");
    const counts = [...new Set(shown)].map((sign) => [sign, shown.filter((own) => own === sign).length]);
    return (word) => [...marks].every((mark, place) => mark !== "O" || word[place] === guess[place])
      && counts.every(([sign, count]) => word.split(sign).length > count);
  }

  /** For each kind and each word the code that the kind adds to the word's pattern. */
  codes(words) {
    const { kinds, known, Codes } = this, size = words.length, codes = new Codes(kinds.length * size);
    words.forEach((word, at) => {
      const code = (kind) => (word.includes(kind.trim()[0]) ? pattern(feedback(kind, word)) : 0);
      const own = (known[this.numbers.get(word)] ??= Codes.from(kinds, code));
      for (let kind = 0; kind < own.length; kind += 1) if (own[kind]) codes[kind * size + at] = own[kind];
    });
    return codes;
  }

  /** The number of groups that a guess makes of `size` words; 0 if it is not more than `least`. */
  groups(guess, codes, size, least) {
    const { parts, most, seen } = this, start = guess * most, stamp = (this.stamp += 1);
    const row = (part) => parts[start + part] * size;
    const one = row(0), two = row(1), three = row(2), four = row(3), five = row(4);
    let groups = 0;
    for (let at = 0; at < size; at += 1) {
      let code = codes[one + at] + codes[two + at] + codes[three + at] + codes[four + at] + codes[five + at];
      for (let part = start + FEW; part < start + most; part += 1) code += codes[parts[part] * size + at];
      if (seen[code] !== stamp) {
        seen[code] = stamp;
        groups += 1;
      } else if (groups + size - at - 1 <= least) return 0;
    }
    return groups > least ? groups : 0;
  }

  /** The `count` best legal guesses: most groups first, then possible answers, then in the list's order.
   * `bonus`: groups that a possible answer counts more. `skip`: places of words that are not ranked. */
  top(here, count, bonus, skip = new Set()) {
    const { left, turn } = here, size = left.length, codes = this.codes(left), best = [];
    const members = left.map((word) => this.numbers.get(word)), apart = new Set([...members, ...skip]);
    let worst = 0; // score that a guess must exceed
    const consider = (guess, answer) => {
      const groups = this.groups(guess, codes, size, (worst - answer) / 2 - answer * bonus);
      const score = 2 * (groups + answer * bonus) + answer;
      if (!groups) return;
      if (best.length === count) best.pop();
      best.splice(best.findLastIndex((own) => own.score >= score) + 1, 0, { guess, score });
      if (best.length === count) worst = best.at(-1).score;
    };
    const isOver = () => worst > 2 * (size + bonus); // no guess does better
    for (const guess of members) if (!isOver() && !skip.has(guess)) consider(guess, 1);
    const isLast = turn === this.turns; // then the guess is an answer
    const others = isOver() || isLast ? [] : turn < this.since ? this.every : this.allowed(here);
    for (const guess of others) if (!apart.has(guess)) consider(guess, 0);
    return best.map((own) => this.words[own.guess]);
  }

  choice(here) {
    const { left, turn } = here, bonus = turn === this.turns - 1 ? this.bonus : 0;
    if (left.length < 3 || turn >= this.turns) return left[0];
    if (this.legal !== "any") return this.top(here, 1, bonus)[0];
    const key = `${bonus} ${left}`; // small sets come often
    if (!this.chosen.has(key)) this.chosen.set(key, this.top(here, 1, bonus)[0]);
    return this.chosen.get(key);
  }

  /** The number of words found on each turn if a guess is followed by the strategy. */
  async follow(here, guess, signal) {
    const found = Array(this.turns).fill(0);
    for (const below of this.replies(here, guess)) {
      await pause(signal);
      this.count(found, below);
    }
    return found;
  }

  replies(above, guess) {
    return [...classesOf(guess, above.left)].map(([marks, left]) =>
      ({ turn: above.turn + 1, above, last: [guess, marks], left }));
  }

  count(found, here) {
    const { last: [guess], left, turn } = here;
    if (left[0] === guess) found[turn - 2] += 1;
    else if (turn <= this.turns) {
      for (const below of this.replies(here, this.choice(here))) this.count(found, below);
    }
  }
}
