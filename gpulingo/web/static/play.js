// Play: a round against a host, honest or cheating. The server stores it under the name in the address; the address of
// a daily round is its day, and the browser stores its guesses.

import {
  at, choose, complaint, counted, gameName, spell, linkTo, listed, made, MARKS, NAMES, number, partsOf,
  posted, problem, roundText, said, SIGNS, streamed, tile, told,
} from "./page.js";
import { copy } from "./played.js";
import { daily, drawStats, exported, imported, keepDaily, keepPractice, keeps, today } from "./stats.js";

const HOSTS = {
  __proto__: null,
  honest: "honest: a word at random",
  largest: "cheats: keeps the biggest group of words",
  adversary: "cheats: keeps the hardest group of words",
  diversity: "cheats: keeps the group with most letters",
};
const MOST_ADVISED = 6; // a round without a turn limit is sent to the assistant as Wordle
const MOST_REVIEWED = 32; // guesses that fit in an address
const LATIN = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const COMMANDS = { Enter: "Enter", Backspace: "⌫" };
const ROW = 10; // keys in an extra row
const choices = await told("play-games").catch((error) => {
  problem(complaint(error));
  at("status").textContent = "";
  return { games: {}, hard: [], lengths: [], segments: {} };
});
const usual = choices.lengths.includes(5) ? 5 : choices.lengths[0];
const last = { __proto__: null }; // segment -> address of its last round
let round = null; // the server's latest answer
let typed = "";
let queue = Promise.resolve(); // key presses and requests run one after another
let judging = null; // AbortController of the review of a finished round
let verdict = null;

const isSegment = (name) => Object.hasOwn(choices.segments, name);
const letters = () => round.game === "hangman";
const isDaily = () => round.day !== undefined;
const practiceName = () => `${round.game}/${round.length}/${round.host}`;
const turnText = () => `${round.history.length + 1}${round.turns ? ` of ${round.turns}` : ""}`;

const rows = (own = round) => own.history.map((guessed) => guessed.join(":"));

function row(text, turn) {
  const known = [...(text || (turn === round.history.length ? round.letter ?? "" : ""))];
  const tiles = Array.from({ length: round.length }, (_, place) => known[place])
    .map((letter) => made("span", letter, { className: letter ? "tile empty typed" : "tile empty" }));
  return [...tiles, ...points(turn)];
}

function points(turn) {
  return round.points?.length ? [made("span", round.points[turn], { className: "points" })] : [];
}

function showBoard(fresh) {
  const { history, length, turns, over, lives, misses } = round;
  at("board").className = length > 16 ? "long longest" : length > 9 ? "long" : "";
  at("rows").replaceChildren(...(letters() ? [] : history).map(([word, marks], turn) => {
    const tiles = spell(word).map((letter, place) => tile(letter, marks[place], "span"));
    return made("li", [...tiles, ...points(turn)], { className: fresh && turn === history.length - 1 ? "new" : "", ariaLabel: said(word, marks) });
  }));
  const open = letters() || over ? 0 : Math.max(0, (turns ?? 0) - history.length - 1);
  at("rest").replaceChildren(...Array.from({ length: open }, (_, more) => made("div", row("", history.length + 1 + more), { className: "row" })));
  at("gallows").toggleAttribute("hidden", !letters());
  if (letters()) {
    const paths = [...at("gallows").children], missed = history.filter(([, places]) => !places.includes("O")).map(([letter]) => letter);
    paths.forEach((path, place) => path.classList.toggle("drawn", place < Math.ceil((paths.length * misses) / lives)));
    const what = missed.length ? `Not in the word: ${missed.join(", ")}.` : "No letter was missed yet.";
    at("gallows").ariaLabel = `${lives - misses} of ${counted(lives, "life", "lives")} left. ${what}`;
  }
  showTyping();
}

function showTyping() {
  const own = at("typing"), { history, length, shown, over, word } = round;
  own.hidden = Boolean(over) && !letters();
  own.classList.remove("refused");
  if (letters()) {
    own.ariaLabel = `Word: ${[...shown].map((letter) => (letter === "_" ? "blank" : letter)).join(", ")}`;
    own.replaceChildren(...[...shown].map((letter, place) =>
      letter !== "_" ? tile(letter, "O", "span") : word ? tile(spell(word)[place], "X", "span") : row("", 0)[0]));
  } else {
    own.ariaLabel = `Guess ${turnText()}, ${length} letters: ${typed ? spell(typed).join(", ") : "nothing typed"}${round.letter ? `; the word begins with ${round.letter}` : ""}`;
    own.replaceChildren(...row(typed, history.length));
  }
}

