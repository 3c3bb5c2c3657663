"""The page in a real browser: what a tour cannot tell."""

from __future__ import annotations

import gzip
import lzma
import re
import socket
from datetime import date
from typing import Any

import pytest

from gpulingo.web.play import FIRST, daily_word
from gpulingo.words.wordlist import WordList

from .browsing import Keys, Page, before_each_page
from .conftest import WORDS, served

pytestmark = pytest.mark.slow
WORD = daily_word(WordList("", WORDS), (date.today() - FIRST).days)
WRONG = [word for word in WORDS if word != WORD]
BARS = """
return [...document.querySelectorAll("#chart .step :is(.lost, .luck)")]
  .map(node => [node.className, node.getBoundingClientRect().width - 1.5]);
"""


@pytest.fixture
def page(browser: Any, address: str) -> Page:
    """The page, of which no view is opened yet."""
    return Page(browser, address)


NAMES = ("constructor", "__proto__", "toString", "hasOwnProperty")  # that every object of JavaScript has
LINKS = [
    *(f"{name}/5/crane:XXXXX" for name in NAMES),
    *("constructor-hard/5", "-hard/5", "wordle/constructor/__proto__:toString", "hangman/5/e:__proto__"),
    *("mastermind/4xconstructor/1122:constructor", "trees/constructor/5/__proto__", "%E0%A4%A"),
]
ALIVE = {
    "": ("lingo/5", "11 possible answers."),
    "boards": ("dordle/5", "2 boards left."),
    "review": ("lingo/5", "Type or paste a finished round."),
    "play": ("practice", "Guess 1 of 6"),
    "atlas": ("trees", "No strategy is stored"),
}


@pytest.mark.parametrize("view", ALIVE)
def test_no_link_breaks_a_view(page, view):
    link, said = ALIVE[view]
    with before_each_page(page.browser, "faulty()"):
        page.address += view
        page.load(LINKS[0])
        assert page.script("return follow(arguments[0])", LINKS[1:]) == []
        page.browser.execute_script("location.hash = arguments[0]", link)
        page.until(lambda: page.text("#status").strip().startswith(said))
        assert page.text("#problem") == "" and page.browser.execute_script("return faults") == []


def test_a_list_of_ones_own_is_chosen_as_a_file(page, tmp_path):
    own, past, packed = (tmp_path / name for name in ("own.txt", "past.txt", "own.xz"))
    own.write_bytes(gzip.compress(b"bones\ncones\nlones\nfones\n9\n"))
    packed.write_bytes(lzma.compress(b"bones\n"))
    past.write_text("cones\n")
    page.open()
    page.one(".chooser summary").click()
    page.one("#choices + details summary").click()
    page.until(lambda: page.one("#own button"))
    page.one("#own button").click()
    page.until(lambda: page.text("#problem").startswith("No file was chosen"))
    page.one("#own-wordlist").send_keys(str(packed))
    page.one("#own button").click()
    page.until(lambda: page.text("#problem").startswith("own.xz is packed by xz: unpack it first."))
    page.one("#own-wordlist").send_keys(str(own))
    page.one("#own-without").send_keys(str(past))
    page.one("#own button").click()
    page.until(lambda: page.text("#fit").startswith("3 words without past.txt, 4 words left of own.txt"))
    seen = "Words: own.txt (4), without past.txt (1); own.txt: skipped 1 word with non-letters"
    seen += ", more than a tenth of the list: '9'"
    assert page.text("#choices + details summary") == seen
    page.one(".chooser summary").click()
    page.one("#choices + details summary").click()
    page.until(lambda: page.one("#built-in"))
    page.one("#built-in").click()
    page.until(lambda: page.text("#status").startswith("11 possible answers"))


def test_the_theme_is_that_of_the_system_until_one_is_chosen_and_holds_in_all_views(page):
    def ground() -> str:
        return page.browser.execute_script("return getComputedStyle(document.body).backgroundColor")

    dark, light, media = "rgb(17, 20, 24)", "rgb(247, 248, 249)", "Emulation.setEmulatedMedia"
    page.fresh()
    page.open("", "")
    for chosen, view, *grounds in (
        ("", "atlas", light, dark), ("dark", "", dark, dark), ("light", "atlas", light, light)
    ):  # fmt: skip
        page.press(Keys.F1)
        page.until(lambda: page.one("dialog[open]"))
        page.choose("#theme", chosen)
        for opened in (False, True):
            if opened:
                page.open("", view)
            for scheme, expected in zip(("light", "dark"), grounds, strict=True):
                with page.seen(1200, scheme):
                    assert ground() == expected
    page.browser.execute_cdp_cmd(media, {"features": [{"name": "prefers-contrast", "value": "more"}]})
    page.browser.refresh()
    assert ground() == "rgb(255, 255, 255)" and page.one("body.contrast")
    page.browser.execute_cdp_cmd(media, {"features": []})
    page.browser.execute_script("localStorage.removeItem('theme')")


