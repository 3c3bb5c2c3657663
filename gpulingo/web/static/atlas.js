// Explore: which part is shown, by the address, and what all parts know of the trees.

import { showBounds } from "./atlas-bounds.js";
import { showHost } from "./atlas-hangman.js";
import { showRacks } from "./atlas-racks.js";
import { showTrees } from "./atlas-trees.js";
import { at, complaint, partsOf, problem, showNotes, told } from "./page.js";

const PARTS = { trees: showTrees, bounds: showBounds, hangman: showHost, racks: showRacks };
let kept = null; // what the server says of the trees, asked for once
let asking = null; // what stops the requests on their way

/** All trees, and what is wrong with others. */
async function trees() {
  kept ??= await told("atlas-trees");
  showNotes(kept.notes);
  return kept;
}

async function show() {
  const [name, ...rest] = partsOf(location.hash.slice(1));
  const part = Object.hasOwn(PARTS, name ?? "") ? name : "trees";
  for (const link of document.querySelectorAll("#parts a")) {
    const own = link.getAttribute("href").slice(1).split("/")[0] === part;
    if (own) {
      link.setAttribute("aria-current", "page");
      if (name === part) link.setAttribute("href", location.hash); // where one comes back to
    } else link.removeAttribute("aria-current");
  }
  for (const other of Object.keys(PARTS)) at(`part-${other}`).hidden = other !== part;
  at("status").classList.toggle("heard", ["trees", "racks"].includes(part));
  showNotes();
  asking?.abort();
  const here = (asking = new AbortController());
  problem("");
  try {
    await PARTS[part](rest, here.signal, trees);
  } catch (error) {
    if (here.signal.aborted) return;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

addEventListener("hashchange", show);
show();
