"""The daily word in a real browser: kept by it, counted, shared, whatever its storage, clock and tabs do."""

from __future__ import annotations

import json
import socket
from datetime import date
from typing import Any

import pytest

from gpulingo.web.play import FIRST, daily_word
from gpulingo.words.wordlist import WordList

from .browsing import MARKS, SHIFTS, SMALL, Keys, Page, before_each_page
from .conftest import WORDS, served
from .test_browser_play import guess, tab_to

pytestmark = MARKS
WORDS_OF_DAY = WordList("", WORDS)
DAY = (date.today() - FIRST).days
WORD = daily_word(WORDS_OF_DAY, DAY)
WRONG = [word for word in WORDS if word != WORD]
SERIES = f"{WORDS_OF_DAY.fingerprint}/5"


@pytest.fixture
def page(browser: Any, address: str) -> Page:
    """The view with today's word, in a browser that keeps nothing yet."""
    opened = Page(browser, f"{address}play")
    browser.get(f"{address}style.css")
    browser.execute_script("localStorage.clear(); sessionStorage.clear()")
    opened.open("")
    return opened


def stored(page: Page, day: int = DAY) -> dict[str, Any]:
    """What the browser keeps of a day."""
    text = page.browser.execute_script("return localStorage.getItem('gpulingo.stats.1')") or "{}"
    return json.loads(text).get("daily", {}).get(SERIES, {}).get(str(day), {})


def keep(page: Page, text: str) -> None:
    """Have the browser keep a text, and open the page anew."""
    page.browser.execute_script("localStorage.setItem('gpulingo.stats.1', arguments[0])", text)
    page.open("")


def paste(page: Page, text: str) -> None:
    """Add statistics that another browser gave."""
    script = "const field = document.getElementById('paste-stats'); field.value = arguments[0];"
    page.browser.execute_script(f"{script} field.dispatchEvent(new Event('input'))", text)


def figures(page: Page) -> list[str]:
    return [own.text for own in page.all("#stats dd")]


def test_a_daily_round_is_played_kept_counted_and_shared(page):
    assert page.text("#title").startswith(f"Daily {DAY + 1} ") and page.browser.current_url.endswith("#daily")
    guess(page, WRONG[0])
    page.browser.refresh()
    page.until(lambda: len(page.labels()) == 1)
    guess(page, WORD)
    rows = stored(page)
    assert rows["end"] == "found" and [row.split(":")[0] for row in rows["rows"]] == [WRONG[0], WORD]
    page.until(lambda: page.focused == page.one("#title"))
    assert page.text("#word") == WORD and page.text("#end") == "Found in 2"
    page.until(lambda: "skill" in page.text("#scores") and "…" not in page.text("#scores"))
    assert figures(page) == ["1", "100 %", "1", "1"] and page.one("#found .mine").text == "1"
    page.press("dents", Keys.ENTER, Keys.ENTER)  # after the end keys do nothing
    assert len(page.labels()) == 2 and page.one("#result").is_displayed()
    page.browser.execute_script(
        "navigator.clipboard.writeText = async text => { window.copied = text; }; navigator.share = undefined"
    )
    tab_to(page, "#share")
    page.press(Keys.ENTER)
    page.until(lambda: page.text("#copied") == "Copied.")
    head, empty, *squares = page.browser.execute_script("return copied").split("\n")
    assert head.startswith(f"gpulingo {DAY + 1} ") and " 2/6  " in head and "skill" in head and empty == ""
    assert len(squares) == 2 and squares[1].startswith("🟩🟩🟩🟩🟩 ")
    page.click("#export")
    page.until(lambda: page.browser.execute_script("return copied") == " ".join(rows["rows"]))
    assert page.one("#review").get_attribute("href").endswith(f"review#wordle/5/{'/'.join(rows['rows'])}")
    page.click('#next [href="#practice"]')
    page.until(lambda: page.text("#title") == "Wordle" and page.labels() == [])
    page.browser.back()
    page.until(lambda: page.text("#word") == WORD and page.one("#result").is_displayed())


