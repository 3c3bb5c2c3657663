"""The exported page, from a plain web server: its answers equal those of the commands along the trees."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpulingo.advice.outlook import GuessStats
from gpulingo.advice.review_text import review_entry, review_sentences, scores_text, turn_rows, verdict
from gpulingo.advice.round import Review, Round, SetValue, Turn, line_round, read_round
from gpulingo.cli.wording import worded
from gpulingo.games import marks
from gpulingo.games.catalogue import breach, find_game, wordle
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.games.units import unit_of
from gpulingo.player.question import ListNames, Lists
from gpulingo.positions import outlooks
from gpulingo.positions.rollout import guesses_of, position_of, rollouts
from gpulingo.positions.rounds import adviser_over, reviewed
from gpulingo.positions.service import RequestError
from gpulingo.storage.files import BOOK
from gpulingo.strategies.registry import named
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank
from gpulingo.trees.book import book_bytes, new_book, read_book
from gpulingo.trees.stored import stored_openings, stored_paths
from gpulingo.web.assistant import Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.export import exported, parsed_trees
from gpulingo.web.play import daily_entry, daily_word
from gpulingo.web.requests import source_text
from gpulingo.words.targets import unfit_words
from gpulingo.words.wordlist import WordList

from .browsing import Keys, Page
from .conftest import EMBEDDED, ended, files, kept, write

SEED, ROUNDS, STRAYS = 20261126, 6, 2  # 10,000 agree too
MOST, FEW, LARGE = 10, 4, 400  # guesses off the tree that the page follows; FEW with over LARGE words left
SMALL, NEAR = 40, 0.1  # words of a set that is searched; of a guess: difference of values found by rollouts
STRAY = 0.2  # share of rounds that leave the tree
DAYS = [0, 1, 58, 59, 365, 399]
GAMES = {"wordle6": "wordle", "lingo5": "lingo"}
# Of a guess, what the page and the server tell.
SHARED = ("guess", "expected", "found_by_turn", "exact", "by", "classes", "largest", "bits", "candidate")
Answers = Callable[..., list[Any]]


@pytest.fixture
def answers(browser: Any, plain: str) -> Answers:
    """A function that returns an exported page's answers to requests, each a name and a record."""
    browser.set_script_timeout(600)

    def answered(asked: Any, folder: str = "") -> list[Any]:
        browser.get(f"{plain}{folder}style.css")
        return Page(browser, plain).script("return asked(arguments[0])", asked)

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


def stray_rounds(
    code: str, count: int, *, least: int = 2, most: int = 150, first: str = ""
) -> list[list[str]]:
    """Random rounds off the tree, after which `least` to `most` words are left; each as crane:X?XXO."""
    words, game, draw = kept(5, code)[1], find_game(code), random.Random(SEED)
    rounds = list[list[str]]()
    while len(rounds) < count:
        target, left, history = draw.choice(words.targets), words.targets, list[tuple[str, str]]()
        for _ in range(draw.choice([1, 1, 2, 2, 3, 4])):
            guess = draw.choice([draw.choice(words.words), draw.choice(left)])
            guess = first or guess if not history else guess
            if not breach(game, history, guess) and guess != target:
                history.append((guess, marks.feedback(guess, target)))
                left = [word for word in left if marks.feedback(guess, word) == history[-1][1]]
        told = [":".join(pair) for pair in history]
        if history and least <= len(left) <= most and followed(code, told) < len(told):
            rounds.append(told)
    return rounds


def told(review: Review, words: WordList) -> dict[str, Any]:
    """The server's data of a review."""
    (sums, *hows), values = review_sentences(review), review_entry(review)
    judged = verdict(review, words.targets)
    told = {name: values[name] for name in ("unit", "state", "start", "result", "turns")}
    told |= {"list": source_text(words), "rises": unit_of(review.game).rises, "rows": turn_rows(review)}
    return told | {"sums": sums, "hows": hows, "verdict": judged, "scores": scores_text(judged)}


