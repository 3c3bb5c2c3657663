"""The play view in a real browser: rounds by keyboard alone and by mouse, refused guesses, reloads, looks."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import MARKS, Keys, Page, Select
from .conftest import LONG, WORDS

pytestmark = MARKS


@pytest.fixture
def page(browser: Any, address: str) -> Page:
    """The view with a round that has just begun."""
    opened = Page(browser, f"{address}play")
    opened.open("practice")
    return opened


SEGMENTS = {"hangman": "hangman", "absurdle": "evil"}


def begin(page: Page, **choices: str) -> None:
    """Begin a round of these choices by mouse."""
    segment = SEGMENTS.get(choices.get("game", ""), "practice")
    current = f'#segments [href="#{segment}"]'
    if page.one(current).get_attribute("aria-current") != "page":
        page.one(current).click()
        page.until(lambda: page.one(current).get_attribute("aria-current") == "page")
        page.until(
            lambda: (
                "practice" not in page.browser.current_url and f"#{segment}" not in page.browser.current_url
            )
        )
    before = page.browser.current_url
    if not page.one("#game").is_displayed():
        choices = {name: value for name, value in choices.items() if name != "game"}
    for name, value in choices.items():
        Select(page.one(f"#{name}")).select_by_value(value)
    page.click("#new")
    page.until(lambda: page.browser.current_url != before)


def row(page: Page) -> str:
    """What is typed, or shown of a word in hangman."""
    return page.browser.execute_script(
        "return [...document.querySelectorAll('#typing .tile')].map(tile => tile.textContent || '_').join('')"
    )


def guess(page: Page, word: str) -> None:
    """Guess a word by keyboard, and wait for its marks."""
    rows = len(page.labels())
    page.press(word, Keys.ENTER)
    page.until(lambda: len(page.labels()) == rows + 1)


def tab_to(page: Page, selector: str) -> None:
    """Press tab until something has the focus."""
    for _ in range(60):
        if page.focused == page.one(selector):
            return
        page.press(Keys.TAB)
    raise AssertionError(f"{selector} is not reached by tab")


def test_a_whole_round_is_played_by_keyboard_alone(page):
    page.browser.get_log("browser")  # what came before
    page.until(lambda: page.focused == page.one("#typing"))
    tab_to(page, '#segments [href="#evil"]')
    page.press(Keys.ENTER)
    page.until(lambda: page.text("#status") == " Guess 1" and page.focused == page.one("#typing"))
    page.press("dentz", Keys.BACKSPACE, "s")
    assert page.one("#typing").get_attribute("aria-label") == "Guess 1, 5 letters: d, e, n, t, s"
    page.press(Keys.ENTER)
    page.until(lambda: len(page.labels()) == 1 and row(page) == "_____")
    tab_to(page, "#left summary")
    page.press(Keys.ENTER)
    while page.one("#give-up").is_displayed():
        page.until(lambda: page.text("#words"))
        turn = len(page.labels())
        guess(page, page.text("#words").split()[0])
        assert page.labels()[turn].split(":")[0] in page.text("#status")
        page.until(lambda: page.one("#board").get_attribute("aria-busy") == "false")
    assert "Found in" in page.text("#status") and "absent" not in page.labels()[-1]
    page.until(lambda: page.focused == page.one("#title"))
    labels = page.labels()
    page.press("dents", Keys.ENTER, Keys.ENTER, Keys.SPACE)  # a storm of keys after the end
    assert page.labels() == labels and not page.one("#typing").is_displayed()
    tab_to(page, "#again")
    page.press(Keys.ENTER)
    page.until(lambda: page.labels() == [] and page.text("#status") == " Guess 1")
    page.browser.back()
    page.until(lambda: page.labels() == labels)
    page.check_own(8)


def test_a_round_in_hard_mode_is_played_by_mouse(page):
    begin(page, game="lingo", host="largest", hard="hard")

    def keys(*names: str) -> None:
        for name in names:
            page.one(f'#keys [data-key="{name}"]').click()

    keys(*"dents", "Enter")
    page.until(lambda: page.labels() == ["dents: d absent, e misplaced, n placed, t absent, s placed"])
    marks = {key.get_attribute("aria-label") for key in page.all("#keys [data-sign]")}
    assert marks == {"d, absent", "e, misplaced", "n, placed", "t, absent", "s, placed"}
    assert page.text("#hints").startswith("Hard mode: use N in place 3, S in place 5 and E.")
    keys(*"roses", "Enter")
    page.until(lambda: "roses has no n at place 3, where it was shown" in page.text("#problem"))
    assert row(page) == "roses" and len(page.labels()) == 1
    keys("Backspace")
    page.until(lambda: row(page) == "rose_" and not page.text("#problem"))
    page.click("#left summary")
    page.until(lambda: page.text("#words"))
    assert page.text("#count") == "4 words still fit."
    assert page.one("#ask").get_attribute("href") == f"{page.address[:-4]}#lingo-hard/5/dents:X?OXO"
    page.one("#give-up").click()
    assert page.text("#give-up") == "Really give up?" and page.labels()
    page.one("#give-up").click()
    page.until(lambda: "Given up. 4 words fit, such as ZONES." in page.text("#status"))
    address = page.one("#review").get_attribute("href")
    assert address.endswith("review#lingo-hard/5/dents:X?OXO")
    page.one("#again").click()
    page.until(lambda: page.labels() == [] and not page.one("#again").is_displayed())


def test_a_reload_and_another_tab_lose_nothing(page):
    begin(page, game="absurdle")
    guess(page, "dozes")
    url, label = page.browser.current_url, page.labels()
    page.browser.refresh()
    page.until(lambda: page.labels() == label)
    assert page.browser.current_url == url and page.text("#title") == "Absurdle"
    page.browser.execute_async_script("""
      const [round, done] = arguments;
      fetch("/api/play-guess", { method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ round, guess: "roses", turn: 2 }) }).then(done);
    """, url.partition("#")[2])  # fmt: skip
    guess(page, "bones")
    assert [label.split(":")[0] for label in page.labels()] == ["dozes", "roses"] and row(page) == "bones"
    assert "in another tab" in page.text("#problem")


def test_a_round_that_is_gone_is_told_and_a_new_one_begins(page):
    page.open("constructor")
    assert "has expired" in page.text("#problem")
    page.open("<img src=x onerror=alert(1)>")
    assert page.text("#problem") == "This round has expired. Start a new one."
    begin(page, game="lingo")
    page.until(lambda: "Guess 1 of 5" in page.text("#status") and not page.text("#problem"))
    points = [own.text for own in page.all("#board .points")]
    assert points == ["500", "400", "300", "200", "100"]


def test_a_word_that_is_none_stays_typed(page):
    page.press("abc", Keys.ENTER)
    page.until(lambda: page.text("#problem") == "Too short: this word has 5 letters.")
    page.press("dez", Keys.ENTER)
    page.until(lambda: page.text("#problem") == "Not in the list. It costs nothing.")
    page.until(lambda: page.one("#typing.refused"))
    assert row(page) == "abcde" and page.labels() == []


def test_a_round_of_hangman_is_played_by_typing_letters(page):
    begin(page, game="hangman", host="largest")
    page.press("qwx")
    picture = page.one("#gallows")
    page.until(lambda: picture.get_attribute("aria-label") == "3 of 6 lives left. Not in the word: q, w, x.")
    assert len(page.all("#gallows .drawn")) == 5  # of ten strokes
    assert page.text("#status").endswith(" 3 of 6 lives left") and row(page) == "_____"
    page.press("q")
    page.until(lambda: "'q' was guessed before" in page.text("#problem"))
    page.press("s")
    page.until(lambda: row(page) == "____s")
    page.one('#keys [data-key="e"]').click()
    page.until(lambda: row(page) == "___es" and not page.one("#ask").is_displayed())
    page.press("vyk")
    page.until(lambda: "No life is left. 8 words fit, such as" in page.text("#status"))
    assert row(page) in WORDS and len(page.all("#gallows .drawn")) == 10
    assert "review#hangman/5/q:_____/" in page.one("#review").get_attribute("href")


def test_it_fits_and_can_be_read_at_every_width_in_light_and_dark(page):
    begin(page, game="absurdle")
    guess(page, "reads")
    page.press("\ue007")
    page.until(lambda: page.text("#problem"))
    page.click("#left summary")
    for width, scheme in ((320, "light"), (390, "dark"), (1200, "light")):
        with page.seen(width, scheme):
            page.check_look(width)
    begin(page, game="lingo", length=str(len(LONG)))
    page.press(LONG[:5])
    page.until(lambda: row(page).startswith(LONG[:5]))
    for width in (320, 390, 1200):
        with page.seen(width, "light"):
            assert page.browser.execute_script("return document.documentElement.scrollWidth") <= width
