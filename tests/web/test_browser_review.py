"""The review in a real browser: a round typed, clicked and pasted; its table, its sums and its chart."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import CONTRASTS, MARKS, Keys, Page

pytestmark = MARKS
ROUND = "lingo/5/dents:O?XXO/dozes:OOOOO"
SQUARES = "Wordle 1,234 2/6*\n\n\U0001f7e9\U0001f7e8\u2b1b\u2b1b\U0001f7e9\n" + "\U0001f7e9" * 5
TEXTS = """
const box = node => node.getBoundingClientRect(), chart = document.querySelector("#chart svg");
return [...chart.querySelectorAll("text")].filter(node => {
  const [a, b] = [box(node), box(chart)];
  return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1;
}).map(node => node.textContent);
"""
BARS = """
return [...document.querySelectorAll("#chart .step rect")]
  .map(node => [node.getAttribute("class"), node.getAttribute("width") - 1.5]);
"""
FILLS = CONTRASTS.replace("h1, h2, p, label, button, input, select, td, th, .tile", "#chart text").replace(
    "node => node.offsetParent && node.textContent + node.value", "node => true"
).replace("getComputedStyle(node).color)", "getComputedStyle(node).fill)")  # fmt: skip


class Review(Page):
    """The view, as someone sees and uses it."""

    def __init__(self, browser: Any, address: str) -> None:
        super().__init__(browser, f"{address}review")

    def open(self, text: str = "lingo/5") -> None:
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}#{text}")
        self.until(lambda: self.all("#game option") and (self.text("#status") or self.text("#problem")))

    def reviewed(self) -> None:
        self.until(lambda: self.text("#problem") or self.all("#chart svg .step"))
        assert self.text("#problem") == ""

    def rows(self) -> list[list[str]]:
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#turns tbody tr')]"
            ".map(row => [...row.cells].map(cell => cell.textContent))"
        )


@pytest.fixture
def page(browser: Any, address: str) -> Review:
    """The view, opened anew."""
    opened = Review(browser, address)
    opened.open()
    return opened


def test_a_round_is_typed_and_reviewed_by_keyboard_alone(page):
    page.until(lambda: page.focused.get_attribute("id") == "word")
    page.press("dents", "o?xxO")
    page.until(lambda: page.labels() == ["dents: d placed, e misplaced, n absent, t absent, s placed"])
    page.press("dozes", Keys.ENTER)  # d is placed, the others are absent
    page.until(lambda: page.labels()[1:] == ["dozes: d placed, o absent, z absent, e absent, s placed"])
    page.press(Keys.ENTER)
    page.until(lambda: "no word fits" in page.text("#problem"))
    assert len(page.labels()) == 2 and page.browser.current_url.endswith("/dozes:OXXXO")
    page.press(Keys.ARROW_UP, Keys.ARROW_RIGHT, "o2O")
    page.until(lambda: page.labels()[1] == "dozes: d placed, o placed, z placed, e placed, s placed")
    page.one("#go").send_keys(Keys.ENTER)
    page.reviewed()
    assert [row[:3] for row in page.rows()] == [["dents", "GYBBG", "11"], ["dozes", "GGGGG", "1"]]
    assert page.text("#turns thead").startswith("guesscolourspossible beforepossible afteraverage")
    assert page.text("#sums").endswith(": 400 points.") and "found on guess 2" in page.text("#hows")
    assert page.browser.current_url.endswith(ROUND)


def test_guesses_are_coloured_by_the_word_and_changed_by_mouse(page):
    for word in ("cones", "lones", "tones"):
        page.one("#word").send_keys(word)
    page.one("#target").send_keys("tones")
    page.one("#marked button").click()
    page.reviewed()
    assert page.browser.current_url.endswith("/cones:XOOOO/lones:XOOOO/tones:OOOOO")
    steps = page.all("#chart .step")
    assert [len(step.find_elements("css selector", ".lost, .luck")) for step in steps] == [2, 2, 2]
    figures = page.rows()
    texts = [step.text.split("\n") for step in steps]
    for number, (row, text) in enumerate(zip(figures, texts, strict=True), 1):
        assert text[-3:] == [f"{number} {row[0]}", f"choice {row[7]}", f"luck {row[8]}"]
    sizes = [float(row[place].split()[1]) for row in figures for place in (7, 8)]
    bars = page.browser.execute_script(BARS)
    largest = max(sizes), max(wide for _, wide in bars)
    assert [name for name, _ in bars] == ["lost", "luck"] * 3
    assert [wide / largest[1] for _, wide in bars] == pytest.approx(
        [size / largest[0] for size in sizes], abs=0.01
    )
    start, lost, luck, result = (float(part.replace(" ", "")) for part in numbers(page.text("#hows li")))
    assert start + luck + lost == pytest.approx(result, abs=0.002)
    assert page.one("#chart svg").get_attribute("aria-label").count(page.text("#sums")) == 1
    page.all(".tile")[1].click()
    page.until(lambda: not page.rows())
    for left in (2, 1):
        page.all(".remove")[left].click()
        page.until(lambda left=left: len(page.labels()) == left)
    assert page.labels() == ["cones: c absent, o absent, n placed, e placed, s placed"]
    page.one("#go").click()
    page.until(lambda: page.text("#problem") or page.text("#sums").endswith("expected."))


def numbers(text: str) -> list[str]:
    """The four numbers of the sum, with their signs."""
    import re

    return re.findall(r"(?:[+-] )?\d+\.\d+", text)


def test_a_share_text_is_pasted_and_a_fault_loses_nothing(page):
    page.one("#pasting summary").click()
    page.browser.execute_script("document.getElementById('text').value = arguments[0]", SQUARES)
    page.one("#pasted button").click()
    page.until(lambda: page.text("#problem") == "Type the word of each row.")
    assert len(page.labels()) == 2 and page.text("#keys") == "Type the word of row 1."
    assert page.one("#text").get_attribute("value").startswith("Wordle 1,234")
    page.one("#words").send_keys("Dents, dozes")
    page.one("#pasted button").click()
    page.reviewed()
    assert page.browser.current_url.endswith(ROUND)
    page.browser.execute_script("document.getElementById('text').value = 'a'.repeat(1e6)")
    page.one("#pasted button").click()
    page.until(lambda: "1,000,012 characters were pasted" in page.text("#problem"))
    assert len(page.labels()) == 2 and page.one("#review").is_displayed()


def test_letters_of_hangman_are_reviewed_too(page):
    page.open("hangman/5/e%3A___O_")
    page.reviewed()
    page.one("#word").send_keys("s")
    page.until(lambda: page.labels() == ["e: at place 4", "s: not in the word"])
    page.all('[data-row="1"]')[4].click()
    page.until(lambda: page.labels() == ["e: at place 4", "s: at place 5"])
    page.one("#word").send_keys("\n")
    page.reviewed()
    assert [row[:2] for row in page.rows()] == [["e", "___O_"], ["s", "____O"]]
    assert page.browser.current_url.endswith("#hangman/5/e:___O_/s:____O")


def test_the_assistant_leads_to_the_review_of_its_round(page, address):
    assistant = Page(page.browser, address)
    assistant.open(ROUND)
    assistant.until(lambda: assistant.one("#review").get_attribute("href").endswith(ROUND))
    assistant.one("#review").click()
    page.reviewed()
    assert [row[0] for row in page.rows()] == ["dents", "dozes"]


def test_a_search_is_stopped(page):
    # A request for a review is left without an answer here, so that there is time to stop.
    page.browser.execute_script(
        "const plain = fetch; window.stopped = 0;"
        "window.fetch = (name, rest) => name !== '/api/review' ? plain(name, rest) : new Promise((_, no) =>"
        "rest.signal.addEventListener('abort', () => { window.stopped += 1; no(rest.signal.reason); }));"
    )
    page.one("#word").send_keys("dents")
    page.press("xxxxx", "\n")
    page.until(lambda: page.one("#stop").is_displayed() and page.text("#status").startswith("Judging"))
    page.one("#stop").click()
    page.until(lambda: page.text("#status") == "The search was stopped.")
    assert page.browser.execute_script("return stopped") == 1
    assert page.labels() and page.text("#problem") == "" and not page.one("#stop").is_displayed()


def test_it_fits_and_can_be_read_at_every_width_in_light_and_dark(page):
    page.open("lingo/5/dents%3AO%3FXXO/jjjjj%3AXXXXX/dozes%3AOOOOO")
    page.reviewed()
    page.browser.execute_script("document.getElementById('pasting').open = true")
    for width, scheme in ((320, "light"), (390, "dark"), (1200, "light")):
        with page.seen(width, scheme):
            page.check_look(width)
            page.until(lambda: page.browser.execute_script(TEXTS) == [])
            low, what = page.browser.execute_script(FILLS)
            assert low >= 4.5, what


def test_nothing_comes_from_another_host_and_scripts_are_text(page):
    page.browser.get_log("browser")  # what came before
    page.open("lingo/5/<img src=x onerror=alert(1)>:XXXXX/bones:<<<<</dents:XXXXX")
    page.until(lambda: "2 guesses in this link could not be read" in page.text("#problem"))
    assert len(page.labels()) == 1 and page.rows() == []
    page.open("chess<b>/5/dents:XXXXX")
    page.until(lambda: "a game called “chess<b>”" in page.text("#problem"))
    page.open("lingo/5/%E0%A4")
    assert page.labels() == []
    page.open(ROUND)
    page.reviewed()
    page.check_own(7)
