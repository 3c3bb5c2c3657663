// The play: a round against a host, honest or cheating. The server keeps it; its name is in the address.

import { makeKeys, markKeys } from "./keys.js";
import { at, complaint, made, posted, problem, said, tile, told } from "./page.js";
import { Round } from "./round.js";
import { bestMarks, hints } from "./shown.js";

const HOSTS = {
  honest: "honest: a word at random",
  largest: "cheats: keeps the most words",
  adversary: "cheats: keeps the hardest words",
  diversity: "cheats: keeps the most letters",
};
const HELP = {
  words: "Type a word, or press the keys; Enter guesses, Backspace takes a letter back. A word that may not be guessed costs nothing.",
  letters: "Type a letter, or press a key. Only a letter that the word lacks costs a life.",
};
const MOST_ADVISED = 6; // guesses of Wordle, as which rounds without end are advised
const MOST_REVIEWED = 32; // guesses of a round that an address tells
const choices = await told("play-games").catch((error) => {
  problem(complaint(error));
  return { games: {}, hard: [], lengths: [] };
});
let round = null; // as the server tells it
let typed = "";
let queue = Promise.resolve(); // keys are taken one after the other, however fast they come

const letters = () => round.game === "hangman";
const wanted = () => at("left").open && at("which").open;
const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

function blank(letter = "") {
  return made("span", letter, { className: "tile empty" });
}

/** Tiles of an unfinished word. */
function row(text, length) {
  return Array.from({ length }, (_, place) => blank([...text][place]));
}

function showBoard() {
  at("board").className = round.length > 16 ? "long longest" : round.length > 9 ? "long" : "";
  at("rows").replaceChildren(...(letters() ? [] : round.history).map(([word, marks]) => {
    const item = made("li");
    item.setAttribute("aria-label", said(word, marks));
    item.append(...[...word].map((letter, place) => tile(letter, marks[place], "span")));
    return item;
  }));
  const open = (round.turns ?? 0) - round.history.length - 1;
  at("rest").replaceChildren(...Array.from({ length: letters() || round.over ? 0 : Math.max(0, open) }, () => {
    const line = made("div", undefined, { className: "row" });
    line.append(...row("", round.length));
    return line;
  }));
  showTyping();
}

function showTyping() {
  const own = at("typing");
  own.hidden = Boolean(round.over) && !letters();
  if (letters()) {
    const shown = [...round.shown];
    own.setAttribute("aria-label", `Word: ${shown.map((letter) => (letter === "_" ? "blank" : letter)).join(", ")}`);
    own.replaceChildren(...shown.map((letter, place) =>
      letter !== "_" ? tile(letter, "O", "span") : round.word ? tile([...round.word][place], "X", "span") : blank()));
  } else {
    const what = typed ? [...typed].join(", ") : "nothing typed";
    own.setAttribute("aria-label", `Guess ${round.history.length + 1}: ${what}`);
    own.replaceChildren(...row(typed, round.length));
  }
}

function showStatus() {
  const last = round.history.at(-1);
  const heard = last && !letters() ? `${said(...last)}. ` : "";
  at("status").replaceChildren(made("span", heard, { className: "heard" }));
  let text = round.end;
  if (!text && letters()) text = `${plural(round.lives - round.misses, "life", "lives")} left of ${round.lives}.`;
  if (!text) text = `Guess ${round.history.length + 1}${round.turns ? ` of ${round.turns}` : ""}.`;
  at("status").append(text);
  at("status").classList.toggle("end", Boolean(round.over));
  const missed = letters() ? round.history.filter(([, places]) => !places.includes("O")).map(([letter]) => letter) : [];
  at("missed").hidden = !letters();
  at("missed").textContent = missed.length ? `Not in the word: ${missed.join(" ")}` : "No letter was missed yet.";
}

/** The round as an address of another view. */
function text() {
  const own = Object.assign(new Round(), { game: round.game, length: round.length, hard: round.hard });
  own.rows = round.history.map(([word, marks]) => ({ word, marks: [...marks] }));
  return own.text();
}

function showLinks() {
  const over = Boolean(round.over), count = round.history.length;
  const asks = round.hard && count + 1 >= Number(round.hard.replace(/\D/g, "")); // hard mode, of this guess
  at("again").hidden = !over;
  at("give-up").hidden = over;
  at("hints").textContent = asks && !over ? hints(round.history, round.length) : "";
  at("hints").hidden = !at("hints").textContent;
  at("ask").hidden = over || letters() || count > MOST_ADVISED;
  at("ask").href = `./#${text()}`;
  at("review").hidden = !over || count === 0 || count > MOST_REVIEWED;
  at("review").href = `review#${text()}`;
}

