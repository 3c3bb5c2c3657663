"""The page in a real browser, from a user's view: shared by the tests of all views."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

try:
    from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:  # then the tests that use a browser are skipped
    ActionChains = Keys = Select = WebDriverWait = None  # type: ignore[assignment,misc]
    NoSuchElementException = StaleElementReferenceException = None  # type: ignore[assignment,misc]

WAITS = re.compile(r"^(Loading words)?$|Searching\.$")  # status before an answer
SCRIPTS = Path(__file__).with_name("scripts.js").read_text()
SECONDS = 60  # timeout for expected changes
OPENED = count(1)


@contextmanager
def before_each_page(browser: Any, script: str) -> Iterator[None]:
    """Run a script in every page before the page's scripts."""
    command, source = "Page.addScriptToEvaluateOnNewDocument", f"(() => {{ {SCRIPTS} {{ {script} }} }})()"
    name = browser.execute_cdp_cmd(command, {"source": source})["identifier"]
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": name})


@contextmanager
def offline(browser: Any) -> Iterator[None]:
    """Disconnect the browser from the server."""
    browser.execute_cdp_cmd("Network.enable", {})
    gone = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", gone)
    try:
        yield
    finally:
        back = gone | {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", back)
        browser.get_log("browser")  # discards its errors


class Element:
    """An element, found anew at each use, because the page may have redrawn it; false if there is none."""

    def __init__(self, page: Page, selector: str, place: int = 0) -> None:
        self.page, self.selector, self.place = page, selector, place

    def __bool__(self) -> bool:
        return len(self.page.all(self.selector)) > self.place

    def __getattr__(self, name: str) -> Any:
        """What Selenium's elements have: `text`, `click()` .."""
        value = self.use(lambda own: getattr(own, name))
        return (lambda *given: self.use(lambda own: getattr(own, name)(*given))) if callable(value) else value

    def use(self, act: Callable[[Any], Any]) -> Any:
        """Return what an action returns; find the element again while it is redrawn under the action."""
        returned = []

        def acted() -> bool:
            found = self.page.browser.find_elements("css selector", self.selector)[self.place :]
            if not found:
                raise NoSuchElementException(self.selector)
            returned.append(act(found[0]))
            return True

        self.page.until(acted, self.selector)
        return returned[0]


class Page:
    """The page, from a user's view."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser, self.address, self.leaving = browser, address, ExitStack()

    def load(self, text: str) -> None:
        """Load an address of this view; a query makes it another, or it would not be loaded again."""
        self.browser.get(f"{self.address}?{next(OPENED)}#{text}")

    def open(self, text: str = "lingo/5", view: str | None = None) -> None:
        """Open an address, of this view or of another."""
        if view is not None:
            self.address = self.address.rpartition("/")[0] + f"/{view}"
        self.load(text)
        self.until(lambda: self.text("#problem") or not WAITS.search(self.text("#status")))

    def script(self, text: str, *given: Any) -> Any:
        """Run a script that may use the functions of scripts.js; return what it returns, or promises."""
        return self.browser.execute_script(f"{SCRIPTS} {{ {text} }}", *given)

    def fresh(self, _: str = "") -> None:
        """Clear what the browser stores for the page, which need not be open."""
        origin = "/".join(self.address.split("/")[:3])
        command = {"origin": origin, "storageTypes": "local_storage"}
        self.browser.execute_cdp_cmd("Storage.clearDataForOrigin", command)

    def one(self, selector: str) -> Element:
        return Element(self, selector)

    def all(self, selector: str) -> list[Element]:
        count = len(self.browser.find_elements("css selector", selector))
        return [Element(self, selector, place) for place in range(count)]

    def click(self, selector: str) -> None:
        """Click an element in the middle of the window, not below the tabs at the bottom of a phone."""
        script = "document.querySelector(arguments[0])?.scrollIntoView({block: 'center'})"
        self.browser.execute_script(script, selector)
        self.one(selector).click()

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list."""
        self.one(selector).use(lambda own: Select(own).select_by_value(value))

    def text(self, selector: str) -> str:
        return self.browser.execute_script(
            "return document.querySelector(arguments[0])?.textContent ?? ''", selector
        )

    def labels(self) -> list[str]:
        script = (
            "return [...document.querySelectorAll('#rows li')].map(row => row.getAttribute('aria-label'))"
        )
        return self.browser.execute_script(script)  # in one step, because rows are redrawn

    def turn(self, text: str) -> None:
        """Go to another address of the view, without a reload."""
        self.browser.execute_script("location.hash = arguments[0]", text)

    def guess(self, word: str) -> None:
        """Guess a word by keyboard, and wait for its marks."""
        rows = len(self.labels())
        self.press(word, Keys.ENTER)
        self.until(lambda: len(self.labels()) == rows + 1)

    def tab_to(self, selector: str) -> None:
        """Press tab until an element has the focus."""
        for _ in range(60):
            if self.focused == self.one(selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} is not reached by tab")

    def until(self, holds: Callable[[], Any], what: str = "") -> None:
        """Wait until a condition holds; elements that are redrawn while it reads them are no answer."""
        passing = [StaleElementReferenceException, NoSuchElementException]
        WebDriverWait(self.browser, SECONDS, 0.05, passing).until(lambda driver: holds(), what)

    def press(self, *keys: str) -> None:
        ActionChains(self.browser).send_keys(*keys).perform()

    @property
    def focused(self) -> Any:
        return self.browser.switch_to.active_element

    @contextmanager
    def seen(self, width: int, scheme: str) -> Iterator[None]:
        """Use a window of a width, in light or dark mode."""
        command = self.browser.execute_cdp_cmd
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        command("Emulation.setDeviceMetricsOverride", size)
        scheme_of = [{"name": "prefers-color-scheme", "value": scheme}]
        command("Emulation.setEmulatedMedia", {"features": scheme_of})
        try:
            yield
        finally:
            command("Emulation.clearDeviceMetricsOverride", {})
            command("Emulation.setEmulatedMedia", {"features": []})

    def check_own(self, least: int) -> None:
        """Check that files came, all of the page's folder, and no error since the log was read."""
        names = "performance.getEntriesByType('resource').map(own => own.name)"
        folder, *names = self.browser.execute_script(f"return [new URL('.', location).href, ...{names}]")
        assert len(names) >= least and all(name.startswith(folder) for name in names)
        faults = [own["message"] for own in self.browser.get_log("browser") if own["level"] == "SEVERE"]
        assert [fault for fault in faults if "/favicon.ico" not in fault] == []

    def check_looks(self) -> None:
        """Run `check_look` on narrow and wide windows, in light and dark mode."""
        for width, scheme in ((320, "light"), (390, "dark"), (1200, "light")):
            with self.seen(width, scheme):
                self.check_look(width)

    def check_look(self, width: int) -> None:
        """Check that nothing is wider than the window, and all text has contrast in both palettes."""
        for _ in range(2):
            assert self.browser.execute_script("return document.documentElement.scrollWidth") <= width
            self.until(lambda: self.browser.execute_script("return !document.getAnimations().length"))
            low, what = self.script("return contrasts()")
            assert low >= 4.5, what
            faults = self.script("return faultsOfLook()")
            assert not faults, faults
            self.browser.execute_script("document.body.classList.toggle('contrast')")
