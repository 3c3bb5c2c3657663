"""The atlas in a real browser: trees are walked, each part opened, by keyboard alone and by mouse."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import HOLD, MARKS, RELEASE, Page

pytestmark = MARKS
PARTS = {
    "trees/lingo5/5/XX%3FXX": "232 words are left",
    "bounds": "22 trees are kept",
    "hangman/7": "With 7 lives",
    "racks/scrabble/qu%3Fzes": "QU?ZES: 23 points",
}

# Of two lengths nothing is known, whatever was computed before.
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


def says(page: Page, text: str) -> None:
    """Wait until the page's status begins so."""
    page.until(lambda: page.text("#status").startswith(text))


def turn(page: Page, address: str) -> None:
    """Go to another address of the page, without loading it again."""
    page.browser.execute_script("location.hash = arguments[0]", address)


def tiles(page: Page) -> list[str]:
    """The tiles of the guess, as they are read."""
    return [node.get_attribute("aria-label") for node in page.all("#guess .tile")]


def way(page: Page) -> str:
    """The address after its #."""
    return page.browser.current_url.partition("#")[2]


def test_a_tree_is_walked_by_keyboard_alone(page):
    from selenium.webdriver.common.keys import Keys

    page.open("trees/lingo5/5")
    says(page, "11,506 words are left of 11,506; turn 1: tares. From here on: 199.618 mean points.")
    for _ in range(20):
        page.press(Keys.TAB)
        if page.focused.get_attribute("id") == "tile0":
            break
    page.press("x", "X", "?", "o")  # each goes on to the next letter
    page.press(Keys.ARROW_LEFT, "x")
    page.until(lambda: tiles(page) == ["t, absent", "a, absent", "r, misplaced", "e, absent", "s, absent"])
    page.until(lambda: page.text("#preview").startswith("232 words: "))
    page.press(Keys.ENTER)
    says(page, "232 words are left of 11,506; turn 2: bidon.")
    assert way(page) == "trees/lingo5/5/XX%3FXX" and page.focused.get_attribute("id") == "tile0"
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)  # the largest class
    page.until(lambda: way(page).count("/") == 4 and len(page.all("#trail button")) == 2)
    page.until(lambda: page.focused.get_attribute("id") == "tile0")
    page.press(Keys.BACKSPACE)
    says(page, "232 words are left")
    page.until(lambda: page.focused.get_attribute("id") == "tile0")
    page.press("ooooo", Keys.ENTER)
    says(page, "0 words are left of 11,506.")
    page.until(lambda: page.focused.get_attribute("id") == "up")
    page.press(Keys.ENTER)
    says(page, "232 words are left")


