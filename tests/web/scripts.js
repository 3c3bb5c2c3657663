// Functions for what the tests of pages run in a browser; browsing.py puts them before each script.

const all = (selector) => [...document.querySelectorAll(selector)];
const node = (own) => (typeof own === "string" ? document.querySelector(own) : own);
const box = (own) => node(own).getBoundingClientRect();
const look = (own) => getComputedStyle(own);
const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

// What a screen reader says of a node without a label.
function heard(own) {
  const copy = own.cloneNode(true);
  copy.querySelectorAll("[aria-hidden=true]").forEach((hidden) => hidden.remove());
  return copy.textContent;
}

// Marks of the replies at a place; what a browser stores of daily rounds.
const marksAt = (place) =>
  [...new Set(all("#replies a").map((own) => own.dataset.marks[place]))].sort().join("");
const statistics = () => JSON.parse(localStorage["gpulingo.stats.1"] ?? "null")?.daily ?? {};
const series = () => Object.keys(statistics()).join(" ");
const stored = (day) => Object.values(statistics())[0]?.[day] ?? {};

// What the checks of a tour name, and how it is read.
const SEEN = {
  labels: () => all("#rows li").map((own) => own.ariaLabel).join(" | "),
  replies: () => all("#replies a").map((own) => own.dataset.marks).join(" "),
  typing: () => all("#typing .tile").map((own) => own.textContent || "_").join(""),
  marked: () => all("#keys :is(.X, .M, .O)").map((own) => own.ariaLabel).join("; "),
  headings: () => all("h2").map((own) => (own.checkVisibility() ? own.textContent : "")).join(""),
  url: () => location.href,
  title: () => document.title,
  asked: () => `${window.asked}`,
  typed: () => document.getElementById("word").value,
  figures: () => all("#stats dd").map((own) => own.innerText).join(" | "),
  marks: () => document.activeElement.dataset.marks || "",
  focus: () => document.activeElement.ariaLabel || document.activeElement.id || heard(document.activeElement),
};

function seen(place) {
  if (place in SEEN) return SEEN[place]();
  if (place.startsWith("count ")) return `${all(place.slice(6)).length}`;
  const [selector, attribute = "textContent"] = place.split("@"), own = node(selector);
  if (attribute === "heard") return own ? heard(own) : "";
  return `${own?.[attribute] ?? own?.getAttribute(attribute) ?? ""}`;
}

// The next long request waits for ever, and reports that it waits.
function waiting() {
  const real = window.fetch;
  window.fetch = async (name, options) => {
    if (!["/api/search", "/api/review"].includes(name)) return real(name, options);
    const line = JSON.stringify({ progress: { status: "Waiting behind 2 searches." } }) + "\n";
    return new Response(new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode(line)) }));
  };
}

// The local date is 11 January 2026: every word of the day is the same again.
function dated() {
  const real = Date, at = [2026, 0, 11, 12];
  window.Date = class extends real {
    constructor(...given) { super(...(given.length ? given : at)); }
    static now() { return +new real(...at); }
  };
}

// Of two lengths nothing is known, whatever was computed before.
function unknown() {
  const real = window.fetch, none = { words: 1, forced: null, enough: null };
  const lengths = [{ length: 5, ...none }, { length: 14, ...none }];
  const told = { lengths, lives: 6, status: "Unknown." };
  window.fetch = async (name, options) =>
    name === "/api/atlas-misses" ? new Response(JSON.stringify(told)) : real(name, options);
}

function copies() {
  navigator.clipboard.writeText = async (text) => { window.asked = text; };
  navigator.share = undefined;
}

function shifts() {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}

function faulty() {
  window.faults = [];
  addEventListener("error", (event) => faults.push(event.message));
  addEventListener("unhandledrejection", (event) => faults.push(`${event.reason}`));
}

function paste(text) {
  const data = new DataTransfer();
  data.setData("text", text);
  const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.getElementById("word").dispatchEvent(paste);
}

// Answers to requests with a text in their body wait until `release()`, which ends when they were taken.
function hold(text) {
  const real = window.fetch;
  window.fetch = (name, options) => options?.body?.includes(text) && !window.release
    ? new Promise((go) => {
        window.release = async () => {
          const coming = real(name, options);
          go(coming);
          await coming.then((answer) => answer.clone().text()).catch(() => null);
          await new Promise((done) => setTimeout(done));
        };
      })
    : real(name, options);
}

// Follow each link, until the page has what it asks for.
async function follow(links) {
  const real = window.fetch;
  let asked = Promise.resolve();
  window.fetch = (...request) => (asked = real(...request));
  for (const link of links) {
    const moved = new Promise((go) => addEventListener("hashchange", () => setTimeout(go), { once: true }));
    location.hash = link;
    await moved;
    await asked.catch(() => {});
  }
  return faults;
}

// Contrast of two colours by WCAG, each as red, green, blue.
const parts = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
const light = (rgb) => rgb.map((c) => c / 255)
  .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
