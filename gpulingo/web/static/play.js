// Play: a round against a host, honest or cheating. The server stores it under the name in the address; the
// address of a daily round is its day, and the browser stores its guesses.

import { posted, streamed, told } from "./ask.js";
import {
  at, classOf, counted, draw, failed, gameOf, heard, isShortcut, listed, listen, made, MARKS, NAMES, number,
  keeps, options, partsOf, problem, roundText, said, show, spell, Task, tile, write,
} from "./page.js";
import { copy } from "./played.js";
import { daily, drawStats, exported, keepDaily, keepPractice, today } from "./stats.js";

const MOST_ADVISED = 6; // a round without a turn limit is sent to the assistant as Wordle
const MOST_REVIEWED = 32; // guesses that fit in an address
const LATIN = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const COMMANDS = { __proto__: null, Enter: "Enter", Backspace: "⌫" };
const ROW = 10; // keys in an extra row

at("help").before(made("button.icon", "", { id: "to-figures", ariaLabel: "Statistics" }));
const choices = await told("play-games").catch((error) => {
  failed(error);
  throw error; // nothing can be played
});
const usual = choices.lengths.includes(5) ? 5 : choices.lengths[0];
const last = { __proto__: null }; // segment -> address of its last round
const judging = new Task(); // the review of a finished round
let round = null; // the server's latest answer
let typed = "";
let queue = Promise.resolve(); // key presses and requests run one after another
let verdict = null;

const isSegment = (name) => Object.hasOwn(choices.segments, name);
const isHangman = () => round.game === "hangman";
const isDaily = () => round.day !== undefined;
const practiceName = () => `${round.game}/${round.length}/${round.host}`;
const turnText = () => `${round.history.length + 1}${round.turns ? ` of ${round.turns}` : ""}`;
const livesText = () => `${round.lives - round.misses} of ${counted(round.lives, "life", "lives")} left`;
const rows = (history = round.history) => history.map((guess) => guess.join(":"));

const emptyTile = (letter) => made(letter ? "span.tile.empty.typed" : "span.tile.empty", letter);

function withPoints(tiles, turn) {
  return round.points?.length ? [...tiles, made("span.points", round.points[turn])] : tiles;
}

/** A row of tiles: the letters of a text, then empty ones, and the points of a turn. */
function row(text, turn) {
  const letters = spell(text || (turn === round.history.length ? round.letter ?? "" : ""));
  return withPoints(Array.from({ length: round.length }, (_, place) => emptyTile(letters[place])), turn);
}

function showBoard(isFresh) {
  const { history, length, turns, over } = round, count = history.length;
  at("board").className = length > 16 ? "long longest" : length > 9 ? "long" : "";
  draw("rows", (isHangman() ? [] : history).map(([word, marks], turn) => {
    const tiles = spell(word).map((letter, place) => tile(letter, marks[place], "span"));
    const tag = isFresh && turn === count - 1 ? "li.new" : "li";
    return made(tag, withPoints(tiles, turn), { ariaLabel: said(word, marks) });
  }));
  const open = isHangman() || over ? 0 : Math.max(0, (turns ?? 0) - count - 1);
  draw("rest", Array.from({ length: open }, (_, more) => made("div.row", row("", count + 1 + more))));
  at("gallows").toggleAttribute("hidden", !isHangman());
  if (isHangman()) showGallows();
  showTyping();
}

function showGallows() {
  const { history, lives, misses } = round, { children } = at("gallows");
  const missed = history.filter(([, places]) => !places.includes("O")).map(([letter]) => letter);
  const drawn = Math.ceil((children.length * misses) / lives);
  [...children].forEach((path, place) => path.classList.toggle("drawn", place < drawn));
  const what = missed.length ? `Not in the word: ${missed.join(", ")}.` : "No letter was missed yet.";
  at("gallows").ariaLabel = `${livesText()}. ${what}`;
}

function showTyping() {
  const own = at("typing"), { history, length, shown, over, word, letter: first } = round;
  own.hidden = Boolean(over) && !isHangman();
  own.classList.remove("refused");
  if (isHangman()) {
    own.ariaLabel = `Word: ${[...shown].map((letter) => (letter === "_" ? "blank" : letter)).join(", ")}`;
    draw("typing", [...shown].map((letter, place) => (letter !== "_" ? tile(letter, "O", "span")
      : word ? tile(spell(word)[place], "X", "span") : emptyTile())));
  } else {
    const text = typed ? spell(typed).join(", ") : "nothing typed";
    const begins = first ? `; the word begins with ${first}` : "";
    own.ariaLabel = `Guess ${turnText()}, ${length} letters: ${text}${begins}`;
    draw("typing", row(typed, history.length));
  }
}

