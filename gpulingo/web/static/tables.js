// The card of a guess, bars and tables. A bar has a part for each turn that may find the word, then for loss.

import { at, counted, made, spell, write } from "./page.js";

const SHADES = 4;
const LONG = 9; // longer words are written smaller

/** Write the card of a guess; its bar is drawn apart. */
export function writeCard({ eyebrow = "", badge = "", word = "", text = "" }) {
  write({ eyebrow, badge, best: word, say: text });
  at("badge").classList.toggle("proven", badge.startsWith("✓"));
  at("best").classList.toggle("long", spell(word).length > LONG);
}

/** Parts of a bar: the chance to find the word on each turn; turn 0 is lost. */
function partsOf(chances, turn) {
  const { length } = chances, ends = length ? [...chances, 1] : [];
  const shares = ends.map((chance, place) => chance - (ends[place - 1] ?? 0));
  const parts = shares.map((share, place) => ({ turn: place < length ? place + 1 : 0, share }));
  return parts.filter((own) => own.share > 1e-9 && (own.turn >= turn || !own.turn));
}

export function percent(share) {
  return share > 0 && share < 5e-4 ? "under 0.1 %" : `${(100 * share).toFixed(share < 0.01 ? 1 : 0)} %`;
}

function drawParts(node, parts) {
  node.replaceChildren(...parts.filter(([, share]) => share > 0).map(([className, share, text]) =>
    made("span", text, { className, share: 100 * share })));
}

/** The bar of a row whose text says as much. */
export function smallBar(...parts) {
  const node = made("span", [], { className: "finish small", ariaHidden: true });
  drawParts(node, parts);
  return node;
}

/** Draw the bar of a guess into a node; a large bar has texts; with `letters` (hangman) turns are misses. */
export function drawFinish(node, chances, turn, large, letters) {
  const named = (at) => (letters ? `with ${counted(at - 1, "miss", "misses")}` : `on guess ${at}`);
  const parts = partsOf(chances, turn);
  const names = parts.map(({ turn: at, share }) => `${at ? named(at) : "not found"}: ${percent(share)}`);
  if (large) node.ariaLabel = names.length ? `Found ${names.join("; ")}` : "";
  node.hidden = parts.length === 0;
  drawParts(node, parts.map(({ turn: at, share }) => {
    const text = large && at && share > 0.3 ? `${named(at).replace("on ", "")} · ${percent(share)}` : "";
    return [at ? `f${Math.min(SHADES, 1 + at - turn)}` : "lost", share, text];
  }));
}

export const bar = (text, share) => made("td", text, { className: "chance", share: `${100 * share}%` });

const cut = (box) => box.classList.toggle("cut", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => cut(target.closest(".wide"))));

/** A table row; the first cell is the heading. `cells` are table cells, or contents of cells. */
function row(cells, lists) {
  return made("tr", cells.map((cell, place) => {
    const node = cell instanceof HTMLTableCellElement ? cell : made(place === 0 ? "th" : "td", cell);
    if (place === 0) node.scope = "row";
    if (lists.includes(place)) node.className = "list";
    return node;
  }));
}

/** Fill a table; columns in `lists` may have long texts. Its box fades if it can be scrolled. */
export function fill(table, names, rows, lists = []) {
  const head = names.map((name, place) =>
    made("th", name, { scope: "col", className: lists.includes(place) ? "list" : "" }));
  const body = rows.map((cells) => row(cells, lists));
  table.replaceChildren(made("thead", made("tr", head)), made("tbody", body));
  const box = table.parentElement;
  box.onscroll = () => cut(box);
  for (const own of [box, table]) sizes.observe(own);
}
