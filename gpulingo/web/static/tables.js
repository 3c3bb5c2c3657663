// Bars and tables. The bar of a guess has a part for each turn that may find the word; the last part is lost.

import { counted, made } from "./page.js";

const SHADES = 4;

/** Parts of a bar: [{ turn, share }], the chance to find the word on each turn; turn 0 is lost. */
function parts(chances, turn) {
  const own = [];
  for (let at = turn; at <= chances.length; at += 1) {
    const share = chances[at - 1] - (chances[at - 2] ?? 0);
    if (share > 0) own.push({ turn: at, share });
  }
  const lost = 1 - (chances.at(-1) ?? 1);
  return lost > 1e-9 ? [...own, { turn: 0, share: lost }] : own;
}

export const percent = (share) => (share > 0 && share < 5e-4 ? "under 0.1 %" : `${(100 * share).toFixed(share < 0.01 ? 1 : 0)} %`);

function drawParts(node, ...parts) {
  node.replaceChildren(...parts.filter(([, share]) => share > 0).map(([className, share, text = ""]) => {
    const part = made("span", text, { className });
    part.style.setProperty("--share", 100 * share);
    return part;
  }));
}

/** The bar of a row whose text says as much. */
export function smallBar(...parts) {
  const node = made("span", undefined, { className: "finish small", ariaHidden: true });
  drawParts(node, ...parts);
  return node;
}

/** Draw the bar of a guess into a node; a large bar has texts; with `letters` (hangman) turns are misses. */
export function drawFinish(node, chances, turn, large, letters) {
  const named = (at) => (letters ? `with ${counted(at - 1, "miss", "misses")}` : `on guess ${at}`);
  const own = parts(chances, turn);
  const names = own.map(({ turn: at, share }) => `${at ? named(at) : "not found"}: ${percent(share)}`);
  if (large) node.ariaLabel = names.length ? `Found ${names.join("; ")}` : "";
  node.hidden = own.length === 0;
  drawParts(node, ...own.map(({ turn: at, share }) => [at ? `f${Math.min(SHADES, 1 + at - turn)}` : "lost", share,
    large && at && share > 0.3 ? `${named(at).replace("on ", "")} · ${percent(share)}` : ""]));
}

export function bar(text, share) {
  const cell = made("td", text, { className: "chance" });
  cell.style.setProperty("--share", `${100 * share}%`);
  return cell;
}

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

/** Fill a table with column names and rows; columns in `lists` may have long texts. Its box fades if it can be scrolled. */
export function fill(table, names, rows, lists = []) {
  const head = names.map((name, place) => made("th", name, { scope: "col", className: lists.includes(place) ? "list" : "" }));
  table.replaceChildren(made("thead", made("tr", head)), made("tbody", rows.map((cells) => row(cells, lists))));
  const box = table.parentElement;
  box.onscroll = () => cut(box);
  for (const own of [box, table]) sizes.observe(own);
}
