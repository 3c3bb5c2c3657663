"""Tours of the page in a real browser, as tours.tsv has them: what is done, and what is seen then.

A tour begins with its list, small or embedded, and its name. A step is an action with what it is done to, and
what is to be seen then, all at once: a selector or a name of SEEN, with @ an attribute of it, a relation and
a text (= is, ^ begins, $ ends, ~ has), or `shown` or `hidden`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .browsing import PASTE, Keys, Page

pytestmark = pytest.mark.slow
TOURS = [
    part.splitlines() for part in Path(__file__).with_name("tours.tsv").read_text().strip().split("\n\n")
]
CHECK = re.compile(r"(\S.*?) (?:(hidden|shown)|([=^$~]) ?(.*))")
RELATIONS = {"=": str.__eq__, "^": str.startswith, "$": str.endswith, "~": str.__contains__}


def keys(text: str) -> list[str]:
    """What is pressed, as `bone{ENTER}` has it."""
    return [getattr(Keys, name) if name else sign for name, sign in re.findall(r"\{(\w+)\}|(.)", text)]


def act(page: Page, action: str, what: str) -> None:
    place, _, rest = what.partition(" ")
    match action:
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
            page.browser.execute_script(what)
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
    "marked": each("#keys [data-sign]", "own.ariaLabel", "; "),
    "headings": each("h2", "own.checkVisibility() ? own.textContent : ''"),
    "url": "location.href",
    "title": "document.title",
    "asked": "`${window.asked}`",
    "typed": "document.getElementById('word').value",
    "focus": "document.activeElement.ariaLabel || document.activeElement.id || heard(document.activeElement)",
}
# What a screen reader says of a node without a label.
HEARD = """
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
    place, _, attribute = place.partition("@")
    if looks:
        shown = page.browser.execute_script(OF_NODE, place, "shown")
        return "" if shown == (looks == "shown") else check
    if place.startswith("count "):
        seen = str(len(page.all(place.removeprefix("count "))))
    elif attribute:
        seen = page.browser.execute_script(HEARD + OF_NODE, place, attribute)
    else:
        seen = (
            page.browser.execute_script(f"{HEARD}return {SEEN[place]}") if place in SEEN else page.text(place)
        )
    return "" if RELATIONS[relation](seen.strip(), text.strip()) else f"{check}: {seen}"


@pytest.mark.parametrize("steps", [pytest.param(own, id=own[0].partition("\t")[2]) for own in TOURS])
def test_what_is_done_shows_what_the_tour_says(browser, request, steps):
    page = Page(browser, request.getfixturevalue("address" if "= small" in steps[0] else "embedded_address"))
    browser.get_log("browser")  # what came before
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
