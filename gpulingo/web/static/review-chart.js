// The chart of a review: the value after each guess, from top to bottom; each step has a part for choice and one for luck.

const NAMESPACE = "http://www.w3.org/2000/svg";
const [MARGIN, TOP, ROW, BAR] = [10, 30, 68, 10]; // pixels; a row has two lines of text and two bars
const END = 24; // pixels for the line of the start, and of the result

function node(tag, fields, ...content) {
  const own = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(fields)) own.setAttribute(name, value);
  own.append(...content);
  return own;
}

function ticks(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step), numbers = [];
  for (let own = first; own * step <= high; own += 1) numbers.push(own * step);
  return { numbers, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

function across(values, width) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || 1) * 0.04;
  const [low, high] = [least - room, most + room];
  return { low, high, at: (value) => MARGIN + ((value - low) / (high - low)) * (width - 2 * MARGIN) };
}

function legend() {
  return node("g", {}, ...[["lost", "choice", 0], ["luck", "luck", 80]].flatMap(([name, text, left]) => [
    node("rect", { class: name, x: MARGIN + left, y: 4, width: 11, height: 11 }),
    node("text", { x: MARGIN + left + 15, y: 14 }, text),
  ]));
}

/** A bar from one value to another; at length 0 it is a line. */
function bar(name, from, to, y, title) {
  const fields = { class: name, x: Math.min(from, to) - 0.75, y, width: Math.abs(to - from) + 1.5, height: BAR };
  return node("rect", fields, node("title", {}, title));
}

function axis(scale, unit, bottom) {
  const { numbers, digits } = ticks(scale.low, scale.high);
  const lines = numbers.map((number) => [scale.at(number), number.toFixed(digits)]).flatMap(([x, text]) => [
    node("line", { class: "tick", x1: x, x2: x, y1: TOP, y2: bottom }),
    node("text", { x, y: bottom + 15, "text-anchor": "middle" }, text),
  ]);
  return node("g", {}, ...lines, node("text", { x: MARGIN, y: bottom + 34 }, unit));
}

function step(turn, row, top, scale, width) {
  const [before, chosen, after] = ["expected_before", "expected_chosen", "expected_after"].map((name) => scale.at(turn[name]));
  const most = Math.max(4, Math.floor((width - 170) / 9)); // letters that fit
  const word = row.guess.length > most ? `${row.guess.slice(0, most - 1)}…` : row.guess;
  const [upper, lower] = [top + 36, top + 38 + BAR];
  return node("g", { class: "step" },
    node("path", { class: "path", d: `M${before} ${top}V${upper}M${chosen} ${upper}V${lower + BAR}M${after} ${lower}V${top + ROW}` }),
    bar("lost", before, chosen, upper, `${row.guess}: choice ${row.choice}`),
    bar("luck", chosen, after, lower, `${row.guess}: luck ${row.luck}`),
    node("text", { class: "guess", x: MARGIN, y: top + 14 }, `${row.turn} ${word}`),
    ...[`choice ${row.choice}`, `luck ${row.luck}`].map((text, line) =>
      node("text", { x: width - MARGIN, y: top + 14 + 16 * line, "text-anchor": "end" }, text)));
}

function end(text, value, y, scale) {
  const x = scale.at(value), right = x > (scale.at(scale.low) + scale.at(scale.high)) / 2;
  return node("g", {}, node("circle", { class: "end", cx: x, cy: y, r: 4 }),
    node("text", { x: x + (right ? -8 : 8), y: y + 4, "text-anchor": right ? "end" : "start" }, text));
}

export function chart(answer, width) {
  const values = answer.turns.flatMap((turn) => [turn.expected_before, turn.expected_chosen, turn.expected_after]);
  const scale = across(values, width);
  const bottom = TOP + 2 * END + ROW * answer.turns.length, height = bottom + 40;
  const last = answer.state === "open" ? "average now" : "result";
  const label = `Value from guess to guess, with choices and luck apart. ${answer.sums} The table below says the same.`;
  return node("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    legend(), axis(scale, `${answer.unit} on average${answer.rises ? "" : ", fewer is better"}`, bottom),
    ...answer.turns.map((turn, place) => step(turn, answer.rows[place], TOP + END + ROW * place, scale, width)),
    end(`start ${answer.start.toFixed(3)}`, answer.start, TOP + END - 8, scale),
    end(`${last} ${answer.result.toFixed(3)}`, answer.result, bottom - END + 8, scale));
}
