"""The page in a real browser: by keyboard only, by mouse, narrow and wide, in light and dark mode."""

from __future__ import annotations

import gzip
import lzma
import re
from functools import partial
from typing import Any

import pytest

from gpulingo.games.catalogue import BY_NAME, HOSTED

from . import browsing
from .browsing import Keys, Page, before_each_page, offline

pytestmark = pytest.mark.slow
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
# A heading that is replaced again and again, for two seconds at least.
REDRAWN = """
const own = Object.assign(document.createElement("h2"), { id: "anew", textContent: "all new" });
document.querySelector("main").prepend(own);
const redraw = () => { const old = document.getElementById("anew"); old.replaceWith(old.cloneNode(true)); };
const drawing = setInterval(redraw, 5);
setTimeout(() => clearInterval(drawing), 2000);
"""
PARTS = {
    "trees/lingo5/5/XX%3FXX": "232 possible answers",
    "trees/lingo5/13": "12,971 possible answers",
    "bounds": "22 strategies",
    "hangman": "With 6 lives",
    "racks/scrabble/qu%3Fzes": "QU?ZES: quizes, 23 points",
}

# Of two lengths nothing is known, whatever was computed before.
UNKNOWN = """
const real = window.fetch, none = { words: 1, forced: null, enough: null };
const lengths = [{ length: 5, ...none }, { length: 14, ...none }];
window.fetch = async (name, options) =>
  name === "/api/atlas-misses" ? new Response(JSON.stringify({ lengths })) : real(name, options);
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


def test_what_is_redrawn_while_it_is_read_is_found_anew(page):
    page.browser.execute_script(REDRAWN)
    assert [page.one("#anew").text for _ in range(50)] == ["all new"] * 50
    assert [page.all("h2")[0].get_attribute("id") for _ in range(50)] == ["anew"] * 50
    assert page.one("#anew") and not page.one("#never")
    page.click("#anew")


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
    page.browser.execute_script(browsing.WAITING)
    page.one("#clear").click()
    page.one("#word").send_keys("jjjjj")
    page.press("xxxxx")
    page.until(lambda: page.text("#how") == "Waiting behind 2 searches." and page.one("#stop").is_displayed())
    assert page.text("#badge") == "Waiting behind 2 searches."


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
        assert heads[-4:] == ["groups", "biggest group", "bits", "could be the answer"]
        page.until(lambda: not page.browser.execute_script(faded))


def test_a_phone_has_a_button_for_grey_above_the_tabs_and_no_word_of_keys(page):
    touch = partial(page.browser.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled")
    with page.seen(390, "light"):
        touch({"enabled": True})
        page.open("lingo/5/dents:O?XXO/zones:?XXXX/tones:XXXXX/lones:XXXXX/reads:XXXXX")
        page.one("#word").send_keys("dozes")
        page.until(lambda: page.text("#keys") == "Colour DOZES to continue: tap its tiles.")
        button = page.one("#grey").rect
        assert button["y"] + button["height"] < 800 - 64 and button["height"] >= 44
        page.one("#grey").click()
        page.until(lambda: page.labels()[-1] == "dozes: d placed, o absent, z absent, e absent, s placed")
        assert (
            page.focused.get_attribute("aria-label") == "s, placed, place 5 of dozes"
        )  # no keyboard comes up
        page.one("#help").click()
        page.until(lambda: page.text("#about"))
        assert [own.text for own in page.all("dialog dt") if own.is_displayed()] == ["Paste"]
        touch({"enabled": False})


def test_a_best_guess_that_is_proven_has_no_stop_while_others_are_searched(browser, embedded_address):
    page = Page(browser, embedded_address)
    with before_each_page(browser, browsing.WAITING):
        browser.get("about:blank")
        browser.get(f"{embedded_address}#wordle/5")
        page.until(lambda: page.text("#how") == "searching")
        assert page.text("#badge") == "✓ Proven best" and not page.one("#stop").is_displayed()
        assert page.text("#status") == "2,664 possible answers. Searching."


def test_every_game_of_the_catalogue_has_a_name_in_plain_words(page):
    codes = [*BY_NAME, *HOSTED, "lingo-from3-hard6"]
    script = "const [codes, done] = arguments; import('/page.js').then(own => done(codes.map(own.gameName)))"
    names = page.browser.execute_async_script(script, codes)
    assert (
        len({*names}) == len(codes)
        and [name for name in names if re.search(r"^[a-z]|[a-z]-|[a-z]\d", name)] == []
    )


NAMES = ("constructor", "__proto__", "toString", "hasOwnProperty")  # that every object of JavaScript has
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


@pytest.mark.parametrize("view", ["", "review", "play"])
def test_a_view_that_learns_no_games_tells_it(page, view):
    page.address += view
    with before_each_page(page.browser, "window.fetch = async () => { throw new TypeError(); };"):
        page.open()
    page.until(lambda: page.text("#problem").startswith("gpulingo web has stopped."))
    assert page.text("#status") == ""


def test_a_server_that_is_gone_is_told(page):
    with offline(page.browser):
        page.browser.execute_script(browsing.PASTE, "bones:XOOOO")
        page.until(lambda: page.text("#problem").startswith("Not read: gpulingo web has stopped"))
        page.one("#word").send_keys("zones")
        page.press("xxxxx")
        page.until(lambda: "gpulingo web has stopped" in page.text("#problem"))


def test_a_list_of_ones_own_is_chosen_as_a_file(page, tmp_path):
    own, past, packed = (tmp_path / name for name in ("own.txt", "past.txt", "own.xz"))
    own.write_bytes(gzip.compress(b"bones\ncones\nlones\nfones\n9\n"))
    packed.write_bytes(lzma.compress(b"bones\n"))
    past.write_text("cones\n")
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
    page.browser.execute_script("localStorage.removeItem('theme'); localStorage.removeItem('contrast')")
    for chosen, of_light, of_dark in (("", light, dark), ("dark", dark, dark), ("light", light, light)):
        for view in ("", "atlas"):
            with page.seen(1200, "light"):
                Page(page.browser, page.address + view).open("")
                if not view:
                    page.press(Keys.F1)
                    page.until(lambda: page.one("dialog[open]"))
                    page.choose("#theme", chosen)
                assert ground() == of_light
            with page.seen(1200, "dark"):
                assert ground() == of_dark
    page.browser.execute_cdp_cmd(media, {"features": [{"name": "prefers-contrast", "value": "more"}]})
    page.browser.refresh()
    assert ground() == "rgb(255, 255, 255)" and page.one("body.contrast")
    page.browser.execute_cdp_cmd(media, {"features": []})
    page.browser.execute_script("localStorage.removeItem('theme')")


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


def test_a_review_fits_and_can_be_read_at_every_width_in_light_and_dark(review):
    review.open("lingo/5/dents%3AO%3FXXO/jjjjj%3AXXXXX/dozes%3AOOOOO")
    reviewed(review)
    review.browser.execute_script("document.getElementById('pasting').open = true")
    review.check_looks()
    for width in (320, 390, 1200):
        with review.seen(width, "light"):
            review.until(lambda: review.browser.execute_script(TEXTS) == [])


@pytest.fixture
def atlas(browser: Any, embedded_address: str) -> Page:
    """The atlas of the embedded list."""
    return Page(browser, embedded_address + "atlas")


def focused(page: Page) -> str:
    """The marks of the reply that has the focus."""
    return page.browser.execute_script("return document.activeElement.dataset.marks")  # nodes are made anew


def way(page: Page) -> str:
    """The address after its #."""
    return page.browser.current_url.partition("#")[2]


