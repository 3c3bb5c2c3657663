// Explore: which part is shown, by the address, and what all parts know of the trees.

import { at, complaint, counted, gameName, made, number, partsOf, problem, showNotes, streamed, told } from "./page.js";
import { bar, fill, smallBar } from "./tables.js";

const PARTS = ["trees", "bounds", "hangman", "racks"];
const USUAL = 6; // lives
const searched = new Set(); // lengths that the server is searching
let lengths = null; // of the words, with the misses that a perfect host forces
let kept = null; // what the server says of the trees, asked for once
let asking = null; // what stops the requests on their way

async function trees(signal) {
  kept ??= await told("atlas-trees");
  if (!signal.aborted) showNotes(kept.notes);
  return kept;
}

/** The answer to what takes long, asked for in a part of the page; null where that is hidden, or a fault was told. */
export async function computed(name, request, part) {
  problem("");
  try {
    const answer = await streamed(name, request, undefined, ({ status }) => {
      if (status && !part.hidden) at("status").textContent = status;
    });
    return part.hidden ? null : answer;
  } catch (error) {
    if (!part.hidden) problem(complaint(error));
    return null;
  }
}

const figure = ([name, cell]) => `${cell} ${name === "won, %" ? "% won" : name.replace(/^mean (.*)/, "$1 on average")}`;

function known({ game, length, opening, cells, bound, gap, optimal, share, words }) {
  const figures = [opening, ...Object.entries(cells).map(figure), `limit ${bound}`, counted(words, "word")].join(" · ");
  const parts = [made("b", `${length} letters`), smallBar(["f1", share], ["limit", 1 - share]), made("em", gap, { className: optimal ? "proven" : "" }), made("small", figures)];
  return made("li", made("a", parts, { className: "known", href: `#trees/${game}/${length}` }));
}

async function showBounds(rest, signal) {
  const stored = await trees(signal);
  if (signal.aborted) return;
  const games = [...new Set(stored.trees.map((tree) => tree.game))];
  at("by-game").replaceChildren(...games.map((game) => {
    const list = made("ol", stored.trees.filter((tree) => tree.game === game).map(known), { className: "list" });
    return made("section", [made("h3", gameName(game)), list], { className: "card" });
  }));
  const optimal = stored.trees.filter((tree) => tree.optimal).length;
  at("status").textContent = stored.none || `${counted(stored.trees.length, "strategy", "strategies")}, ${number(optimal)} proven best.`;
}

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

function showMisses() {
  if (at("part-hangman").hidden) return; // another part was opened meanwhile
  const most = Math.max(1, ...lengths.map((own) => own.forced ?? 0));
  fill(at("forced"), ["letters", "misses forced", `with ${USUAL} lives`], lengths.map((own) => [own.length, misses(own, most), winner(own)]));
  const wins = lengths.filter((own) => own.forced >= USUAL).map((own) => own.length), known = lengths.filter((own) => own.forced !== null);
  at("status").textContent = known.length === 0 ? "Not computed for this list yet. Compute takes some seconds."
    : `With ${USUAL} lives the host wins at ${wins.length ? `${wins.join(", ")} letters` : "no length"}; ${known.length} of ${lengths.length} lengths are known.`;
}

async function showHangman(rest, signal) {
  lengths ??= (await told("atlas-misses")).lengths;
  if (!signal.aborted) showMisses();
}

async function show() {
  const [name, ...rest] = partsOf(location.hash.slice(1));
  const part = PARTS.includes(name) ? name : "trees";
  for (const link of at("parts").children) {
    const own = link.hash.slice(1).split("/")[0] === part;
    link.ariaCurrent = own ? "page" : null;
    if (own) document.title = `Explore: ${link.textContent} · gpulingo`;
    if (own && name === part) link.href = location.hash; // where one comes back to
  }
  for (const other of PARTS) at(`part-${other}`).hidden = other !== part;
  at("status").classList.toggle("heard", ["trees", "racks"].includes(part));
  showNotes();
  asking?.abort();
  const here = (asking = new AbortController());
  problem("");
  try {
    const shows = { bounds: showBounds, hangman: showHangman }[part] ?? (await import(`./atlas-${part}.js`)).show;
    if (!here.signal.aborted) await shows(rest, here.signal, trees);
  } catch (error) {
    if (here.signal.aborted) return;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

at("forced").addEventListener("click", async ({ target }) => {
  const length = Number(target.dataset.length);
  if (!length || target.disabled) return;
  searched.add(length);
  showMisses();
  const found = await computed("atlas-force", { length }, at("part-hangman"));
  if (found) lengths = lengths.map((own) => (own.length === length ? found : own));
  searched.delete(length);
  const idle = document.activeElement === document.body; // nobody has gone on to something else
  showMisses();
  if (idle) at("forced").querySelector("button:enabled")?.focus();
});
addEventListener("hashchange", show);
show();
