// Rounds that this browser stores: daily rounds by series and day, practice rounds as sums; and statistics.

import { counted, draw, keeps, made, remember, remembered, write } from "./page.js";
import { figures, sum } from "./played.js";

const KEY = "gpulingo.stats.1", UNREAD = "gpulingo.stats.unread";
export const TURNS = [1, 2, 3, 4, 5, 6]; // of a daily round
export const TIMES = "new-york-times"; // name of the counts of its page among those of practice rounds
const NOTHING = '{"daily":{},"practice":{}}';

export const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const bare = (value) => (isMap(value) ? { __proto__: null, ...value } : value); // without a prototype

export function isRound(value) {
  return isMap(value) && Array.isArray(value.rows) && value.rows.every((row) => /^[^:]+:[XO?]+$/.test(row));
}

/** The number of days from 1 January 2026 to the local date. */
export function today(now = new Date()) {
  const start = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((start - Date.UTC(2026, 0, 1)) / 86400000);
}

/** Parse stored statistics into objects without a prototype; null if the text is invalid. */
export function parsed(text) {
  try {
    const { daily, practice } = JSON.parse(text, (key, value) => bare(value)), sums = Object.values(practice);
    const counts = sums.flatMap(({ played = 0, found = 0, by = [] }) => [played, found, ...by]);
    const maps = [daily, practice, ...Object.values(daily), ...sums];
    return maps.every(isMap) && counts.every(Number.isInteger) ? { daily, practice } : null;
  } catch {
    return null;
  }
}

/** Read the stored state, which all tabs share, apply `change` and store it; move it aside if unreadable. */
export function state(change) {
  const text = remembered(KEY) ?? NOTHING, read = parsed(text), own = read ?? parsed(NOTHING);
  if (!read) {
    remember(remembered(UNREAD) === null ? UNREAD : `${UNREAD}.${Date.now()}`, text);
    const aside = `They are put aside as ${UNREAD}; new ones are kept.`;
    write({ kept: `The statistics kept in this browser cannot be read. ${aside}` });
  }
  change?.(own);
  if (change || !read) remember(KEY, JSON.stringify(own));
  if (keeps()) return own;
  write({ kept: "Rounds and statistics are not kept in this browser: it lets this page store nothing." });
  return own;
}

export function daily(series, day) {
  const round = state().daily[series]?.[day];
  return isRound(round) ? round : null;
}

export function keepDaily(series, day, round) {
  state((all) => { (all.daily[series] ??= bare({}))[day] = round; });
}

/** Count a finished practice round; `guesses` is 0 if the number of guesses must not be counted. */
export function keepPractice(name, isFound, guesses) {
  state(({ practice }) => {
    const { played = 0, found = 0, by = [] } = practice[name] ?? {};
    if (isFound && guesses) by[guesses - 1] = (by[guesses - 1] ?? 0) + 1;
    const counts = Array.from(by, (count) => count ?? 0);
    practice[name] = { played: played + 1, found: found + isFound, by: counts };
  });
}

/** Statistics of a daily series: played, found, streak, longest streak, rounds by number of guesses. */
export function dailyFigures(series, now = today()) {
  const rounds = Object.entries(state().daily[series] ?? {});
  const ended = rounds.filter(([, round]) => isRound(round) && round.end);
  const found = ended.filter(([, { end }]) => end === "found"), by = TURNS.map(() => 0);
  for (const [, { rows, help }] of found) if (!help) by[rows.length - 1] += 1;
  const days = new Set(found.filter(([, { late }]) => !late).map(([day]) => Number(day)));
  const run = (day) => { // number of consecutive days up to this day
    let count = 0;
    while (days.has(day - count)) count += 1;
    return count;
  };
  const longest = Math.max(0, ...[...days].filter((day) => !days.has(day + 1)).map(run));
  return { played: ended.length, found: found.length, streak: run(now) || run(now - 1), longest, by };
}

export function drawStats({ series, name, mine }) {
  const sums = series ? dailyFigures(series) : state().practice[name] ?? {};
  const { played = 0, found = 0, streak, longest, by = [] } = sums, most = Math.max(1, ...by);
  const share = played ? `${Math.round((100 * found) / played)} %` : "–";
  const times = state().practice[TIMES];
  const mean = times && sum(times.by.map((count, place) => count * (place + 1))) / times.found;
  const average = mean ? `, on average on guess ${mean.toFixed(2)}` : "";
  const all = times && `${counted(times.played, "round")}, ${times.found} found${average}`;
  write({ times: all && `New York Times: ${all}` });
  const streaks = series ? [["streak", streak], ["longest", longest]] : [];
  figures("stats", [["played", played], ["found", share], ...streaks]);
  draw("found", by.map((count, place) => {
    const bar = made(place + 1 === mine ? "i.mine" : "i", count, { share: `${(100 * count) / most}%` });
    return made("li", [made("span", place + 1), bar]);
  }));
}

export const exported = () => JSON.stringify(state());