/** Rows of keys as on an English keyboard; other letters follow below in their order. */
function rowsOf(letters) {
  const all = spell(letters);
  const rows = LATIN.map((row) => [...row].filter((letter) => all.includes(letter))).filter((row) => row.length > 0);
  const others = all.filter((letter) => !LATIN.join("").includes(letter));
  for (let start = 0; start < others.length; start += ROW) rows.push(others.slice(start, start + ROW));
  return rows;
}

function key(name, text = name) {
  const node = made("button", text, { type: "button", className: name in COMMANDS ? "command" : "", ariaLabel: name });
  node.dataset.key = name;
  return node;
}

function makeKeys(place, letters, commands) {
  const rows = rowsOf(letters).map((row) => row.map((letter) => key(letter)));
  if (commands) {
    const [enter, back] = Object.entries(COMMANDS).map(([name, text]) => key(name, text));
    rows.at(-1).unshift(enter);
    rows.at(-1).push(back);
  }
  place.replaceChildren(...rows.map((row) => made("div", row)));
}

/** Colour each key by the best mark of its letter; the nodes stay, so that no click in progress is lost. */
function markKeys(place, marks, idle) {
  for (const node of place.querySelectorAll("button")) {
    const letter = node.dataset.key;
    node.disabled = idle;
    if (letter in COMMANDS) continue;
    const mark = marks[letter];
    node.className = mark === "?" ? "M" : mark ?? "";
    if (mark) node.dataset.sign = SIGNS[mark];
    else delete node.dataset.sign;
    node.ariaLabel = mark ? `${letter}, ${NAMES[mark]}` : letter;
  }
}

function bestMarks(history) {
  const best = { __proto__: null };
  for (const [word, marks] of history) {
    spell(word).forEach((letter, place) => {
      const mark = marks[place];
      if (!(letter in best) || MARKS.indexOf(mark) > MARKS.indexOf(best[letter])) best[letter] = mark;
    });
  }
  return best;
}

/** Show the texts of the round: turn, counts, hints; at the end the word and how the round ended. */
function showTexts() {
  const { history, lives, misses, before, left, host, over, end, dated } = round, latest = history.at(-1);
  const counts = host === "honest" || !latest ? "" : `${number(before)} → ${number(left)} words still possible.`;
  const heard = latest && !letters() ? `${said(...latest)}. ${counts} ` : `${counts} `;
  at("status").replaceChildren(made("span", heard, { className: "heard" }),
    end || (letters() ? `${lives - misses} of ${counted(lives, "life", "lives")} left` : `Guess ${turnText()}`));
  at("status").classList.toggle("heard", Boolean(over)); // the text is shown below the word
  at("hints").textContent = [round.hints, counts, round.asks].filter(Boolean).join(" ");
  at("title").textContent = isDaily() ? `Daily ${round.number}` : gameName(round.game);
  at("dated").textContent = over ? dated ?? "" : "";
  document.title = `${at("title").textContent} · gpulingo`;
  at("word").textContent = round.word ?? "";
  at("end").textContent = end.replace(/\.$/, "");
  const minutes = Math.ceil((new Date().setHours(24, 0, 0, 0) - Date.now()) / 60000);
  at("until").textContent = `Next word in ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  at("count").textContent = `${counted(left, "word")} still ${left === 1 ? "fits" : "fit"}.`;
  at("words").textContent = listed(round.words, left);
}

function showParts() {
  const over = Boolean(round.over), count = round.history.length;
  const parts = {
    result: over, keys: !over, "give-up": !over, next: over && isDaily(), again: over && !isDaily(), share: round.share,
    export: over && count, review: over && count && count <= MOST_REVIEWED && !round.letter,
    ask: !over && !letters() && !isDaily() && !round.letter && count <= MOST_ADVISED,
  };
  for (const [id, own] of Object.entries(parts)) at(id).hidden = !own;
  document.querySelector(".play").classList.toggle("over", over);
  at("ask").href = linkTo("", roundText(round, rows()));
  at("review").href = linkTo("review", roundText(round, rows()));
}

function showFigures() {
  const { series, over, helped, history } = round;
  drawStats({ series, name: practiceName(), mine: over === "found" && !helped ? history.length : 0 });
}

async function judge() {
  const { signal } = judging = new AbortController();
  at("scores").textContent = "· skill … · luck …";
  const request = { game: round.game, hard: round.hard, history: rows() };
  const answer = await streamed("review", request, signal).catch(() => null);
  if (signal.aborted) return;
  verdict = answer?.verdict ?? null;
  at("scores").textContent = verdict ? `· ${answer.scores.replace(", ", " · ")}` : "";
}

function showChoices(segment, own = {}) {
  for (const link of at("segments").children) link.ariaCurrent = link.hash === `#${segment}` ? "page" : null;
  const games = choices.segments[segment] ?? ["wordle"], game = own.game ?? games[0], isOfDay = segment === "daily";
  at("choices").dataset.segment = segment;
  choose(at("game"), games, game, gameName);
  choose(at("host"), choices.games[game] ?? [], own.host, (host) => HOSTS[host] ?? host);
  at("length").value = own.length ?? at("length").value;
  at("hard").value = own.hard ?? at("hard").value;
  const hidden = { game: games.length < 2, host: isOfDay || at("host").length < 2, hard: !choices.hard.includes(game) };
  for (const [id, gone] of Object.entries(hidden)) at(id).parentElement.hidden = gone;
  for (const option of at("hard").options) option.hidden = isOfDay && option.value.startsWith("from");
  at("new").textContent = isOfDay ? "Play this length" : "New round";
  at("chosen").textContent = `${gameName(game)}, ${at("length").value} letters`;
}

