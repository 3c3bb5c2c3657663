"""Tours of the page in a real browser, as tours.tsv has them: what is done, and what is seen then.

A tour begins with its page, of a small list, of the embedded one or exported, and its name. A step is an
action with what it is done to, and what is to be seen then, all at once: a selector or a name of SEEN, with
@ an attribute of it, or `js` and an expression, a relation and a text (= is, ^ begins, $ ends, ~ has), or
`shown` or `hidden`. `size` sets the width and mode of the window, `fresh` clears what the browser stores,
`before` a script that runs before each page's own, `hold` the answers to requests with a text.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from .browsing import HOLD, PASTE, RELEASE, SHIFTS, SMALL, WAITING, Keys, Page, before_each_page, offline

pytestmark = pytest.mark.slow
TOURS = [
    part.splitlines() for part in Path(__file__).with_name("tours.tsv").read_text().strip().split("\n\n")
]
PAGES = {"small": "address", "embedded": "embedded_address", "exported": "plain"}
CHECK = re.compile(r"(\S.*?) (?:(hidden|shown)|([=^$~]) ?(.*))")
RELATIONS = {"=": str.__eq__, "^": str.startswith, "$": str.endswith, "~": str.__contains__}

# The local date is 11 January 2026: every word of the day is the same again.
DATED = """
const real = Date, at = [2026, 0, 11, 12];
window.Date = class extends real {
  constructor(...given) { super(...(given.length ? given : at)); }
  static now() { return +new real(...at); }
};
"""
# Of two lengths nothing is known, whatever was computed before.
UNKNOWN = """
const real = window.fetch, none = { words: 1, forced: null, enough: null };
const lengths = [{ length: 5, ...none }, { length: 14, ...none }];
const told = { lengths, lives: 6, status: "Unknown." };
window.fetch = async (name, options) =>
  name === "/api/atlas-misses" ? new Response(JSON.stringify(told)) : real(name, options);
"""
COPIES = (
    "navigator.clipboard.writeText = async (text) => { window.asked = text; }; navigator.share = undefined;"
)
SCRIPTS = {"waiting": WAITING, "shifts": SHIFTS, "dated": DATED, "copies": COPIES, "unknown": UNKNOWN}


def keys(text: str) -> list[str]:
    """What is pressed, as `bone{ENTER}` has it."""
    return [getattr(Keys, name) if name else sign for name, sign in re.findall(r"\{(\w+)\}|(.)", text)]


def act(page: Page, action: str, what: str) -> None:
    place, _, rest = what.partition(" ")
    match action:
        case "before":
            page.leaving.enter_context(before_each_page(page.browser, SCRIPTS.get(what, what)))
        case "size":
            page.leaving.enter_context(page.seen(int(place), rest))
        case "phone":
            page.leaving.enter_context(page.seen(390, "light"))
            size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
            page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        case "offline":
            page.leaving.enter_context(offline(page.browser))
        case "touch":
            page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
            page.leaving.callback(
                page.browser.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled", {"enabled": False}
            )
        case "back":
            page.browser.back()
        case "hold":
            page.browser.execute_script(HOLD, what)
        case "release":
            page.browser.execute_async_script(RELEASE)
        case "touchable":
            assert page.browser.execute_script(SMALL) == []
        case "open":
            page.open(what.partition("#")[2], what.partition("#")[0])
        case "press":
            page.press(*keys(what))
        case "type":
            page.one(place).send_keys(*keys(rest))
        case "choose":
            page.choose(place, rest)
        case "refresh":
            page.browser.refresh()
        case "script":
            page.browser.execute_script(SCRIPTS.get(what, what))
        case "paste":
            page.browser.execute_script(PASTE, what.replace("\\n", "\n"))
        case "keys":
            for name in what.split():
                page.click(f'#keys [data-key="{name}"]')
        case "looks":
            page.check_looks()
        case "own":
            page.check_own(int(what))
        case _:
            getattr(page, action)(what)


def each(selector: str, what: str, between: str = "") -> str:
    return f"[...document.querySelectorAll('{selector}')].map(own => {what}).join('{between}')"


SEEN = {  # and how it is read
    "labels": each("#rows li", "own.ariaLabel", " | "),
    "replies": each("#replies a", "own.dataset.marks", " "),
    "typing": each("#typing .tile", "own.textContent || '_'"),
    "marked": each("#keys :is(.X, .M, .O)", "own.ariaLabel", "; "),
    "headings": each("h2", "own.checkVisibility() ? own.textContent : ''"),
    "url": "location.href",
    "title": "document.title",
    "asked": "`${window.asked}`",
    "typed": "document.getElementById('word').value",
    "figures": each("#stats dd", "own.innerText", " | "),
    "marks": "document.activeElement.dataset.marks || ''",
    "focus": "document.activeElement.ariaLabel || document.activeElement.id || heard(document.activeElement)",
}
# What a screen reader says of a node without a label; where a node is; the marks of the replies at a place.
HEARD = """
const all = selector => [...document.querySelectorAll(selector)];
const box = selector => document.querySelector(selector).getBoundingClientRect();
const marksAt = place => [...new Set(all("#replies a").map(own => own.dataset.marks[place]))].sort().join("");
const statistics = () => JSON.parse(localStorage["gpulingo.stats.1"] ?? "null")?.daily ?? {};
const series = () => Object.keys(statistics()).join(" ");
const stored = day => Object.values(statistics())[0]?.[day] ?? {};
const heard = own => {
  const copy = own.cloneNode(true);
  copy.querySelectorAll("[aria-hidden=true]").forEach(node => node.remove());
  return copy.textContent;
};
"""
OF_NODE = """
const [selector, name] = arguments, own = document.querySelector(selector);
if (name === "heard") return own ? heard(own) : "";
return name === "shown" ? Boolean(own?.checkVisibility()) : `${own?.[name] ?? own?.getAttribute(name) ?? ""}`;
"""


def wrong(page: Page, check: str) -> str:
    """What is seen in place of what is to be; empty where it is."""
    place, looks, relation, text = CHECK.fullmatch(check).groups()
    node, _, attribute = place.partition("@")
    if looks:
        shown = page.browser.execute_script(OF_NODE, place, "shown")
        return "" if shown == (looks == "shown") else check
    if place.startswith("js "):
        seen = str(page.browser.execute_script(f"{HEARD}return {place.removeprefix('js ')}"))
    elif place.startswith("count "):
        seen = str(len(page.all(place.removeprefix("count "))))
    elif attribute:
        seen = page.browser.execute_script(HEARD + OF_NODE, node, attribute)
    else:
        seen = (
            page.browser.execute_script(f"{HEARD}return {SEEN[place]}") if place in SEEN else page.text(place)
        )
    return "" if RELATIONS[relation](seen.strip(), text.strip()) else f"{check}: {seen}"


@pytest.mark.parametrize("steps", [pytest.param(own, id=own[0].partition("\t")[2]) for own in TOURS])
def test_what_is_done_shows_what_the_tour_says(browser, request, steps):
    page = Page(browser, request.getfixturevalue(PAGES[steps[0].split()[1]]))
    browser.get_log("browser")  # what came before
    with ExitStack() as page.leaving:
        for step in steps[1:]:
            done, *checks = step.split("\t")
            act(page, *done.partition(" ")[::2])
            faults: list[str] = []

            def holds(checks: list[str] = checks, faults: list[str] = faults) -> bool:
                faults[:] = [fault for fault in (wrong(page, check) for check in checks) if fault]
                return not faults

            try:
                page.until(holds)
            except Exception as error:
                raise AssertionError(f"{done}: {faults}") from error