def as_reviewed(ours: dict[str, Any], played: Round, game: Game) -> Review:
    """The page's review of a round as the command has one, with the page's values."""
    turns, rises = list[Turn](), unit_of(game).rises
    for turn, row in zip(ours["turns"], ours["rows"], strict=True):
        words, after = (int(row[name].replace(",", "")) for name in ("left", "after"))

        def credits(expected: float, count: int) -> int:
            return round(count * (expected / 100 if rises else game.turns + 1 - expected))

        values = [(words, turn["expected_before"], row["by"], row["best"])]
        values.append((after, turn["expected_after"], turn["by_after"], ""))
        before, reached = (
            SetValue(credits(mean, count), count, count, how, best) for count, mean, how, best in values
        )
        chosen = credits(turn["expected_chosen"], words)
        turns.append(Turn(turn["guess"], turn["marks"], before, chosen, reached, game))
    return Review(played, game, turns, ours["state"])


def shared(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer with the fields of its guesses that the page and the server have."""
    return {**answer, "suggestions": [{name: own[name] for name in SHARED} for own in answer["suggestions"]]}


def assert_agrees(ours: Any, theirs: Any) -> None:
    """Check that what the page has of an answer is the server's; sums of fractions up to their rounding."""
    if isinstance(ours, dict):
        assert set(ours) <= set(theirs)
        for name, own in ours.items():
            assert_agrees(own, theirs[name])
    elif isinstance(ours, list):
        assert len(ours) == len(theirs)
        for own, their in zip(ours, theirs, strict=True):
            assert_agrees(own, their)
    else:
        assert ours == (pytest.approx(theirs) if isinstance(theirs, float) else theirs)


def followed(code: str, history: list[str]) -> int:
    """The number of guesses of a history that follow the tree."""
    (tree, words), node, count = kept(5, code), 0, 0
    for own in history:
        guess, row = own.split(":")
        if node is None or words.words[tree.guess[node]] != guess:
            break
        node, count = tree.child(node, marks.pattern(row)), count + 1
    return count


def ranked(code: str, history: list[str]) -> list[GuessStats]:
    """The guesses of most classes after a history, each followed by `parts`, the best first."""
    game, words = find_game(code), kept(5, code)[1]
    pairs = [tuple(own.split(":")) for own in history]
    position, names = position_of(words, game, pairs, "", "cpu"), words.words
    left, most = int(position.frontier.sizes[0]), classes(words.target_count, 1)
    pool = None if position.names_words else position.pool
    best = rank(position.table, position.frontier, pool, most, 200).guesses[0].tolist()
    shown = [guess for guess in best if guess >= 0 and names[guess] not in unfit_words(5)]
    followed = guesses_of(shown[: FEW if left > LARGE else MOST], position)
    rows = rollouts(position, followed, named("parts", game=game))
    shared = ("classes", "largest", "target", "bits")
    return [
        GuessStats(names[own.number], own.turns, left, **{name: getattr(own, name) for name in shared})
        for own in sorted(rows, key=lambda own: (own.order(game), own.number))
        if left > 2 or own.target
    ]


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_suggestions_along_the_tree_are_those_of_the_command(answers, code):
    assistant, unfit = Assistant(EMBEDDED), unfit_words(5)
    places = {tuple(own[:turn]) for own in drawn_rounds(code, ROUNDS) for turn in range(len(own) + 1)}
    places = sorted(own for own in places if not own or not own[-1].endswith(":OOOOO"))
    asked = [("suggest", {"game": GAMES[code], "length": 5, "history": own}) for own in places]
    for place, ours in zip(places, answers(asked), strict=True):
        theirs = assistant.suggest({"game": GAMES[code], "history": list(place)})
        names = set(ours)
        if theirs["suggestions"] and not ours["stored"] and followed(code, list(place)) == len(place):
            assert theirs["suggestions"][0]["guess"] in unfit, place
            names -= {"suggestions", "sentences", "stored", "how"}
        ours, theirs = shared(ours), shared(theirs)
        assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}, place


