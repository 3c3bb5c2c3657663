// Tables.

import { made } from "./page.js";

/** A cell with a bar under its text; the share is 0 to 1. */
export function bar(text, share) {
  const cell = made("td", text, { className: "chance" });
  cell.style.setProperty("--share", `${100 * share}%`);
  return cell;
}

/** A row: the first cell is its heading; a cell is a text, a number, a node of a cell, or another node. */
function row(cells, lists = []) {
  const line = made("tr");
  cells.forEach((cell, place) => {
    const tag = place === 0 ? "th" : "td";
    let node = cell;
    if (!(cell instanceof HTMLTableCellElement)) {
      node = made(tag, cell instanceof Node ? undefined : cell);
      if (cell instanceof Node) node.append(cell);
    }
    if (place === 0) node.scope = "row";
    if (lists.includes(place)) node.className = "list";
    line.append(node);
  });
  return line;
}

/** Fill a table: names of columns and rows; `lists` are the columns whose text may be long. */
export function fill(table, names, rows, lists = []) {
  const head = made("thead"), body = made("tbody"), line = made("tr");
  line.append(...names.map((name, place) =>
    made("th", name, { scope: "col", className: lists.includes(place) ? "list" : "" })));
  head.append(line);
  body.append(...rows.map((cells) => row(cells, lists)));
  const caption = table.querySelector("caption");
  table.replaceChildren(...(caption ? [caption] : []), head, body);
}