/** Rows of keys as on an English keyboard; other letters follow below in their order. */
function makeKeys() {
  const letters = spell(round.letters), others = letters.filter((letter) => !LATIN.join("").includes(letter));
  const rows = LATIN.map((row) => [...row].filter((letter) => letters.includes(letter)));
  for (let start = 0; start < others.length; start += ROW) rows.push(others.slice(start, start + ROW));
  const shown = rows.filter((row) => row.length);
  if (!isHangman()) shown.push(["Enter", ...shown.pop(), "Backspace"]);
  const key = (name) => made("button", COMMANDS[name] ?? name, { ariaLabel: name, data: { key: name } });
  draw("keys", shown.map((row) => made("div", row.map(key))));
}

/** Colour each key by the best mark of its letter; the nodes stay, so that no click in progress is lost. */
function markKeys() {
  const best = { __proto__: null };
  for (const [word, marks] of round.history) {
    spell(word).forEach((letter, place) => {
      const mark = !isHangman() ? marks[place] : marks.includes("O") ? "O" : "X";
      if (MARKS.indexOf(mark) > MARKS.indexOf(best[letter])) best[letter] = mark;
    });
  }
  for (const node of at("keys").querySelectorAll("button")) {
    const name = node.dataset.key, mark = best[name];
    node.disabled = Boolean(round.over);
    node.className = name in COMMANDS ? "command" : classOf(mark ?? "");
    node.ariaLabel = mark ? `${name}, ${NAMES[mark]}` : name;
  }
}

function showTexts() {
  const { history, before, left, host, over, end, dated = "", hints, asks, word = "", words } = round;
  const latest = history.at(-1), title = isDaily() ? `Daily ${round.number}` : choices.titles[round.game];
  const counts = host === "honest" || !latest ? ""
    : `${number(before)} → ${number(left)} words still possible.`;
  const news = latest && !isHangman() ? `${said(...latest)}. ${counts} ` : `${counts} `;
  draw("status", [heard(news), end || (isHangman() ? livesText() : `Guess ${turnText()}`)]);
  document.title = `${title} · gpulingo`;
  const minutes = Math.ceil((new Date().setHours(24, 0, 0, 0) - Date.now()) / 60000);
  write({
    title, word, dated: over ? dated : "", end: end.replace(/\.$/, ""),
    hints: [hints, counts, asks].filter(Boolean).join(" "),
    until: `Next word in ${Math.floor(minutes / 60)} h ${minutes % 60} min`,
    count: `${counted(left, "word")} still ${left === 1 ? "fits" : "fit"}.`, words: listed(words, left),
  });
}

function showParts() {
  const { over, share, letter, history: { length: count } } = round;
  show({
    result: over, keys: !over, "give-up": !over, next: over && isDaily(), again: over && !isDaily(), share,
    export: over && count, review: over && count && count <= MOST_REVIEWED && !letter,
    ask: !over && !isHangman() && !isDaily() && !letter && count <= MOST_ADVISED,
  });
  document.querySelector(".play").classList.toggle("over", Boolean(over));
  at("ask").hash = at("review").hash = roundText(round, rows());
}

function showFigures() {
  const { series, over, helped, history } = round;
  drawStats({ series, name: practiceName(), mine: over === "found" && !helped ? history.length : 0 });
}

async function judge() {
  const { game, hard } = round, request = { game, hard, history: rows() };
  write({ scores: "· skill … · luck …" });
  const ask = (signal) => streamed("review", request, signal);
  const answer = await judging.run(ask, () => write({ scores: "" }));
  if (!answer) return;
  verdict = answer.verdict;
  write({ scores: `· ${answer.scores.replace(", ", " · ")}` });
}

function showChoices(segment, { game: asked, host, length, hard } = {}) {
  for (const link of at("segments").children) link.ariaCurrent = link.hash === `#${segment}` ? "page" : null;
  const games = choices.segments[segment] ?? ["wordle"], game = asked ?? games[0];
  const hosts = choices.games[game] ?? [], isOfDay = segment === "daily";
  at("choices").dataset.segment = segment;
  draw("game", options(games, game, (code) => choices.titles[code]));
  draw("host", options(hosts, host, (own) => choices.hosts[own]));
  at("length").value = length ?? at("length").value;
  at("hard").value = hard ?? at("hard").value;
  at("game").parentElement.hidden = games.length < 2;
  at("host").parentElement.hidden = isOfDay || hosts.length < 2;
  at("hard").parentElement.hidden = !choices.hard.includes(game);
  for (const option of at("hard").options) option.hidden = isOfDay && option.value.startsWith("from");
  const chosen = `${choices.titles[game]}, ${at("length").value} letters`;
  write({ new: isOfDay ? "Play this length" : "New round", chosen });
}

