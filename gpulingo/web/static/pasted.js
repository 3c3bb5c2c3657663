// Statistics that the user pastes; loaded then.

import { sum } from "./played.js";
import { bare, isMap, isRound, parsed, state, TIMES, TURNS } from "./stats.js";

/** The larger counts that the New York Times' page keeps, of daily or all rounds; null if there are none. */
function ofTimes(text) {
  const isCount = (value) => Number.isInteger(value) && value >= 0;
  let most = null;
  const take = (key, value) => {
    if (typeof value === "string") read(value); // a copy of the whole storage has its values as texts
    if (key === "guesses" && isMap(value) && TURNS.some((turn) => turn in value)) {
      // Counts of 0 may be missing.
      const by = TURNS.map((turn) => value[turn] ?? 0), { fail = 0 } = value;
      const found = sum(by), played = found + fail;
      if ([fail, ...by].every(isCount) && !(most?.played >= played)) most = { played, found, by };
    }
    return value;
  };
  const read = (json) => {
    try {
      JSON.parse(json, take);
    } catch {} // other texts
  };
  read(text);
  return most && { daily: {}, practice: { [TIMES]: most } };
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