@pytest.mark.slow
@pytest.mark.parametrize("code", [*GAMES, "wordle-hard6"])
def test_guesses_off_the_tree_are_ranked_as_the_engine_ranks_them(answers, code):
    game, rounds, proven = find_game(code), stray_rounds(code, STRAYS), 0
    if code == "wordle6":
        rounds += stray_rounds(code, 1, least=LARGE + 1, most=LARGE + 100)
    request = {"game": GAMES.get(code, "wordle"), "hard": "" if code in GAMES else "hard", "length": 5}
    asked = [("search", {**request, "history": own}) for own in rounds]
    for history, ours in zip(rounds, answers(asked), strict=True):
        theirs, shown = ranked(code, history), ours["suggestions"]
        assert [own["guess"] for own in shown] == [own.guess for own in theirs], history
        for own, their in zip(shown, theirs, strict=True):
            entry = their.entry(game, theirs[0])
            assert_agrees({name: own[name] for name in SHARED if name not in ("exact", "by")}, entry)
        if shown[0]["exact"] and ours["left"] <= SMALL:
            words, pairs = kept(5, code)[1], [tuple(own.split(":")) for own in history]
            best, _ = outlooks.outlooks(words, game, pairs, count=1, seconds=60, device="cpu")
            assert best[0].expected(game) == pytest.approx(shown[0]["expected"]), history
            proven += 1
    assert proven > 0


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_reviews_along_the_tree_are_those_of_the_command(answers, code):
    game, rounds = find_game(code), drawn_rounds(code, ROUNDS)
    rounds = [own for own in rounds if followed(code, own) == len(own)]
    played = [line_round(own, game) for own in rounds]
    theirs, words = reviewed(adviser_over(kept(5, code)[1], game, device="cpu"), played)
    asked = [("review", {"game": GAMES[code], "history": own}) for own in rounds]
    for review, ours in zip(theirs, answers(asked), strict=True):
        assert ours.pop("notes") == []
        assert_agrees(ours, told(review, words))


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_reviews_off_the_tree_say_what_the_command_says_of_their_values(answers, code):
    """And their values are near those of the command, which tries more guesses and searches small sets."""
    game, (tree, words) = find_game(code), kept(5, code)
    first = words.words[tree.guess[0]] if words.target_count > 5000 else ""  # another one takes long
    rounds = [own for own in stray_rounds(code, 2 * STRAYS, first=first) if len(own) > 1][-STRAYS:]
    played = [line_round(own, game) for own in rounds]
    asked = [("review", {"game": GAMES[code], "history": own}) for own in rounds]
    replies = answers(asked)
    for round_, ours in zip(played, replies, strict=True):
        ours.pop("notes")
        assert_agrees(ours, told(as_reviewed(ours, round_, game), words))
    reviews, _ = reviewed(adviser_over(words, game, device="cpu"), played)
    for ours, review in zip(replies, reviews, strict=True):
        for own, turn in zip(ours["turns"], review.turns, strict=True):
            assert abs(own["expected_before"] - float(turn.expected_before)) <= NEAR * unit_of(game).guess
            assert abs(own["expected_chosen"] - float(turn.expected_chosen)) <= NEAR * unit_of(game).guess


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_branches_are_those_of_the_server(answers, code):
    atlas, draw, asked = Atlas(EMBEDDED), random.Random(SEED), list[dict[str, Any]]()
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
            assert_agrees(ours, atlas.branch(one))
        except RequestError:
            assert ours["name"] == "Error", one


