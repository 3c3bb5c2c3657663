// Racks: the best words of a rack, and what all draws from its bag come to.

import { at, complaint, made, posted, problem, showStatus, streamed } from "./page.js";
import { bar, counted, fill, figures, number } from "./tables.js";

const BAGS = ["challenge", "scrabble"];
const FEW = 20, MOST = 200; // words that are shown

at("bag").replaceChildren(...BAGS.map((bag) => made("option", bag, { value: bag })));
at("tiles").replaceChildren(...[1, 2, 3, 4, 5, 6, 7].map((count) => made("option", count, { value: count, selected: count === 7 })));

function render(told) {
  const most = Math.max(1, ...told.words.map((own) => own.points));
  const rows = told.words.map((own) => [own.word, bar(own.points, Math.max(0, own.points / most))]);
  fill(at("laid"), ["word", "points"], rows);
  const shown = Math.min(MOST, told.laid);
  at("more-laid").hidden = told.words.length >= shown;
  at("more-laid").textContent = `Show ${told.laid > MOST ? `the best ${MOST}` : "all"} of ${number(told.laid)}`;
  const best = told.words.filter((own) => own.points === told.words[0].points).map((own) => own.word);
  at("status").textContent = (told.laid === 0 ? `${told.rack}: no word.`
    : `${told.rack}: ${counted(told.words[0].points, "point")}: ${best.join(", ")}; ${counted(told.laid, "word")} can be laid.`)
    + told.notes.map((note) => ` There are ${note}.`).join("");
}

let part = null; // the signal of the part: aborted when another is opened
let asking = null; // what stops the request on its way

async function find(top, outer) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  outer?.addEventListener("abort", () => asking?.abort());
  const rack = at("rack").value.trim(), bag = at("bag").value;
  problem("");
  if (!rack) {
    at("laid").replaceChildren();
    at("more-laid").hidden = true;
    at("status").textContent = "Type the letters of a rack.";
    return;
  }
  try {
    render(await posted("atlas-rack", { rack, bag, top }, signal));
  } catch (error) {
    if (signal.aborted) return;
    at("laid").replaceChildren();
    at("more-laid").hidden = true;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

export async function showRacks([bag, rack], signal) {
  if (BAGS.includes(bag)) at("bag").value = bag;
  if (rack !== undefined) at("rack").value = rack.slice(0, 20);
  part = signal;
  await find(FEW, signal);
}

function address() {
  const text = `#racks/${at("bag").value}/${encodeURIComponent(at("rack").value.trim())}`;
  if (location.hash === text) find(FEW, part);
  else location.hash = text;
}

at("rack-form").addEventListener("submit", (event) => {
  event.preventDefault();
  address();
});
at("bag").addEventListener("change", () => {
  for (const id of ["draws", "best-draws", "held"]) at(id).replaceChildren();
  address();
});
at("more-laid").addEventListener("click", () => find(MOST, part));

function showDraws(told) {
  figures(at("draws"), [
    ["bag", told.bag], ["tiles", told.tiles], ["expected points", told.expected.toFixed(6)],
    ["deviation", told.deviation.toFixed(6)], ["without a word", `${(100 * told.without_word).toFixed(6)} %`],
    ["racks", number(told.racks)], ["draws", number(told.draws)],
  ]);
  fill(at("best-draws"), ["best rack", "points", "draws", "words"],
    told.best.map((own) => [own.rack, own.points, number(own.draws), own.words.join(", ")]), [3]);
  fill(at("held"), ["tile", "drawn", "expected with it", "gain"], told.held.map((own) =>
    [own.tile, bar(`${(100 * own.share).toFixed(2)} %`, own.share), own.given.toFixed(3), own.gain === null ? "-" : own.gain.toFixed(3)]));
  at("status").textContent = `${counted(told.tiles, "tile")} drawn from ${told.bag}: ${told.expected.toFixed(6)} points are expected.`;
}

at("draws-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("compute").disabled = true;
  at("compute").textContent = "Computing";
  at("status").textContent = "All racks are being counted.";
  problem("");
  const bag = at("bag").value;
  let told = null, fault = "";
  try {
    const request = { bag, tiles: Number(at("tiles").value) };
    told = await streamed("atlas-draws", request, undefined, (part) => at("part-racks").hidden || showStatus(part));
  } catch (error) {
    fault = complaint(error);
  }
  const idle = document.activeElement === document.body; // nobody has gone on to something else
  at("compute").disabled = false;
  at("compute").textContent = "Compute";
  if (at("part-racks").hidden) return; // another part was opened meanwhile
  if (idle) at("compute").focus();
  if (fault) at("status").textContent = "";
  problem(fault);
  if (told && at("bag").value === bag) showDraws(told);
});