def test_a_tree_is_walked_by_keyboard_alone(atlas):
    atlas.open("trees/lingo5/5")
    atlas.says("11,506 possible answers. Then tares: 199.62 points on average, at most 235.77 for anyone.")
    atlas.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
    second = focused(atlas)
    assert second == atlas.replies()[1]
    atlas.press(Keys.ARROW_RIGHT)
    atlas.until(lambda: way(atlas) == f"trees/lingo5/5/{second}")
    atlas.until(lambda: focused(atlas) == atlas.replies()[0] and focused(atlas) != second)  # the next place's
    first = focused(atlas)
    atlas.press(Keys.ENTER)
    atlas.until(lambda: way(atlas) == f"trees/lingo5/5/{second}/{first}" and len(atlas.all("#trail a")) == 3)
    atlas.until(lambda: focused(atlas))
    atlas.press(Keys.ARROW_LEFT)
    atlas.until(lambda: way(atlas) == f"trees/lingo5/5/{second}" and focused(atlas) == first)  # where one was
    atlas.press(Keys.BACKSPACE)
    atlas.until(lambda: way(atlas) == "trees/lingo5/5" and focused(atlas) == second)


def test_replies_are_filtered_by_the_tiles_of_the_guess(atlas):
    atlas.open("trees/lingo5/5")
    atlas.until(lambda: len(atlas.replies()) == 20)
    every = atlas.text("#counted-replies")
    for mark, fits in (("absent", "X"), ("misplaced", "?"), ("placed", "O")):
        atlas.click("#tiles button:nth-child(3)")
        atlas.until(lambda fits=fits: {row[2] for row in atlas.replies()} == {fits})
        assert atlas.all("#tiles button")[2].get_attribute("aria-label") == f"r, {mark}, place 3"
    atlas.click("#tiles button:nth-child(3)")
    atlas.until(lambda: atlas.text("#counted-replies") == every)
    atlas.press(Keys.ARROW_UP)  # nothing: no reply has the focus
    atlas.press("?", Keys.TAB, "x")  # on tile 3, which goes on to 4, and on the last one
    atlas.until(lambda: atlas.replies() and all(row[2] == "?" and row[4] == "X" for row in atlas.replies()))
    atlas.press(Keys.BACKSPACE)
    atlas.until(lambda: len({row[4] for row in atlas.replies()}) > 1)
    first = atlas.replies()[0]
    atlas.press(Keys.ENTER)
    atlas.until(
        lambda: way(atlas) == f"trees/lingo5/5/{first}" and atlas.text("#eyebrow").startswith("Guess 2")
    )
    assert all("not coloured" in tile.get_attribute("aria-label") for tile in atlas.all("#tiles button"))


