// The review of a round on an exported page: the value before and after every guess, the loss of its choice,
// the luck of its marks. Values are the strategy's while the round follows it, then those of ranked guesses.

import { counted, number } from "./page.js";
import { sum } from "./played.js";
import { classesOf } from "./ranking.js";
import { fixed, lettered } from "./strategy.js";

const SLIGHT = 0.001; // of a guess: not visible in any printed number
const WEIGHT = 0.25; // of a guess: loss from which a choice against known hints is mentioned
const MOST = 99; // greatest score
const NOT_SHOWN = "(unfit word)";

/** The summed value of a guess before its marks, if it is followed by the ranking's strategy. */
async function followed(strategy, here, guess, signal) {
  return strategy.total(await strategy.ranking.follow(here, guess, signal), here.left.length);
}

/** The summed value of a position, how it is known, and the guess with this value. */
async function valued(strategy, here, signal) {
  const { left, turn, guess, value } = here, { turns, worth, estimated } = strategy, count = left.length;
  if (turn > turns) return { value: count * worth[turns], how: "exact", best: "" };
  if (count === 1) return { value: worth[turn - 1], how: "exact", best: left[0] };
  if (guess !== undefined) return { value, how: "tree", best: guess };
  if (turn === 1) { // too many words to rank
    const best = strategy.words[strategy.guess[0]];
    return { value: await followed(strategy, here, best, signal), how: estimated, best };
  }
  let best;
  for await ([best] of strategy.ranked(here, { signal }));
  return { value: best.value, how: best.exact ? "exact" : estimated, best: best.guess };
}

/** Review a round: [guess, marks] by guess, with the values around each. */
export async function reviewed(strategy, history, { signal, progress } = {}) {
  const { solved, worth } = strategy, end = strategy.asked(history), { wide, pairs } = end, turns = [];
  const last = pairs.findIndex(([, marks]) => marks === solved) + 1;
  if (last && last < history.length) {
    const after = `comes after the word was found by guess ${last}: leave it out`;
    throw new Error(`guess ${last + 1}, ${pairs[last][0]}, ${after}`);
  }
  if (history.length > strategy.turns) throw new Error(strategy.filled("no more", {}));
  if (wide) progress?.({ status: `${strategy.wide}.` }); // takes seconds
  let here = strategy.start(wide), before = await valued(strategy, here, signal);
  for (const [turn, [guess, marks]] of pairs.entries()) {
    const below = strategy.after(here, history[turn]), words = here.left, found = marks === solved;
    const stored = strategy.stored(strategy.before(guess, here)).find((own) => own.guess === guess);
    const chosen = guess === before.best ? before.value
      : stored?.value ?? await followed(strategy, here, guess, signal);
    const after = found ? { value: worth[turn], how: "exact" } : await valued(strategy, below, signal);
    const own = { guess, marks, found, words, before, chosen, after, left: below.left.length };
    turns.push({ ...own, ...measured(strategy, own) });
    [here, before] = [below, after];
  }
  const state = last ? "found" : history.length === strategy.turns ? "lost" : "open";
  return {
    ...verdict(strategy, turns, state), list: wide ? strategy.every : strategy.list,
    notes: [...(wide ? [strategy.wide] : []), ...strategy.strange(end)],
  };
}

/** What a guess cost and its marks gave: on average, as a label and in words; the best guess in its place. */
function measured(strategy, { guess, words, before, chosen, after, left }) {
  const { one, sentences: { labels } } = strategy, count = words.length, { best } = before;
  const lost = strategy.gain(before.value, chosen) / count;
  const luck = gained(strategy, chosen, count, after.value, left);
  const label = labels.find(([, , most]) => most === null || 100 * lost <= most * one);
  return {
    count, lost, luck, label: count === 1 && lost > 0 ? labels.at(-1) : label,
    shown: guess !== best && count > 1 && strategy.isUnfit(best) ? NOT_SHOWN : best,
    choice: effect(strategy, -lost), chance: effect(strategy, luck), expected_before: before.value / count,
    expected_chosen: chosen / count, expected_after: after.value / left,
  };
}

/** What is gained on average from a summed value of `count` words to one of `left` words. */
function gained(strategy, value, count, later, left) {
  return strategy.gain(later * count, value * left) / (count * left);
}

function effect({ rises }, gain) {
  return `${gain > 0 ? (rises ? "gained" : "saved") : "cost"} ${fixed(Math.abs(gain), 3)}`;
}

function against(turns, place) {
  for (const { guess, marks } of turns.slice(0, place)) {
    const at = [...marks].findIndex((mark, own) => mark === "O" && turns[place].guess[own] !== guess[own]);
    if (at >= 0) return { letter: guess[at].toUpperCase(), place: at + 1 };
  }
}

/** The first true sentence about a choice; `own`, `best`: sizes of its groups and the best guess's. */
function sentence({ one, rises, estimated, filled }, turns, place, own, best) {
  const { guess, found, words, before, count, lost, shown, label } = turns[place], isLoss = lost > 0;
  const broken = lost > WEIGHT * one && against(turns, place), missed = count === 1 && !found && isLoss;
  const [largest, bestLargest] = [own, best].map((sizes) => Math.max(...sizes));
  const kinds = {
    only: count === 1 && !missed, missed, better: lost < -SLIGHT * one, lucky: found && isLoss, right: found,
    impossible: isLoss && !words.includes(guess) && words.includes(before.best), against: broken,
    "best tried": !isLoss && before.how === estimated, best: !isLoss,
    opening: place === 0 && label[0] === "good", groups: best.length > own.length,
    largest: bestLargest < largest, needs: !rises, gives: true,
  };
  return filled(`choice ${Object.keys(kinds).find((kind) => kinds[kind])}`, {
    words: number(count), word: words[0].toUpperCase(), guess: guess.toUpperCase(),
    best: shown === NOT_SHOWN ? "A better guess" : shown.toUpperCase(), groups: own.length,
    best_groups: best.length, largest: number(largest), best_largest: number(bestLargest),
    less: fixed(lost, 2), ...broken,
  });
}

