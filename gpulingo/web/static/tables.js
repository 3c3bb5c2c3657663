// Tables, whose box fades if it can be scrolled.

import { at, draw, made } from "./page.js";

const cut = (box) => box.classList.toggle("cut", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => cut(target.closest(".wide"))));

/** A cell of a row: a heading, a bar of a text and its share, a cell, or another content. */
function cell(own, place) {
  if (place === 0) return made("th", own, { scope: "row" });
  if (Array.isArray(own)) return made("td.chance", own[0], { share: `${100 * own[1]}%` });
  return own?.localName === "td" ? own : made("td", own);
}

/** Fill a table with rows of cells. */
export function fill(id, names, rows) {
  const head = names.map((name) => made("th", name, { scope: "col" }));
  const body = rows.map((cells) => made("tr", cells.map(cell)));
  draw(id, [made("thead", made("tr", head)), made("tbody", body)]);
  const box = at(id).parentElement;
  box.onscroll = () => cut(box);
  for (const own of [box, at(id)]) sizes.observe(own);
}