function addressOf({ day, length, round: name }) {
  if (day === undefined || !keeps()) return name;
  return day !== today() ? `daily/${length}/${day + 1}` : length === usual ? "daily" : `daily/${length}`;
}

/** Show another round than before. */
function turnTo() {
  const here = location.hash.slice(1), { game, host, source, targets } = round;
  const isOf = ([, games]) => games.includes(game);
  const [segment] = isDaily() ? ["daily"] : Object.entries(choices.segments).find(isOf);
  const address = last[segment] = addressOf(round);
  typed = "";
  judging.stop();
  verdict = null;
  const isKept = isDaily() || !here || isSegment(here) || here.includes("/");
  if (isKept) history.replaceState(null, "", `#${address}`);
  else if (here !== address) location.hash = address; // the Back button returns to the previous round
  showChoices(segment, round);
  makeKeys();
  const how = host === "honest" ? "" : `This host ${choices.hosts[host].replace(":", ": it")}. `;
  write({ what: `${how}${counted(targets, "possible word")}: ${source}.`, copied: "", scores: "" });
  at("left").open = at("figures").open = false;
}

function showRound(answer) {
  const isOther = round?.round !== answer.round;
  const isFresh = !isOther && answer.history.length > round.history.length;
  const isEnding = answer.over && (isOther || !round.over);
  round = answer;
  if (isOther) turnTo();
  showBoard(isFresh);
  showTexts();
  showParts();
  showFigures();
  markKeys();
  problem(answer.note);
  if (!isEnding) return;
  at("figures").open = true;
  if (!at("review").hidden) judge();
}

/** Store what this browser played: a daily round after each guess, any other round at its end. */
function keep({ over, series, day, helped, hard, note, history }, name) {
  const end = over && (over === "found" ? over : "lost"), isNew = name !== "play-round" && !note;
  if (day === undefined) {
    if (over && isNew) keepPractice(practiceName(), over === "found", helped ? 0 : history.length);
  } else if (!daily(series, day)?.end) {
    const more = Object.entries({ end, hard: Boolean(hard), help: helped, late: end && day !== today() });
    const set = Object.fromEntries(more.filter(([, value]) => value));
    keepDaily(series, day, { rows: rows(history), ...set });
  }
}

async function asked(name, request) {
  at("board").ariaBusy = "true";
  try {
    const answer = await posted(name, request);
    if (name !== "play-new") keep(answer, name);
    showRound(answer);
    return answer;
  } catch (error) {
    if (error.status === 410 && name === "play-guess" && isDaily()) { // the server restarted
      await openDaily(round.length, round.day, { hard: round.hard });
      return await asked(name, { ...request, round: round.round });
    }
    problem(error.message);
    return null;
  } finally {
    at("board").ariaBusy = "false";
  }
}

async function openDaily(length, day, { hard = "", note } = {}) {
  const request = { length, day, hard };
  try {
    let answer = await posted("play-new", request);
    const own = daily(answer.series, day);
    if (own) {
      const kept = { hard: own.hard ? "hard" : "", words: Boolean(own.help), history: own.rows };
      answer = await posted("play-new", { ...request, ...kept });
    }
    if (own?.end && !answer.over) answer = await posted("play-end", { round: answer.round });
    showRound({ ...answer, note });
    focusRound();
  } catch (error) {
    problem(error.message);
    if (!round) showChoices("daily", { length });
    write({ status: "There is no daily word to play." });
  }
}

async function overtaken() {
  const own = round && isDaily() && daily(round.series, round.day);
  if (!own || (own.rows.join() === rows().join() && Boolean(own.end) === Boolean(round.over))) return false;
  await openDaily(round.length, round.day, { note: "You played on in another tab. This is the round now." });
  return true;
}

/** Focus the typing row, or after the end the heading: so no key press starts a new round. */
function focusRound() {
  at(round.over ? "title" : "typing").focus({ preventScroll: true });
}

async function guess(word) {
  if (await overtaken()) return;
  const request = { round: round.round, guess: word, turn: round.history.length + 1, words: at("left").open };
  const answer = await asked("play-guess", request);
  at("typing").classList.toggle("refused", !answer);
  if (!answer || answer.note) return;
  typed = "";
  showTyping();
  if (round.over) focusRound();
}