def figures(page: Page) -> list[list[str]]:
    """The numbers of a review, guess by guess."""
    rows = "[...document.querySelectorAll('#turns tbody tr')].map(row => [...row.cells])"
    return page.browser.execute_script(f"return {rows}.map(row => row.map(cell => cell.textContent))")


def test_guesses_are_coloured_by_the_word_and_changed_by_mouse(browser, address):
    review = Page(browser, f"{address}review")
    review.open()
    for word in ("cones", "lones", "tones"):
        review.one("#word").send_keys(word)
    review.one("#target").send_keys("tones")
    review.one("#marked button").click()
    review.until(lambda: review.text("#problem") or review.all("#chart .step"))
    assert review.text("#problem") == ""
    assert review.browser.current_url.endswith("/cones:XOOOO/lones:XOOOO/tones:OOOOO")
    steps = review.all("#chart .step")
    assert [len(step.find_elements("css selector", ".lost, .luck")) for step in steps] == [2, 2, 2]
    rows = figures(review)
    texts = [step.text.split("\n") for step in steps]
    for number, (row, text) in enumerate(zip(rows, texts, strict=True), 1):
        assert text[-3:] == [f"{number} {row[0]}", f"choice {row[7]}", f"luck {row[8]}"]
    sizes = [float(row[place].split()[1]) for row in rows for place in (7, 8)]
    bars = review.browser.execute_script(BARS)
    largest = max(sizes), max(wide for _, wide in bars)
    assert [name for name, _ in bars] == ["lost", "luck"] * 3
    assert [wide / largest[1] for _, wide in bars] == pytest.approx(
        [size / largest[0] for size in sizes], abs=0.01
    )
    start, lost, luck, result = (
        float(part.replace(" ", "")) for part in re.findall(r"(?:[+-] )?\d+\.\d+", review.text("#hows li"))
    )
    assert start + luck + lost == pytest.approx(result, abs=0.002)
    assert review.one("#chart [role=img]").get_attribute("aria-label").count(review.text("#sums")) == 1
    review.all(".tile")[1].click()
    review.until(lambda: not figures(review))
    for left in (2, 1):
        review.all(".remove")[left].click()
        review.until(lambda left=left: len(review.labels()) == left)
    assert review.labels() == ["cones: c absent, o absent, n placed, e placed, s placed"]
    review.one("#go").click()
    review.until(lambda: review.text("#problem") or review.text("#sums").endswith("expected."))


@pytest.fixture
def today(browser: Any, address: str) -> Page:
    """The view with today's word, in a browser without stored data."""
    opened = Page(browser, f"{address}play")
    opened.fresh()
    opened.open("")
    return opened


def test_a_server_that_is_started_again_goes_on(browser, tmp_path):
    (tmp_path / "words.txt").write_text("\n".join(WORDS) + "\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with served(tmp_path, "--wordlist", "words.txt", port=port) as address:
        page = Page(browser, f"{address}play")
        page.open("")
        page.guess(WRONG[0])
    page.press(WRONG[1], Keys.ENTER)
    page.until(
        lambda: page.text("#problem") == "gpulingo web has stopped. Start it again; your round is kept."
    )
    with served(tmp_path, "--wordlist", "words.txt", port=port):
        page.press(Keys.ENTER)
        page.until(lambda: [own.split(":")[0] for own in page.labels()] == WRONG[:2])
        assert page.text("#problem") == ""


def test_the_day_is_that_of_the_local_date(today):
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", ""):
        today.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        days = today.browser.execute_async_script(
            "const done = arguments[0]; import('/stats.js').then(({ today }) => done("
            "[[2026, 0, 1, 0], [2026, 0, 1, 23], [2026, 2, 29, 1], [2026, 9, 25, 23], [2026, 10, 24, 12]]"
            ".map(([y, m, d, h]) => today(new Date(y, m, d, h)))))"
        )
        assert days == [0, 0, 87, 297, 327], zone


def test_two_tabs_play_one_daily_round(today):
    first = today.browser.current_window_handle
    today.browser.switch_to.new_window("tab")
    second = today.browser.current_window_handle
    try:
        today.open("daily")
        today.guess(WRONG[0])
        today.browser.switch_to.window(first)
        today.until(lambda: len(today.labels()) == 1)
        assert "another tab" in today.text("#problem")
        today.guess(WRONG[1])
        today.browser.switch_to.window(second)
        today.until(lambda: len(today.labels()) == 2)
        today.guess(WORD)
        today.browser.switch_to.window(first)
        today.until(
            lambda: (
                today.text("#end") == "Found in 3"
                and [own.text for own in today.all("#stats dd")] == ["1", "100 %", "1", "1"]
            )
        )
    finally:
        today.browser.switch_to.window(second)
        today.browser.close()
        today.browser.switch_to.window(first)
