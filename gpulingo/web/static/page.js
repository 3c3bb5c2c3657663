// What all views share: nodes, questions to the server, how a fault is told, the colours.

export const MARKS = ["X", "?", "O"];
export const NAMES = { X: "absent", "?": "misplaced", O: "placed" };
export const SIGNS = { X: "–", "?": "?", O: "✓" }; // beside the colour, for whoever tells none apart

export const at = (id) => document.getElementById(id);

/** A node; its text is shown as it is, never read as HTML. */
export function made(tag, text, fields = {}) {
  const node = Object.assign(document.createElement(tag), fields);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** A letter with its mark: a button where it can be pressed. */
export function tile(letter, mark, tag = "button") {
  const node = made(tag, letter, { className: `tile ${mark === "?" ? "M" : mark}` });
  if (tag === "button") node.type = "button";
  if ([...letter.toUpperCase()].length > 1) node.classList.add("small"); // ß
  node.dataset.sign = SIGNS[mark];
  node.setAttribute("aria-label", `${letter}, ${NAMES[mark]}`);
  return node;
}

/** A guess as a screen reader says it. */
export function said(word, marks) {
  return `${word}: ${[...word].map((letter, place) => `${letter} ${NAMES[marks[place]]}`).join(", ")}`;
}

/** A guessed letter and its places as a screen reader says them. */
export function saidLetter(letter, marks) {
  const places = marks.flatMap((mark, place) => (mark === "O" ? [place + 1] : []));
  return places.length ? `${letter}: at place ${places.join(", ")}` : `${letter}: not in the word`;
}

/** Tell what is wrong, or that nothing is. */
export function problem(text) {
  at("problem").textContent = text;
  at("problem").hidden = !text;
}

/** What an error of `posted` or `told` says to a user. */
export function complaint(error) {
  return error instanceof TypeError ? "The server does not answer: start it again with gpulingo web." : error.message;
}

async function read(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function sent(name, request, signal) {
  return fetch(`api/${name}`, {
    method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
  });
}

/** The server's answer to a request. */
export async function posted(name, request, signal) {
  return read(await sent(name, request, signal));
}

/** The answer to a request that takes long; `progress` is told what is known so far, or what it waits for. */
export async function streamed(name, request, signal, progress = () => {}) {
  const response = await sent(name, request, signal);
  if (!response.ok) return read(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new TypeError("the answer is cut short");
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const line of lines.filter(Boolean).map((own) => JSON.parse(own))) {
      if (line.error) throw new Error(line.error);
      if (line.answer) return line.answer;
      progress(line.progress);
    }
  }
}

/** Show what a long answer waits for. */
export function showStatus({ status }) {
  if (status) at("status").textContent = status;
}

/** What the server tells unasked. */
export async function told(name) {
  return read(await fetch(`api/${name}`));
}

function paint(contrast) {
  document.body.classList.toggle("contrast", contrast);
  at("contrast").checked = contrast;
}

try { // a browser may keep nothing
  paint(localStorage.getItem("contrast") === "yes");
} catch {
  paint(false);
}
at("contrast").addEventListener("change", (event) => {
  paint(event.target.checked);
  try {
    localStorage.setItem("contrast", event.target.checked ? "yes" : "no");
  } catch { /* it holds for this page */ }
});