function showLeft() {
  at("count").textContent = `${plural(round.left, "word")} ${round.left === 1 ? "fits" : "fit"} what was shown.`;
  const more = round.left - round.words.length;
  at("words").textContent = round.words.length
    ? round.words.join(" ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "") : "";
}

function marksOfKeys() {
  if (!letters()) return bestMarks(round.history);
  return Object.fromEntries(round.history.map(([letter, places]) => [letter, places.includes("O") ? "O" : "X"]));
}

function showChoices(game, own = {}) {
  at("game").value = game;
  at("host").replaceChildren(...(choices.games[game] ?? []).map((host) => made("option", HOSTS[host] ?? host, { value: host })));
  if (own.host) at("host").value = own.host;
  if (own.length) at("length").value = own.length;
  at("hard-label").hidden = !choices.hard.includes(game);
  at("hard").value = own.hard ?? at("hard").value;
}

function show(answer) {
  const other = round?.round !== answer.round;
  round = answer;
  if (other) {
    typed = "";
    showChoices(round.game, round);
    if (!location.hash.slice(1)) history.replaceState(null, "", `#${round.round}`); // Back leaves the page
    else if (location.hash.slice(1) !== round.round) location.hash = round.round;
    const who = round.host === "honest" ? "The host has drawn one" : "The host cheats and has not chosen";
    at("what").textContent = `${who} of ${plural(round.targets, "word")} of ${round.length} letters: ${round.source}.`;
    makeKeys(at("keys"), round.letters, !letters());
    at("round-title").textContent = letters() ? "The word" : "Your guesses";
    at("help").textContent = HELP[letters() ? "letters" : "words"];
  }
  showBoard();
  showStatus();
  markKeys(at("keys"), marksOfKeys(), Boolean(round.over));
  showLinks();
  showLeft();
  problem(answer.note ?? "");
}

/** Ask the server, and show what it answers; the answer, or null where there is none. */
async function asked(name, request) {
  at("board").setAttribute("aria-busy", "true");
  try {
    const answer = await posted(name, request);
    show(answer);
    return answer;
  } catch (error) {
    problem(complaint(error));
    return null;
  } finally {
    at("board").setAttribute("aria-busy", "false");
  }
}

async function guess(word) {
  const turn = round.history.length + 1;
  const answer = await asked("play-guess", { round: round.round, guess: word, turn, words: wanted() });
  if (!answer || answer.note) return;
  typed = "";
  showTyping();
  if (round.over) at("again").focus();
}

async function press(name) {
  if (!round || round.over) return;
  if (letters()) {
    if (/^\p{L}$/u.test(name)) await guess(name.toLowerCase());
    return;
  }
  const count = [...typed].length;
  if (name === "Enter") {
    if (count === round.length) await guess(typed);
    else problem(`“${typed}” has ${plural(count, "letter")}, expected ${round.length}.`);
    return;
  }
  if (name === "Backspace") typed = [...typed].slice(0, -1).join("");
  else if (/^\p{L}$/u.test(name) && count < round.length) typed += name.toLowerCase();
  else return;
  problem("");
  showTyping();
}

function queued(task) {
  queue = queue.then(task).catch((error) => problem(complaint(error)));
}

function begin() {
  const request = {
    game: at("game").value, length: Number(at("length").value), host: at("host").value, hard: at("hard").value,
    words: wanted(),
  };
  queued(async () => {
    if (await asked("play-new", request)) at("typing").focus();
  });
}

function openRound() {
  const name = location.hash.slice(1);
  if (!name) begin();
  else if (name !== round?.round) {
    queued(async () => {
      if (await asked("play-round", { round: name, words: wanted() })) at("typing").focus();
      else if (round) history.replaceState(null, "", `#${round.round}`);
      else at("status").textContent = "There is no round here.";
    });
  }
}

at("choices").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
at("game").addEventListener("change", () => showChoices(at("game").value));
at("again").addEventListener("click", begin);
at("give-up").addEventListener("click", () => queued(async () => {
  if (await asked("play-end", { round: round.round, words: wanted() })) at("again").focus();
}));
at("keys").addEventListener("mousedown", (event) => event.preventDefault()); // else Enter would press it again
at("keys").addEventListener("click", (event) => {
  const name = event.target.closest("[data-key]")?.dataset.key;
  if (name) queued(() => press(name));
});
for (const own of [at("left"), at("which")]) {
  own.addEventListener("toggle", () => {
    if (wanted() && round) queued(() => asked("play-round", { round: round.round, words: true }));
  });
}
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter") event.preventDefault(); // held, it would begin another round
  if (event.repeat && event.key === "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, select")) return;
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
  if (!["Enter", "Backspace"].includes(event.key) && !/^\p{L}$/u.test(event.key)) return;
  event.preventDefault();
  at("typing").focus(); // so that Enter guesses, whatever was pressed before
  queued(() => press(event.key));
});
addEventListener("hashchange", openRound);

at("game").replaceChildren(...Object.keys(choices.games).map((game) => made("option", game, { value: game })));
at("length").replaceChildren(...choices.lengths.map((length) => made("option", length, { value: length })));
showChoices("wordle", { length: choices.lengths.includes(5) ? 5 : choices.lengths[0] });
if (choices.lengths.length) openRound();
