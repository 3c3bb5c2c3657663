// The chart of a review: the value after each guess, downwards; a step has bars for choice and luck.

import { made } from "./page.js";

function ticks(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough)), numbers = [];
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  for (let own = Math.ceil(low / step); own * step <= high; own += 1) numbers.push(own * step);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return numbers.map((value) => [value, value.toFixed(digits)]);
}

export function chart({ turns, rows, state, sums, unit, rises, start, result }) {
  const values = turns.map((turn) => [turn.expected_before, turn.expected_chosen, turn.expected_after]);
  const [least, most] = [Math.min(...values.flat()), Math.max(...values.flat())];
  const room = (most - least || 1) * 0.04, low = least - room, high = most + room;
  const share = (value) => (100 * (value - low)) / (high - low), left = (value) => `left: ${share(value)}%`;
  const line = (value, top, height) =>
    made("i.path", [], { style: `${left(value)}; top: ${top}px; height: ${height}px` });
  const bar = (name, title, ...ends) => {
    const [from, to] = ends.map(share).sort((one, other) => one - other);
    return made(`i.${name}`, [], { title, style: `left: ${from}%; width: ${to - from}%` });
  };
  const step = ([before, chosen, after], { turn, guess, choice, luck }) => {
    const [lost, gained] = [`choice ${choice}`, `luck ${luck}`];
    return made("div.step", [
      made("b", `${turn} ${guess}`), made("span", lost), made("span", gained),
      line(before, 0, 36), line(chosen, 36, 22), line(after, 48, 20),
      bar("lost", `${guess}: ${lost}`, before, chosen), bar("luck", `${guess}: ${gained}`, chosen, after),
    ]);
  };
  const end = (label, value) =>
    made(share(value) > 50 ? "p.end.right" : "p.end", `${label} ${value.toFixed(3)}`, { style: left(value) });
  const about = "Value from guess to guess, with choices and luck apart";
  return made("div", [
    made("p", [made("i.lost"), "choice", made("i.luck"), "luck"]),
    made("div.plot", [
      ...ticks(low, high).map(([value, text]) => made("span.tick", text, { style: left(value) })),
      end("start", start), ...values.map((own, place) => step(own, rows[place])),
      end(state === "open" ? "average now" : "result", result),
    ]),
    made("p", `${unit} on average${rises ? "" : ", fewer is better"}`),
  ], { role: "img", ariaLabel: `${about}. ${sums} The table below says the same.` });
}
