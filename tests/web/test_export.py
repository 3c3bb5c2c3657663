"""The exported page, from a plain web server: its answers equal those of the commands along the trees."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gpulingo.advice.round import Review, marked_round, read_round
from gpulingo.advice.sentences import entry, sentences, turn_rows, verdict
from gpulingo.cli.commands.web import TREES, parsed_trees
from gpulingo.games import marks
from gpulingo.games.catalogue import find_game, wordle
from gpulingo.games.units import unit_of
from gpulingo.positions.rounds import reviewed
from gpulingo.web.assistant import Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.export import exported
from gpulingo.web.play import daily_entry, daily_word
from gpulingo.web.requests import Lists, RequestError, Setting, source_text
from gpulingo.words.levels import unfit_words
from gpulingo.words.wordlist import WordList

from .browsing import Keys, Page
from .conftest import kept

SEED, ROUNDS = 20261126, 48  # 10,000 agree too
STRAY = 0.2  # share of rounds that leave the tree
DAYS = 400
SETTING = Setting(lambda: None, device="cpu")
GAMES = {"wordle6": "wordle", "lingo5": "lingo"}
# Sends requests that the views send to a server: (name, request) -> answer, or the error's name and text.
ASKED = """
const [calls, done] = arguments;
const told = ({ name, message }) => ({ name, error: message });
import("./ask.js").then(({ posted }) => Promise.all(calls.map(own => posted(...own).catch(told)))).then(done);
"""
Answers = Callable[..., list[Any]]


@cache
def files() -> dict[str, bytes]:
    """The files of a page with the usual trees."""
    return exported(SETTING, parsed_trees(TREES))


class Handler(SimpleHTTPRequestHandler):
    """Serves files without a log, and records the requests."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The served folder, which has the page in a subfolder."""
    root = tmp_path_factory.mktemp("export")
    (root / "games").mkdir()
    for name, data in files().items():
        (root / "games" / name).write_bytes(data)
    return root


@pytest.fixture(scope="module")
def plain(root: Path) -> Iterator[str]:
    """The address of the page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/games/"
        server.shutdown()


@pytest.fixture
def answers(browser: Any, plain: str) -> Answers:
    """A function that returns an exported page's answers to requests, each a name and a record."""
    browser.set_script_timeout(600)

    def answered(asked: Any, folder: str = "") -> list[Any]:
        browser.get(f"{plain}{folder}style.css")
        return browser.execute_async_script(ASKED, asked)

    return answered


def drawn_rounds(code: str, count: int) -> list[list[str]]:
    """Random rounds along a tree, some of which leave it with their last guess; each as crane:X?XXO."""
    (tree, words), draw, rounds = kept(5, code), random.Random(SEED), list[list[str]]()
    for _ in range(count):
        target, node, history = draw.choice(words.targets), tree.root(""), list[str]()
        turns = draw.choice([tree.turns, tree.turns, draw.randint(1, tree.turns)])
        stray = draw.randint(1, turns) if draw.random() < STRAY else 0
        while node is not None and len(history) < turns:
            guess = words.words[tree.guess[node]]
            if len(history) + 1 == stray:
                guess = draw.choice(words.words)
            row = marks.feedback(guess, target)
            history.append(f"{guess}:{row}")
            node = None if len(history) == stray else tree.child(node, marks.pattern(row))
        rounds.append(history)
    return rounds


def told(review: Review, words: WordList) -> dict[str, Any]:
    """The server's data of a review."""
    (sums, *hows), judged, values = sentences(review), verdict(review, words.targets), entry(review)
    told = {name: values[name] for name in ("unit", "state", "start", "result", "turns")}
    told |= {"list": source_text(words), "rises": unit_of(review.game).rises, "rows": turn_rows(review)}
    return told | {"sums": sums, "hows": hows, "verdict": judged.entry(), "scores": judged.scores}


