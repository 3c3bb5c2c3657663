// The question about one mark of a round that no word fits; loaded when it is first asked.

import { SIGNS } from "./entry.js";
import { at, made, problem, spell } from "./page.js";

/** Ask whether one mark is wrong: no word fits the round, but some word fits with this mark changed. */
function question({ rows, counted, codes, letters }, { turn, place, marks }) {
  const { word, marks: own } = rows[turn - 1], guess = word.toUpperCase();
  if (counted) {
    const counts = marks.split(",").map((count, at) => `${count} ${counted.names[at]}`).join(" and ");
    return `No ${codes ? "code" : "word"} fits: should ${guess} have ${counts}?`;
  }
  if (letters) return `No word fits: should ${guess} ${marks[place - 1] === "O" ? "" : "not "}be at place ${place}?`;
  const high = document.body.classList.contains("contrast");
  const colours = { X: "grey", "?": high ? "blue" : "yellow", O: high ? "orange" : "green" };
  const [letter, right, wrong] = [spell(guess)[place - 1], colours[marks[place - 1]], colours[own[place - 1]]];
  return `No word fits these colours: should the ${letter} in place ${place} of ${guess} be ${right}, not ${wrong}?`;
}

export function ask(entry, slip) {
  const { round } = entry, button = made("button", "Change it", { type: "button", id: "change" });
  problem(question(round, slip));
  at("problem").append(" ", button);
  button.addEventListener("click", () => {
    const marks = round.counted ? slip.marks.split(",") : [...slip.marks].map((mark) => SIGNS[mark]);
    round.rows[slip.turn - 1].marks = marks;
    problem("");
    entry.typeOn();
    entry.opened();
  });
}