@pytest.mark.slow
def test_trees_of_one_name_are_kept_apart_and_a_broken_file_is_told_as_a_missing_one(answers, plain, root):
    stored = json.loads(files()["stored.json"])
    trees = stored["atlas-trees"]
    one, other, _ = trees["trees"]
    broken, missing = {"game": "wordle9", "data": "broken.bin"}, {"game": "wordle10", "data": "missing.bin"}
    trees["trees"] = [one, other | {"name": one["name"], "game": "wordle8"}, one | broken, one | missing]
    changed = {"stored.json": json.dumps(stored).encode(), "broken.bin": files()[one["data"]][:5000]}
    write(root / "games" / "broken", {**files(), **changed})
    asked = [("atlas-branch", {"game": own["game"], "length": 5}) for own in trees["trees"]]
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
        ":large_green_square::black_circle::large_yellow_square::white_large_square::green_heart: CRANE",
        "🟦🟡🟦🟦🟥 CRANE\n🟥🟥🟥🟥🟥 slate",
        "⬛🟪⬛⬛🟩 CRANE\nslate ⬜⬜⬜⬜🟪",
        "🟡🟧⬜🟠🟩 CRANE\nslate ⬜🟧⬜🟡🟠",
        "slate ⚫🟠⚫⚫🟢 crane XYXXG",
        "◾ 🟨 ▪ ▪ 🟩 crane\n⬜  🟩  🟩  🟩  🟩 slate",
        "crane [0, 1, 2, 0, 0] slate (x o ? x x)",
        "crane absent, present, correct, gray, yellow",
        "crane 0 1 2 0 0 slate 0 0 0 0 1",
    ]
    game = find_game("wordle")
    ours = [read_round(text, game, bare=True).guesses for text in texts]
    more = ["crane:-xxx-", "⬛🟨 ⬛🟨\n⬛🟨 ⬛🟨", "⬛🟥🟩", "crane gooby"]
    asked = [("review-read", {"text": text}) for text in texts + more]
    *theirs, mixed, boards, strange, target = answers(asked)
    assert [own["history"] for own in theirs] == [[":".join(pair) for pair in own] for own in ours]
    with pytest.raises(ContradictionError, match=re.escape(mixed["error"])):
        read_round(more[0], game, bare=True)
    assert strange["error"].startswith("🟥 in '⬛🟥🟩' is not a mark: squares are green")
    assert (boards["name"], target["history"]) == ("Error", ["gooby:XXXXX"])


def test_the_files_name_no_folder_of_this_machine(tmp_path):
    words, paths = kept(5, "wordle6")[1], {name: tmp_path / f"{name}.txt" for name in ("wordlist", "targets")}
    for path, own in zip(paths.values(), (words.words, words.targets), strict=True):
        path.write_text("\n".join(own))
    setting = replace(EMBEDDED, names=ListNames(**{name: str(path) for name, path in paths.items()}))
    files = exported(setting, parsed_trees("wordle-5"))
    text = b"".join(files.values())
    assert str(tmp_path).encode() not in text and b"wordlist.txt, answers: targets.txt" in text


def test_a_damaged_book_is_left_out_and_those_of_other_folders_are_not(tmp_path, monkeypatch):
    words, game = kept(5, "wordle6")[1], find_game("wordle")
    monkeypatch.chdir(tmp_path)
    openings, _ = stored_openings(words, game, thorough=False)
    name = stored_paths(words, game, ending=BOOK)[0].rpartition("/")[2]
    told: list[str] = []
    for data in (b"", book_bytes(new_book(words, game).with_trees([next(iter(openings.values()))[1]]))):
        Path(name).write_bytes(data)
        files = exported(EMBEDDED, parsed_trees("wordle-5"), lambda fault: told.append(worded(fault)))
        assert sum(file.endswith(".z") for file in files) == len(openings)
    assert len(told) == 1 and "`gpulingo openings --length 5 --game wordle --save .`" in told[0]


@pytest.mark.slow
def test_the_files_name_no_other_host_and_no_address_outside_their_folder():
    texts = {name: data.decode() for name, data in files().items() if not name.endswith((".bin", ".z"))}
    assert {f"{view}.html" for view in ("index", "review", "play", "atlas")} < set(texts)
    for name, text in texts.items():
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), name
        assert not re.search(r"""(?:href|src|from|fetch|url)[=:( ]*["'`]/""", text), name
    assert not re.search("boards[./]", " ".join(texts)) and "boards" not in texts["index.html"]
    assert "/api/" not in "".join(texts.values())
    assert sum(map(len, files().values())) < 1_700_000


