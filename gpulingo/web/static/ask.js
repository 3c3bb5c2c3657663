// Questions to the server. An exported page has stored.js in place of this file.

export const ENDING = ""; // suffix of the address of every view
export const GONE = "gpulingo web has stopped. Start it again; your round is kept.";

async function read(response) {
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status, slip: answer.slip });
  return answer;
}

/** The user's word list in this tab: the server's name for it, and a description; {} for the server's list. */
export function ownList() {
  try { // a browser may forbid storage
    return JSON.parse(sessionStorage.getItem("list")) ?? {};
  } catch {
    return {};
  }
}

/** Use a word list of the user, or the server's list if none is given; reload the page. */
export function useList(list) {
  if (list) sessionStorage.setItem("list", JSON.stringify(list));
  else sessionStorage.removeItem("list");
  location.reload();
}

function sent(name, request, signal) {
  const { list } = ownList();
  return fetch(`/api/${name}`, {
    method: "POST", signal, headers: { "Content-Type": "application/json" },
    body: JSON.stringify(list && name !== "list" ? { ...request, list } : request),
  });
}

export async function posted(name, request, signal) {
  return read(await sent(name, request, signal));
}

/** Return the answer to a long request; call `progress` with intermediate results or a status. */
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
      if (line.error) throw Object.assign(new Error(line.error), { slip: line.slip });
      if (line.answer) return line.answer;
      progress(line.progress);
    }
  }
}

export async function told(name) {
  const { list } = ownList();
  const response = await fetch(list ? `/api/${name}?list=${encodeURIComponent(list)}` : `/api/${name}`);
  if (list && response.status === 410) useList(); // the server restarted and lost the list
  return read(response);
}