def test_every_part_is_opened_by_keyboard_alone_and_nothing_comes_from_another_host(page):
    from selenium.webdriver.common.keys import Keys

    page.browser.get_log("browser")  # what came before
    page.open("trees")
    for _ in range(15):
        page.press(Keys.TAB)
        if page.focused.text == "Trees":
            break
    for name, status in {
        "Bounds": "22 trees are kept",
        "Hangman's host": "With 6 lives",
        "Racks": "Type the letters",
    }.items():
        page.press(Keys.TAB)
        assert page.focused.text == name
        page.press(Keys.ENTER)
        says(page, status)
        assert [node.text for node in page.all("#parts a[aria-current]")] == [name]
        assert len([node for node in page.all("h2") if node.is_displayed()]) == 1
    page.press(Keys.TAB, Keys.TAB, "quiz", Keys.ENTER)
    says(page, "QUIZ: 13 points: quiz")
    names = page.browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    host = page.address.removesuffix("atlas")
    assert len(names) >= 14 and all(name.startswith(host) for name in names)
    assert [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_a_tree_is_walked_by_mouse_and_a_reload_keeps_the_place(page):
    page.open("trees/lingo5/5")
    page.until(lambda: page.all("#classes tbody button"))
    assert len(page.all("#classes tbody tr")) == 20
    page.one("#more").click()
    page.until(lambda: len(page.all("#classes tbody tr")) == 120)
    page.one("#more-words").click()
    page.until(lambda: len(page.text("#left").split(" and ")[0].split()) == 2000)
    for mark in ("misplaced", "placed", "absent", "misplaced"):
        page.one("#tile1").click()
        page.until(lambda mark=mark: tiles(page)[1] == f"a, {mark}")
    page.until(lambda: page.text("#preview").startswith("519 words: "))
    page.one("#go").click()
    says(page, "519 words are left of 11,506; turn 2: colin.")
    page.all("#classes tbody button")[1].click()
    page.until(lambda: len(page.all("#trail button")) == 2)
    before = page.text("#status"), way(page), page.text("#left")
    page.browser.refresh()
    page.until(lambda: page.text("#status") == before[0] and page.text("#left") == before[2])
    assert way(page) == before[1]
    label = page.all("#trail button")[0].get_attribute("aria-label")
    assert label.startswith("back to tares: t absent, a misplaced, r absent") and "of 11,506 words" in label
    page.all("#trail button")[0].click()
    says(page, "11,506 words are left")
    page.browser.back()
    page.until(lambda: page.text("#status") == before[0])


def test_a_way_ends_with_a_note(page):
    page.open("bounds")
    for address, note in {
        "trees/lingo5/5/OOOO%3F": "No word gives OOOO? after tares: nothing is left here.",
        "trees/lingo5/5/OOOOO": "tares is the word: found on turn 1.",
        "trees/hangman6/4/OOOO": "No word gives OOOO after a: nothing is left here.",
    }.items():
        turn(page, address)
        page.until(lambda note=note: page.text("#preview") == note)
        assert page.one("#up").is_displayed() and not page.one("#go").is_displayed()


def test_an_address_that_leads_nowhere_is_told_and_shows_the_beginning(page):
    page.open("trees/%E0%A4")
    says(page, "11,506 words are left")
    for address, problem in {
        "trees/lingo5/5/<img src=x>": "have 11 characters, the word has 5 letters",
        "trees/lingo5/5/OOOOO/XXXXX": "after the end of the path",
    }.items():
        turn(page, address)
        page.until(lambda problem=problem: problem in page.text("#problem"))
        says(page, "11,506 words are left")
        assert not page.all("img")


def test_letters_are_walked_by_the_places_where_they_are(page):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    page.open("trees/lingo5/5")
    page.until(lambda: page.all("#guess button"))
    Select(page.one("#game")).select_by_value("hangman6")
    says(page, "11,506 words are left of 11,506; 0 misses: e. From here on: 64.836 % won.")
    page.one("#tile4").click()
    page.until(lambda: page.text("#preview").startswith("972 words: "))
    assert tiles(page)[3:] == ["place 4: no e", "place 5: e"]
    page.press(Keys.ENTER)
    says(page, "972 words are left of 11,506; 0 misses: a.")
    assert tiles(page)[4] == "place 5: e is known"
    page.until(lambda: page.focused.get_attribute("id") == "tile0")
    page.press(Keys.ENTER)
    says(page, "572 words are left of 11,506; 1 miss: i.")
    page.until(lambda: page.focused.get_attribute("id") == "tile0")
    page.press("o", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "o", Keys.ENTER)
    page.until(lambda: page.text("#preview") == "Only indie is left: won with 1 miss.")
    assert way(page) == "trees/hangman6/5/____O/_____/O__O_"


def test_bounds_are_told_and_lead_to_their_trees(page):
    page.open("bounds")
    says(page, "22 trees are kept, 12 of them proven optimal.")
    rows = [row.text.split() for row in page.all("#by-game tbody tr")]
    assert rows[1] == "5 11,506 tares 199.618 4.004 235.773 36.155 383".split()
    assert rows[9] == "13 12,971 temporalities 369.193 2.308 369.193 optimal 0".split()
    assert rows[13] == "5 11,506 e 64.836 7,460 4.396 9,507 2,047 4,046".split()
    page.all("#by-game tbody a")[9].click()
    says(page, "12,971 words are left of 12,971; turn 1: temporalities.")
    assert "proven optimal" in page.text("#figures")


def test_who_wins_at_hangman_depends_on_the_lives(page):
    from selenium.webdriver.common.keys import Keys

    page.open("hangman")
    says(page, "With 6 lives the host wins at 2, 3, 4, 5, 6, 7, 8, 9, 11 letters; 23 of 23")
    page.one("#lives").click()
    page.press(Keys.ARROW_UP)
    says(page, "With 7 lives the host wins at 2, 3, 4, 5, 6, 7, 8, 9 letters;")
    assert [row.text for row in page.all("#forced tbody tr")][7:9] == [
        "9 37,368 7 host",
        "10 32,943 5 guesser",
    ]
    page.browser.refresh()
    says(page, "With 7 lives")
    page.press(Keys.TAB)
    page.one("#lives").send_keys("7")
    page.until(lambda: page.text("#problem") == "Give 1 to 64 lives.")


def test_racks_are_typed_and_all_draws_computed(page):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    page.open("racks")
    says(page, "Type the letters of a rack.")
    page.one("#rack").send_keys("AGZEQUI", Keys.ENTER)
    says(page, "AGZEQUI: 13 points: aeq, quag, quai, quiz; 25 words can be laid.")
    assert way(page) == "racks/challenge/AGZEQUI" and len(page.all("#laid tbody tr")) == 20
    page.one("#more-laid").click()
    page.until(lambda: len(page.all("#laid tbody tr")) == 25)
    page.browser.refresh()
    says(page, "AGZEQUI: 13 points")
    page.one("#rack").send_keys("_")
    page.one("#rack-form button").click()
    page.until(lambda: "has a blank, and the bag challenge has none" in page.text("#problem"))
    Select(page.one("#bag")).select_by_value("scrabble")
    says(page, "AGZEQUI?: 2")
    Select(page.one("#tiles")).select_by_value("4")
    page.one("#compute").click()
    says(page, "4 tiles drawn from scrabble: 5.722302 points are expected.")
    assert page.text("#best-draws tbody th") == "IQUZ"


def test_of_a_small_list_it_is_told_that_no_tree_is_kept_and_misses_are_computed(browser, address):
    page = Page(browser, address + "atlas")
    page.open("trees")
    says(page, "no tree is kept for the words of words.txt: make one with `gpulingo solve`")
    assert not page.one("#choose").is_displayed() and not page.one("#walk").is_displayed()
    page.all("#parts a")[2].click()
    says(page, "Nothing is known of this list yet")
    page.one("#forced button").click()
    says(page, "With 6 lives the host wins at no length; 1 of 2 lengths are known.")
    assert page.one("#forced tbody tr").text == "5 11 4 guesser"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_fits_and_can_be_read_at_every_width_in_light_and_dark(page, scheme):
    page.open("hangman")
    for address, status in PARTS.items():
        turn(page, address)
        says(page, status)
        for width in (320, 390, 1200):
            with page.seen(width, scheme):
                page.check_look(width)


def test_a_server_that_is_gone_is_told(page):
    page.open("trees/lingo5/5")
    page.until(lambda: page.all("#classes tbody button"))
    page.browser.execute_cdp_cmd("Network.enable", {})
    gone = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", gone)
    try:
        page.one("#classes tbody button").click()
        page.until(lambda: "gpulingo web has stopped" in page.text("#problem"))
    finally:
        back = gone | {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", back)
    page.browser.get_log("browser")


def test_an_old_answer_comes_over_no_newer_one(page):
    page.open("racks/challenge/aeinrst")
    says(page, "AEINRST")
    page.browser.execute_script(HOLD, '"top":200')
    page.one("#more-laid").click()
    turn(page, "racks/challenge/zoo")
    says(page, "ZOO")
    page.browser.execute_async_script(RELEASE)
    assert page.text("#status").startswith("ZOO") and len(page.all("#laid tbody tr")) < 20


@pytest.mark.parametrize("goes_on", ["lives", "racks"])
def test_a_late_answer_takes_no_focus_and_is_not_told_in_another_part(browser, address, goes_on):
    page = Page(browser, address + "atlas")
    page.open("racks/challenge/ab")
    page.browser.execute_script(UNKNOWN)
    turn(page, "hangman/6")
    page.until(lambda: page.one("#forced button"))
    page.browser.execute_script(HOLD, '"length":')
    page.one("#forced button").click()
    if goes_on == "racks":
        turn(page, "racks/challenge/zoo")
        says(page, "ZOO")
        page.browser.execute_async_script(RELEASE)
        assert page.text("#status").startswith("ZOO")
        return
    page.one("#lives").click()
    page.press("7")
    assert page.one("#forced tbody button").text == "searching"
    page.browser.execute_async_script(RELEASE)
    page.until(lambda: "searching" not in page.text("#forced"))
    assert page.focused.get_attribute("id") == "lives"


@pytest.mark.parametrize("name", ["constructor", "%"])
def test_an_address_of_no_part_is_that_of_the_trees(page, name):
    page.open(name)
    says(page, "11,506 words are left")
    assert page.one("#part-trees").is_displayed() and page.text("#problem") == ""
