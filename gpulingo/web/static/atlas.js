// Explore: which part is shown, by the address, and what all parts know of the trees.

import { at, complaint, partsOf, problem, showNotes, streamed, told } from "./page.js";

const PARTS = ["trees", "bounds", "hangman", "racks"]; // each has a file
let kept = null; // what the server says of the trees, asked for once
let asking = null; // what stops the requests on their way

async function trees(signal) {
  kept ??= await told("atlas-trees");
  if (!signal.aborted) showNotes(kept.notes);
  return kept;
}

/** The answer to what takes long, asked for in a part of the page; null where that is hidden, or a fault was told. */
export async function computed(name, request, part) {
  problem("");
  try {
    const answer = await streamed(name, request, undefined, ({ status }) => {
      if (status && !part.hidden) at("status").textContent = status;
    });
    return part.hidden ? null : answer;
  } catch (error) {
    if (!part.hidden) problem(complaint(error));
    return null;
  }
}

async function show() {
  const [name, ...rest] = partsOf(location.hash.slice(1));
  const part = PARTS.includes(name) ? name : "trees";
  for (const link of at("parts").children) {
    const own = link.hash.slice(1).split("/")[0] === part;
    link.ariaCurrent = own ? "page" : null;
    if (own) document.title = `Explore: ${link.textContent} · gpulingo`;
    if (own && name === part) link.href = location.hash; // where one comes back to
  }
  for (const other of PARTS) at(`part-${other}`).hidden = other !== part;
  at("status").classList.toggle("heard", ["trees", "racks"].includes(part));
  showNotes();
  asking?.abort();
  const here = (asking = new AbortController());
  problem("");
  try {
    const module = await import(`./atlas-${part}.js`);
    if (!here.signal.aborted) await module.show(rest, here.signal, trees);
  } catch (error) {
    if (here.signal.aborted) return;
    at("status").textContent = "";
    problem(complaint(error));
  }
}

addEventListener("hashchange", show);
show();
