// The review of a round on an exported page: the value before and after every guess, the loss of its choice, the luck of its
// marks. Values are the strategy's while the round follows it, then those of the best guesses that the page ranks.

import { classesOf, counted, fixed, lettered, number, pause, sum } from "./stored.js";

const SLIGHT = 0.001; // of a guess: not visible in any printed number
const WEIGHT = 0.25; // of a guess: loss from which a choice against known hints is mentioned
const MOST = 99; // greatest score
const NOT_SHOWN = "(unfit word)";

/** The summed value of a guess before its marks: each of its groups is followed by the ranking's strategy. */
async function followed(strategy, here, guess, signal) {
  const { worth, turns, solved, ranking } = strategy, { turn, left, pairs } = here, before = ranking.position(left, pairs);
  let value = 0;
  for (const [marks, words] of classesOf(guess, left)) {
    await pause(signal);
    if (marks === solved) value += worth[turn - 1];
    else if (turn === turns) value += words.length * worth[turns];
    else {
      const below = ranking.below(before, guess, marks, ranking.placesOf(words));
      value += strategy.summed(ranking.follow(below, ranking.choice(below)), words.length).value;
    }
  }
  return value;
}

/** The summed value of a position, how it is known, and the guess with this value. */
async function valued(strategy, here, signal) {
  const { left, turn, guess, value } = here, { turns, worth, words } = strategy, count = left.length, opening = words[strategy.guess[0]];
  if (turn > turns) return { value: count * worth[turns], how: "exact", best: "" };
  if (count === 1) return { value: worth[turn - 1], how: "exact", best: left[0] };
  if (guess !== undefined) return { value, how: "tree", best: guess };
  if (turn === 1) return { value: await followed(strategy, here, opening, signal), how: strategy.estimated, best: opening }; // too many words to rank
  let best = null;
  for await (const [first] of strategy.ranked(here, { signal })) best = first;
  return { value: best.value, how: best.exact ? "exact" : strategy.estimated, best: best.guess };
}

/** Review a round: [guess, marks] by guess, with the values around each. */
export async function reviewed(strategy, history, { signal, progress } = {}) {
  const { solved, rises, code } = strategy, { wide, here: end } = strategy.asked(history), turns = [], last = end.pairs.findIndex(([, marks]) => marks === solved) + 1;
  if (last && last < history.length) throw new Error(`guess ${last + 1}, ${end.pairs[last][0]}, comes after the word was found by guess ${last}: leave it out`);
  if (history.length > strategy.turns) throw new Error(strategy.filled("no more", { code }));
  if (wide) progress?.({ status: `${strategy.wide}.` }); // takes seconds
  let here = strategy.at([], wide), before = await valued(strategy, here, signal);
  for (const [turn, [guess, marks]] of end.pairs.entries()) {
    const below = strategy.at(history.slice(0, turn + 1), wide), count = here.left.length, found = marks === solved;
    const opened = turn ? here : strategy.startOf(guess, wide); // with the strategy after this guess, if one is stored
    const stored = (opened.node === undefined ? [] : strategy.stored(opened)).find((own) => own.guess === guess);
    const chosen = guess === before.best ? before.value : stored?.value ?? await followed(strategy, here, guess, signal);
    const after = found ? { value: strategy.worth[turn], how: "exact", best: guess } : await valued(strategy, below, signal), left = below.left.length;
    const lost = (rises ? before.value - chosen : chosen - before.value) / count, more = (after.value * count - chosen * left) / (count * left);
    turns.push({ guess, marks, found, here, before, chosen, after, count, left, lost, luck: rises ? more : -more });
    [here, before] = [below, after];
  }
  const state = last ? "found" : history.length === strategy.turns ? "lost" : "open";
  return { ...verdict(strategy, turns, state), list: wide ? strategy.every : strategy.list, notes: [...(wide ? [strategy.wide] : []), ...strategy.strange(end)] };
}

function effect({ rises }, gained) {
  return `${gained > 0 ? (rises ? "gained" : "saved") : "cost"} ${fixed(Math.abs(gained), 3)}`;
}

/** The first placed letter that a guess does not keep, and its place. */
function against(turns, place) {
  for (const { guess, marks } of turns.slice(0, place)) {
    const at = [...marks].findIndex((mark, own) => mark === "O" && turns[place].guess[own] !== guess[own]);
    if (at >= 0) return { letter: guess[at].toUpperCase(), place: at + 1 };
  }
  return null;
}

/** The best guess as it is shown. */
const shownBest = (strategy, { guess, before: { best }, count }) => (guess !== best && count > 1 && strategy.isUnfit(best) ? NOT_SHOWN : best);

function labelOf({ one, tables: { labels } }, { lost, count }) {
  return count === 1 && lost > 0 ? labels.at(-1) : labels.find(([, , most]) => most === null || 100 * lost <= most * one);
}

/** A sentence about a choice, the first that is true of it; `own`, `best`: sizes of its groups and of the best guess's. */
function sentence(strategy, turns, place, own, best) {
  const turn = turns[place], { one, rises, unit } = strategy, { guess, found, here: { left }, count, lost } = turns[place], shown = shownBest(strategy, turn);
  const broken = lost > WEIGHT * one ? against(turns, place) : null, missed = count === 1 && !found && lost > 0, kinds = {
    only: count === 1 && !missed, missed, better: lost < -SLIGHT * one, lucky: found && lost > 0, right: found,
    impossible: lost > 0 && !left.includes(guess) && left.includes(turn.before.best), against: broken, "best tried": lost <= 0 && turn.before.how === strategy.estimated, best: lost <= 0,
    opening: place === 0 && labelOf(strategy, turn)[0] === "good", groups: best.length > own.length, largest: Math.max(...best) < Math.max(...own), needs: !rises, gives: true,
  };
  return strategy.filled(`choice ${Object.keys(kinds).find((kind) => kinds[kind])}`, { noun: "word", kind: "guess", words: number(count), word: left[0].toUpperCase(), guess: guess.toUpperCase(),
    best: shown === NOT_SHOWN ? "A better guess" : shown.toUpperCase(), groups: own.length, best_groups: best.length, largest: number(Math.max(...own)),
    best_largest: number(Math.max(...best)), less: fixed(lost, 2), unit, ...broken });
}

