// The card of a guess, and bars: they have a part for each turn that may find the word, then for loss.

import { at, counted, draw, made, spell, write } from "./page.js";

const SHADES = 4;
const LONG = 9; // longer words are written smaller

/** Write the card of a guess, hidden without a word; its bar is drawn later. `title`: of the page. */
export function writeCard({ eyebrow = "", badge = "", word = "", text = "", title }) {
  write({ eyebrow, badge, best: word, say: text });
  draw("bar", []);
  at("answer").classList.remove("stale");
  at("badge").classList.toggle("proven", badge.startsWith("✓"));
  at("best").classList.toggle("long", spell(word).length > LONG);
  if (title) document.title = `${title} · gpulingo`;
}

export function percent(share) {
  return share > 0 && share < 5e-4 ? "under 0.1 %" : `${(100 * share).toFixed(share < 0.01 ? 1 : 0)} %`;
}

/** Parts of a bar: name, chance and text of each turn from `turn` on; with `letters` (hangman) of misses. */
function partsOf(chances, turn, letters) {
  const named = (at) => (letters ? `with ${counted(at - 1, "miss", "misses")}` : `on guess ${at}`);
  const ends = chances.length ? [0, ...chances, 1] : [], lost = ends.length - 2;
  const parts = ends.slice(1).map((chance, place) => (place < lost
    ? [`f${Math.min(SHADES, 2 + place - turn)}`, chance - ends[place], named(place + 1)]
    : ["lost", chance - ends[place], "not found"]));
  return parts.filter(([, share], place) => share > 1e-9 && (place >= turn - 1 || place === lost));
}

const partOf = ([name, share], text) => made(`span.${name}`, text, { share: 100 * share });

/** The bar of a row whose text says as much; its parts are names with shares. */
export function smallBar(...parts) {
  const shown = parts.filter(([, share]) => share > 0).map((own) => partOf(own));
  return made("span.finish.small", shown, { ariaHidden: true, hidden: !parts.length });
}

/** The small bar of a guess. */
export const finish = (...guess) => smallBar(...partsOf(...guess));

/** Draw the large bar of a guess, which has texts. */
export function drawFinish(...guess) {
  const parts = partsOf(...guess), names = parts.map(([, share, text]) => `${text}: ${percent(share)}`);
  at("bar").ariaLabel = names.length ? `Found ${names.join("; ")}` : "";
  draw("bar", parts.map(([name, share, text]) => {
    const isWide = share > 0.3 && name !== "lost";
    return partOf([name, share], isWide ? `${text.replace("on ", "")} · ${percent(share)}` : "");
  }));
}

/** A row of a list: a word, a bar or text, and a figure; a link or a button, as `fields` has it. */
export function listRow(word, middle, figure, fields = {}) {
  const tag = fields.href ? "a" : fields.data ? "button" : "div";
  return made("li", made(`${tag}.alt`, [made("b", word), middle, made("em", figure)], fields));
}
