"""Explore in a real browser: trees are followed, each part opened, by keyboard only and by mouse."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import HOLD, RELEASE, SHIFTS, SMALL, Keys, Page, before_each_page

pytestmark = pytest.mark.slow
PARTS = {
    "trees/lingo5/5/XX%3FXX": "232 possible answers",
    "trees/lingo5/13": "12,971 possible answers",
    "bounds": "22 strategies",
    "hangman": "With 6 lives",
    "racks/scrabble/qu%3Fzes": "QU?ZES: quizes, 23 points",
}

# Two lengths are unknown, whatever was computed before.
UNKNOWN = """
const real = window.fetch, none = { words: 1, forced: null, enough: null };
const lengths = [{ length: 5, ...none }, { length: 14, ...none }];
window.fetch = async (name, options) =>
  name === "/api/atlas-misses" ? new Response(JSON.stringify({ lengths })) : real(name, options);
"""


@pytest.fixture
def page(browser: Any, embedded_address: str) -> Page:
    """The atlas of the embedded list."""
    return Page(browser, embedded_address + "atlas")


def focused(page: Page) -> str:
    """The marks of the reply that has the focus."""
    return page.browser.execute_script("return document.activeElement.dataset.marks")  # nodes are redrawn


def way(page: Page) -> str:
    """The address after its #."""
    return page.browser.current_url.partition("#")[2]


def test_a_tree_is_walked_by_keyboard_alone(page):
    page.open("trees/lingo5/5")
    page.says("11,506 possible answers. Then tares: 199.62 points on average, at most 235.77 for anyone.")
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
    second = focused(page)
    assert second == page.replies()[1]
    page.press(Keys.ARROW_RIGHT)
    page.until(lambda: way(page) == f"trees/lingo5/5/{second}")
    page.until(lambda: focused(page) == page.replies()[0] and focused(page) != second)  # the next place's
    first = focused(page)
    page.press(Keys.ENTER)
    page.until(lambda: way(page) == f"trees/lingo5/5/{second}/{first}" and len(page.all("#trail a")) == 3)
    page.until(lambda: focused(page))
    page.press(Keys.ARROW_LEFT)
    page.until(lambda: way(page) == f"trees/lingo5/5/{second}" and focused(page) == first)  # as before
    page.press(Keys.BACKSPACE)
    page.until(lambda: way(page) == "trees/lingo5/5" and focused(page) == second)


def test_replies_are_filtered_by_the_tiles_of_the_guess(page):
    page.open("trees/lingo5/5")
    page.until(lambda: len(page.replies()) == 20)
    every = page.text("#counted-replies")
    for mark, fits in (("absent", "X"), ("misplaced", "?"), ("placed", "O")):
        page.click("#tiles button:nth-child(3)")
        page.until(lambda fits=fits: {row[2] for row in page.replies()} == {fits})
        assert page.all("#tiles button")[2].get_attribute("aria-label") == f"r, {mark}, place 3"
    page.click("#tiles button:nth-child(3)")
    page.until(lambda: page.text("#counted-replies") == every)
    page.press(Keys.ARROW_UP)  # nothing: no reply has the focus
    page.press("?", Keys.TAB, "x")  # on tile 3, which goes on to 4, and on the last one
    page.until(lambda: page.replies() and all(row[2] == "?" and row[4] == "X" for row in page.replies()))
    page.press(Keys.BACKSPACE)
    page.until(lambda: len({row[4] for row in page.replies()}) > 1)
    first = page.replies()[0]
    page.press(Keys.ENTER)
    page.until(lambda: way(page) == f"trees/lingo5/5/{first}" and page.text("#eyebrow").startswith("Guess 2"))
    assert all("not coloured" in tile.get_attribute("aria-label") for tile in page.all("#tiles button"))


