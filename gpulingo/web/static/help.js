// The help: the keys and terms of a view, and the choice of colours; loaded when it is first opened.

import { at, made, paint, remember, told } from "./page.js";

const VIEW = /([a-z]+)(\.html)?$/.exec(location.pathname)?.[1] ?? "assistant";
let helping = null; // promise of the help text

/** Show the view's keys and terms, and the choice of colours. */
export async function help() {
  const text = await (helping ??= fetch("help.html").then((answer) => answer.text())); // trusted HTML from this server
  let box = document.querySelector("dialog");
  if (!box) {
    box = made("dialog", [], { innerHTML: text });
    for (const own of box.querySelectorAll("[data-view]")) own.hidden = !own.dataset.view.split(" ").includes(VIEW);
    box.setAttribute("aria-labelledby", "help-title");
    document.body.append(box);
    at("theme").value = document.documentElement.dataset.theme;
    at("contrast").checked = document.body.classList.contains("contrast");
    box.addEventListener("change", ({ target: { id, checked, value } }) => {
      remember(id, id === "theme" ? value : checked ? "yes" : "no");
      paint();
    });
    told("about").then(({ text }) => { at("about").textContent = text; }).catch(() => {});
  }
  if (!box.open) box.showModal();
}