def test_a_tree_is_walked_by_mouse_and_a_reload_keeps_the_place(atlas):
    atlas.open("trees/lingo5/5/X?XXX")
    atlas.says("519 possible answers. Then colin")
    assert len(atlas.replies()) == 20
    atlas.click("#more")
    atlas.until(lambda: len(atlas.replies()) == 40 and atlas.focused == atlas.all("#replies a")[20])
    atlas.click("#replies li:nth-child(2) a")
    atlas.until(lambda: len(atlas.all("#trail a")) == 3)
    before = atlas.text("#status"), way(atlas), atlas.text("#left")
    atlas.browser.refresh()
    atlas.until(lambda: atlas.text("#status") == before[0] and atlas.text("#left") == before[2])
    assert way(atlas) == before[1] and way(atlas).startswith("trees/lingo5/5/X?XXX/")
    label = atlas.all("#trail a")[1].get_attribute("aria-label")
    assert label == "tares: t absent, a misplaced, r absent, e absent, s absent"
    atlas.all("#trail a")[0].click()
    atlas.says("11,506 possible answers")
    atlas.browser.back()
    atlas.until(lambda: atlas.text("#status") == before[0])


def test_a_position_is_asked_of_the_assistant_and_played_from(atlas):
    atlas.open("trees/wordle-hard6/5/X?XXX")
    atlas.until(lambda: len(atlas.replies()) > 5)
    word = atlas.text("#left").split()[0]
    atlas.click("#ask")
    atlas.until(lambda: atlas.labels() == ["salet: s absent, a misplaced, l absent, e absent, t absent"])
    assert atlas.text("#chosen") == "Wordle, 5 letters, hard mode"
    atlas.browser.back()
    atlas.until(lambda: len(atlas.replies()) > 5)
    atlas.click("#play")
    atlas.until(lambda: atlas.labels() == ["salet: s absent, a misplaced, l absent, e absent, t absent"])
    atlas.press(*word, Keys.ENTER)
    atlas.until(lambda: len(atlas.labels()) == 2)
    assert atlas.one("#hard").get_attribute("value") == "hard"


def test_every_part_fits_and_can_be_read_at_every_width_in_light_and_dark(atlas):
    with before_each_page(atlas.browser, browsing.SHIFTS), atlas.seen(390, "light"):
        for address, status in PARTS.items():
            atlas.open(address)
            atlas.says(status)
            assert atlas.browser.execute_script(browsing.SMALL) == []
            assert atlas.browser.execute_script("return window.shift") <= 0.02
    for address, status in PARTS.items():
        atlas.turn(address)
        atlas.says(status)
        atlas.check_looks()


def test_an_old_answer_comes_over_no_newer_one(atlas):
    atlas.open("racks/challenge/aeinrst")
    atlas.says("AEINRST")
    atlas.browser.execute_script(browsing.HOLD, '"top":200')
    atlas.one("#more-laid").click()
    atlas.turn("racks/challenge/zoo")
    atlas.says("ZOO")
    atlas.browser.execute_async_script(browsing.RELEASE)
    assert atlas.text("#status").startswith("ZOO") and len(atlas.all("#laid li")) < 20


@pytest.mark.parametrize("goes_on", ["parts", "racks"])
def test_a_late_answer_takes_no_focus_and_is_not_told_in_another_part(browser, address, goes_on):
    page = Page(browser, address + "atlas")
    page.open("racks/challenge/ab")
    page.browser.execute_script(UNKNOWN)
    page.turn("hangman")
    page.until(lambda: page.one("#forced button"))
    page.browser.execute_script(browsing.HOLD, '"length":')
    page.one("#forced button").click()
    if goes_on == "racks":
        page.turn("racks/challenge/zoo")
        page.says("ZOO")
        page.browser.execute_async_script(browsing.RELEASE)
        assert page.text("#status").startswith("ZOO")
        return
    page.browser.execute_script("document.querySelector('#parts a').focus()")
    assert page.one("#forced tbody button").text == "searching"
    page.browser.execute_async_script(browsing.RELEASE)
    page.until(lambda: "searching" not in page.text("#forced"))
    assert page.focused == page.one("#parts a")
