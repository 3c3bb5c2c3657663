"""The public functions about a round: their arguments, their answers, their errors."""

import json
import re
import warnings
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

import pytest
import torch

from gpulingo import Rounds, find_words, lingo, review, score, simulate, solve, suggest
from gpulingo.advice.outlook import TREE
from gpulingo.advice.round import Round
from gpulingo.cli.pipes import BY_OPTION
from gpulingo.cli.suggest import run
from gpulingo.games.catalogue import find_game
from gpulingo.games.marks import ContradictionError, feedback
from gpulingo.positions import outlooks
from gpulingo.positions.book import opening_trees
from gpulingo.positions.rounds import adviser_over, reviewed
from gpulingo.storage.files import BOOK, file_name
from gpulingo.trees.book import new_book, write_book
from gpulingo.words.wordlist import WordList

WORDS = ["dents", "dozes", "reads", "lists", "doors"]


@pytest.mark.parametrize(
    ("history", "words", "game"),
    [
        (["dozes:?XX?O"], WORDS, "lingo"),
        ("dozes:?XX?O", WordList("five", WORDS), lingo()),
        ([("dozes", "?XX?O")], WORDS, lingo()),
        ([("dozes", "ybbyg")], WORDS, "lingo"),
    ],
)
def test_words_games_and_histories_are_taken_in_every_form(history, words, game):
    found = suggest(history, words, game, device="cpu")
    assert found.candidates == ["reads"]
    assert (found.guesses[0].guess, found.exact, found.game.code) == ("reads", True, "lingo5")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "history"),
    [("wordle", ["crane:X?XXO"]), ("hangman", ["e:____O"]), ("jotto", ["crane:2", "hotel:3"])],
)
def test_a_length_asks_the_question_of_the_command_line(game, history, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines: list[str] = []
    asked = [*history, "--game", game, "--json", "--all", "--top", "2", "--time", "0"]
    assert run(asked, lambda module: outlooks, input, lines.append, pytest.fail) == 0
    told = json.loads(lines[0])
    found = suggest(history, 5, game, top=2, seconds=0)
    assert (found.candidates, found.source) == (told["candidates"], told["how"].replace(BY_OPTION, ""))
    assert [own.entry(found.game, found.guesses[0]) for own in found.guesses] == told["suggestions"]


def test_a_review_is_the_one_of_the_command_line_and_adds_up():
    target, guesses = "reads", ["dents", "reads"]
    marked = [f"{guess}:{feedback(guess, target)}" for guess in guesses]
    by_target = review(guesses, WORDS, target=target, device="cpu")
    by_marks = review(marked, WORDS, device="cpu")
    assert repr(by_target) == repr(by_marks) and by_target.balanced
    assert by_target.result == by_target.start - by_target.lost + by_target.luck == 400
    fewer = review(marked, WORDS, "wordle", device="cpu")
    assert fewer.result == fewer.start + fewer.lost - fewer.luck == 2


@pytest.mark.slow
def test_a_round_whose_word_is_no_usual_answer_is_reviewed_over_all_words():
    with pytest.warns(UserWarning, match="no answer fits the round, which is reviewed over all 1,174 words"):
        found = review(["aah"], 3, "wordle", target="aah", device="cpu")
    assert found.state == "found" and found.balanced
    with pytest.raises(ContradictionError, match="aah is not among the targets"):
        review(["aah"], find_words(3, targets="answers"), "wordle", target="aah", device="cpu")


def test_a_guess_that_is_no_word_is_warned_of():
    ask = [
        lambda: len(suggest(["jumpy:XXXXX"], WORDS, device="cpu").candidates),
        lambda: review(["jumpy:XXXXX"], WORDS, device="cpu").turns[0].after.words,
        lambda: score([["jumpy:XXXXX"]], WORDS, device="cpu").reviews[0].turns[0].after.words,
    ]
    for left in ask:
        with pytest.warns(UserWarning, match="jumpy|1 guess not among") as told:
            assert left() == 5
        assert [each.filename for each in told] == [__file__]


def test_a_target_that_no_list_has_is_refused_before_values_are_computed(monkeypatch):
    monkeypatch.setattr("gpulingo.positions.rounds.reviewed", lambda *_, **__: pytest.fail("computed"))
    for words in (WORDS, 5):
        with pytest.raises(ContradictionError, match="round 2: xxxxx is not among the targets of"):
            score(["reads dents", "xxxxx dents"], words, "wordle")


def test_scores_are_rows_of_the_reviews_of_rounds_in_every_form():
    forms = [
        {"target": "reads", "guesses": ["dents", "reads"]},
        {"guesses": ["dents:?OXXO", "reads:OOOOO"]},
        "reads dents reads",
        "dents:YGBBG reads:GGGGG",
        ["dents:?OXXO", ("reads", "OOOOO")],
    ]
    marked = f"dents:{feedback('dents', 'reads')} reads:OOOOO"
    one = review(marked, WORDS, device="cpu")
    long = {"target": "lists", "guesses": ["dozes", "doors", "lists"]}
    found = score([*forms, long], WORDS, device="cpu")
    assert found.guesses.tolist() == [2] * 5 + [3]
    assert found.exact.shape == found.lost.shape == found.luck.shape == (6, 3)
    assert found.exact.dtype == torch.bool and found.exact.all()
    assert found.lost.dtype == found.luck.dtype == torch.float64
    for row in range(5):
        assert found.lost[row].tolist() == [*(float(turn.lost) for turn in one.turns), 0]
        assert found.luck[row].tolist() == [*(float(turn.luck) for turn in one.turns), 0]
    assert repr(found).startswith("Scores(6 rounds of lingo5: start ") and "<tr>" in found._repr_html_()


@pytest.mark.parametrize("game", ["wordle", "lingo-letter", "wordle-hard", "hangman", "jotto"])
def test_a_batch_is_scored_like_its_rounds_and_invalid_guesses_are_passes(game):
    rounds = Rounds(WORDS, game, targets=WORDS)
    rounds.step(rounds.choose("frequency" if game == "hangman" else "parts"))
    lines = [{"target": own, "guesses": [rounds.history(row)[0][0]]} for row, own in enumerate(WORDS)]
    one, other = score(rounds, device="cpu"), score(lines, WORDS, game, device="cpu")
    assert one.lost.tolist() == other.lost.tolist() and one.luck.tolist() == other.luck.tolist()
    rounds.step(torch.full((5,), -1, dtype=torch.int32))
    again = score(rounds, device="cpu")
    left = ~rounds.done | (rounds.turn > 1)
    assert again.guesses.tolist() == (1 + left.int()).tolist() and again.exact.all()
    assert again.lost[:, 0].tolist() == one.lost[:, 0].tolist()
    passes = [own.turns[1] for own in again.reviews if len(own.turns) > 1]
    assert passes and all(turn.guess[0] == "\u00b7" and turn.luck == 0 <= turn.lost for turn in passes)


# A call, the kind of its error, and what its line has.
REFUSED = Path(__file__).with_name("refused.tsv").read_text().splitlines()


@pytest.mark.parametrize("row", REFUSED)
def test_bad_input_is_refused_in_one_line(row):
    call, kind, text = row.split("\t")
    with warnings.catch_warnings(), pytest.raises(Exception, match=text) as caught:
        warnings.simplefilter("error")
        eval(call)
    assert kind in [own.__name__ for own in type(caught.value).__mro__]
    assert "\n" not in str(caught.value) and "--" not in str(caught.value).replace("--opponent", "")


def test_a_game_with_a_given_letter_takes_it():
    found = suggest((), WORDS, find_game("lingo-letter"), letter="R", device="cpu")
    assert found.candidates == ["reads"]


@pytest.mark.parametrize(
    ("game", "marked"), [("wordle", "dozes:?XX?O"), ("jotto", "dozes:3"), ("hangman", "e:___O_")]
)
def test_a_notebook_shows_tiles(game, marked):
    found, own = suggest([marked], WORDS, game, device="cpu"), review([marked], WORDS, game, device="cpu")
    guess, _, row = marked.partition(":")
    assert found._repr_html_().count("<tr>") == len(found.guesses) + 1
    assert own._repr_html_().count("<span") == len(guess)
    coloured = len(row) == len(guess)
    assert (row in own._repr_html_()) == (not coloured)
    assert ("#3a7d44" in own._repr_html_()) == coloured


@pytest.mark.parametrize(
    ("thing", "heads", "rows"),
    [
        (lambda: simulate(WORDS, "parts", "lingo3"), "turn 1,turn 2,turn 3,lost", ["1,4,0,0"]),
        (lambda: simulate(["cat", "cot"], game="hangman2"), "0 misses,1 miss,lost", ["1,1,0"]),
        (lambda: solve(WORDS, "lingo3"), "turn 1,turn 2,turn 3,lost", ["1,4,0,0"]),
        (
            lambda: WordList("<b>", [*"abcdefghijkl"]),
            "number,word",
            [f"{n},{'abcdefghij'[n]}" for n in range(10)],
        ),
        (
            lambda: Rounds(WORDS, targets=WORDS[:2]),
            "round,guesses,turns left,credits",
            ["0,DOZES,4,0", "1,DOZES,4,5"],
        ),
    ],
)
def test_a_notebook_shows_a_table(thing, heads, rows):
    shown = thing()
    if isinstance(shown, Rounds):
        shown.step(torch.tensor([1, 1], dtype=torch.int32))  # dozes
    table = shown._repr_html_()
    assert f"<caption>{escape(repr(shown))}</caption>" in table
    cells = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]
    assert [re.sub("<.*?>", "", ",".join(row)) for row in cells] == [heads, *rows]