def followed(code: str, history: list[str]) -> int:
    """The number of guesses of a history that follow the tree."""
    (tree, words), node, count = kept(5, code), 0, 0
    for own in history:
        guess, row = own.split(":")
        if node is None or words.words[tree.guess[node]] != guess:
            break
        node, count = tree.child(node, marks.pattern(row)), count + 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_suggestions_along_the_tree_are_those_of_the_command(answers, code):
    assistant, unfit, off = Assistant(SETTING), unfit_words(5), 0
    places = {tuple(own[:turn]) for own in drawn_rounds(code, ROUNDS) for turn in range(len(own) + 1)}
    places = sorted(own for own in places if not own or not own[-1].endswith(":OOOOO"))
    asked = [("suggest", {"game": GAMES[code], "length": 5, "history": own}) for own in places]
    for place, ours in zip(places, answers(asked), strict=True):
        theirs = assistant.suggest({"game": GAMES[code], "history": list(place)})
        names = set(ours)
        if ours["card"].get("state") == "off":
            along = followed(code, list(place)) == len(place)
            assert not along or theirs["suggestions"][0]["guess"] in unfit, place
            assert ours["suggestions"] == [] and "Run gpulingo web on your computer" in ours["card"]["text"]
            names, off = {"left", "candidates", "counted", "rarer", "turn", "open"}, off + 1
        assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}, place
    assert 0 < off < len(places) / 2


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_reviews_are_those_of_the_command_as_far_as_the_round_follows_the_tree(answers, code):
    game, rounds = find_game(code), drawn_rounds(code, ROUNDS // 4)  # the server's sentences take long
    counts = [followed(code, own) for own in rounds]
    played = [marked_round(own[:count], game) for own, count in zip(rounds, counts, strict=True) if count]
    theirs, words = reviewed(played, kept(5, code)[1], game, None, report=pytest.fail, device="cpu")
    reviews, cut = iter(theirs), 0
    first = words.words[kept(5, code)[0].guess[0]]
    asked = [*rounds, [f"{first}:OOOOO", "crane:XXXXX"]]
    *every, after = answers([("review", {"game": GAMES[code], "history": own}) for own in asked])
    assert after["notes"][0].startswith("CRANE, guess 2, comes after the end")
    for own, count, ours in zip(rounds, counts, every, strict=True):
        left = "run gpulingo web on your computer"
        if not count:
            assert left in ours["error"]
            continue
        review = next(reviews)
        cut += count < len(own)
        assert [left in note for note in ours["notes"]] == [True] * (count < len(own))
        expected = told(review, words)
        if count < len(own):  # only whole rounds are shared
            expected["verdict"]["share"] = ""
        assert {name: ours[name] for name in expected if name not in ("verdict", "turns")} == {
            name: own for name, own in expected.items() if name not in ("verdict", "turns")
        }
        own, their = ours["verdict"], expected["verdict"]
        judged = zip(own.pop("turns"), their.pop("turns"), strict=True)
        turns = zip(ours["turns"], expected["turns"], strict=True)
        for here, there in ((own, their), *judged, *turns):
            assert here == {key: there[key] for key in here}
    assert 0 < cut < len(rounds) / 2


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_branches_are_those_of_the_server(answers, code):
    atlas, draw, asked = Atlas(SETTING), random.Random(SEED), list[dict[str, Any]]()
    for own in drawn_rounds(code, ROUNDS):
        path = [row.split(":")[1] for row in own[: draw.randint(0, followed(code, own))]]
        shown = draw.choice(["", "....X", "?....", "X.O.."])
        asked.append({"path": path, "start": draw.choice([0, 20]), "count": 30, "words": 9, "shown": shown})
    asked += [{**own, "path": [*own["path"], "OOOO?"], "shown": ""} for own in asked if not own["path"]][:1]
    asked += [{"path": ["ZZZZZ"]}, {"path": ["XXXX"]}]
    asked += [{"path": [], "word": word} for word in draw.sample(kept(5, code)[1].targets, 20)]
    asked = [{"game": code, "length": 5, **own} for own in asked]
    for one, ours in zip(asked, answers([("atlas-branch", own) for own in asked]), strict=True):
        try:
            assert ours == atlas.branch(one), one
        except RequestError:
            assert ours["name"] == "Error", one


@pytest.mark.slow
def test_trees_of_one_name_are_kept_apart_and_a_broken_file_is_told_as_a_missing_one(answers, plain, root):
    stored = json.loads(files()["stored.json"])
    one, other = stored["trees"]
    broken, missing = {"game": "wordle9", "data": "broken.bin"}, {"game": "wordle10", "data": "missing.bin"}
    stored["trees"] = [one, other | {"name": one["name"], "game": "wordle8"}, one | broken, one | missing]
    changed = {"stored.json": json.dumps(stored).encode(), "broken.bin": files()[one["data"]][:5000]}
    (root / "games" / "broken").mkdir()
    for name, data in {**files(), **changed}.items():
        (root / "games" / "broken" / name).write_bytes(data)
    asked = [("atlas-branch", {"game": own["game"], "length": 5}) for own in stored["trees"]]
    first, second, *faults = answers(asked, "broken/")
    assert (first["guess"], second["guess"]) == tuple(own["opening"] for own in (one, other))
    assert [fault["name"] for fault in faults] == ["TypeError", "TypeError"]


@pytest.mark.slow
def test_a_paste_is_read_as_the_commands_read_it(answers):
    texts = [
        "crane:BYBBG slate=bbbbb",
        "CRANE ⬛🟨⬛⬛🟩 slate ⚫⚫🤍⬜⬛",
        "reads dozes, reads",
        "Wordle 1,234 2/6*\n\n\u2067⬛🟨⬛⬛🟩\u2069\n🟩🟩🟩🟩🟩\nwell!",
        "⬛️🟦⬛️⬛️🟧️ CRANE\n💚💛🖤💚💚 slate",
    ]
    game = find_game("wordle")
    ours = [read_round(text, game, bare=True).guesses for text in texts]
    asked = [("review-read", {"text": text}) for text in [*texts, "⬛🟨 ⬛🟨\n⬛🟨 ⬛🟨", "crane gooby"]]
    *theirs, boards, target = answers(asked)
    assert [own["history"] for own in theirs] == [[":".join(pair) for pair in own] for own in ours]
    assert (boards["name"], target["history"]) == ("Error", ["gooby:XXXXX"])


def test_the_files_name_no_folder_of_this_machine(tmp_path):
    words, paths = kept(5, "wordle6")[1], {name: tmp_path / f"{name}.txt" for name in ("wordlist", "targets")}
    for path, own in zip(paths.values(), (words.words, words.targets), strict=True):
        path.write_text("\n".join(own))
    setting = replace(SETTING, **{name: str(path) for name, path in paths.items()})
    files = exported(setting, parsed_trees("wordle-5"))
    text = b"".join(files.values())
    assert str(tmp_path).encode() not in text and b"wordlist.txt, answers: targets.txt" in text


def test_the_files_name_no_other_host_and_no_address_outside_their_folder():
    texts = {name: data.decode() for name, data in files().items() if not name.endswith(".bin")}
    assert {f"{view}.html" for view in ("index", "review", "play", "atlas")} < set(texts)
    for name, text in texts.items():
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), name
        assert not re.search(r"""(?:href|src|from|fetch|url)[=:( ]*["'`]/""", text), name
    assert "/api/" not in "".join(texts.values())
    assert sum(map(len, files().values())) < 500_000