async function press(name) {
  if (!round || round.over) return;
  const letters = spell(typed), letter = /^\p{L}\p{M}*$/u.test(name) ? name.toLowerCase() : "";
  if (isHangman()) {
    if (letter) await guess(letter);
  } else if (name === "Enter") {
    if (letters.length === round.length) await guess(typed);
    else problem(`Too short: this word has ${round.length} letters.`);
  } else if (name === "Backspace" || (letter && letters.length < round.length)) {
    typed = letter ? typed + letter : letters.slice(0, -1).join("");
    problem();
    showTyping();
  }
}

function queued(task) {
  queue = queue.then(task).catch((error) => problem(error.message));
}

/** Send a request after those before it, and focus the round. */
function ask(name, request) {
  queued(async () => {
    if (await asked(name, request)) focusRound();
    else if (!round) write({ status: "There is no round here." });
  });
}

function begin() {
  const { length: size, ...chosen } = Object.fromEntries(new FormData(at("choices"))), length = Number(size);
  if (at("choices").dataset.segment !== "daily") ask("play-new", { ...chosen, length });
  else queued(() => openDaily(length, today(), { hard: chosen.hard && "hard" }));
}

/** Open the address: a daily word, a segment, a position to play from, or a round by name. */
function open() {
  const name = location.hash.slice(1);
  const [ofDay, length, day] = /^daily(?:\/(\d+))?(?:\/(\d+))?$/.exec(name || "daily") ?? [];
  if (ofDay) queued(() => openDaily(Number(length ?? usual), day ? Number(day) - 1 : today()));
  else if (last[name]) location.replace(`#${last[name]}`);
  else if (isSegment(name)) {
    showChoices(name, { length: round?.length ?? usual });
    begin();
  } else if (name !== round?.round) {
    const [code = "", size, ...history] = partsOf(), [, game, hard = ""] = gameOf(code);
    if (size) ask("play-new", { game, length: Number(size), hard, history });
    else ask("play-round", { round: name });
  }
}

function share() {
  const [head, ...squares] = (verdict?.share || round.share).split("\n");
  const name = isDaily() ? `gpulingo ${round.number}` : "gpulingo", star = round.helped ? " *" : "";
  const text = [head.replace("gpulingo", name) + star, ...squares].join("\n");
  const isHigh = document.body.classList.contains("contrast");
  copy(isHigh ? text.replaceAll("🟩", "🟧").replaceAll("🟨", "🟦") : text, true);
}

listen("click", {
  again: begin, share,
  "to-figures"() {
    at("figures").open = true;
    at("figures").firstElementChild.focus();
  },
  "give-up"({ target }) {
    if (target.textContent === "Give up") target.textContent = "Really give up?";
    else ask("play-end", { round: round.round });
  },
  keys({ target }) {
    const name = target.closest("[data-key]")?.dataset.key;
    if (name) queued(() => press(name));
  },
  export: () => copy(rows().join(" ")),
  "copy-stats": () => copy(exported()),
});
listen("submit", { choices: begin });
listen("change", {
  game: ({ target }) => showChoices(at("choices").dataset.segment, { game: target.value }),
});
listen("blur", { "give-up": () => write({ "give-up": "Give up" }) });
// Else the key gets the focus, and Enter presses it.
listen("mousedown", { keys: (event) => event.preventDefault() });
listen("toggle", {
  left() {
    if (at("left").open && round) queued(() => asked("play-round", { round: round.round, words: true }));
  },
});
listen("input", {
  async "paste-stats"({ target }) {
    const { imported } = await import("./pasted.js"), isRead = imported(target.value);
    const fault = "Not read: paste what “Copy my statistics” gave, or the New York Times' own counts.";
    write({ kept: isRead ? "The statistics were added." : fault });
    if (!isRead) return;
    target.value = "";
    queued(async () => await overtaken() || showFigures());
  },
});
addEventListener("storage", () => queued(overtaken));
addEventListener("keydown", (event) => {
  const { key, target, repeat, isComposing } = event, isEnter = key === "Enter";
  if (isShortcut(event) || isComposing || !round || round.over) return;
  if (target.closest("input, select, dialog")) return;
  if (isEnter && (repeat || target.closest("button, a, summary"))) return;
  if (!isEnter && key !== "Backspace" && !/^\p{L}$/u.test(key)) return;
  event.preventDefault();
  at("typing").focus({ preventScroll: true }); // so that Enter guesses, whatever had the focus
  queued(() => press(key));
});
addEventListener("hashchange", open);

draw("length", options(choices.lengths));
open();
