// The question about one mark of a round that no word fits; loaded when it is first asked.

import { at, made, problem, spell } from "./page.js";

/** Ask whether one mark is wrong: no word fits the round, but some word fits with this mark changed. */
function question({ rows, counts, noun, letters }, { turn, place, marks }) {
  const { word, marks: own } = rows[turn - 1], guess = word.toUpperCase();
  if (counts) {
    const numbers = marks.split(",").map((count, at) => `${count} ${counts[at]}`).join(" and ");
    return `No ${noun} fits: should ${guess} have ${numbers}?`;
  }
  const [mark, old] = [marks, own].map((all) => all[place - 1]);
  if (letters) return `No word fits: should ${guess} ${mark === "O" ? "" : "not "}be at place ${place}?`;
  const isHigh = document.body.classList.contains("contrast");
  const colours = { X: "grey", "?": isHigh ? "blue" : "yellow", O: isHigh ? "orange" : "green" };
  const tile = `the ${spell(guess)[place - 1]} in place ${place} of ${guess}`;
  return `No word fits these colours: should ${tile} be ${colours[mark]}, not ${colours[old]}?`;
}

/** Ask about a mark; `mended` is called after it was changed. */
export function ask(round, slip, mended) {
  const button = made("button", "Change it", { id: "change" });
  problem(question(round, slip));
  at("problem").append(" ", button);
  button.addEventListener("click", () => {
    round.rows[slip.turn - 1].marks = round.marksOf(slip.marks);
    problem();
    mended();
  });
}