@pytest.mark.slow
def test_the_daily_word_is_played_and_is_that_of_the_server(browser, plain):
    words, page = Lists(EMBEDDED.names).drawn(5, wordle()), Page(browser, plain)
    page.fresh()
    browser.get_log("browser")  # discards earlier errors
    page.open("", "play.html")
    ours = page.script("return dailyWords(arguments[0])", DAYS)
    assert ours == [{**daily_entry(words, day), "word": daily_word(words, day)} for day in DAYS]
    future = f"daily/5/{DAYS[-1] + 1}"  # by the real clock
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
    page.guess(first)
    page.guess(own)
    page.until(lambda: page.text("#end") == "Found in 3" and "…" not in page.text("#scores"))
    assert re.match(r"· about skill \d+ · luck \d+$", page.text("#scores"))
    assert not page.all('#segments [href="#evil"]')
    page.click('#next [href="#practice"]')
    page.until(lambda: page.text("#title") == "Wordle" and page.labels() == [])
    page.check_own(5)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "hard"), [("wordle6", ""), ("wordle-hard6", "hard")])
def test_rounds_after_an_opening_of_the_book_are_answered_and_reviewed_as_the_server_does(
    answers, code, hard
):
    words, game = kept(5, code)[1], find_game(code)
    paths = stored_paths(words, game, ending=BOOK)
    if not paths:
        pytest.skip("no book is stored")
    assistant, draw, rounds = Assistant(EMBEDDED), random.Random(SEED), list[list[str]]()
    request = {"game": "wordle", "hard": hard, "history": []}
    asked = [(request, assistant.suggest(request))]
    for opening in draw.sample([*read_book(paths[0]).openings], 4):
        target, history, guess = draw.choice(words.targets), list[str](), words.words[opening]
        while guess != target and len(history) < 3:
            history.append(f"{guess}:{marks.feedback(guess, target)}")
            request = {"game": "wordle", "hard": hard, "history": [*history]}
            theirs = assistant.suggest(request)
            asked.append((request, theirs))
            guess = theirs["suggestions"][0]["guess"]
        rounds.append(history)
    replies = answers([("suggest", {**request, "length": 5}) for request, _ in asked])
    costs = [float(own.split()[-1]) for own in replies[0]["costs"]]  # of first guesses
    assert len(costs) == 9 and costs == sorted(costs)
    for (request, theirs), ours in zip(asked, replies, strict=True):
        ours, theirs = shared(ours), shared(theirs)
        assert ours == {name: theirs[name] for name in ours}, request
    assert any(len(ours["suggestions"]) == 5 for ours in replies)
    played = [line_round(own, game) for own in rounds]
    reviews, _ = reviewed(adviser_over(words, game, device="cpu"), played)
    named = {"game": "wordle", "hard": hard, "length": 5}
    replies = answers([("review", {**named, "history": own}) for own in rounds])
    for review, ours in zip(reviews, replies, strict=True):
        assert ours.pop("notes") == []
        assert_agrees(ours, told(review, words))


@pytest.mark.slow
def test_a_better_stored_guess_that_is_not_shown_is_told(answers):
    request = {"game": "wordle", "length": 5, "history": ["reast:X????", "whelk:XX?XX"]}
    (ours,) = answers([("search", request)])
    theirs = ended(Assistant(replace(EMBEDDED, load_engine=lambda: outlooks)).search(request))
    assert ours["suggestions"][0]["guess"] == theirs["suggestions"][0]["guess"]
    (note,) = re.findall(r"; 1 guess is not shown \(\S+ guesses better\)", theirs["how"])
    assert note in ours["how"]


@pytest.mark.slow
def test_a_stored_file_that_could_not_be_read_once_is_read_again(browser, plain):
    browser.get(f"{plain}style.css")
    request = {"game": "wordle", "length": 5, "history": ["reast:X????"]}
    without, stored = Page(browser, plain).script("return askedAgain(arguments[0])", request)
    assert (without["stored"], stored["stored"]) == (False, True)
