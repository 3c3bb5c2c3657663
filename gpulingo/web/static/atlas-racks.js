// Racks: the best words of a rack, and what all draws from its bag come to.

import { computed } from "./atlas.js";
import { at, choose, complaint, counted, figures, joined, made, number, posted, problem, showTyped } from "./page.js";
import { bar, fill, smallBar } from "./tables.js";

const BAGS = ["challenge", "scrabble"];
const FEW = 20, MOST = 200; // words that are shown
const TILES = 7; // of a whole rack

choose(at("bag"), BAGS);
choose(at("count"), [1, 2, 3, 4, 5, 6, TILES], TILES);

const showTray = () => showTyped(at("tray"), at("rack").value, TILES);

function render({ rack, words, laid, notes }) {
  const [best] = words, most = Math.max(1, best?.points), ties = words.slice(1).filter((own) => own.points === best.points);
  at("found").hidden = false;
  at("top-of").textContent = best ? `Best of ${counted(laid, "word")}` : `No word of ${rack}`;
  at("top-points").textContent = best ? counted(best.points, "point") : "";
  at("top-word").textContent = best?.word ?? "–";
  at("ties").textContent = [ties.length ? `As many points: ${ties.map((own) => own.word).join(", ")}.` : "", ...notes.map((note) => `There are ${note}.`)].join(" ");
  at("laid").replaceChildren(...words.map(({ word, points }) => {
    const share = Math.max(0, points) / most;
    return made("li", [made("b", word), smallBar(["f1", share], ["none", 1 - share]), made("em", points)], { className: "alt" });
  }));
  const shown = Math.min(MOST, laid);
  at("more-laid").hidden = words.length >= shown;
  at("more-laid").textContent = `Show ${laid > MOST ? `the best ${MOST}` : "all"} of ${number(laid)}`;
  at("status").textContent = best ? `${rack}: ${best.word}, ${counted(best.points, "point")}; ${counted(laid, "word")}.` : `${rack}: no word.`;
}

let part = null; // the signal of the part: aborted when another is opened
let asking = null; // what stops the request on its way

async function find(top) {
  asking?.abort();
  asking = new AbortController();
  const signal = AbortSignal.any([part, asking.signal]);
  const rack = at("rack").value.trim(), bag = at("bag").value;
  problem("");
  if (!rack) at("status").textContent = "Type the letters of a rack.";
  at("found").hidden ||= !rack;
  if (!rack) return;
  try {
    render(await posted("atlas-rack", { rack, bag, top }, signal));
  } catch (error) {
    if (signal.aborted) return;
    at("found").hidden = true;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

export async function show([bag, rack], signal) {
  if (BAGS.includes(bag)) at("bag").value = bag;
  if (rack !== undefined) at("rack").value = rack.slice(0, 20);
  showTray();
  part = signal;
  await find(FEW);
  at("all-draws").hidden = false;
}

function address() {
  const text = `#${joined(["racks", at("bag").value, at("rack").value.trim()])}`;
  if (location.hash === text) find(FEW);
  else location.hash = text;
}

at("rack").addEventListener("input", showTray);
at("rack-form").addEventListener("submit", (event) => {
  event.preventDefault();
  address();
});
at("bag").addEventListener("change", () => {
  showDraws(null);
  address();
});
at("more-laid").addEventListener("click", () => find(MOST));

function showDraws(told) {
  for (const id of ["best-draws", "held"]) at(id).parentElement.hidden = !told;
  at("draws").hidden = !told;
  if (!told) return;
  figures(at("draws"), [
    ["points on average", told.expected.toFixed(6)], ["deviation", told.deviation.toFixed(6)],
    ["without a word", `${(100 * told.without_word).toFixed(6)} %`], ["racks", number(told.racks)], ["draws", number(told.draws)],
  ]);
  fill(at("best-draws"), ["best rack", "points", "draws", "words"],
    told.best.map((own) => [own.rack, own.points, number(own.draws), own.words.join(", ")]), [3]);
  fill(at("held"), ["tile", "drawn", "average with it", "gain"], told.held.map((own) =>
    [own.tile, bar(`${(100 * own.share).toFixed(2)} %`, own.share), own.given.toFixed(3), own.gain === null ? "-" : own.gain.toFixed(3)]));
  at("status").textContent = `${counted(told.tiles, "tile")} drawn from ${told.bag}: ${told.expected.toFixed(6)} points on average.`;
}

at("draws-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("compute").disabled = true;
  at("compute").textContent = "Computing";
  at("status").textContent = "All racks are being counted.";
  const bag = at("bag").value, told = await computed("atlas-draws", { bag, tiles: Number(at("count").value) }, at("part-racks"));
  const idle = document.activeElement === document.body; // nobody has gone on to something else
  at("compute").disabled = false;
  at("compute").textContent = "Compute";
  if (idle) at("compute").focus();
  if (told && at("bag").value === bag) showDraws(told);
});
