// The frame of all views: their colours, the help, and word lists of the user.

import { ownList } from "./ask.js";
import { at, listen, made, remembered } from "./page.js";

function paint() {
  const contrast = remembered("contrast") ?? (matchMedia("(prefers-contrast: more)").matches ? "yes" : "no");
  document.documentElement.dataset.theme = remembered("theme") ?? "";
  document.body.classList.toggle("contrast", contrast === "yes");
}

const help = async () => (await import("./help.js")).help(paint);

paint();
listen("click", { help });
if (ownList && at("choices")) {
  const { text } = ownList(), summary = text ? `Words: ${text}` : "Words of your own";
  const box = made("details", made("summary", summary));
  box.addEventListener("toggle", async () => (await import("./own-list.js")).offer(box), { once: true });
  at("choices").after(box);
}
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