def test_a_server_that_is_started_again_goes_on(browser, tmp_path):
    (tmp_path / "words.txt").write_text("\n".join(WORDS) + "\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with served(tmp_path, "--wordlist", "words.txt", port=port) as address:
        page = Page(browser, f"{address}play")
        page.open("")
        guess(page, WRONG[0])
    page.press(WRONG[1], Keys.ENTER)
    page.until(
        lambda: page.text("#problem") == "gpulingo web has stopped. Start it again; your round is kept."
    )
    with served(tmp_path, "--wordlist", "words.txt", port=port):
        page.press(Keys.ENTER)
        page.until(lambda: [own.split(":")[0] for own in page.labels()] == WRONG[:2])
        assert page.text("#problem") == ""


def test_words_left_are_help_that_is_told_and_not_counted(page):
    page.click("#left summary")
    page.until(lambda: stored(page).get("help"))
    guess(page, WORD)
    assert figures(page) == ["1", "100 %", "1", "1"] and not page.one("#found .mine")
    assert [own.text for own in page.all("#found i")] == ["0"] * 6
    page.browser.execute_script(  # as where the page is read over plain http
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); navigator.share = undefined;"
        "document.body.classList.add('contrast')"
    )
    page.click("#share")
    page.until(lambda: page.text("#copied").startswith("This browser does not let the page copy."))
    head, *_, squares = page.text("#copied").split("\n")[1:]
    assert head.startswith("gpulingo ") and head.endswith(" *") and squares.startswith("🟧🟧🟧🟧🟧")


def test_a_past_day_and_giving_up_are_counted_without_a_streak(page):
    page.open(f"daily/5/{DAY}")
    assert page.text("#title").startswith(f"Daily {DAY} ")
    guess(page, daily_word(WORDS_OF_DAY, DAY - 1))
    assert stored(page, DAY - 1)["late"] and figures(page) == ["1", "100 %", "0", "0"]
    page.open("daily")
    page.click("#give-up")
    page.click("#give-up")
    page.until(lambda: page.text("#word") == WORD)
    assert page.text("#end") == f"Given up. The word was {WORD.upper()}"
    assert figures(page) == ["2", "50 %", "0", "0"]
    page.browser.refresh()
    page.until(lambda: page.text("#word") == WORD)


STREAKS = [  # days before today that were found, late, lost; streak, longest
    ("", "", "", 0, 0),
    ("1", "", "", 1, 1),
    ("2 3 4", "", "", 0, 3),
    ("0 1 3 4 5", "", "", 2, 3),
    ("0 2", "1", "", 1, 1),
    ("1 2", "", "0", 2, 2),
    ("0 2 3", "", "1", 1, 2),
    ("-1 0 1", "", "", 2, 3),  # the clock was a day ahead
]


def test_a_streak_is_of_days_in_a_row_up_to_today_or_yesterday(page):
    for found, late, lost, streak, longest in STREAKS:
        entries = {}
        for kind, text in (("found", found), ("late", late), ("lost", lost)):
            for own in text.split():
                entries[str(DAY - int(own))] = {
                    "rows": ["zones:OOOOO"], "end": "lost" if kind == "lost" else "found",
                    **({"late": True} if kind == "late" else {}),
                }  # fmt: skip
        page.browser.execute_script(
            "localStorage.setItem('gpulingo.stats.1', arguments[0])",
            json.dumps({"daily": {SERIES: entries}, "practice": {}}),
        )
        told = page.browser.execute_async_script(
            "const [series, day, done] = arguments;"
            "import('/stats.js').then(({ dailyFigures }) => done(dailyFigures(series, day)))",
            SERIES,
            DAY,
        )
        assert (told["streak"], told["longest"]) == (streak, longest), (found, late, lost)
        assert told["played"] == len(entries) and sum(told["by"]) == told["found"]


def test_the_day_is_that_of_the_local_date(page):
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", ""):
        page.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        days = page.browser.execute_async_script(
            "const done = arguments[0]; import('/stats.js').then(({ today }) => done("
            "[[2026, 0, 1, 0], [2026, 0, 1, 23], [2026, 2, 29, 1], [2026, 9, 25, 23], [2026, 10, 24, 12]]"
            ".map(([y, m, d, h]) => today(new Date(y, m, d, h)))))"
        )
        assert days == [0, 0, 87, 297, 327], zone


def test_a_clock_that_is_wrong_is_told_and_others_rounds_are_played(page):
    page.open(f"daily/5/{DAY + 9}")
    assert page.text("#problem").startswith("This device says ") and "set the clock" in page.text("#problem")
    page.click("#new")  # today's, as the clock says
    page.until(lambda: page.text("#title").startswith(f"Daily {DAY + 1} ") and page.text("#problem") == "")
    page.open(f"daily/5/{DAY + 9}")
    page.click('#segments [href="#practice"]')
    page.until(lambda: page.text("#title") == "Wordle" and page.text("#problem") == "")


