// The chart of a review: the value after each guess, downwards; a step has parts for choice and luck.

const NAMESPACE = "http://www.w3.org/2000/svg";
const [MARGIN, TOP, ROW, BAR] = [10, 30, 68, 10]; // pixels; a row has two lines of text and two bars
const END = 24; // pixels for the line of the start, and of the result

function node(tag, fields, ...content) {
  const own = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(fields)) own.setAttribute(name, value);
  own.append(...content);
  return own;
}

function text(x, y, content, anchor = "start", name = "") {
  return node("text", { x, y, "text-anchor": anchor, class: name }, content);
}

function ticks(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const numbers = [];
  for (let own = Math.ceil(low / step); own * step <= high; own += 1) numbers.push(own * step);
  return { numbers, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

function across(values, width) {
  const [least, most] = [Math.min(...values), Math.max(...values)], room = (most - least || 1) * 0.04;
  const [low, high] = [least - room, most + room];
  return { low, high, at: (value) => MARGIN + ((value - low) / (high - low)) * (width - 2 * MARGIN) };
}

function legend() {
  return node("g", {}, ...[["lost", "choice", 0], ["luck", "luck", 80]].flatMap(([name, label, left]) => [
    node("rect", { class: name, x: MARGIN + left, y: 4, width: 11, height: 11 }),
    text(MARGIN + left + 15, 14, label),
  ]));
}

/** A bar from one value to another; at length 0 it is a line. */
function bar(name, from, to, y, title) {
  const x = Math.min(from, to) - 0.75, width = Math.abs(to - from) + 1.5;
  return node("rect", { class: name, x, y, width, height: BAR }, node("title", {}, title));
}

function axis(scale, unit, bottom) {
  const { numbers, digits } = ticks(scale.low, scale.high);
  const lines = numbers.map((number) => [scale.at(number), number.toFixed(digits)]).flatMap(([x, label]) => [
    node("line", { class: "tick", x1: x, x2: x, y1: TOP, y2: bottom }),
    text(x, bottom + 15, label, "middle"),
  ]);
  return node("g", {}, ...lines, text(MARGIN, bottom + 34, unit));
}

function step(values, { guess, turn, choice, luck }, top, scale, width) {
  const [before, chosen, after] = values.map(scale.at), [upper, lower] = [top + 36, top + 38 + BAR];
  const most = Math.max(4, Math.floor((width - 170) / 9)); // letters that fit
  const word = guess.length > most ? `${guess.slice(0, most - 1)}…` : guess, right = width - MARGIN;
  const [lost, gained] = [`choice ${choice}`, `luck ${luck}`];
  const path = `M${before} ${top}V${upper}M${chosen} ${upper}V${lower + BAR}M${after} ${lower}V${top + ROW}`;
  return node("g", { class: "step" },
    node("path", { class: "path", d: path }),
    bar("lost", before, chosen, upper, `${guess}: ${lost}`),
    bar("luck", chosen, after, lower, `${guess}: ${gained}`),
    text(MARGIN, top + 14, `${turn} ${word}`, "start", "guess"),
    text(right, top + 14, lost, "end"), text(right, top + 30, gained, "end"));
}

function end(label, value, y, scale) {
  const x = scale.at(value), isRight = x > (scale.at(scale.low) + scale.at(scale.high)) / 2;
  return node("g", {}, node("circle", { class: "end", cx: x, cy: y, r: 4 }),
    text(x + (isRight ? -8 : 8), y + 4, `${label} ${value.toFixed(3)}`, isRight ? "end" : "start"));
}

export function chart({ turns, rows, state, sums, unit, rises, start, result }, width) {
  const values = turns.map((turn) => [turn.expected_before, turn.expected_chosen, turn.expected_after]);
  const scale = across(values.flat(), width), bottom = TOP + 2 * END + ROW * turns.length;
  const height = bottom + 40, viewBox = `0 0 ${width} ${height}`, said = "with choices and luck apart";
  const label = `Value from guess to guess, ${said}. ${sums} The table below says the same.`;
  return node("svg", { viewBox, width, height, role: "img", "aria-label": label },
    legend(), axis(scale, `${unit} on average${rises ? "" : ", fewer is better"}`, bottom),
    ...values.map((own, place) => step(own, rows[place], TOP + END + ROW * place, scale, width)),
    end("start", start, TOP + END - 8, scale),
    end(state === "open" ? "average now" : "result", result, bottom - END + 8, scale));
}
