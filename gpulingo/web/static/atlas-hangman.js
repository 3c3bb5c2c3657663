// Hangman: who wins with so many lives at each length, from the misses that a perfect host can force.

import { computed } from "./atlas.js";
import { at, made, told } from "./page.js";
import { fill } from "./tables.js";

const USUAL = 6; // lives
const searched = new Set(); // lengths that the server is searching
let lengths = null;

/** Who wins a length with so many lives, in words and sign. */
function winner({ forced, enough }, lives) {
  if (forced === null || (forced < lives && !(enough !== null && enough < lives))) return made("td", "?");
  return forced < lives ? made("td", "✓ won", { className: "good" }) : made("td", "✗ lost", { className: "bad" });
}

function misses({ length, forced, enough }) {
  if (forced !== null) return made("td", enough === forced ? forced : `${forced} or more`);
  const disabled = searched.has(length), text = disabled ? "searching" : "compute";
  const button = made("button", text, { type: "button", disabled, ariaLabel: `compute ${length} letters` });
  button.dataset.length = length;
  return made("td", button);
}

function render() {
  if (at("part-hangman").hidden) return; // another part was opened meanwhile
  const most = Math.max(0, ...lengths.map((own) => own.forced ?? 0));
  const others = Array.from({ length: most + 1 }, (_, place) => place + 1).filter((lives) => lives !== USUAL);
  const row = (lives) => [`${lives} ${lives === 1 ? "life" : "lives"}`, ...lengths.map((own) => winner(own, lives))];
  fill(at("forced"), ["letters", ...lengths.map((own) => own.length)], [row(USUAL), ["misses forced", ...lengths.map(misses)], ...others.map(row)]);
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
