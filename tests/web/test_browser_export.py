"""The exported page in a real browser, from a plain web server in a folder of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from gpulingo.cli.commands.web import TREES, parsed_trees
from gpulingo.games.catalogue import wordle
from gpulingo.web.export import exported
from gpulingo.web.play import daily_entry, daily_word
from gpulingo.web.requests import Lists, Setting

from .browsing import MARKS, Keys, Page
from .conftest import kept
from .test_browser_play import guess

pytestmark = MARKS
SETTING = Setting(lambda: None, device="cpu")
DAYS = 400


class Handler(SimpleHTTPRequestHandler):
    """Files, without a log; what is asked for is noted."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a plain web server, below whose root the page lies."""
    root = tmp_path_factory.mktemp("export")
    (root / "games").mkdir()
    for name, data in exported(SETTING, parsed_trees(TREES)).items():
        (root / "games" / name).write_bytes(data)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/games/"
        server.shutdown()


@pytest.fixture
def page(browser: Any, plain: str) -> Iterator[Page]:
    """The assistant in a browser that keeps nothing; no file is missing, and no other host is asked."""
    opened = Page(browser, plain)
    browser.get(f"{plain}style.css")
    browser.execute_script("localStorage.clear(); sessionStorage.clear()")
    Handler.asked.clear()
    browser.get_log("browser")  # what came before
    yield opened
    script = "return performance.getEntriesByType('resource').map(own => [own.name, own.responseStatus])"
    for name, status in browser.execute_script(script):
        assert name.startswith(plain) and status in (200, 304), name
    assert all(path.startswith(("/games/", "/favicon.ico")) for path in Handler.asked)
    faults = [own["message"] for own in browser.get_log("browser") if own["level"] == "SEVERE"]
    assert [fault for fault in faults if "favicon.ico" not in fault] == []


def test_an_answer_along_the_tree_and_off_it_twice(page):
    tree, words = kept(5, "wordle6")
    first = words.words[tree.guess[0]]
    for _ in range(2):
        page.open("wordle/5")
        page.until(lambda: page.text("#best") == first)
        assert page.text("#badge") == "✓ Proven best" and "never later than guess" in page.text("#say")
        page.click("#use")
        page.press("x", "x", "x", "x", "x")
        page.until(lambda: page.text("#badge") == "✓ Proven best" and page.text("#best") not in (first, ""))
        assert page.one("#bar").is_displayed() and not page.one("#longer").is_displayed()
        assert "words left of the embedded list" in page.text("#fit")
        page.click("#clear")
        page.press("audio")
        page.press("x", "x", "x", "?", "x")
        page.until(lambda: page.text("#best") == "Not stored")
        assert page.text("#say").startswith("AUDIO is not in the stored strategy, which guesses ")
        assert "possible answers" in page.text("#counted") and not page.one("#use").is_displayed()
        page.browser.refresh()
    page.open("lingo/7")
    page.until(lambda: "No strategy is stored here" in page.text("#problem"))
    assert "Words of your own" not in page.text("main")


def test_a_review_scores_as_far_as_the_strategy_goes(page):
    tree, words = kept(5, "wordle6")
    first = words.words[tree.guess[0]]
    page.address += "review.html"
    page.open("wordle/5")
    page.browser.execute_script("document.querySelector('#target').value = arguments[0]", words.targets[7])
    page.press(first)
    page.click("#marked button")
    page.until(lambda: page.text("#headline") == "1 guess so far, not finished")
    assert page.text("#lead") == "A nearly perfect round. No choice cost anything."
    assert page.one("#chart svg") and page.text("#judged li p") != ""
    page.open(f"wordle/5/audio:{'?XXXX'}")
    page.until(lambda: "AUDIO, guess 1, is not in the stored strategy" in page.text("#problem"))


def test_the_explorer_walks_the_stored_trees_alone(page):
    page.address += "atlas.html"
    page.open("")
    page.until(lambda: page.all("#replies li"))
    assert page.text("#eyebrow").startswith("Guess 1 of 6") and not page.all('#parts [href="#racks"]')
    page.one("#replies a").click()
    page.until(lambda: page.text("#eyebrow").startswith("Guess 2 of 6"))
    page.click("#ask")
    page.until(lambda: page.text("#badge") == "✓ Proven best" and len(page.labels()) == 1)
    assert page.browser.current_url.startswith(page.address.removesuffix("atlas.html"))


def test_the_daily_word_is_played_and_is_that_of_the_server(page):
    words = Lists(SETTING).drawn(5, wordle())
    page.address += "play.html"
    page.open("")
    script = """
    const [days, done] = arguments, now = Date.now();
    Date.now = () => now + 86400000 * days;
    import("./ask.js").then(async ({ posted }) => {
      const words = [];
      for (let day = 0; day < days; day += 1) {
        const { round, number, dated, series } = await posted("play-new", { length: 5, day });
        const { word } = await posted("play-end", { round });
        words.push({ day, number, dated, series, word });
      }
      return words;
    }).then(done);"""
    ours = page.browser.execute_async_script(script, DAYS)
    assert ours == [{**daily_entry(words, day), "word": daily_word(words, day)} for day in range(DAYS)]
    future = f"daily/5/{DAYS}"  # of the real clock
    page.open(future)
    page.until(lambda: page.text("#problem").startswith("That day has no daily word here: "))
    page.open("")
    today = int(page.text("#title").split()[1]) - 1
    tree, every = kept(5, "wordle6")
    own = daily_word(words, today)
    first = next(word for word in (every.words[tree.guess[0]], "tares") if word != own)
    guess(page, first)
    page.press("zzzzz", Keys.ENTER)
    page.until(lambda: page.text("#problem") == "Not in the list. It costs nothing.")
    page.browser.refresh()
    page.until(lambda: len(page.labels()) == 1)
    guess(page, first)  # which the strategy does not guess again
    guess(page, own)
    page.until(lambda: page.text("#end") == "Found in 3" and "…" not in page.text("#scores"))
    assert page.text("#scores") == ""  # those of the first guess alone are none of the round
    assert not page.all('#segments [href="#evil"]')
    page.click('#next [href="#practice"]')
    page.until(lambda: page.text("#title") == "Wordle" and page.labels() == [])
