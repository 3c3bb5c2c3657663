"""The play view in a real browser: by keyboard and by mouse; the daily word, stored, counted, shared."""

from __future__ import annotations

import json
import socket
from datetime import date
from typing import Any

import pytest

from gpulingo.web.play import FIRST, daily_word
from gpulingo.words.wordlist import WordList

from .browsing import SHIFTS, SMALL, Keys, Page, before_each_page
from .conftest import WORDS, served

pytestmark = pytest.mark.slow


WORDS_OF_DAY = WordList("", WORDS)
DAY = (date.today() - FIRST).days
WORD = daily_word(WORDS_OF_DAY, DAY)
WRONG = [word for word in WORDS if word != WORD]
SERIES = f"{WORDS_OF_DAY.fingerprint}/5"


@pytest.fixture
def page(browser: Any, address: str) -> Page:
    """The view with a new round."""
    opened = Page(browser, f"{address}play")
    opened.open("practice")
    return opened


def test_a_whole_round_is_played_by_keyboard_alone(page):
    page.browser.get_log("browser")  # discards earlier errors
    page.until(lambda: page.focused == page.one("#typing"))
    page.tab_to('#segments [href="#evil"]')
    page.press(Keys.ENTER)
    page.until(lambda: page.text("#status") == " Guess 1" and page.focused == page.one("#typing"))
    page.press("dentz", Keys.BACKSPACE, "s")
    assert page.one("#typing").get_attribute("aria-label") == "Guess 1, 5 letters: d, e, n, t, s"
    page.press(Keys.ENTER)
    page.until(lambda: len(page.labels()) == 1 and page.text("#typing") == "")
    page.tab_to("#left summary")
    page.press(Keys.ENTER)
    while page.one("#give-up").is_displayed():
        page.until(lambda: page.text("#words"))
        turn = len(page.labels())
        page.guess(page.text("#words").split()[0])
        assert page.labels()[turn].split(":")[0] in page.text("#status")
        page.until(lambda: page.one("#board").get_attribute("aria-busy") == "false")
    assert "Found in" in page.text("#status") and "absent" not in page.labels()[-1]
    page.until(lambda: page.focused == page.one("#title"))
    labels = page.labels()
    page.press("dents", Keys.ENTER, Keys.ENTER, Keys.SPACE)  # several keys after the end
    assert page.labels() == labels and not page.one("#typing").is_displayed()
    page.tab_to("#again")
    page.press(Keys.ENTER)
    page.until(lambda: page.labels() == [] and page.text("#status") == " Guess 1")
    page.browser.back()
    page.until(lambda: page.labels() == labels)
    page.check_own(8)


@pytest.fixture
def today(browser: Any, address: str) -> Page:
    """The view with today's word, in a browser without stored data."""
    opened = Page(browser, f"{address}play")
    browser.get(f"{address}style.css")
    browser.execute_script("localStorage.clear(); sessionStorage.clear()")
    opened.open("")
    return opened


def stored(page: Page, day: int = DAY) -> dict[str, Any]:
    """The browser's stored data of a day."""
    text = page.browser.execute_script("return localStorage.getItem('gpulingo.stats.1')") or "{}"
    return json.loads(text).get("daily", {}).get(SERIES, {}).get(str(day), {})


def keep(page: Page, text: str) -> None:
    """Store a text in the browser, and reopen the page."""
    page.browser.execute_script("localStorage.setItem('gpulingo.stats.1', arguments[0])", text)
    page.open("")


def paste(page: Page, text: str) -> None:
    """Paste statistics of another browser."""
    script = "const field = document.getElementById('paste-stats'); field.value = arguments[0];"
    page.browser.execute_script(f"{script} field.dispatchEvent(new Event('input'))", text)


def figures(page: Page) -> list[str]:
    script = "return [...document.querySelectorAll('#stats dd')].map(own => own.innerText)"
    return page.browser.execute_script(script)  # in one step, because they are redrawn


