// Rounds that this browser stores: daily rounds by series and day, practice rounds as sums. All statistics derive from them.

import { at, figures, made } from "./page.js";

const KEY = "gpulingo.stats.1", UNREAD = "gpulingo.stats.unread";
const MOST = 6; // most guesses of a daily round
let kept = true; // whether the browser allows storage

const bare = (value) => (isMap(value) ? Object.assign(Object.create(null), value) : value); // without a prototype
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isRound = (value) => isMap(value) && Array.isArray(value.rows) && value.rows.every((row) => /^[^:]+:[XO?]+$/.test(row));

/** The number of days from 1 January 2026 to the local date. */
export function today(now = new Date()) {
  return Math.round((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - Date.UTC(2026, 0, 1)) / 86400000);
}

/** Parse stored statistics into objects without a prototype; null if the text is invalid. */
function parsed(text) {
  try {
    const { daily, practice } = JSON.parse(text, (key, value) => bare(value));
    const sums = Object.values(practice), counts = sums.flatMap(({ played = 0, found = 0, by = [] }) => [played, found, ...by]);
    return [daily, practice, ...Object.values(daily), ...sums].every(isMap) && counts.every(Number.isInteger) ? { daily, practice } : null;
  } catch {
    return null;
  }
}

const nothing = () => parsed('{"daily":{},"practice":{}}');
let own = nothing(); // used if the browser forbids storage

/** Read the stored state, which all tabs share, apply `change` and store it; an unreadable state is moved aside. */
function state(change = () => false) {
  try {
    const text = localStorage.getItem(KEY), read = text === null ? nothing() : parsed(text);
    if (read) own = read;
    else {
      localStorage.setItem(localStorage.getItem(UNREAD) === null ? UNREAD : `${UNREAD}.${Date.now()}`, text);
      localStorage.removeItem(KEY);
      own = nothing();
      at("kept").textContent = `The statistics kept in this browser cannot be read. They are put aside as ${UNREAD}; new ones are kept.`;
    }
    if (change(own) !== false) localStorage.setItem(KEY, JSON.stringify(own));
    kept = true;
  } catch {
    change(own);
    kept = false;
    at("kept").textContent = "Rounds and statistics are not kept in this browser: it lets this page store nothing.";
  }
  return own;
}

export function keeps() {
  state();
  return kept;
}

export function daily(series, day) {
  const round = state().daily[series]?.[day];
  return isRound(round) ? round : null;
}

export function keepDaily(series, day, round) {
  state((all) => { (all.daily[series] ??= bare({}))[day] = round; });
}

/** Count a finished practice round; `guesses` is 0 if the number of guesses must not be counted. */
export function keepPractice(name, found, guesses) {
  state(({ practice }) => {
    const { played = 0, found: before = 0, by = [] } = practice[name] ?? {};
    if (found && guesses) by[guesses - 1] = (by[guesses - 1] ?? 0) + 1;
    practice[name] = { played: played + 1, found: before + found, by: Array.from(by, (count) => count ?? 0) };
  });
}

/** Statistics of a daily series: played, found, streak, longest streak, rounds by number of guesses. */
export function dailyFigures(series, now = today()) {
  const ended = Object.entries(state().daily[series] ?? {}).filter(([, round]) => isRound(round) && round.end);
  const found = ended.filter(([, { end }]) => end === "found"), by = Array(MOST).fill(0);
  for (const [, { rows, help }] of found) if (!help) by[rows.length - 1] += 1;
  const days = new Set(found.filter(([, { late }]) => !late).map(([day]) => Number(day)));
  const run = (day) => { // number of consecutive days up to this day
    let count = 0;
    while (days.has(day - count)) count += 1;
    return count;
  };
  return { played: ended.length, found: found.length, streak: run(now) || run(now - 1), longest: Math.max(0, ...[...days].filter((day) => !days.has(day + 1)).map(run)), by };
}

export function drawStats({ series, name, mine }) {
  const { played = 0, found = 0, streak, longest, by = [] } = series ? dailyFigures(series) : state().practice[name] ?? {};
  const share = played ? `${Math.round((100 * found) / played)} %` : "–";
  figures(at("stats"), [["played", played], ["found", share], ...(series ? [["streak", streak], ["longest", longest]] : [])]);
  at("found").replaceChildren(...by.map((count, place) => {
    const bar = made("i", count, { className: place + 1 === mine ? "mine" : "" });
    bar.style.setProperty("--share", `${(100 * count) / Math.max(1, ...by)}%`);
    return made("li", [made("span", place + 1), bar]);
  }));
}

export const exported = () => JSON.stringify(state());

/** Add statistics of another browser: rounds finished here stay; of two sums the larger is kept. False if unreadable. */
export function imported(text) {
  const more = parsed(text);
  if (more) state((all) => {
    for (const [series, days] of Object.entries(more.daily)) {
      const here = (all.daily[series] ??= bare({})), fit = Object.entries(days).filter(([day, round]) => isRound(round) && !here[day]?.end);
      Object.assign(here, Object.fromEntries(fit));
    }
    for (const [name, sums] of Object.entries(more.practice)) {
      if (!(all.practice[name]?.played >= sums.played)) all.practice[name] = sums;
    }
  });
  return Boolean(more);
}
