// Bounds: the best kept for each game and length, and what no strategy exceeds.

import { at, made } from "./page.js";
import { counted, fill, number } from "./tables.js";

function tableOf(game, trees) {
  const table = made("table");
  table.append(made("caption", game));
  const names = Object.keys(trees[0].cells);
  const rows = trees.map((tree) => {
    const way = made("a", tree.length, { href: `#trees/${game}/${tree.length}` });
    way.setAttribute("aria-label", `${tree.length} letters: walk the tree`);
    const gap = tree.optimal ? "optimal" : tree.gap || "-";
    return [way, number(tree.words), made("td", tree.opening, { className: "name" }), ...names.map((name) => tree.cells[name]),
      tree.bound, gap, number(tree.lost)];
  });
  fill(table, ["letters", "words", "first guess", ...names, "bound", "gap", "lost"], rows);
  const region = made("div", undefined, { className: "wide", tabIndex: 0 });
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", `Bounds of ${game}`);
  region.append(table);
  return region;
}

export async function showBounds(rest, signal, trees) {
  const told = await trees(signal);
  if (signal.aborted) return;
  const games = [...new Set(told.trees.map((tree) => tree.game))];
  at("by-game").replaceChildren(...games.map((game) =>
    tableOf(game, told.trees.filter((tree) => tree.game === game))));
  const optimal = told.trees.filter((tree) => tree.optimal).length;
  at("status").textContent = told.none || `${counted(told.trees.length, "tree is", "trees are")} kept, ${optimal} of them proven optimal.`;
}
