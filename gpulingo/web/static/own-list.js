// Word lists of the user, from files; loaded when the user opens the form.

import { ownList, posted, useList } from "./ask.js";
import { made, problem } from "./page.js";

const FILES = {
  wordlist: "Word list", targets: "Only these may be the answer", without: "Past answers to leave out",
};
const KINDS = ".txt,.gz,.csv,.tsv,.json,.jsonl,.dic,.md,.js,text/plain";
// First bytes of compressed files: the browser unpacks gzip alone.
const PACKED = { gzip: /^\x1f\x8b/, xz: /^\xfd7zXZ/, bzip2: /^BZh\d1AY/, zip: /^PK\x03\x04/ };

async function textOf(file) {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 6).arrayBuffer()));
  const kind = Object.keys(PACKED).find((kind) => PACKED[kind].test(start));
  if (!kind) return file.text();
  if (kind !== "gzip") throw new Error(`${file.name} is packed by ${kind}: unpack it first.`);
  const unpacked = new Response(file.stream().pipeThrough(new DecompressionStream("gzip")));
  return unpacked.text().catch(() => {
    throw new Error(`${file.name} is cut short or damaged: unpack it first.`);
  });
}

async function takeList(files) {
  try {
    const request = {};
    for (const [kind, file] of files) {
      Object.assign(request, { [kind]: await textOf(file), [`${kind}_name`]: file.name });
    }
    const { list, text, notes } = await posted("list", request);
    useList({ list, text: [text, ...notes].join("; ") });
  } catch (error) {
    problem(error.message);
  }
}

export function offer(box) {
  const inputs = Object.keys(FILES).map((kind) =>
    [kind, made("input", [], { type: "file", id: `own-${kind}`, accept: KINDS })]);
  const labels = inputs.map(([kind, input]) => made("label", [`${FILES[kind]} `, input]));
  const back = made("button", "Built-in list", { id: "built-in", hidden: !ownList().text });
  const use = made("button", "Use these", { type: "submit" });
  const form = made("form", [...labels, use, back], { id: "own" });
  box.append(form);
  form.addEventListener("submit", () => {
    const files = inputs.flatMap(([kind, { files: [file] }]) => (file ? [[kind, file]] : []));
    if (files.length) takeList(files);
    else problem("No file was chosen: choose one with one word per line.");
  });
  back.addEventListener("click", () => useList());
}
