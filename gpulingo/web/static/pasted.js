// Statistics that the user pastes; loaded then.

import { bare, isMap, isRound, parsed, state, sum, TIMES } from "./stats.js";

/** The counts that the New York Times' page keeps, alone or within other data; null if there are none. */
function ofTimes(text) {
  const counts = [], isCount = (value) => Number.isInteger(value) && value >= 0;
  try {
    JSON.parse(text, (key, value) => {
      if (key === "guesses" && isMap(value) && isCount(value.fail)) counts.push(value);
      return value;
    });
  } catch {
    return null;
  }
  const by = [1, 2, 3, 4, 5, 6].map((turn) => counts[0]?.[turn]), found = by.reduce(sum, 0);
  if (!by.every(isCount)) return null;
  return { daily: {}, practice: { [TIMES]: { played: found + counts[0].fail, found, by } } };
}

/** Add statistics of another browser; what is more complete stays. False if unreadable. */
export function imported(text) {
  const more = parsed(text) ?? ofTimes(text);
  if (!more) return false;
  state((all) => {
    for (const [series, days] of Object.entries(more.daily)) {
      const here = (all.daily[series] ??= bare({}));
      const isNew = ([day, round]) => isRound(round) && !here[day]?.end;
      Object.assign(here, Object.fromEntries(Object.entries(days).filter(isNew)));
    }
    for (const [name, sums] of Object.entries(more.practice)) {
      if (!(all.practice[name]?.played >= sums.played)) all.practice[name] = sums;
    }
  });
  return true;
}
