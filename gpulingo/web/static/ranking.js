// Ranks guesses by the groups that they make of the possible answers, and follows them to the end by that rule: order and
// results are those of gpulingo's strategy `parts`. Words are their places in the list; they are guessed under a game's rule.

const FEW = 5; // parts of a pattern that are summed without a loop

/** Some possible answers: `rows` has for each kind of part the code that it adds to the pattern of each answer. */
class AnswerSet {
  constructor(list, members) {
    const { letters, length, kinds, digits } = list, size = members.length, rows = new list.Codes(kinds.length * size);
    Object.assign(this, { list, members, size, rows });
    const held = new Set(members.flatMap((word) => [...letters.subarray(word * length, (word + 1) * length)]));
    kinds.forEach(({ letter, places }, kind) => {
      for (let at = 0; at < size && held.has(letter); at += 1) {
        const first = members[at] * length;
        let spare = 0, code = 0; // copies in the answer that are not placed
        for (let place = 0; place < length; place += 1) if (letters[first + place] === letter) spare += 1;
        for (let own = 0; own < places.length; own += 1) {
          if (letters[first + places[own]] !== letter) continue;
          spare -= 1;
          code += 2 * digits[places[own]];
        }
        for (let own = 0; own < places.length && spare > 0; own += 1) {
          if (letters[first + places[own]] === letter) continue;
          spare -= 1;
          code += digits[places[own]];
        }
        rows[kind * size + at] = code;
      }
    });
  }

  code(guess, at) {
    const { list: { parts, most }, rows, size } = this;
    let code = 0;
    for (let part = guess * most; part < (guess + 1) * most; part += 1) code += rows[parts[part] * size + at];
    return code;
  }

  /** The number of groups that a guess makes; 0 if it is not more than `least`. */
  groups(guess, least) {
    const { list: { parts, most, seen }, rows, size } = this, start = guess * most, end = start + most, stamp = (this.list.stamp += 1);
    const a = parts[start] * size, b = parts[start + 1] * size, c = parts[start + 2] * size, d = parts[start + 3] * size, e = parts[start + 4] * size;
    let groups = 0;
    for (let at = 0; at < size; at += 1) {
      let code = rows[a + at] + rows[b + at] + rows[c + at] + rows[d + at] + rows[e + at];
      for (let part = start + FEW; part < end; part += 1) code += rows[parts[part] * size + at];
      if (seen[code] !== stamp) {
        seen[code] = stamp;
        groups += 1;
      } else if (groups + size - at - 1 <= least) return 0;
    }
    return groups > least ? groups : 0;
  }
}

/** A list, and a game's rule: `legal` is any, hard or consistent, and applies from the turn `since`. `bonus`: on the turn before
 * the last a possible answer counts one group more. */
export class Ranking {
  constructor({ words, turns, legal, since, bonus }) {
    const { length } = words[0], signs = [...new Set(words.join(""))], known = new Map([["", 0]]), most = Math.max(FEW, length);
    Object.assign(this, { words, length, turns, legal, since, bonus, most, stamp: 0, kinds: [{ letter: -1, places: [] }], seen: new Uint32Array(3 ** length), Codes: 3 ** length > 256 ? Uint32Array : Uint8Array });
    this.chosen = new Map(); // bonus and members -> guess
    this.numbers = new Map(words.map((word, place) => [word, place]));
    this.letters = Uint8Array.from(words.join(""), (sign) => signs.indexOf(sign));
    this.digits = Array.from({ length }, (_, place) => 3 ** (length - 1 - place));
    this.parts = new Uint16Array(words.length * most); // kinds of the letters of each word; 0 adds nothing
    words.forEach((word, own) => [...new Set(word)].forEach((sign, part) => {
      const places = this.digits.flatMap((_, place) => (word[place] === sign ? place : [])), name = `${sign}${places}`;
      if (!known.has(name)) known.set(name, this.kinds.push({ letter: signs.indexOf(sign), places }) - 1);
      this.parts[own * most + part] = known.get(name);
    }));
    this.every = words.map((_, place) => place);
  }

  placesOf(words) {
    return words.map((word) => this.numbers.get(word)).sort((one, other) => one - other);
  }