/** The cost or gain of a choice and of its marks, and the words left; `mean`: words left on average. */
function small({ one, filled }, { lost, luck, left, choice, chance }, mean) {
  const isSeen = (gain) => Math.abs(gain) > SLIGHT * one;
  const parts = isSeen(lost) ? [filled("small choice", { effect: choice })] : [];
  if (!isSeen(luck)) return parts.join();
  const odds = luck * (left - mean) > 0 ? (luck < 0 ? "harder" : "easier") : "left";
  const shown = mean >= 10 ? number(Number(fixed(mean, 0))) : fixed(mean, 1), after = counted(left, "word");
  const more = mean > 1 ? filled(`small ${odds}`, { after, mean: shown }) : "";
  return [...parts, filled("small luck", { effect: chance }) + more].join(" · ");
}

function judged(strategy, turns, place) {
  const turn = turns[place], { words, guess, before: { best }, label: [label, sign] } = turn;
  const [own, other] = [guess, best || guess].map((word) =>
    [...classesOf(word, words).values()].map((group) => group.length));
  const mean = sum(own.map((size) => size ** 2)) / words.length;
  return {
    label, sign, sentence: sentence(strategy, turns, place, own, other), small: small(strategy, turn, mean),
  };
}

function verdict(strategy, turns, state) {
  const { unit, rises, one, estimated, filled, sentences } = strategy, [first] = turns, end = turns.at(-1);
  const count = turns.length, { expected_before: start } = first, { expected_after: result } = end;
  const total = (of) => sum(turns.map(of)), lost = total((own) => own.lost);
  const text = (value) => fixed(value, 3);
  const luck = lost + gained(strategy, first.before.value, first.count, end.after.value, end.left);
  const isHow = (how) => turns.some(({ before, after }) => before.how === how || after.how === how);
  const hows = ["tree", "exact", estimated].filter(isHow).map((how) => sentences[`how ${how}`]);
  if (turns.some((own) => own.lost < 0)) hows.push(sentences["how gained"]);
  const shown = state !== "open" && Number.isInteger(result) ? `${result}` : text(result);
  const amount = `${shown} ${shown === "1" ? unit.replace(/es$/, "") : unit}`;
  const sums = filled("sum", {
    play: sentences[first.before.how === "exact" ? "sum proven" : "sum known"], start: text(start),
    choices: effect(strategy, -lost), luck: effect(strategy, luck),
    kind: luck > 0 ? "good " : luck < 0 ? "bad " : "", result: filled(`result ${state}`, { amount }),
  });
  const signed = (gain) => `${strategy.gain(gain, 0) < 0 ? "-" : "+"} ${text(Math.abs(gain))}`;
  const exact = filled("sum exact", {
    start: text(start), lost: signed(-lost), luck: signed(luck), result: text(result),
    end: filled(`end ${state}`, { count }),
  });
  const skill = Math.round(MOST * 2 ** (-total((own) => Math.max(0, own.lost)) / one));
  const chance = Math.round(MOST / (1 + 10 ** (-luck / one))), about = isHow(estimated);
  const scores = filled("scores", {
    about: about ? "about " : "", skill, luck: filled("scores luck", { luck: chance }),
  });
  const worst = turns.reduce((most, own) => (own.lost > most.lost ? own : most));
  const lead = filled(worst.lost > 0 ? "lead" : "lead free", {
    band: sentences.bands.find(([least]) => skill >= least)[1], guess: worst.guess.toUpperCase(),
    amount: fixed(worst.lost, 2), unit: strategy.noun,
  });
  const title = `headline ${state}${state === "open" && count === 1 ? " one" : ""}`;
  const headline = state === "lost" ? "Not found" : filled(title, { count, word: end.guess.toUpperCase() });
  const head = `gpulingo ${state === "found" ? count : "X"}/${strategy.turns}  ${scores}`;
  const squares = turns.map(({ marks, label }) => `${strategy.squares(marks)} ${label[1]}`);
  return {
    unit, rises, state, start, result, sums, hows: [exact, ...hows], scores,
    verdict: {
      skill, luck: chance, about, headline, lead, share: [head, "", ...squares].join("\n"),
      turns: turns.map((_, place) => judged(strategy, turns, place)),
    },
    turns: turns.map(({ guess, marks, expected_before, expected_chosen, expected_after, after }) =>
      ({ guess, marks, expected_before, expected_chosen, expected_after, by_after: after.how })),
    rows: turns.map((own, place) => ({
      turn: `${place + 1}`, guess: own.guess, marks: lettered(own.marks), left: number(own.count),
      after: number(own.left), best: own.shown, by: own.before.how, choice: own.choice, luck: own.chance,
      expected: text(own.expected_before), chosen: text(own.expected_chosen),
    })),
  };
}
