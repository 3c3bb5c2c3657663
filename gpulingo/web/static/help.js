// The help: the keys and terms of a view, and the choice of colours; loaded when it is first opened.

import { told } from "./ask.js";
import { at, made, remember, write } from "./page.js";

const VIEW = /([a-z]+)(\.html)?$/.exec(location.pathname)?.[1] ?? "assistant";
let making = null; // promise of the box

async function boxOf(paint) {
  const answer = await fetch("help.html"), innerHTML = await answer.text(); // trusted HTML from this server
  const box = made("dialog", [], { innerHTML }), { dataset } = document.documentElement;
  for (const own of box.querySelectorAll(`[data-view]:not([data-view~="${VIEW}"])`)) own.hidden = true;
  box.setAttribute("aria-labelledby", "help-title");
  document.body.append(box);
  at("theme").value = dataset.theme;
  at("contrast").checked = document.body.classList.contains("contrast");
  box.addEventListener("change", ({ target: { id, checked, value } }) => {
    remember(id, id === "theme" ? value : checked ? "yes" : "no");
    paint();
  });
  told("about").then(({ text }) => write({ about: text })).catch(() => {});
  return box;
}

/** Show the help; `paint` draws the page in other colours. */
export async function help(paint) {
  const box = await (making ??= boxOf(paint));
  if (!box.open) box.showModal();
}
