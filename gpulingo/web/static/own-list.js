// Word lists of the user, from files; an exported page has none.

import { ownList, posted, useList } from "./ask.js";
import { at, listen, problem, show, write } from "./page.js";

// First bytes of compressed files: the browser unpacks gzip alone.
const PACKED = { gzip: /^\x1f\x8b/, xz: /^\xfd7zXZ/, bzip2: /^BZh\d1AY/, zip: /^PK\x03\x04/ };

async function textOf(file) {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 6).arrayBuffer()));
  const kind = Object.keys(PACKED).find((own) => PACKED[own].test(start));
  if (!kind) return file.text();
  if (kind !== "gzip") throw new Error(`${file.name} is packed by ${kind}: unpack it first.`);
  const unpacked = new Response(file.stream().pipeThrough(new DecompressionStream("gzip")));
  return unpacked.text().catch(() => {
    throw new Error(`${file.name} is cut short or damaged: unpack it first.`);
  });
}

async function takeLists() {
  const request = {};
  try {
    for (const [name, file] of new FormData(at("own"))) {
      if (file.name) Object.assign(request, { [name]: await textOf(file), [`${name}_name`]: file.name });
    }
    const none = "No file was chosen: choose one with one word per line.";
    if (!Object.keys(request).length) throw new Error(none);
    const { list, text, notes } = await posted("list", request);
    useList({ list, text: [text, ...notes].join("; ") });
  } catch (error) {
    problem(error.message);
  }
}

const { text } = ownList();
if (text) write({ listed: `Words: ${text}` });
show({ "built-in": text });
listen("click", { "built-in": () => useList() });
listen("submit", { own: takeLists });
