"""The page in a real browser: by keyboard only, by mouse, narrow and wide, in light and dark mode."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .browsing import WAITING, Keys, Page, Select, before_each_page, offline

pytestmark = pytest.mark.slow
# The next search finds nothing exact, the one after it nothing at all.
INEXACT = """
const real = window.fetch;
let searches = 0;
window.fetch = async (name, options) => {
  if (name !== "/api/search") return real(name, options);
  searches += 1;
  if (searches > 1) return new Promise((_, fail) => options.signal.addEventListener("abort", fail));
  const text = await (await real(name, options)).text();
  return new Response(text.replaceAll('"exact": true', '"exact": false'));
};
"""


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


@pytest.fixture
def page(browser: Any, address: str) -> Page:
    """The page, newly opened."""
    opened = Page(browser, address)
    opened.open()
    return opened


def searched(page: Page) -> None:
    """Wait until the search has ended."""
    page.until(lambda: page.text("#how").startswith("by a search") and not page.one("#stop").is_displayed())


def choose(page: Page, game: str) -> None:
    """Choose a game in the folded form."""
    page.one(".chooser summary").click()
    Select(page.one("#game")).select_by_value(game)


def test_a_round_is_entered_and_mended_by_keyboard_alone(page):
    page.press("bone", Keys.ENTER)
    page.until(lambda: page.text("#problem") == "Too short: this game has 5 letters.")
    page.press("s")
    draft = "bones: b not coloured, o not coloured, n not coloured, e not coloured, s not coloured"
    page.until(lambda: page.labels() == [draft] and not page.one("#typing").is_displayed())
    assert page.text("#keys").startswith("Colour BONES to continue")
    assert page.focused.get_attribute("aria-label") == "b, not coloured, place 1 of bones"
    page.press(Keys.SPACE, Keys.ARROW_RIGHT, "o2O", Keys.BACKSPACE)
    page.press("x", Keys.ARROW_LEFT, "2")
    row = "bones: b absent, o placed, n placed, e placed, s not coloured"
    page.until(lambda: page.labels() == [row])
    page.press(Keys.ENTER)
    page.until(lambda: page.labels() == [row.replace("not coloured", "absent")])
    page.press(Keys.ARROW_UP, Keys.ARROW_RIGHT * 4, "o")
    page.until(lambda: page.labels() == [row.replace("not coloured", "placed")])
    page.until(lambda: page.text("#candidates") == "zones tones cones lones")
    page.press(Keys.DELETE)
    page.until(lambda: page.labels() == [] and page.focused.get_attribute("id") == "word")
    assert page.text("#toast-text") == "BONES removed"
    page.one("#undo").click()
    page.until(lambda: page.labels() == [row.replace("not coloured", "placed")])
    page.one("#clear").click()
    page.press("bones", "x?", Keys.BACKSPACE)
    page.until(lambda: page.labels()[0].startswith("bones: b absent, o not coloured"))
    page.press(Keys.BACKSPACE)
    page.until(lambda: page.labels()[0].startswith("bones: b not coloured"))
    page.press(Keys.BACKSPACE)
    page.until(lambda: page.labels() == [] and page.one("#word").get_attribute("value") == "bone")


def test_a_letter_that_was_placed_is_so_at_once_and_the_end_is_said_in_place_of_a_table(page):
    page.open("lingo/5/bones:XOOOO")
    page.one("#word").send_keys("tones")
    row = "tones: t not coloured, o placed, n placed, e placed, s placed"
    page.until(lambda: page.labels()[1:] == [row])
    page.press("o")
    page.until(lambda: page.text("#say") == "Found in 2." and page.text("#best") == "tones")
    assert not page.one("#typing").is_displayed() and not page.one("#use").is_displayed()
    page.open("lingo/5/bones:XOOOO/tones:XOOOO/cones:XOOOO/zones:XOOOO")
    page.until(lambda: page.text("#say") == "The word is LONES.")
    assert page.text("#eyebrow") == "Only one word fits" and not page.one("#others").is_displayed()
    page.open("lingo/5/dents:X?XXO/dents:X?XXO/dents:X?XXO/dents:X?XXO/dents:X?XXO")
    page.until(lambda: page.text("#best") == "Out of guesses")
    assert page.text("#say")


PASTE = """
const data = new DataTransfer();
data.setData("text", arguments[0]);
const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
document.getElementById("word").dispatchEvent(paste);
"""


def test_a_share_text_becomes_coloured_rows_and_what_is_no_round_changes_nothing(page):
    page.browser.execute_script(PASTE, "Lingo 1,234 2/5*\n\n⬛🟩🟩🟩🟩\n⚫🟢🟢🟢🟢")
    page.until(lambda: len(page.labels()) == 2)
    assert page.labels()[0] == "?????: ? absent, ? placed, ? placed, ? placed, ? placed"
    assert page.text("#keys") == "Type the word of row 1." and not page.text("#problem")
    page.one("#word").send_keys("bones")
    assert page.labels()[0] == "bones: b absent, o placed, n placed, e placed, s placed"
    assert page.text("#keys") == "Type the word of row 2."
    page.one("#word").send_keys("zones")
    page.until(lambda: page.text("#candidates") == "tones cones lones")
    assert page.browser.current_url.endswith("#lingo/5/bones:XOOOO/zones:XOOOO")
    page.open("lingo/5/bones:XOOOO")
    page.browser.execute_script(PASTE, "Dear all, the meeting is at ten.")
    page.until(lambda: page.text("#problem").startswith("Not read: "))
    page.browser.execute_script(PASTE, "novel " * 9000)
    page.until(lambda: "54,000 characters were pasted" in page.text("#problem"))
    assert page.labels() == ["bones: b absent, o placed, n placed, e placed, s placed"]


def test_the_guesses_of_a_search_are_taken_by_button_by_click_and_by_enter(page):
    page.browser.get_log("browser")  # discards earlier errors
    searched(page)
    cells = (
        "return [...document.querySelectorAll('#guesses tbody td:nth-child(2)')].map(td => td.textContent)"
    )
    values = [float(text.split()[0]) for text in page.browser.execute_script(cells)]
    assert values and values == sorted(values, reverse=True)
    best, other = page.text("#best"), page.text("#alternatives .alt b")
    assert best == page.text("#guesses tbody button")
    assert page.browser.title == f"Next guess: {best.upper()} · gpulingo"
    page.one("#use").click()
    page.until(lambda: page.labels() and page.labels()[0].startswith(f"{best}: "))
    page.one("#clear").click()
    page.until(lambda: not page.labels())
    searched(page)
    assert page.text("#best") == best
    page.press(Keys.ENTER)
    page.until(lambda: page.labels() and page.labels()[0].startswith(f"{best}: "))
    page.check_own(5)
    page.open()
    searched(page)
    page.one("#alternatives .alt").click()
    page.until(lambda: page.labels() and page.labels()[0].startswith(f"{other}: "))
    page.browser.execute_script(WAITING)
    page.one("#clear").click()
    page.one("#word").send_keys("jjjjj")
    page.press("xxxxx")
    page.until(lambda: page.text("#how") == "Waiting behind 2 searches." and page.one("#stop").is_displayed())
    assert page.text("#badge") == "Waiting behind 2 searches."


def test_what_an_address_has_is_shown_and_what_it_lacks_is_told(page):
    page.open("lingo/5/<img src=x onerror=alert(1)>:XXXXX/bones:<<<<</%E0%A4")
    assert page.labels() == [] and page.text("#status").startswith("11 possible answers")
    page.open("lingo/5/bones:XOOOO/bones:XX")
    assert page.labels() == ["bones: b absent, o placed, n placed, e placed, s placed"]
    assert page.text("#problem") == "1 guess in this link could not be read."
    page.browser.execute_script("location.hash = 'chess/5'")
    page.until(lambda: "a game called “chess”" in page.text("#problem"))
    assert page.browser.current_url.endswith("#wordle/5")
    page.open("lingo/5/bones:OOOOO")
    page.until(lambda: page.browser.title == "Found in 1 · gpulingo")
    page.browser.execute_script("location.hash = '#%'")
    page.until(lambda: page.labels() == [])
    page.open("lingo/5/bones:OOOOX/tones:XXXXX")
    page.until(lambda: "no word fits" in page.text("#problem"))
    assert len(page.labels()) == 2 and page.one("#problem").get_attribute("role") == "alert"


def test_a_phone_has_the_answer_above_the_fold_and_a_table_that_is_cut_fades(page):
    faded = "return getComputedStyle(document.querySelector('#others .wide')).maskImage !== 'none'"
    with page.seen(390, "light"):
        page.open("lingo/5/dents:O?XXO")
        page.until(lambda: page.text("#best") not in ("", "…"))
        script = "return document.getElementById('say').getBoundingClientRect().bottom"
        assert page.browser.execute_script(script) <= 560
        page.open()
        searched(page)
        page.click("#others summary")
        page.until(lambda: page.browser.execute_script(faded))
        page.browser.execute_script("document.querySelector('#others .wide').scrollLeft = 1000")
        page.until(lambda: not page.browser.execute_script(faded))
    with page.seen(1280, "light"):
        page.until(lambda: page.text("#guesses thead"))
        heads = [head.text for head in page.all("#guesses thead th")]
        assert heads[-3:] == ["groups", "biggest group", "could be the answer"]
        page.until(lambda: not page.browser.execute_script(faded))


@pytest.mark.parametrize(
    ("link", "asks", "left"),
    [
        ("lingo/5/dozes:OXX?X", " these colours: should the S in place 5 of DOZES be green, not grey?", "1 "),
        ("hangman/5/d:O___O", ": should D not be at place 5?", "3 "),
        ("jotto/5/crane:5", ": should CRANE have 2 in common?", "8 "),
    ],
)
def test_a_slip_is_asked_in_a_sentence_and_changed_by_a_button(page, link, asks, left):
    page.open(link)
    page.until(lambda: page.text("#problem") == f"No word fits{asks} Change it")
    page.click("#change")
    page.until(lambda: page.text("#counted").startswith(left) and page.text("#problem") == "")


def test_a_best_guess_that_is_proven_has_no_stop_while_others_are_searched(browser, embedded_address):
    page = Page(browser, embedded_address)
    with before_each_page(browser, WAITING):
        browser.get(f"{embedded_address}#wordle/5")
        page.until(lambda: page.text("#how") == "searching")
        assert page.text("#badge") == "✓ Proven best" and not page.one("#stop").is_displayed()


def test_a_reload_keeps_the_round_and_another_game_its_guesses(page):
    page.open("lingo/5/bones:XOOOO")
    choose(page, "wordle")
    page.until(lambda: page.browser.current_url.endswith("#wordle/5/bones:XOOOO"))
    assert page.text("#chosen") == "Wordle, 5 letters"
    page.browser.refresh()
    page.until(lambda: page.text("#candidates") == "zones tones cones lones")
    assert page.labels() == ["bones: b absent, o placed, n placed, e placed, s placed"]


NAMES = ("constructor", "__proto__", "toString", "hasOwnProperty")  # properties of every JavaScript object
LINKS = [
    *(f"{name}/5/crane:XXXXX" for name in NAMES),
    *("constructor-hard/5", "-hard/5", "wordle/constructor/__proto__:toString", "hangman/5/e:__proto__"),
    *("mastermind/4xconstructor/1122:constructor", "trees/constructor/5/__proto__", "%E0%A4%A"),
]
FAULTS = """
window.faults = [];
addEventListener("error", (event) => faults.push(event.message));
addEventListener("unhandledrejection", (event) => faults.push(`${event.reason}`));
"""
# Follow each link; the destination must show what the request names.
FOLLOW = """
const [links, done] = arguments, real = window.fetch;
let asked = Promise.resolve();
window.fetch = (...request) => (asked = real(...request));
(async () => {
  for (const link of links) {
    const moved = new Promise((go) => addEventListener("hashchange", () => setTimeout(go), { once: true }));
    location.hash = link;
    await moved;
    await asked.catch(() => {});
  }
})().then(() => done(faults));
"""


ALIVE = {
    "": ("lingo/5", "11 possible answers."),
    "review": ("lingo/5", "Type or paste a finished round."),
    "play": ("practice", "Guess 1 of 6"),
    "atlas": ("trees", "No strategy is stored"),
}


@pytest.mark.parametrize("view", ALIVE)
def test_no_link_breaks_a_view(page, view):
    link, said = ALIVE[view]
    with before_each_page(page.browser, FAULTS):
        page.browser.get("about:blank")
        page.browser.get(f"{page.address}{view}#{LINKS[0]}")
        assert page.browser.execute_async_script(FOLLOW, LINKS[1:]) == []
        page.browser.execute_script("location.hash = arguments[0]", link)
        page.until(lambda: page.text("#status").strip().startswith(said))
        assert page.text("#problem") == "" and page.browser.execute_script("return faults") == []


def test_it_fits_and_can_be_read_at_every_width_in_light_and_dark(page):
    page.open("lingo/5/dents:O?XXO")
    page.check_looks()


@pytest.mark.parametrize("view", ["", "review", "play"])
def test_a_view_that_learns_no_games_tells_it(page, view):
    page.address += view
    with before_each_page(page.browser, "window.fetch = async () => { throw new TypeError(); };"):
        page.open()
    page.until(lambda: page.text("#problem").startswith("gpulingo web has stopped."))
    assert page.text("#status") == ""


def test_a_server_that_is_gone_is_told(page):
    with offline(page.browser):
        page.browser.execute_script(PASTE, "bones:XOOOO")
        page.until(lambda: page.text("#problem").startswith("Not read: gpulingo web has stopped"))
        page.one("#word").send_keys("zones")
        page.press("xxxxx")
        page.until(lambda: "gpulingo web has stopped" in page.text("#problem"))


def test_letters_are_entered_where_they_are_guessed(page):
    page.open("hangman/5")
    page.one("#word").send_keys("o")
    page.until(lambda: page.labels() == ["o: not in the word"])
    page.all(".tile")[1].click()
    page.until(lambda: page.labels() == ["o: at place 2"])
    page.until(lambda: page.text("#candidates") == "dozes zones tones bones cones lones roses")
    page.press(Keys.ARROW_RIGHT, "o")
    page.until(lambda: page.labels() == ["o: at place 2, 3"])
    page.press("x")
    page.until(lambda: page.labels() == ["o: at place 2, 3"])  # the next place had none
    page.one("#word").send_keys("n")
    page.until(lambda: page.labels()[1:] == ["n: not in the word"])
    assert not page.one("#hard").is_enabled()
    page.browser.refresh()
    page.until(lambda: len(page.labels()) == 2)
    page.one("#word").send_keys("x")  # the letter x is not the sign for absent
    page.until(lambda: page.labels()[2:] == ["x: not in the word"] and "x:_____" in page.browser.current_url)
    page.open("hangman/5/x%3AXXXXX/o%3AXOXXX")  # an old form of address
    assert page.labels() == ["x: not in the word", "o: at place 2"]
    page.until(lambda: page.text("#status").startswith("7 possible answers"))


def test_the_focus_stays_with_a_search_that_is_stopped_or_takes_longer(page):
    searched(page)
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
    page.one(".chooser summary").click()
    page.one("#choices + details summary").click()
    page.until(lambda: page.one("#own button"))
    page.one("#own button").click()
    page.until(lambda: page.text("#problem").startswith("No file was chosen"))
    page.one("#own-wordlist").send_keys(str(own))
    page.one("#own-without").send_keys(str(past))
    page.one("#own button").click()
    page.until(lambda: page.text("#fit").startswith("3 words without past.txt, 4 words left of own.txt"))
    seen = "Words: own.txt (4), without past.txt (1); own.txt: skipped 1 word with non-letters"
    seen += ", more than a tenth of the list: '9', .."
    assert page.text("#choices + details summary") == seen
    page.one(".chooser summary").click()
    page.one("#choices + details summary").click()
    page.until(lambda: page.one("#built-in"))
    page.one("#built-in").click()
    page.until(lambda: page.text("#status").startswith("11 possible answers"))


def test_the_numbers_of_a_code_are_chosen_and_reviewed(page):
    page.open("mastermind/3x4")
    page.press("112")
    page.until(lambda: page.focused.get_attribute("aria-label") == "placed of 112")
    page.press("1")
    page.until(lambda: page.focused.get_attribute("aria-label") == "elsewhere of 112")
    assert [own.text for own in Select(page.focused).options] == ["–", "0", "1", "2"]
    page.press("1")
    page.until(lambda: page.focused.get_attribute("id") == "word")
    assert page.labels() == ["112: 1 placed, 1 elsewhere"]
    assert page.browser.current_url.endswith("#mastermind/3x4/112:1%2C1")
    page.until(lambda: page.text("#eyebrow") == "Best guess for 8 codes")
    for width in (390, 1200):
        with page.seen(width, "light"):
            page.check_look(width)
    page.open("mastermind/3x4/112:1,1/131:3,0")
    page.until(lambda: page.text("#say") == "Found in 2.")
    page.one("#review").click()
    page.until(lambda: page.text("#headline") == "131 in 2")
    choose(page, "wordle")
    page.until(lambda: page.text("#chosen") == "Wordle, 5 letters" and not page.labels())


def test_help_names_the_keys_of_a_view_and_keeps_the_colours(page):
    for view, key, own, other in (("", "?", "Paste", "Tab"), ("play", Keys.F1, "Tab", "Paste")):
        Page(page.browser, page.address + view).open("")
        before = page.focused
        page.press(key)
        page.until(lambda: page.one("dialog[open]") and page.text("#about").startswith("gpulingo "))
        names = [term.text for term in page.all("dialog dt") if term.is_displayed()]
        assert own in names and other not in names and names[-1] == "F1 or ?"
        page.one("#contrast").click()
        page.press(Keys.ESCAPE)
        page.until(lambda before=before: not page.one("dialog[open]") and page.focused == before)
        page.browser.refresh()
        contrast = bool(page.one("body.contrast"))
        page.until(lambda: page.one("#help"))
        assert contrast == (view == "")  # a choice in one view holds in the others, until it is undone
    page.open("lingo/5/bones:XOO")
    page.press("bones", "x", "?")
    assert not page.one("dialog[open]")  # ? sets a mark on a tile
    page.browser.execute_script(
        "for (const key of ['F1', 'F1']) dispatchEvent(new KeyboardEvent('keydown', { key }));"
    )
    page.until(lambda: page.one("dialog[open]") and page.text("#about").startswith("gpulingo "))
    assert len(page.all("dialog")) == 1


def test_the_theme_is_that_of_the_system_until_one_is_chosen_and_holds_in_all_views(page):
    def ground() -> str:
        return page.browser.execute_script("return getComputedStyle(document.body).backgroundColor")

    dark, light, media = "rgb(17, 20, 24)", "rgb(247, 248, 249)", "Emulation.setEmulatedMedia"
    page.browser.execute_script("localStorage.removeItem('theme'); localStorage.removeItem('contrast')")
    for chosen, of_light, of_dark in (("", light, dark), ("dark", dark, dark), ("light", light, light)):
        for view in ("", "atlas"):
            with page.seen(1200, "light"):
                Page(page.browser, page.address + view).open("")
                if not view:
                    page.press(Keys.F1)
                    page.until(lambda: page.one("dialog[open]"))
                    Select(page.one("#theme")).select_by_value(chosen)
                assert ground() == of_light
            with page.seen(1200, "dark"):
                assert ground() == of_dark
    page.browser.execute_cdp_cmd(media, {"features": [{"name": "prefers-contrast", "value": "more"}]})
    page.browser.refresh()
    assert ground() == "rgb(255, 255, 255)" and page.one("body.contrast")
    page.browser.execute_cdp_cmd(media, {"features": []})
    page.browser.execute_script("localStorage.removeItem('theme')")


def test_a_first_visit_is_told_how_it_works_once(page):
    page.browser.execute_script("localStorage.removeItem('gpulingo.seen')")
    page.open("wordle/5")
    assert page.one("#first").is_displayed()
    page.one("#demo").click()
    page.until(lambda: page.labels() == ["crane: c absent, r misplaced, a absent, n absent, e placed"])
    assert not page.one("#first").is_displayed()
    page.open("wordle/5")
    assert not page.one("#first").is_displayed()
    page.browser.execute_script("localStorage.removeItem('gpulingo.seen')")
    page.open("wordle/5")
    page.one("#got").click()
    page.until(lambda: page.focused.get_attribute("id") == "word")
    page.open("wordle/5")
    assert not page.one("#first").is_displayed()


@pytest.fixture
def review(browser: Any, address: str) -> Page:
    """The review, newly opened."""
    opened = Page(browser, f"{address}review")
    opened.open()
    return opened


def reviewed(page: Page) -> None:
    """Wait until a review is drawn."""
    page.until(lambda: page.text("#problem") or page.all("#chart svg .step"))
    assert page.text("#problem") == ""


def figures(page: Page) -> list[list[str]]:
    """The numbers of a review, guess by guess."""
    rows = "[...document.querySelectorAll('#turns tbody tr')].map(row => [...row.cells])"
    return page.browser.execute_script(f"return {rows}.map(row => row.map(cell => cell.textContent))")


def test_a_round_is_typed_and_reviewed_by_keyboard_alone(review):
    review.browser.get_log("browser")  # discards earlier errors
    review.until(lambda: review.focused.get_attribute("id") == "word")
    review.press("dents", "o?xxO")
    review.until(lambda: review.labels() == ["dents: d placed, e misplaced, n absent, t absent, s placed"])
    review.press("dozes", Keys.ENTER)  # d is placed, the others are absent
    review.until(lambda: review.labels()[1:] == ["dozes: d placed, o absent, z absent, e absent, s placed"])
    review.press(Keys.ENTER)
    review.until(lambda: "no word fits" in review.text("#problem"))
    assert len(review.labels()) == 2 and review.browser.current_url.endswith("/dozes:OXXXO")
    review.press(Keys.ARROW_UP, Keys.ARROW_RIGHT, "o2O")
    review.until(lambda: review.labels()[1] == "dozes: d placed, o placed, z placed, e placed, s placed")
    review.one("#go").send_keys(Keys.ENTER)
    reviewed(review)
    assert [row[:3] for row in figures(review)] == [["dents", "GYBBG", "11"], ["dozes", "GGGGG", "1"]]
    assert review.text("#turns thead").startswith("guesscolourspossible beforepossible afteraverage")
    assert review.text("#sums").endswith(": 400 points.") and "found on guess 2" in review.text("#hows")
    assert review.browser.current_url.endswith(ROUND)
    review.check_own(7)


def test_guesses_are_coloured_by_the_word_and_changed_by_mouse(review):
    for word in ("cones", "lones", "tones"):
        review.one("#word").send_keys(word)
    review.one("#target").send_keys("tones")
    review.one("#marked button").click()
    reviewed(review)
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
    assert review.one("#chart svg").get_attribute("aria-label").count(review.text("#sums")) == 1
    review.all(".tile")[1].click()
    review.until(lambda: not figures(review))
    for left in (2, 1):
        review.all(".remove")[left].click()
        review.until(lambda left=left: len(review.labels()) == left)
    assert review.labels() == ["cones: c absent, o absent, n placed, e placed, s placed"]
    review.one("#go").click()
    review.until(lambda: review.text("#problem") or review.text("#sums").endswith("expected."))


def test_a_share_text_is_pasted_and_a_fault_loses_nothing(review):
    review.one("#pasting summary").click()
    review.browser.execute_script("document.getElementById('text').value = arguments[0]", SQUARES)
    review.one("#pasted button").click()
    review.until(lambda: review.text("#problem") == "Type the word of each row.")
    assert len(review.labels()) == 2 and review.text("#keys") == "Type the word of row 1."
    assert review.one("#text").get_attribute("value").startswith("Wordle 1,234")
    review.one("#words").send_keys("Dents, dozes")
    review.one("#pasted button").click()
    reviewed(review)
    assert review.browser.current_url.endswith(ROUND)
    review.browser.execute_script("document.getElementById('text').value = 'a'.repeat(1e6)")
    review.one("#pasted button").click()
    review.until(lambda: "1,000,012 characters were pasted" in review.text("#problem"))
    assert len(review.labels()) == 2 and review.one("#review").is_displayed()


def test_letters_of_hangman_are_reviewed_too(review):
    review.open("hangman/5/e%3A___O_")
    reviewed(review)
    review.one("#word").send_keys("s")
    review.until(lambda: review.labels() == ["e: at place 4", "s: not in the word"])
    review.all('[data-row="1"]')[4].click()
    review.until(lambda: review.labels() == ["e: at place 4", "s: at place 5"])
    review.one("#word").send_keys("\n")
    reviewed(review)
    assert [row[:2] for row in figures(review)] == [["e", "___O_"], ["s", "____O"]]
    assert review.browser.current_url.endswith("#hangman/5/e:___O_/s:____O")


def test_the_assistant_leads_to_the_review_of_its_round(review, address):
    assistant = Page(review.browser, address)
    assistant.open(ROUND)
    assistant.until(lambda: assistant.one("#review").get_attribute("href").endswith(ROUND))
    assistant.one("#review").click()
    reviewed(review)
    assert [row[0] for row in figures(review)] == ["dents", "dozes"]


def test_a_search_is_stopped(review):
    # The request for a review gets no answer here, so that there is time to stop.
    review.browser.execute_script(
        "const plain = fetch; window.stopped = 0;"
        "window.fetch = (name, rest) => name !== '/api/review' ? plain(name, rest) : new Promise((_, no) =>"
        "rest.signal.addEventListener('abort', () => { window.stopped += 1; no(rest.signal.reason); }));"
    )
    review.one("#word").send_keys("dents")
    review.press("xxxxx", "\n")
    review.until(lambda: review.one("#stop").is_displayed() and review.text("#status").startswith("Judging"))
    review.one("#stop").click()
    review.until(lambda: review.text("#status") == "The search was stopped.")
    assert review.browser.execute_script("return stopped") == 1
    assert review.labels() and review.text("#problem") == "" and not review.one("#stop").is_displayed()


def test_a_review_fits_and_can_be_read_at_every_width_in_light_and_dark(review):
    review.open("lingo/5/dents%3AO%3FXXO/jjjjj%3AXXXXX/dozes%3AOOOOO")
    reviewed(review)
    review.browser.execute_script("document.getElementById('pasting').open = true")
    review.check_looks()
    for width in (320, 390, 1200):
        with review.seen(width, "light"):
            review.until(lambda: review.browser.execute_script(TEXTS) == [])