def test_a_daily_round_is_played_kept_counted_and_shared(today):
    assert today.text("#title").startswith(f"Daily {DAY + 1} ") and today.browser.current_url.endswith(
        "#daily"
    )
    today.guess(WRONG[0])
    today.browser.refresh()
    today.until(lambda: len(today.labels()) == 1)
    today.guess(WORD)
    rows = stored(today)
    assert rows["end"] == "found" and [row.split(":")[0] for row in rows["rows"]] == [WRONG[0], WORD]
    today.until(lambda: today.focused == today.one("#title"))
    assert today.text("#word") == WORD and today.text("#end") == "Found in 2"
    today.until(lambda: "skill" in today.text("#scores") and "…" not in today.text("#scores"))
    assert figures(today) == ["1", "100 %", "1", "1"] and today.one("#found .mine").text == "1"
    today.press("dents", Keys.ENTER, Keys.ENTER)  # after the end keys have no effect
    assert len(today.labels()) == 2 and today.one("#result").is_displayed()
    today.browser.execute_script(
        "navigator.clipboard.writeText = async text => { window.copied = text; }; navigator.share = undefined"
    )
    today.tab_to("#share")
    today.press(Keys.ENTER)
    today.until(lambda: today.text("#copied") == "Copied.")
    head, empty, *squares = today.browser.execute_script("return copied").split("\n")
    assert head.startswith(f"gpulingo {DAY + 1} ") and " 2/6  " in head and "skill" in head and empty == ""
    assert len(squares) == 2 and squares[1].startswith("🟩🟩🟩🟩🟩 ")
    today.click("#export")
    today.until(lambda: today.browser.execute_script("return copied") == " ".join(rows["rows"]))
    assert today.one("#review").get_attribute("href").endswith(f"review#wordle/5/{'/'.join(rows['rows'])}")
    today.click('#next [href="#practice"]')
    today.until(lambda: today.text("#title") == "Wordle" and today.labels() == [])
    today.browser.back()
    today.until(lambda: today.text("#word") == WORD and today.one("#result").is_displayed())


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


def test_words_left_are_help_that_is_told_and_not_counted(today):
    today.click("#left summary")
    today.until(lambda: stored(today).get("help"))
    today.guess(WORD)
    assert figures(today) == ["1", "100 %", "1", "1"] and not today.one("#found .mine")
    assert [own.text for own in today.all("#found i")] == ["0"] * 6
    today.browser.execute_script(  # as on a page over plain http
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); navigator.share = undefined;"
        "document.body.classList.add('contrast')"
    )
    today.click("#share")
    today.until(lambda: today.text("#copied").startswith("This browser does not let the page copy."))
    head, *_, squares = today.text("#copied").split("\n")[1:]
    assert head.startswith("gpulingo ") and head.endswith(" *") and squares.startswith("🟧🟧🟧🟧🟧")


def test_a_past_day_and_giving_up_are_counted_without_a_streak(today):
    today.open(f"daily/5/{DAY}")
    assert today.text("#title").startswith(f"Daily {DAY} ")
    today.guess(daily_word(WORDS_OF_DAY, DAY - 1))
    assert stored(today, DAY - 1)["late"] and figures(today) == ["1", "100 %", "0", "0"]
    today.open("daily")
    today.click("#give-up")
    today.click("#give-up")
    today.until(lambda: today.text("#word") == WORD)
    assert today.text("#end") == f"Given up. The word was {WORD.upper()}"
    assert figures(today) == ["2", "50 %", "0", "0"]
    today.browser.refresh()
    today.until(lambda: today.text("#word") == WORD)


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


def test_a_streak_is_of_days_in_a_row_up_to_today_or_yesterday(today):
    for found, late, lost, streak, longest in STREAKS:
        entries = {}
        for kind, text in (("found", found), ("late", late), ("lost", lost)):
            for own in text.split():
                entries[str(DAY - int(own))] = {
                    "rows": ["zones:OOOOO"], "end": "lost" if kind == "lost" else "found",
                    **({"late": True} if kind == "late" else {}),
                }  # fmt: skip
        today.browser.execute_script(
            "localStorage.setItem('gpulingo.stats.1', arguments[0])",
            json.dumps({"daily": {SERIES: entries}, "practice": {}}),
        )
        told = today.browser.execute_async_script(
            "const [series, day, done] = arguments;"
            "import('/stats.js').then(({ dailyFigures }) => done(dailyFigures(series, day)))",
            SERIES,
            DAY,
        )
        assert (told["streak"], told["longest"]) == (streak, longest), (found, late, lost)
        assert told["played"] == len(entries) and sum(told["by"]) == told["found"]


def test_the_day_is_that_of_the_local_date(today):
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", ""):
        today.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        days = today.browser.execute_async_script(
            "const done = arguments[0]; import('/stats.js').then(({ today }) => done("
            "[[2026, 0, 1, 0], [2026, 0, 1, 23], [2026, 2, 29, 1], [2026, 9, 25, 23], [2026, 10, 24, 12]]"
            ".map(([y, m, d, h]) => today(new Date(y, m, d, h)))))"
        )
        assert days == [0, 0, 87, 297, 327], zone


