// Hangman's host: the misses that he can force, length by length, and who wins with so many lives.

import { at, complaint, made, posted, problem, showStatus, streamed } from "./page.js";
import { bar, counted, fill, number } from "./tables.js";

const MOST = 64; // lives: as many letters as the search takes
let rows = null;

function winner(row, lives) {
  if (row.forced === null) return "";
  if (row.forced >= lives) return "host";
  return row.enough !== null && row.enough < lives ? "guesser" : "not known";
}

const most = () => Math.max(26, ...rows.map((row) => row.forced ?? 0));

const searched = new Set(); // lengths that the server is searching

function cell(row) {
  if (row.forced !== null) {
    return bar(row.enough === row.forced ? row.forced : `at least ${row.forced}`, Math.min(1, row.forced / most()));
  }
  const node = made("td"), button = made("button", searched.has(row.length) ? "searching" : "compute", { type: "button" });
  button.disabled = searched.has(row.length);
  button.dataset.length = row.length;
  button.setAttribute("aria-label", `compute ${row.length} letters`);
  node.append(button);
  return node;
}

function render() {
  if (at("part-hangman").hidden) return; // another part was opened meanwhile
  const lives = Number(at("lives").value);
  fill(at("forced"), ["letters", "words", "misses forced", "winner"],
    rows.map((row) => [row.length, number(row.words), cell(row), winner(row, lives)]));
  const wins = rows.filter((row) => winner(row, lives) === "host").map((row) => row.length);
  const known = rows.filter((row) => row.forced !== null).length;
  at("status").textContent = known === 0 ? "Nothing is known of this list yet: compute a length, which takes some seconds."
    : `With ${counted(lives, "life", "lives")} the host wins at ${wins.length ? `${wins.join(", ")} letters` : "no length"}; ${known} of ${rows.length} lengths are known.`;
}

export async function showHost([lives], signal) {
  if (/^\d{1,2}$/.test(lives ?? "") && lives >= 1 && lives <= MOST) at("lives").value = Number(lives);
  rows ??= (await posted("atlas-misses", {}, signal)).lengths;
  if (!signal.aborted) render();
}

at("lives-form").addEventListener("submit", (event) => event.preventDefault());
at("lives").addEventListener("input", () => {
  const lives = Number(at("lives").value);
  const fits = Number.isInteger(lives) && lives >= 1 && lives <= MOST;
  problem(fits ? "" : `Give 1 to ${MOST} lives.`);
  if (fits) {
    history.replaceState(null, "", `#hangman/${lives}`);
    document.querySelector('#parts a[href^="#hangman"]').setAttribute("href", location.hash);
  }
  if (fits && rows) render();
});
at("forced").addEventListener("click", async (event) => {
  const length = Number(event.target.dataset.length);
  if (!length || event.target.disabled) return;
  searched.add(length);
  render();
  problem("");
  let fault = "";
  try {
    const waits = (part) => at("part-hangman").hidden || showStatus(part);
    const found = await streamed("atlas-force", { length }, undefined, waits);
    rows = rows.map((row) => (row.length === length ? found : row));
  } catch (error) {
    fault = complaint(error);
  }
  searched.delete(length);
  if (at("part-hangman").hidden) return;
  const idle = document.activeElement === document.body; // nobody has gone on to something else
  render();
  if (fault) problem(fault);
  if (idle) at("forced").querySelector("button:enabled")?.focus();
});
