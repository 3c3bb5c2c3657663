// Questions to the server. An exported page has stored.js in place of this file.

const GONE = "gpulingo web has stopped. Start it again; your round is kept.";

function failed(error) {
  throw error instanceof TypeError ? new TypeError(GONE) : error;
}

async function read(response) {
  const answer = await response.json().catch(failed);
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.error), { status: response.status, slip: answer.slip });
}

/** The user's word list in this tab: the server's name for it, and a description; {} without one. */
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
  }).catch(failed);
}

export async function posted(name, request, signal) {
  return read(await sent(name, request, signal));
}

/** Return the answer to a long request; call `progress` with intermediate results or a status. */
export async function streamed(name, request, signal, progress = () => {}) {
  const response = await sent(name, request, signal);
  if (!response.ok) return read(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await reader.read().catch(failed);
    if (done) throw new TypeError(GONE);
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
  const query = list ? `?list=${encodeURIComponent(list)}` : "";
  const response = await fetch(`/api/${name}${query}`).catch(failed);
  if (list && response.status === 410) useList(); // the server restarted and lost the list
  return read(response);
}