def test_statistics_that_cannot_be_read_are_put_aside_with_a_sentence(page):
    broken = ["{broken", "[]", "null", '{"version": 0}', '{"daily": {"x": 1}, "practice": {}}']
    broken += ['{"daily": {}, "practice": {"lingo/5/honest": {"played": 1, "found": 1, "by": 7}}}']
    for text in broken:
        keep(page, text)
        assert "cannot be read. They are put aside as gpulingo.stats.unread" in page.text("#kept")
    aside = page.browser.execute_script(
        "return Object.entries(localStorage).filter(([name]) => name.startsWith('gpulingo.stats.unread'))"
    )
    assert sorted(text for _, text in aside) == sorted(broken)
    guess(page, WRONG[0])
    assert len(stored(page)["rows"]) == 1


def test_without_storage_a_sentence_is_told_and_the_address_keeps_the_round(page):
    with before_each_page(
        page.browser,
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })",
    ):
        page.open("")
        assert "are not kept in this browser" in page.text("#kept")
        guess(page, WRONG[0])
        assert "#daily" not in page.browser.current_url
        page.browser.refresh()
        page.until(lambda: len(page.labels()) == 1)
        guess(page, WORD)
        assert page.text("#end") == "Found in 2" and figures(page) == ["1", "100 %", "1", "1"]


def test_two_tabs_play_one_daily_round(page):
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    second = page.browser.current_window_handle
    try:
        page.open("daily")
        guess(page, WRONG[0])
        page.browser.switch_to.window(first)
        page.until(lambda: len(page.labels()) == 1)
        assert "another tab" in page.text("#problem")
        guess(page, WRONG[1])
        page.browser.switch_to.window(second)
        page.until(lambda: len(page.labels()) == 2)
        guess(page, WORD)
        assert len(stored(page)["rows"]) == 3
        page.browser.switch_to.window(first)
        page.until(lambda: page.text("#end") == "Found in 3" and figures(page) == ["1", "100 %", "1", "1"])
    finally:
        page.browser.switch_to.window(second)
        page.browser.close()
        page.browser.switch_to.window(first)


def test_statistics_go_to_another_browser_as_a_text(page):
    guess(page, WORD)
    page.browser.execute_script("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.click("#copy-stats")
    page.until(lambda: page.text("#copied") == "Copied.")
    text = page.browser.execute_script("const own = window.copied; localStorage.clear(); return own")
    page.open("")
    assert page.labels() == []
    page.click("#figures summary")
    page.click("#paste-stats")
    page.press("nothing")
    page.until(lambda: page.text("#kept").startswith("Not read"))
    page.one("#paste-stats").clear()
    paste(page, text)
    page.until(lambda: page.text("#end") == "Found in 1" and figures(page) == ["1", "100 %", "1", "1"])
    page.click("#figures summary")
    page.click("#to-figures")
    assert page.one("#stats").is_displayed() and page.focused == page.one("#figures summary")
    assert page.text("#kept") == "The statistics were added."


def test_no_name_and_no_number_of_days_in_statistics_breaks_the_page(page):
    one = {"rows": ["zones:OOOOO"], "end": "found"}
    practice = {"__proto__": {"played": 3}, "toString": {"played": 2}}
    days = {SERIES: {str(DAY - day): one for day in range(20_000)}, "constructor": {"keys": one}}
    paste(page, json.dumps({"daily": days, "practice": practice}))
    page.until(lambda: page.text("#kept") == "The statistics were added.")
    page.until(lambda: figures(page) == ["20000", "100 %", "20000", "20000"])
    kept = json.loads(page.browser.execute_script("return localStorage.getItem('gpulingo.stats.1')"))
    assert kept["daily"]["constructor"] == {"keys": one} and kept["practice"] == practice
    assert page.browser.execute_script("return typeof Object.keys") == "function"


def test_a_phone_shows_board_and_keys_whole_and_everything_can_be_touched(page):
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    with before_each_page(page.browser, SHIFTS), page.seen(390, "light"):
        page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        page.open("daily")
        bottom, tabs = page.browser.execute_script(
            "return ['keys', null].map(id => (id ? document.getElementById(id).getBoundingClientRect().bottom"
            " : document.querySelector('header nav').getBoundingClientRect().top))"
        )
        assert bottom <= tabs and page.browser.execute_script(SMALL) == []
        guess(page, WORD)
        page.until(lambda: "skill" in page.text("#scores") and "…" not in page.text("#scores"))
        assert page.browser.execute_script(SMALL) == []
        assert page.browser.execute_script("return window.shift") <= 0.02
        page.check_look(390)
    with page.seen(390, "dark"):
        page.check_look(390)
