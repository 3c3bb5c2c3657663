"""Tours of the page in a real browser, as tours.tsv has them: what is done, and what is seen then.

A tour begins with its page, of a small list, of the embedded one or exported, and its name. A step is an
action with what it is done to, and what is to be seen then, all at once: a selector or a name of SEEN in
scripts.js, with @ an attribute of it, or `js` and an expression, a relation and a text (= is, ^ begins,
$ ends, ~ has), or `shown` or `hidden`. `size` sets the width and mode of the window, `fresh` clears what the
browser stores, `before` a script that runs before those of each page, `hold` answers to requests with a text.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from .browsing import Keys, Page, before_each_page, offline

pytestmark = pytest.mark.slow
TOURS = [
    part.splitlines() for part in Path(__file__).with_name("tours.tsv").read_text().strip().split("\n\n")
]
PAGES = {"small": "address", "embedded": "embedded_address", "exported": "plain"}
CHECK = re.compile(r"(\S.*?) (?:(hidden|shown)|([=^$~]) ?(.*))")
RELATIONS = {"=": str.__eq__, "^": str.startswith, "$": str.endswith, "~": str.__contains__}


def keys(text: str) -> list[str]:
    """What is pressed, as `bone{ENTER}` has it."""
    return [getattr(Keys, name) if name else sign for name, sign in re.findall(r"\{(\w+)\}|(.)", text)]


def act(page: Page, action: str, what: str) -> None:
    place, _, rest = what.partition(" ")
    match action:
        case "before":
            page.leaving.enter_context(before_each_page(page.browser, what))
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
            page.script("hold(arguments[0])", what)
        case "release":
            page.script("return release()")
        case "touchable":
            assert page.script("return small()") == []
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
            page.script(what)
        case "paste":
            page.script("paste(arguments[0])", what.replace("\\n", "\n"))
        case "keys":
            for name in what.split():
                page.click(f'#keys [data-key="{name}"]')
        case "looks":
            page.check_looks()
        case "own":
            page.check_own(int(what))
        case _:
            getattr(page, action)(what)


def wrong(page: Page, check: str) -> str:
    """What is seen in place of what is to be; empty where it is."""
    place, looks, relation, text = CHECK.fullmatch(check).groups()
    if looks:
        shown = page.script("return Boolean(node(arguments[0])?.checkVisibility())", place)
        return "" if shown == (looks == "shown") else check
    expression = place.removeprefix("js ") if place.startswith("js ") else "seen(arguments[0])"
    seen = str(page.script(f"return {expression}", place))
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
