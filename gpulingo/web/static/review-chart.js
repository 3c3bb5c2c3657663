// The chart of a review: the value of the round from guess to guess, down the page; each step in its two parts.

const NAMESPACE = "http://www.w3.org/2000/svg";
const [MARGIN, TOP, ROW, BAR] = [10, 30, 68, 10]; // pixels; a row has two lines of text and two bars
const END = 24; // of the lines for the start and the result

function node(tag, fields = {}, text) {
  const own = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(fields)) own.setAttribute(name, value);
  if (text !== undefined) own.textContent = text;
  return own;
}

/** About four round numbers between two values. */
function ticks(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step), numbers = [];
  for (let own = first; own * step <= high; own += 1) numbers.push(own * step);
  return { numbers, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

/** Where a value is, from left to right, in a drawing of a width. */
function across(values, width) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || 1) * 0.04;
  const [low, high] = [least - room, most + room];
  return { low, high, at: (value) => MARGIN + ((value - low) / (high - low)) * (width - 2 * MARGIN) };
}

function legend() {
  const own = node("g");
  [["lost", "choice", 0], ["luck", "luck", 80]].forEach(([name, text, left]) => {
    own.append(node("rect", { class: name, x: MARGIN + left, y: 4, width: 11, height: 11 }));
    own.append(node("text", { x: MARGIN + left + 15, y: 14 }, text));
  });
  return own;
}

/** A bar from one value to another; one of no length is a line. */
function bar(name, from, to, y, title) {
  const own = node("rect", { class: name, x: Math.min(from, to) - 0.75, y, width: Math.abs(to - from) + 1.5, height: BAR });
  own.append(node("title", {}, title));
  return own;
}

function axis(scale, unit, bottom) {
  const { numbers, digits } = ticks(scale.low, scale.high);
  const own = node("g");
  for (const number of numbers) {
    const x = scale.at(number);
    own.append(node("line", { class: "tick", x1: x, x2: x, y1: TOP, y2: bottom }));
    own.append(node("text", { x, y: bottom + 15, "text-anchor": "middle" }, number.toFixed(digits)));
  }
  own.append(node("text", { x: MARGIN, y: bottom + 34 }, unit));
  return own;
}

/** A guess: its word and figures, below them what the choice lost and what the marks gave. */
function step(turn, row, top, scale, width) {
  const [before, chosen, after] = ["expected_before", "expected_chosen", "expected_after"].map((name) => scale.at(turn[name]));
  const own = node("g", { class: "step" });
  const most = Math.max(4, Math.floor((width - 170) / 9)); // letters that there is room for
  const word = row.guess.length > most ? `${row.guess.slice(0, most - 1)}…` : row.guess;
  const [upper, lower] = [top + 36, top + 38 + BAR];
  own.append(node("path", { class: "path", d: `M${before} ${top}V${upper}M${chosen} ${upper}V${lower + BAR}M${after} ${lower}V${top + ROW}` }));
  own.append(bar("lost", before, chosen, upper, `${row.guess}: choice ${row.choice}`));
  own.append(bar("luck", chosen, after, lower, `${row.guess}: luck ${row.luck}`));
  own.append(node("text", { class: "guess", x: MARGIN, y: top + 14 }, `${row.turn} ${word}`));
  [`choice ${row.choice}`, `luck ${row.luck}`].forEach((text, line) => {
    own.append(node("text", { x: width - MARGIN, y: top + 14 + 16 * line, "text-anchor": "end" }, text));
  });
  return own;
}

function end(text, value, y, scale) {
  const x = scale.at(value), own = node("g");
  const right = x > (scale.at(scale.low) + scale.at(scale.high)) / 2;
  own.append(node("circle", { class: "end", cx: x, cy: y, r: 4 }));
  own.append(node("text", { x: x + (right ? -8 : 8), y: y + 4, "text-anchor": right ? "end" : "start" }, text));
  return own;
}

/** The drawing of a review, as wide as there is room for. */
export function chart(answer, width) {
  const values = answer.turns.flatMap((turn) => [turn.expected_before, turn.expected_chosen, turn.expected_after]);
  const scale = across(values, width);
  const bottom = TOP + 2 * END + ROW * answer.turns.length, height = bottom + 40;
  const last = answer.state === "open" ? "average now" : "result";
  const own = node("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  own.setAttribute("aria-label", `Value from guess to guess, with choices and luck apart. ${answer.sums} The table below says the same.`);
  own.append(legend(), axis(scale, `${answer.unit} on average${answer.rises ? "" : ", fewer is better"}`, bottom));
  answer.turns.forEach((turn, place) => own.append(step(turn, answer.rows[place], TOP + END + ROW * place, scale, width)));
  own.append(end(`start ${answer.start.toFixed(3)}`, answer.start, TOP + END - 8, scale));
  own.append(end(`${last} ${answer.result.toFixed(3)}`, answer.result, bottom - END + 8, scale));
  return own;
}
