// A slip: no word fits a round, and with one other mark some would. Read when there is one.

import { at, made, problem, spell } from "./page.js";

function question({ codes, counted, letters, rows }, { turn, place, marks }) {
  const { word, marks: own } = rows[turn - 1], guess = word.toUpperCase(), high = document.body.classList.contains("contrast");
  const colours = { X: "grey", "?": high ? "blue" : "yellow", O: high ? "orange" : "green" };
  if (counted) return `No ${codes ? "code" : "word"} fits: should ${guess} have ${marks.split(",").map((count, at) => `${count} ${counted.names[at]}`).join(" and ")}?`;
  if (letters) return `No word fits: should ${guess} ${marks[place - 1] === "O" ? "" : "not "}be at place ${place}?`;
  return `No word fits these colours: should the ${spell(guess)[place - 1]} in place ${place} of ${guess} be ${colours[marks[place - 1]]}, not ${colours[own[place - 1]]}?`;
}

export function offer(entry, slip) {
  const { round } = entry, button = made("button", "Change it", { type: "button", id: "change" });
  problem(question(round, slip));
  at("problem").append(" ", button);
  button.addEventListener("click", () => {
    round.rows[slip.turn - 1].marks = round.counted ? slip.marks.split(",") : [...slip.marks].map((mark) => (mark === "_" ? "X" : mark));
    problem("");
    entry.show();
    at("word").focus();
    entry.opened();
  });
}