/** The cost or gain of a choice and of its marks, and the words left. */
function small(strategy, { lost, luck, left }, mean) {
  const { one } = strategy, says = (gained) => Math.abs(gained) > SLIGHT * one, parts = [];
  if (says(lost)) parts.push(strategy.filled("small choice", { effect: effect(strategy, -lost) }));
  if (!says(luck)) return parts.join();
  const odds = luck * (left - mean) > 0 ? (luck < 0 ? "harder" : "easier") : "left", shown = mean >= 10 ? number(Number(fixed(mean, 0))) : fixed(mean, 1);
  const more = mean > 1 ? strategy.filled(`small ${odds}`, { after: counted(left, "word"), mean: shown }) : "";
  return [...parts, strategy.filled("small luck", { effect: effect(strategy, luck) }) + more].join(" · ");
}

function judged(strategy, turns, place) {
  const turn = turns[place], { here: { left }, guess, before: { best } } = turn, sizes = (word) => [...classesOf(word || guess, left).values()].map((words) => words.length);
  const own = sizes(guess), mean = sum(own.map((size) => size ** 2)) / left.length, [label, sign] = labelOf(strategy, turn); // mean number of words left
  return { label, sign, sentence: sentence(strategy, turns, place, own, sizes(best)), small: small(strategy, turn, mean) };
}

function verdict(strategy, turns, state) {
  const { one, unit, noun, rises, tables, estimated } = strategy, count = turns.length, first = turns[0], end = turns.at(-1), filled = strategy.filled.bind(strategy);
  const start = first.before.value / first.count, result = end.after.value / end.left, lost = sum(turns.map((own) => own.lost));
  const more = (end.after.value * first.count - first.before.value * end.left) / (first.count * end.left), luck = (rises ? more : -more) + lost;
  const hows = ["tree", "exact", estimated].filter((how) => turns.some(({ before, after }) => [before.how, after.how].includes(how))), about = hows.includes(estimated);
  const skill = Math.round(MOST * 2 ** (-sum(turns.map((own) => Math.max(0, own.lost))) / one)), score = Math.round(MOST / (1 + 10 ** (-luck / one)));
  const guesses = turns.map((_, place) => judged(strategy, turns, place)), scores = filled("scores", { about: about ? "about " : "", skill, luck: filled("scores luck", { luck: score }) });
  const shown = state !== "open" && Number.isInteger(result) ? `${result}` : fixed(result, 3), amount = `${shown} ${unit === "won, %" ? "% won" : shown === "1" ? unit.replace(/es$/, "") : unit}`;
  const signed = (gained) => `${(rises ? gained < 0 : gained > 0) ? "-" : "+"} ${fixed(Math.abs(gained), 3)}`;
  const sums = filled("sum", { play: filled(first.before.how === "exact" ? "sum proven" : "sum known"), start: fixed(start, 3), choices: effect(strategy, -lost),
    kind: luck > 0 ? "good " : luck < 0 ? "bad " : "", luck: effect(strategy, luck), result: filled(`result ${state}`, { amount }) });
  const exact = filled("sum exact", { start: fixed(start, 3), lost: signed(-lost), luck: signed(luck), result: fixed(result, 3), unit, end: filled(`end ${state}`, { count }) });
  const title = state === "open" && count === 1 ? "headline open one" : `headline ${state}`, worst = turns.reduce((most, own) => (own.lost > most.lost ? own : most));
  const band = tables.bands.find(([least]) => skill >= least)[1], lead = filled(worst.lost > 0 ? "lead" : "lead free", { band, guess: worst.guess.toUpperCase(), amount: fixed(worst.lost, 2), unit: noun });
  const squares = turns.map(({ marks }, place) => `${[...marks].map((mark) => tables.squares[mark]).join("")} ${guesses[place].sign}`);
  return {
    unit, rises, state, start, result, scores, sums, hows: [exact, ...hows.map((how) => filled(`how ${how}`)), ...(turns.some((own) => own.lost < 0) ? [filled("how gained")] : [])],
    verdict: { skill, luck: score, about, headline: state === "lost" ? "Not found" : filled(title, { count, word: end.guess.toUpperCase() }), lead, turns: guesses,
      share: [`gpulingo ${state === "found" ? count : "X"}/${strategy.turns}  ${scores}`, "", ...squares].join("\n") },
    turns: turns.map((own) => ({ guess: own.guess, marks: own.marks, expected_before: own.before.value / own.count, expected_chosen: own.chosen / own.count,
      expected_after: own.after.value / own.left, by_after: own.after.how })),
    rows: turns.map((own, place) => ({ turn: `${place + 1}`, guess: own.guess, marks: lettered(own.marks), left: number(own.count), after: number(own.left), best: shownBest(strategy, own),
      expected: fixed(own.before.value / own.count, 3), by: own.before.how, chosen: fixed(own.chosen / own.count, 3), choice: effect(strategy, -own.lost), luck: effect(strategy, own.luck) })),
  };
}
