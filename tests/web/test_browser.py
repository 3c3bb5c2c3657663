"""The page in a real browser: by keyboard alone, by mouse, narrow and wide, in light and in dark."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import MARKS, WAITING, Page

pytestmark = MARKS
# The next search finds nothing exact, that after it nothing at all.
INEXACT = """
const real = window.fetch;
let searches = 0;
window.fetch = async (name, options) => {
  if (name !== "api/search") return real(name, options);
  searches += 1;
  if (searches > 1) return new Promise((_, fail) => options.signal.addEventListener("abort", fail));
  const text = await (await real(name, options)).text();
  return new Response(text.replaceAll('"exact": true', '"exact": false'));
};
"""


@pytest.fixture
def page(browser: Any, address: str) -> Page:
    """The page, opened anew."""
    opened = Page(browser, address)
    opened.open()
    return opened


def test_a_round_is_entered_by_keyboard_alone(page):
    from selenium.webdriver.common.keys import Keys

    page.until(lambda: page.focused.get_attribute("id") == "word")
    page.press("bones", Keys.ENTER)
    page.until(lambda: page.labels() == ["bones: b absent, o absent, n absent, e absent, s absent"])
    page.back()
    page.back()  # over "remove" to the last letter
    page.until(lambda: page.focused.get_attribute("aria-label") == "s, absent")
    page.press(Keys.ARROW_LEFT * 3)
    for key in "o2Oo":  # keys say the mark and go on
        page.press(key)
    row = "bones: b absent, o placed, n placed, e placed, s placed"
    page.until(lambda: page.labels() == [row])
    page.until(lambda: page.text("#candidates") == "zones tones cones lones")
    page.press(Keys.SPACE)
    page.until(lambda: page.labels() == [row.replace("s placed", "s absent")])
    page.press(Keys.DELETE)
    page.until(lambda: page.labels() == [] and page.focused.get_attribute("id") == "word")
    page.until(lambda: page.text("#status").startswith("11 words left of "))


def test_a_round_is_entered_by_mouse(page):
    page.one("#word").send_keys("dents")
    page.one("#add button").click()
    page.until(lambda: len(page.all(".tile")) == 5)
    for marks, name in enumerate(("misplaced", "placed", "absent", "misplaced")):
        page.all(".tile")[1].click()
        label = f"e, {name}"
        page.until(lambda label=label: page.all(".tile")[1].get_attribute("aria-label") == label)
        assert marks < 4
    page.until(lambda: page.text("#problem") or page.text("#candidates"))
    page.one(".remove").click()
    page.until(lambda: not page.labels())


def test_what_a_search_waits_for_is_told(page):
    page.until(lambda: page.text("#how").startswith("by a search") and not page.one("#stop").is_displayed())
    page.browser.execute_script(WAITING)
    page.one("#word").send_keys("jjjjj")
    page.one("#add button").click()
    page.until(lambda: page.text("#how") == "Waiting behind 2 searches." and page.one("#stop").is_displayed())


def test_a_proposed_guess_is_taken_with_a_click(page):
    page.until(lambda: page.text("#how").startswith("by a search") and not page.one("#stop").is_displayed())
    guess = page.text("#guesses tbody button")
    page.one("#guesses tbody button").click()
    page.until(lambda: page.labels() and page.labels()[0].startswith(f"{guess}: "))


def test_what_is_expected_stands_in_the_order_of_the_best(page):
    page.until(lambda: page.text("#how").startswith("by a search") and not page.one("#stop").is_displayed())
    values = [float(cell.text.split()[0]) for cell in page.all("#guesses tbody td:nth-child(2)")]
    assert values and values == sorted(values, reverse=True)


def test_a_contradiction_is_told_and_nothing_is_lost(page):
    page.open("lingo/5/bones:OOOOX/tones:XXXXX")
    page.until(lambda: "no word fits" in page.text("#problem"))
    assert len(page.labels()) == 2
    assert page.one("#problem").get_attribute("role") == "alert"


def test_a_reload_keeps_the_round_and_another_game_its_guesses(page):
    from selenium.webdriver.support.ui import Select

    page.open("lingo/5/bones:XOOOO")
    Select(page.one("#game")).select_by_value("wordle")
    page.until(lambda: page.browser.current_url.endswith("#wordle/5/bones%3AXOOOO"))
    page.browser.refresh()
    page.until(lambda: page.text("#candidates") == "zones tones cones lones")
    assert page.labels() == ["bones: b absent, o placed, n placed, e placed, s placed"]


def test_a_word_of_another_length_is_told(page):
    page.one("#word").send_keys("abc")
    page.one("#add button").click()
    page.until(lambda: "has 3 characters, expected a word of 5 letters" in page.text("#problem"))


def test_an_address_that_is_no_round_is_an_empty_one(page):
    page.open("lingo/5/<img src=x onerror=alert(1)>:XXXXX/bones:<<<<</%E0%A4")
    assert page.labels() == [] and page.text("#status").startswith("11 words left")


def test_what_is_left_out_of_an_address_is_told(page):
    page.open("lingo/5/bones:XOOOO/bones:XX")
    assert page.labels() == ["bones: b absent, o placed, n placed, e placed, s placed"]
    said = "1 of the guesses in the address cannot be read and is left out."
    assert page.text("#problem") == said
    page.browser.execute_script("location.hash = 'chess/5'")
    page.until(lambda: page.text("#problem").startswith("There is no game “chess” here"))
    assert page.browser.current_url.endswith("#wordle/5")


@pytest.mark.parametrize("width", [320, 390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read_at_every_width_in_light_and_dark(page, width, scheme):
    with page.seen(width, scheme):
        page.open("lingo/5/dents:O?XXO")
        page.check_look(width)


def test_nothing_comes_from_another_host_and_no_script_complains(page):
    page.browser.get_log("browser")  # what came before
    page.open()
    names = page.browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert len(names) >= 5 and all(name.startswith(page.address) for name in names)
    assert [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_a_server_that_is_gone_is_told(page):
    page.browser.execute_cdp_cmd("Network.enable", {})
    gone = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", gone)
    try:
        page.one("#word").send_keys("zones\n")
        page.until(lambda: "does not answer" in page.text("#problem"))
    finally:
        back = gone | {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", back)
    page.browser.get_log("browser")


def test_letters_are_entered_where_they_are_guessed(page):
    from selenium.webdriver.common.keys import Keys

    page.open("hangman/5")
    page.one("#word").send_keys("o", Keys.ENTER)
    page.until(lambda: page.labels() == ["o: not in the word"])
    page.all(".tile")[1].click()
    page.until(lambda: page.labels() == ["o: at place 2"])
    page.until(lambda: page.text("#candidates") == "dozes zones tones bones cones lones roses")
    page.press(Keys.ARROW_RIGHT, "o")
    page.until(lambda: page.labels() == ["o: at place 2, 3"])
    page.press("x")
    page.until(lambda: page.labels() == ["o: at place 2, 3"])  # the next place had none
    page.one("#word").send_keys("ns", Keys.ENTER)  # the field takes one letter
    page.until(lambda: page.labels()[1:] == ["n: not in the word"])
    assert not page.one("#hard").is_enabled()
    page.browser.refresh()
    page.until(lambda: len(page.labels()) == 2)
    page.one("#word").send_keys("x", Keys.ENTER)  # its name is not the sign of what is absent
    page.until(
        lambda: page.labels()[2:] == ["x: not in the word"] and "x%3A_____" in page.browser.current_url
    )
    page.open("hangman/5/x%3AXXXXX/o%3AXOXXX")  # as addresses were
    assert page.labels() == ["x: not in the word", "o: at place 2"]
    page.until(lambda: page.text("#status").startswith("7 words left of "))


def test_the_focus_stays_with_a_search_that_is_stopped_or_takes_longer(page):
    from selenium.webdriver.common.keys import Keys

    page.until(lambda: page.text("#how").startswith("by a search") and not page.one("#stop").is_displayed())
    page.browser.execute_script(INEXACT)
    page.browser.execute_script("location.hash = 'lingo/5/bones:XOOOO'")
    page.until(lambda: page.one("#longer").is_displayed())
    page.browser.execute_script("document.getElementById('longer').focus()")
    page.press(Keys.ENTER)
    assert page.focused.get_attribute("id") == "stop"
    page.press(Keys.ENTER)
    assert page.focused.get_attribute("id") == "longer" and not page.one("#stop").is_displayed()


def test_a_list_of_ones_own_is_chosen_as_a_file(page, tmp_path):
    own, past = tmp_path / "own.txt", tmp_path / "past.txt"
    own.write_text("bones\ncones\nlones\nfones\n9\n")
    past.write_text("cones\n")
    page.one("#choices + details summary").click()
    page.one("#own button").click()
    page.until(lambda: page.text("#problem").startswith("No file was chosen"))
    page.one("#own-wordlist").send_keys(str(own))
    page.one("#own-without").send_keys(str(past))
    page.one("#own button").click()
    page.until(lambda: page.text("#status").startswith("3 words without past.txt, 4 words left of own.txt"))
    seen = "Words: own.txt (4), without past.txt (1); own.txt: skipped 1 word with non-letters"
    assert page.text("#choices + details summary") == seen
    page.one("#choices + details summary").click()
    page.one("#built-in").click()
    page.until(lambda: page.text("#status").startswith("11 words left of "))
