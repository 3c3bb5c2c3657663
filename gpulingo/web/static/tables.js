// Tables.

import { made } from "./page.js";

/** A cell with a bar under its text; the share is 0 to 1. */
export function bar(text, share) {
  const cell = made("td", text, { className: "chance" });
  cell.style.setProperty("--share", `${100 * share}%`);
  return cell;
}

const cut = (box) => box.classList.toggle("cut", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => cut(target.closest(".wide"))));

/** A row: the first cell is its heading; a cell is one already, or what is to be in one. */
function row(cells, lists) {
  return made("tr", cells.map((cell, place) => {
    const node = cell instanceof HTMLTableCellElement ? cell : made(place === 0 ? "th" : "td", cell);
    if (place === 0) node.scope = "row";
    if (lists.includes(place)) node.className = "list";
    return node;
  }));
}

/** Fill a table: names of columns and rows; `lists` are the columns whose text may be long. Its box fades where it can be scrolled. */
export function fill(table, names, rows, lists = []) {
  const head = names.map((name, place) => made("th", name, { scope: "col", className: lists.includes(place) ? "list" : "" }));
  table.replaceChildren(made("thead", made("tr", head)), made("tbody", rows.map((cells) => row(cells, lists))));
  const box = table.parentElement;
  box.onscroll = () => cut(box);
  for (const own of [box, table]) sizes.observe(own);
}