def test_a_review_follows_a_sound_book_beside_a_damaged_one(tmp_path, monkeypatch, words22):
    monkeypatch.chdir(tmp_path)
    game, told = find_game("wordle"), []
    name = file_name(game.code, 5, words22.fingerprint, BOOK)
    book = new_book(words22, game).with_trees(opening_trees(words22, game, [4, 9]))
    opening = [*book.openings][-1]  # damaged inside of a sound index
    (tmp_path / "checkpoints").mkdir()
    write_book(book, f"checkpoints/{name}")
    write_book(replace(book, data=book.data | {opening: book.data[opening][:-1]}), name)
    rounds = [Round([(words22[opening], feedback(words22[opening], target))]) for target in words22]
    adviser = adviser_over(words22, game, device="cpu")
    adviser.complain = told.append
    answers, _ = reviewed(adviser, rounds)
    after = [answer.turns[0].after for answer in answers]
    assert {value.how for value in after if value.words > 1} == {TREE} and len(told) == 1


def test_words_that_weigh_nothing_are_a_warning():
    words = WordList("three", ["dents", "dozes", "reads"]).with_weights({"reads": 5, "dents": 0, "dozes": 0})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="other")  # as torch filters: by text
        with pytest.warns(UserWarning, match="weigh 0"):
            found = suggest([("dozes", feedback("dozes", "dents"))], words, "wordle", device="cpu")
    assert found.candidates == ["dents"]


@pytest.mark.parametrize("work", [partial(simulate, strategy="parts"), solve])
def test_work_tells_its_share_and_ends_with_what_is_raised(work):
    told = []
    work(WORDS, progress=lambda share, text: told.append((share, text.split()[0])))
    assert {text for _, text in told} == {"turn" if work is not solve else "gap"}
    shares = [share for share, _ in told]
    assert shares == sorted(shares) and 0 == shares[0] < shares[-1] <= 1
    with pytest.raises(ZeroDivisionError):
        work(WORDS, progress=lambda share, text: 1 / 0)