def test_a_tree_is_walked_by_mouse_and_a_reload_keeps_the_place(page):
    page.open("trees/lingo5/5/X?XXX")
    page.says("519 possible answers. Then colin")
    assert len(page.replies()) == 20
    page.click("#more")
    page.until(lambda: len(page.replies()) == 40 and page.focused == page.all("#replies a")[20])
    page.click("#replies li:nth-child(2) a")
    page.until(lambda: len(page.all("#trail a")) == 3)
    before = page.text("#status"), way(page), page.text("#left")
    page.browser.refresh()
    page.until(lambda: page.text("#status") == before[0] and page.text("#left") == before[2])
    assert way(page) == before[1] and way(page).startswith("trees/lingo5/5/X?XXX/")
    label = page.all("#trail a")[1].get_attribute("aria-label")
    assert label == "tares: t absent, a misplaced, r absent, e absent, s absent"
    page.all("#trail a")[0].click()
    page.says("11,506 possible answers")
    page.browser.back()
    page.until(lambda: page.text("#status") == before[0])


def test_colours_set_while_another_place_is_on_its_way_are_not_asked_of_it(page):
    page.open("trees/lingo5/5")
    page.says("11,506 possible answers")
    page.browser.execute_script("""
      const real = window.fetch, held = new Promise((done) => { window.release = done; });
      window.asked = 0;
      window.fetch = async (...request) => {
        if ((window.asked += 1) === 1) await held;
        return real(...request);
      };
      location.hash = "#trees/lingo5/5/X?XXX";""")
    page.until(lambda: page.browser.execute_script("return asked") == 1)
    page.click("#tiles button")
    page.browser.execute_script("release()")
    page.says("519 possible answers")
    assert page.browser.execute_script("return asked") == 1 and page.text("#problem") == ""


def test_a_position_is_asked_of_the_assistant_and_played_from(page):
    page.open("trees/wordle-hard6/5/X?XXX")
    page.until(lambda: len(page.replies()) > 5)
    word = page.text("#left").split()[0]
    page.click("#ask")
    page.until(lambda: page.labels() == ["salet: s absent, a misplaced, l absent, e absent, t absent"])
    assert page.text("#chosen") == "Wordle, 5 letters, hard mode"
    page.browser.back()
    page.until(lambda: len(page.replies()) > 5)
    page.click("#play")
    page.until(lambda: page.labels() == ["salet: s absent, a misplaced, l absent, e absent, t absent"])
    page.press(*word, Keys.ENTER)
    page.until(lambda: len(page.labels()) == 2)
    assert page.one("#hard").get_attribute("value") == "hard"


def test_every_part_fits_and_can_be_read_at_every_width_in_light_and_dark(page):
    with before_each_page(page.browser, SHIFTS), page.seen(390, "light"):
        for address, status in PARTS.items():
            page.open(address)
            page.says(status)
            assert page.browser.execute_script(SMALL) == []
            assert page.browser.execute_script("return window.shift") <= 0.02
    for address, status in PARTS.items():
        page.turn(address)
        page.says(status)
        page.check_looks()


def test_an_old_answer_comes_over_no_newer_one(page):
    page.open("racks/challenge/aeinrst")
    page.says("AEINRST")
    page.browser.execute_script(HOLD, '"top":200')
    page.one("#more-laid").click()
    page.turn("racks/challenge/zoo")
    page.says("ZOO")
    page.browser.execute_async_script(RELEASE)
    assert page.text("#status").startswith("ZOO") and len(page.all("#laid li")) < 20


@pytest.mark.parametrize("goes_on", ["parts", "racks"])
def test_a_late_answer_takes_no_focus_and_is_not_told_in_another_part(browser, address, goes_on):
    page = Page(browser, address + "atlas")
    page.open("racks/challenge/ab")
    page.browser.execute_script(UNKNOWN)
    page.turn("hangman")
    page.until(lambda: page.one("#forced button"))
    page.browser.execute_script(HOLD, '"length":')
    page.one("#forced button").click()
    if goes_on == "racks":
        page.turn("racks/challenge/zoo")
        page.says("ZOO")
        page.browser.execute_async_script(RELEASE)
        assert page.text("#status").startswith("ZOO")
        return
    own = page.all("#parts a")[0]
    page.browser.execute_script("arguments[0].focus()", own)
    assert page.one("#forced tbody button").text == "searching"
    page.browser.execute_async_script(RELEASE)
    page.until(lambda: "searching" not in page.text("#forced"))
    assert page.focused == own