  /** The position after a history of [guess, marks], with some words as possible answers. */
  position(words, history) {
    const root = { turn: 1, allowed: this.every }, last = history.reduce((here, [guess, marks]) => this.below(here, guess, marks), root);
    return { ...last, members: this.placesOf(words) };
  }

  below(here, guess, marks, members) {
    return { turn: here.turn + 1, above: here, guess, marks, members };
  }

  /** The words that all marks so far allow. */
  allowed(here) {
    if (this.legal === "any") return this.every;
    if (!here.allowed) {
      const allows = this.rule(here.guess, here.marks);
      here.allowed = this.allowed(here.above).filter((own) => allows(this.words[own]));
    }
    return here.allowed;
  }

  /** Whether the marks of a guess allow a word as a later guess. */
  rule(guess, marks) {
    if (this.legal !== "hard") return (word) => this.legal === "any" || feedback(guess, word) === marks;
    const places = [...marks].flatMap((mark, place) => (mark === "O" ? place : [])), shown = [...guess].filter((_, place) => marks[place] !== "X");
    const counts = [...new Set(shown)].map((sign) => [sign, shown.filter((own) => own === sign).length]);
    return (word) => places.every((place) => word[place] === guess[place]) && counts.every(([sign, count]) => word.split(sign).length > count);
  }

  /** The `count` best legal guesses: most groups first, then possible answers, then in the list's order. `bonus`: groups that a
   * possible answer counts more. `skip`: words that are not ranked. */
  top(here, count, bonus, skip = new Set()) {
    const { members, turn } = here, set = new AnswerSet(this, members), apart = new Set([...members, ...skip]), best = [];
    let worst = 0; // score that a guess must exceed
    const consider = (guess, answer) => {
      const groups = set.groups(guess, (worst - answer) / 2 - answer * bonus), score = 2 * (groups + answer * bonus) + answer;
      if (!groups) return;
      if (best.length === count) best.pop();
      best.splice(best.findLastIndex((own) => own.score >= score) + 1, 0, { guess, score });
      if (best.length === count) worst = best.at(-1).score;
    };
    const isOver = () => worst > 2 * (members.length + bonus); // no guess does better
    for (const guess of members) if (!isOver() && !skip.has(guess)) consider(guess, 1);
    const others = isOver() || turn === this.turns ? [] : turn < this.since ? this.every : this.allowed(here); // the last guess is an answer
    for (const guess of others) if (!apart.has(guess)) consider(guess, 0);
    return best.map((own) => own.guess);
  }

  /** The guess of the strategy. */
  choice(here) {
    const { members, turn } = here, left = this.turns - turn + 1, bonus = left === 2 ? this.bonus : 0, best = () => this.top(here, 1, bonus)[0];
    if (members.length < 3 || left < 2) return members[0];
    if (this.legal !== "any") return best();
    const key = `${bonus} ${members}`, known = this.chosen.get(key) ?? best(); // small sets come often
    this.chosen.set(key, known);
    return known;
  }

  /** The number of words found on each turn if a guess is followed by the strategy. */
  follow(here, guess, found = Array(this.turns).fill(0)) {
    const { members, turn } = here, set = new AnswerSet(this, members), groups = new Map();
    members.forEach((word, at) => {
      const code = set.code(guess, at);
      if (!groups.has(code)) groups.set(code, []);
      groups.get(code).push(word);
    });
    for (const left of groups.values()) {
      if (left[0] === guess) found[turn - 1] += 1;
      else if (turn < this.turns) {
        const below = this.below(here, this.words[guess], feedback(this.words[guess], this.words[left[0]]), left);
        this.follow(below, this.choice(below), found);
      }
    }
    return found;
  }
}

/** Marks of a guess: placed letters first; then a letter is misplaced if an unused one is left in the word. */
export function feedback(guess, word) {
  let rest = "", marks = "";
  for (let at = 0; at < word.length; at += 1) if (guess[at] !== word[at]) rest += word[at];
  for (let at = 0; at < word.length; at += 1) {
    const placed = guess[at] === word[at], there = !placed && rest.includes(guess[at]);
    if (there) rest = rest.replace(guess[at], "");
    marks += placed ? "O" : there ? "?" : "X";
  }
  return marks;
}