function addressOf({ day, length, round: name }) {
  if (day === undefined || !keeps()) return name;
  return day !== today() ? `daily/${length}/${day + 1}` : length === usual ? "daily" : `daily/${length}`;
}

function turnTo() {
  const here = location.hash.slice(1), segment = isDaily() ? "daily" : Object.keys(choices.segments).find((own) => choices.segments[own].includes(round.game));
  const address = last[segment] = addressOf(round);
  typed = "";
  judging?.abort();
  judging = verdict = null;
  if (isDaily() || !here || isSegment(here) || here.includes("/")) history.replaceState(null, "", `#${address}`);
  else if (here !== address) location.hash = address; // the Back button returns to the previous round
  showChoices(segment, round);
  makeKeys(at("keys"), round.letters, !letters());
  at("what").textContent = `${round.host === "honest" ? "" : `This host ${HOSTS[round.host].replace(":", ": it")}. `}${counted(round.targets, "possible word")}: ${round.source}.`;
  at("left").open = at("figures").open = false;
  at("copied").textContent = at("scores").textContent = "";
}

function show(answer) {
  const other = round?.round !== answer.round, fresh = !other && answer.history.length > round.history.length;
  const ends = answer.over && (other || !round.over);
  round = answer;
  if (other) turnTo();
  showBoard(fresh);
  showTexts();
  showParts();
  showFigures();
  markKeys(at("keys"), letters() ? bestMarks(round.history.map(([letter, row]) => [letter, row.includes("O") ? "O" : "X"])) : bestMarks(round.history), Boolean(round.over));
  problem(answer.note ?? "");
  if (!ends) return;
  at("figures").open = true;
  if (!at("review").hidden) judge();
}

/** Store what this browser played: a daily round after each guess, any other round at its end. */
function keep({ over, series, day, helped, hard, note, history }, name) {
  const end = over && (over === "found" ? "found" : "lost");
  if (day !== undefined && !daily(series, day)?.end) {
    const more = { ...(end && { end }), ...(hard && { hard: true }), ...(helped && { help: true }), ...(end && day !== today() && { late: true }) };
    keepDaily(series, day, { rows: rows({ history }), ...more });
  } else if (day === undefined && over && !note && name !== "play-round") keepPractice(practiceName(), over === "found", helped ? 0 : history.length);
}

