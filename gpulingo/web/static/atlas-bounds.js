// Best known: of each game and length the best strategy that was found, and the limit that is proven for all.

import { smallBar } from "./finish.js";
import { at, counted, gameName, made, number } from "./page.js";

const figure = ([name, cell]) => `${cell} ${name === "won, %" ? "% won" : name.replace(/^mean (.*)/, "$1 on average")}`;

function known({ game, length, opening, cells, bound, gap, optimal, share, words }) {
  const figures = [opening, ...Object.entries(cells).map(figure), `limit ${bound}`, counted(words, "word")].join(" · ");
  const parts = [made("b", `${length} letters`), smallBar(["f1", share], ["limit", 1 - share]), made("em", gap, { className: optimal ? "proven" : "" }), made("small", figures)];
  return made("li", made("a", parts, { className: "known", href: `#trees/${game}/${length}` }));
}

export async function show(rest, signal, trees) {
  const told = await trees(signal);
  if (signal.aborted) return;
  const games = [...new Set(told.trees.map((tree) => tree.game))];
  at("by-game").replaceChildren(...games.map((game) => {
    const list = made("ol", told.trees.filter((tree) => tree.game === game).map(known), { className: "list" });
    return made("section", [made("h3", gameName(game)), list], { className: "card" });
  }));
  const optimal = told.trees.filter((tree) => tree.optimal).length;
  at("status").textContent = told.none || `${counted(told.trees.length, "strategy", "strategies")}, ${number(optimal)} proven best.`;
}
