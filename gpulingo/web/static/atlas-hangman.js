// Hangman: the misses that a perfect host can force at each length, and who wins with the usual lives.

import { computed } from "./atlas.js";
import { at, made, told } from "./page.js";
import { bar, fill } from "./tables.js";

const USUAL = 6; // lives
const searched = new Set(); // lengths that the server is searching
let lengths = null;

function winner({ forced, enough }) {
  if (forced === null || (forced < USUAL && !(enough !== null && enough < USUAL))) return made("td", "?");
  return forced < USUAL ? made("td", "✓ won", { className: "good" }) : made("td", "✗ lost", { className: "bad" });
}

function misses({ length, forced, enough }, most) {
  if (forced !== null) return bar(enough === forced ? forced : `${forced} or more`, forced / most);
  const disabled = searched.has(length), text = disabled ? "searching" : "compute";
  const button = made("button", text, { type: "button", disabled, ariaLabel: `compute ${length} letters` });
  button.dataset.length = length;
  return made("td", button);
}

function render() {
  if (at("part-hangman").hidden) return; // another part was opened meanwhile
  const most = Math.max(1, ...lengths.map((own) => own.forced ?? 0));
  fill(at("forced"), ["letters", "misses forced", `with ${USUAL} lives`], lengths.map((own) => [own.length, misses(own, most), winner(own)]));
  const wins = lengths.filter((own) => own.forced >= USUAL).map((own) => own.length), known = lengths.filter((own) => own.forced !== null);
  at("status").textContent = known.length === 0 ? "Not computed for this list yet. Compute takes some seconds."
    : `With ${USUAL} lives the host wins at ${wins.length ? `${wins.join(", ")} letters` : "no length"}; ${known.length} of ${lengths.length} lengths are known.`;
}

export async function show(rest, signal) {
  lengths ??= (await told("atlas-misses")).lengths;
  if (!signal.aborted) render();
}

at("forced").addEventListener("click", async ({ target }) => {
  const length = Number(target.dataset.length);
  if (!length || target.disabled) return;
  searched.add(length);
  render();
  const found = await computed("atlas-force", { length }, at("part-hangman"));
  if (found) lengths = lengths.map((own) => (own.length === length ? found : own));
  searched.delete(length);
  const idle = document.activeElement === document.body; // nobody has gone on to something else
  render();
  if (idle) at("forced").querySelector("button:enabled")?.focus();
});
