// The frame of all views: their colours, and the help.

import { told } from "./ask.js";
import { at, listen, remember, remembered, write } from "./page.js";

const page = document.documentElement;

function paint() {
  const contrast = remembered("contrast") ?? (matchMedia("(prefers-contrast: more)").matches ? "yes" : "no");
  page.dataset.theme = remembered("theme") ?? "";
  document.body.classList.toggle("contrast", contrast === "yes");
}

async function help() {
  const box = at("help-box");
  if (!box.firstChild) {
    box.innerHTML = await (await fetch("help.html")).text(); // trusted HTML from this server
    const view = document.querySelector("header [aria-current]")?.textContent.toLowerCase();
    for (const own of box.querySelectorAll(`[data-view]:not([data-view~="${view}"])`)) own.remove();
    at("theme").value = page.dataset.theme;
    at("contrast").checked = document.body.classList.contains("contrast");
    told("about").then(({ text }) => write({ about: text })).catch(() => {});
  }
  if (!box.open) box.showModal();
}

paint();
listen("click", { help });
listen("change", {
  "help-box"({ target: { id, type, value, checked } }) {
    remember(id, type === "checkbox" ? (checked ? "yes" : "no") : value);
    paint();
  },
});
if (at("own")) import("./own-list.js");
addEventListener("submit", (event) => { // no form is sent
  if (event.target.method !== "dialog") event.preventDefault();
});
addEventListener("keydown", (event) => {
  // elsewhere ? is a mark, or text
  const isFree = event.key === "?" && !event.target.closest(".tile, textarea, input:not(#word)");
  if (event.key !== "F1" && !isFree) return;
  event.preventDefault();
  help();
});