@pytest.fixture
def page(browser: Any, plain: str) -> Iterator[Page]:
    """The assistant in a browser without stored data; no file is missing, and no other host is contacted."""
    opened = Page(browser, plain)
    browser.get(f"{plain}style.css")
    browser.execute_script("localStorage.clear(); sessionStorage.clear()")
    Handler.asked.clear()
    browser.get_log("browser")  # discards earlier errors
    yield opened
    script = "return performance.getEntriesByType('resource').map(own => [own.name, own.responseStatus])"
    for name, status in browser.execute_script(script):
        assert name.startswith(plain) and status in (200, 304), name
    assert all(path.startswith(("/games/", "/favicon.ico")) for path in Handler.asked)
    faults = [own["message"] for own in browser.get_log("browser") if own["level"] == "SEVERE"]
    assert [fault for fault in faults if "favicon.ico" not in fault] == []


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    future = f"daily/5/{DAYS}"  # by the real clock
    page.open(future)
    page.until(lambda: page.text("#problem").startswith("That day has no daily word here: "))
    page.open("")
    today = int(page.text("#title").split()[1]) - 1
    tree, every = kept(5, "wordle6")
    own = daily_word(words, today)
    first = next(word for word in (every.words[tree.guess[0]], "tares") if word != own)
    page.guess(first)
    page.press("zzzzz", Keys.ENTER)
    page.until(lambda: page.text("#problem") == "Not in the list. It costs nothing.")
    page.browser.refresh()
    page.until(lambda: len(page.labels()) == 1)
    page.guess(first)  # the strategy does not guess it twice
    page.guess(own)
    page.until(lambda: page.text("#end") == "Found in 3" and "…" not in page.text("#scores"))
    assert page.text("#scores") == ""  # a score of the first guess alone is not shown
    assert not page.all('#segments [href="#evil"]')
    page.click('#next [href="#practice"]')
    page.until(lambda: page.text("#title") == "Wordle" and page.labels() == [])
