// The help: the keys and terms of a view, and the choice of colours; loaded when it is first opened.

import { told } from "./ask.js";
import { at, listen, remember, write } from "./page.js";

/** Show the help; `paint` draws the page in other colours. */
export async function help(paint) {
  const box = at("help-box");
  if (!box.firstChild) {
    box.innerHTML = await (await fetch("help.html")).text(); // trusted HTML from this server
    const view = document.querySelector("header [aria-current]")?.textContent.toLowerCase();
    for (const own of box.querySelectorAll(`[data-view]:not([data-view~="${view}"])`)) own.hidden = true;
    at("theme").value = document.documentElement.dataset.theme;
    at("contrast").checked = document.body.classList.contains("contrast");
    listen("change", {
      theme: ({ target: { value } }) => remember("theme", value),
      contrast: ({ target: { checked } }) => remember("contrast", checked ? "yes" : "no"),
      "help-box": paint,
    });
    told("about").then(({ text }) => write({ about: text })).catch(() => {});
  }
  if (!box.open) box.showModal();
}