function contrast(one, other) {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// The least contrast of a text, and its node.
function contrasts() {
  const opacity = (own) => (own ? look(own).opacity * opacity(own.parentElement) : 1);
  const ground = (own) => {
    for (; own; own = own.parentElement) {
      const color = look(own).backgroundColor;
      if (!/^rgba.*, 0\)$/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  return all("h1, h2, p, label, span, b, em, a, button, input, select, td, th")
    .filter((own) => own.offsetParent && opacity(own))
    .filter((own) => own.textContent + (own.value ?? ""))
    .map((own) => {
      const [color, behind] = [look(own).color, ground(own)].map(parts);
      const mixed = color.map((part, at) => behind[at] + (part - behind[at]) * opacity(own));
      return [contrast(mixed, behind), own.outerHTML];
    }).reduce((a, b) => (a[0] < b[0] ? a : b));
}

const outside = (a, b) =>
  a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1;

// Labels without the text that is seen, pieces of bars wider than their shares, tiles without a sign, costs
// of two lines, and texts outside their chart.
function faultsOfLook() {
  const visible = (selector) => all(selector).filter((own) => own.checkVisibility());
  const text = (own) => plain(heard(own));
  const share = (own) => own.style.getPropertyValue("--share") / 100;
  const width = (own) => box(own).width;
  return [
    ...visible("button[aria-label], a[aria-label]")
      .filter((own) => /\p{L}{2}/u.test(text(own)) && !plain(own.ariaLabel).includes(text(own))),
    ...visible(".finish span")
      .filter((own) => width(own) > 0.1 + width(own.parentElement) * share(own)),
    ...visible(".tile:is(.X, .M, .O)").filter((own) => getComputedStyle(own, "::after").content === "none"),
    ...visible(".alt em").filter((own) => own.getClientRects().length > 1 || own.offsetHeight > 30),
    ...visible("#chart :is(b, span)").filter((own) => outside(box(own), box(own.closest("figure")))),
  ].map((own) => own.outerHTML);
}

// What is too small to be touched.
const small = () => all("main a, button, input, select, summary, nav a")
  .filter((own) => own.offsetParent).map((own) => [own, box(own)])
  .filter(([own, { width, height }]) => height < 44 || width < (own.closest("#keys") ? 32 : 44))
  .map(([own, { width, height }]) => `${own.outerHTML.slice(0, 60)} ${width} x ${height}`);

// Of a report: texts outside their charts, or overlapping; least contrast of texts, in charts.
function report() {
  const ground = look(document.body).backgroundColor, least = (values) => Math.min(99, ...values);
  const apart = (color) => contrast(parts(color), parts(ground));
  const texts = all(".chart text").filter((own) => look(own).visibility === "visible");
  const overlaps = texts.flatMap((one, place) => texts.slice(place + 1).filter((other) => {
    const [a, b] = [box(one), box(other)]; // a pixel or two of the boxes are above and below the letters
    return one.ownerSVGElement === other.ownerSVGElement && a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  }).map((other) => `${one.textContent} | ${other.textContent}`));
  const found = {
    ground, overlaps, wide: document.documentElement.scrollWidth,
    outside: texts.filter((own) => outside(box(own), box(own.ownerSVGElement))).map((own) => own.textContent),
    text: least(all("p, caption, th, td, summary, a, dd").map((own) => apart(look(own).color))),
    ink: least(texts.map((own) => apart(look(own).fill))),
  };
  // Its lines, and the name that is shown while a line with a hidden name has the focus.
  const drawn = all(".chart .mark-line path").map((own) => look(own).stroke);
  const grey = look(all(".chart [class*=_layer_0_marks] path")[0]).stroke;
  const coloured = new Set(drawn.filter((stroke) => stroke !== grey));
  const shown = () => all(".chart .mark-text[class*='_layer_2_marks']")
    .filter((own) => look(own).visibility === "visible").map((own) => own.textContent);
  const before = shown(), name = node(".names a");
  name.focus();
  const line = node(`.${name.className.replace("of", "line")}_layer_0_marks path`);
  return {
    ...found, before, after: shown(), name: name.textContent, pointed: look(line).stroke === look(document.body).color,
    charts: all(".chart svg").map((own) => box(own).height), hues: coloured.size,
    bars: all(".chart .mark-rect path").filter((own) => box(own).width > 1).length,
    lines: least([...coloured].map(apart)),
    letters: least(texts.map((own) => box(own).height)),
  };
}

// What an exported page answers to requests that the views send to a server, each a name and a record; or an
// error's name and text.
async function asked(calls) {
  const { posted } = await import("./ask.js");
  const told = ({ name, message }) => ({ name, error: message });
  return Promise.all(calls.map((own) => posted(...own).catch(told)));
}

// The same request without the stored files, and with them.
async function askedAgain(request) {
  const { fetch } = window, { posted } = await import("./ask.js");
  window.fetch = (file) => (file.endsWith(".z") ? Promise.reject(new TypeError()) : fetch(file));
  const without = await posted("suggest", request);
  window.fetch = fetch;
  return [without, await posted("suggest", request)];
}

// The daily words of some days, the last of which is today.
async function dailyWords(days) {
  const now = Date.now(), { posted } = await import("./ask.js"), words = [];
  Date.now = () => now + 86400000 * days.at(-1);
  for (const day of days) {
    const { round, number, dated, series } = await posted("play-new", { length: 5, day });
    const { word } = await posted("play-end", { round });
    words.push({ day, number, dated, series, word });
  }
  return words;
}