def test_a_clock_that_is_wrong_is_told_and_others_rounds_are_played(today):
    today.open(f"daily/5/{DAY + 9}")
    assert today.text("#problem").startswith("This device says ") and "set the clock" in today.text(
        "#problem"
    )
    today.click("#new")  # today's, as the clock says
    today.until(lambda: today.text("#title").startswith(f"Daily {DAY + 1} ") and today.text("#problem") == "")
    today.open(f"daily/5/{DAY + 9}")
    today.click('#segments [href="#practice"]')
    today.until(lambda: today.text("#title") == "Wordle" and today.text("#problem") == "")


def test_statistics_that_cannot_be_read_are_put_aside_with_a_sentence(today):
    broken = ["{broken", "[]", "null", '{"version": 0}', '{"daily": {"x": 1}, "practice": {}}']
    broken += ['{"daily": {}, "practice": {"lingo/5/honest": {"played": 1, "found": 1, "by": 7}}}']
    for text in broken:
        keep(today, text)
        assert "cannot be read. They are put aside as gpulingo.stats.unread" in today.text("#kept")
    aside = today.browser.execute_script(
        "return Object.entries(localStorage).filter(([name]) => name.startsWith('gpulingo.stats.unread'))"
    )
    assert sorted(text for _, text in aside) == sorted(broken)
    today.guess(WRONG[0])
    assert len(stored(today)["rows"]) == 1


def test_without_storage_a_sentence_is_told_and_the_address_keeps_the_round(today):
    with before_each_page(
        today.browser,
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })",
    ):
        today.open("")
        assert "are not kept in this browser" in today.text("#kept")
        today.guess(WRONG[0])
        assert "#daily" not in today.browser.current_url
        today.browser.refresh()
        today.until(lambda: len(today.labels()) == 1)
        today.guess(WORD)
        assert today.text("#end") == "Found in 2" and figures(today) == ["1", "100 %", "1", "1"]


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
        assert len(stored(today)["rows"]) == 3
        today.browser.switch_to.window(first)
        today.until(lambda: today.text("#end") == "Found in 3" and figures(today) == ["1", "100 %", "1", "1"])
    finally:
        today.browser.switch_to.window(second)
        today.browser.close()
        today.browser.switch_to.window(first)


def test_statistics_go_to_another_browser_as_a_text(today):
    today.guess(WORD)
    today.browser.execute_script("navigator.clipboard.writeText = async text => { window.copied = text; }")
    today.click("#copy-stats")
    today.until(lambda: today.text("#copied") == "Copied.")
    text = today.browser.execute_script("const own = window.copied; localStorage.clear(); return own")
    today.open("")
    assert today.labels() == []
    today.click("#figures summary")
    today.click("#paste-stats")
    today.press("nothing")
    today.until(lambda: today.text("#kept").startswith("Not read"))
    today.one("#paste-stats").clear()
    paste(today, text)
    today.until(lambda: today.text("#end") == "Found in 1" and figures(today) == ["1", "100 %", "1", "1"])
    today.click("#figures summary")
    today.click("#to-figures")
    assert today.one("#stats").is_displayed() and today.focused == today.one("#figures summary")
    assert today.text("#kept") == "The statistics were added."


def test_no_name_and_no_number_of_days_in_statistics_breaks_the_page(today):
    one = {"rows": ["zones:OOOOO"], "end": "found"}
    practice = {"__proto__": {"played": 3}, "toString": {"played": 2}}
    days = {SERIES: {str(DAY - day): one for day in range(20_000)}, "constructor": {"keys": one}}
    paste(today, json.dumps({"daily": days, "practice": practice}))
    today.until(lambda: today.text("#kept") == "The statistics were added.")
    today.until(lambda: figures(today) == ["20000", "100 %", "20000", "20000"])
    kept = json.loads(today.browser.execute_script("return localStorage.getItem('gpulingo.stats.1')"))
    assert kept["daily"]["constructor"] == {"keys": one} and kept["practice"] == practice
    assert today.browser.execute_script("return typeof Object.keys") == "function"


def test_a_phone_shows_board_and_keys_whole_and_everything_can_be_touched(today):
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    with before_each_page(today.browser, SHIFTS), today.seen(390, "light"):
        today.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        today.open("daily")
        bottom, tabs = today.browser.execute_script(
            "return ['keys', null].map(id => (id ? document.getElementById(id).getBoundingClientRect().bottom"
            " : document.querySelector('header nav').getBoundingClientRect().top))"
        )
        assert bottom <= tabs and today.browser.execute_script(SMALL) == []
        today.guess(WORD)
        today.until(lambda: "skill" in today.text("#scores") and "…" not in today.text("#scores"))
        assert today.browser.execute_script(SMALL) == []
        assert today.browser.execute_script("return window.shift") <= 0.02
        today.check_look(390)
    with today.seen(390, "dark"):
        today.check_look(390)