async function asked(name, request) {
  at("board").ariaBusy = "true";
  try {
    const answer = await posted(name, request);
    if (name !== "play-new") keep(answer, name);
    show(answer);
    return answer;
  } catch (error) {
    if (error.status === 410 && name === "play-guess" && isDaily()) { // the server restarted
      await openDaily(round.length, round.day, { hard: round.hard });
      return await asked(name, { ...request, round: round.round });
    }
    problem(complaint(error));
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
    if (own) answer = await posted("play-new", { ...request, hard: own.hard ? "hard" : "", words: Boolean(own.help), history: own.rows });
    if (own?.end && !answer.over) answer = await posted("play-end", { round: answer.round });
    show({ ...answer, note });
    focusRound();
  } catch (error) {
    problem(complaint(error));
    if (!round) showChoices("daily", { length });
    at("status").textContent = "There is no daily word to play.";
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
  (round.over ? at("title") : at("typing")).focus({ preventScroll: true });
}

async function guess(word) {
  if (await overtaken()) return;
  const turn = round.history.length + 1;
  const answer = await asked("play-guess", { round: round.round, guess: word, turn, words: at("left").open });
  at("typing").classList.toggle("refused", !answer);
  if (!answer || answer.note) return;
  typed = "";
  showTyping();
  if (round.over) focusRound();
}

async function press(name) {
  if (!round || round.over) return;
  const count = spell(typed).length, letter = /^\p{L}\p{M}*$/u.test(name) ? name.toLowerCase() : "";
  if (letters()) {
    if (letter) await guess(letter);
  } else if (name === "Enter") {
    if (count === round.length) await guess(typed);
    else problem(`Too short: this word has ${round.length} letters.`);
  } else if (name === "Backspace" || (letter && count < round.length)) {
    typed = letter ? typed + letter : spell(typed).slice(0, -1).join("");
    problem("");
    showTyping();
  }
}

function queued(task) {
  queue = queue.then(task).catch((error) => problem(complaint(error)));
}

function begin() {
  const [game, host, hard] = ["game", "host", "hard"].map((id) => at(id).value), length = Number(at("length").value);
  if (at("choices").dataset.segment === "daily") queued(() => openDaily(length, today(), { hard: hard && "hard" }));
  else queued(async () => await asked("play-new", { game, host, hard, length }) && focusRound());
}

/** Open the address: a daily word, a segment, a position to play from, or a round by name. */
function open() {
  const name = location.hash.slice(1), [ofDay, length, day] = /^daily(?:\/(\d+))?(?:\/(\d+))?$/.exec(name || "daily") ?? [];
  if (ofDay) queued(() => openDaily(Number(length ?? usual), day ? Number(day) - 1 : today()));
  else if (last[name]) location.replace(`#${last[name]}`);
  else if (isSegment(name)) {
    showChoices(name, { length: round?.length ?? usual });
    begin();
  } else if (name !== round?.round) {
    const [code, size, ...guesses] = partsOf(name), [, game, hard = ""] = /^(.*?)(?:-((?:from\d-)?hard))?$/.exec(code ?? "");
    queued(async () => {
      if (await (size ? asked("play-new", { game, length: Number(size), hard, history: guesses }) : asked("play-round", { round: name }))) focusRound();
      else if (!round) at("status").textContent = "There is no round here.";
    });
  }
}

at("help").before(made("button", "", { type: "button", className: "icon", id: "to-figures", ariaLabel: "Statistics" }));
at("to-figures").addEventListener("click", () => {
  at("figures").open = true;
  at("figures").firstElementChild.focus();
});
at("choices").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
at("game").addEventListener("change", () => showChoices(at("choices").dataset.segment, { game: at("game").value }));
at("again").addEventListener("click", begin);
at("give-up").addEventListener("click", ({ target }) => {
  if (target.textContent === "Give up") target.textContent = "Really give up?";
  else queued(async () => await asked("play-end", { round: round.round }) && focusRound());
});
at("give-up").addEventListener("blur", ({ target }) => { target.textContent = "Give up"; });
at("keys").addEventListener("mousedown", (event) => event.preventDefault()); // else the key gets the focus, and Enter presses it again
at("keys").addEventListener("click", (event) => {
  const name = event.target.closest("[data-key]")?.dataset.key;
  if (name) queued(() => press(name));
});
at("left").addEventListener("toggle", () => {
  if (at("left").open && round) queued(() => asked("play-round", { round: round.round, words: true }));
});
at("share").addEventListener("click", () => {
  const [head, ...squares] = (verdict?.share || round.share).split("\n"), high = document.body.classList.contains("contrast");
  const named = head.replace("gpulingo", isDaily() ? `gpulingo ${round.number}` : "gpulingo") + (round.helped ? " *" : "");
  const text = [named, ...squares].join("\n");
  copy(high ? text.replaceAll("🟩", "🟧").replaceAll("🟨", "🟦") : text, true);
});
at("export").addEventListener("click", () => copy(rows().join(" ")));
at("copy-stats").addEventListener("click", () => copy(exported()));
at("paste-stats").addEventListener("input", ({ target }) => {
  const read = imported(target.value);
  at("kept").textContent = read ? "The statistics were added." : "Not read: paste what “Copy my statistics” gave.";
  if (!read) return;
  target.value = "";
  queued(async () => await overtaken() || showFigures());
});
addEventListener("storage", () => queued(overtaken));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !round || round.over) return;
  if (event.target.closest("input, select, dialog") || (event.key === "Enter" && (event.repeat || event.target.closest("button, a, summary")))) return;
  if (!["Enter", "Backspace"].includes(event.key) && !/^\p{L}$/u.test(event.key)) return;
  event.preventDefault();
  at("typing").focus({ preventScroll: true }); // so that Enter guesses, whatever had the focus
  queued(() => press(event.key));
});
addEventListener("hashchange", open);

choose(at("length"), choices.lengths);
if (choices.lengths.length) open();
