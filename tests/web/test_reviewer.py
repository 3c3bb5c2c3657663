"""Reviews for the page: those of the command line, exact sums, and requests that are none."""

import json
import random
import threading
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.games import marks
from gpulingo.games.rules import options_of
from gpulingo.web import reviewer
from gpulingo.web.requests import RequestError
from gpulingo.web.reviewer import Reviewer

from .conftest import WORDS, answer_of, ended

SQUARES = str.maketrans("X?O", "\u2b1b\U0001f7e8\U0001f7e9")
ROUNDS = [
    ("lingo", "", ["dents:O?XXO", "dozes:OOOOO"]),
    ("lingo", "hard", ["dents:O?XXO", "dozes:OOOOO"]),
    ("wordle", "from3-hard", ["bones:XOOOO", "dents:X?O?O", "tones:OOOOO"]),
    ("wordle", "", ["zzzzz:XXXXX", "bones:XOOOO", "tones:XOOOO"]),
    ("hangman", "", ["e:___O_", "x:_____", "s:____O"]),
    ("hangman-misses", "", ["q:_____", "o:_O___"]),
]


@pytest.fixture
def own(setting):
    """What reviews rounds."""
    return Reviewer(setting)


def reviewed(own, record, *watching, **others):
    return ended(own.review(record), *watching, **others)


@pytest.mark.parametrize(("game", "hard", "history"), ROUNDS)
@pytest.mark.slow
def test_a_review_is_that_of_the_command_line(own, game, hard, history):
    history = [part if len(part.partition(":")[2]) == 5 else part[:-1] for part in history]
    answer = reviewed(own, {"game": game, "hard": hard, "history": history})
    rule = options_of(hard).split() if hard else []
    line = ["review", "--game", game, *rule, "--wordlist", own.setting.wordlist,
            "--device", "cpu", *history]  # fmt: skip
    done = CliRunner().invoke(app, [*line, "--json"], catch_exceptions=False)
    said = {
        name: own
        for name, own in json.loads(done.stdout).items()
        if name not in ("schema", "command", "version")
    }
    assert {name: answer[name] for name in said} == said
    printed = CliRunner().invoke(app, line, catch_exceptions=False).stdout
    assert answer["sums"] in printed and all(how in printed for how in answer["hows"])


@pytest.mark.slow
def test_start_luck_and_losses_make_the_result_exactly_whatever_is_played(own):
    chance = random.Random(3)
    for game in ("lingo", "wordle") * 30:
        target, guesses = chance.choice(WORDS), chance.sample(WORDS, 3)
        guesses = guesses[: guesses.index(target) + 1] if target in guesses else [*guesses, target]
        asked = {"game": game, "target": target, "words": " ".join(guesses)}
        answer = reviewed(own, {"game": game, "history": own.read(asked)["history"]})
        exact = {name: Fraction(value) for name, value in answer["exact"].items()}
        gained = exact["luck"] - exact["lost"]
        assert exact["result"] == exact["start"] + (gained if answer["rises"] else -gained)
        assert sum(Fraction(row["left"]) > 0 for row in answer["rows"]) == len(guesses)


def test_every_form_of_a_paste_is_the_same_round(own):
    rows = [marks.feedback(word, "dozes") for word in ("dents", "zones", "dozes")]
    squares = "\n".join(rows).translate(SQUARES)
    round_ = {
        "length": 5,
        "history": [f"{w}:{r}" for w, r in zip(("dents", "zones", "dozes"), rows, strict=True)],
    }
    for paste in (
        {"target": "DOZES", "words": "dents, zones, dozes"},
        {"text": f"Wordle 1,234 3/6*\n\n{squares}\n\nwell!", "words": "dents zones dozes"},
        {"text": "dozes dents zones dozes"},
        {"text": ", ".join(round_["history"]).replace(":", "=").lower()},
    ):
        assert own.read(paste) == round_, paste
    bare = own.read({"text": f"Wordle 1,234 3/6*\n\n{squares}"})
    assert bare == {"length": 5, "history": [f":{row}" for row in rows]}
    shown = own.read({"game": "hangman", "text": "_ o _ e _"})
    assert shown == {"length": 5, "history": ["o:_O___", "e:___O_"]}
    letters = own.read({"game": "hangman", "target": "dozes", "words": "e a s"})
    assert letters == {"length": 5, "history": ["e:___O_", "a:_____", "s:____O"]}


@pytest.mark.slow
def test_a_round_against_a_host_is_reviewed_as_one_of_wordle_that_lasts_as_long(own):
    history = [*["jjjjj:XXXXX"] * 7, "dozes:OOOOO"]
    answer = reviewed(own, {"game": "absurdle", "history": history})
    assert (answer["game"], answer["state"], answer["result"]) == ("wordle8", "found", 8)
    assert "reviewed as wordle8: the host of absurdle chooses the marks" in answer["notes"][0]
    assert "jjjjj is not among the words" in answer["notes"][1]
    text = " ".join(history)
    assert own.read({"game": "absurdle", "text": text})["history"] == history


def test_a_review_is_found_again_and_only_so_many_are_kept(own):
    own._answers.most = 1
    first = reviewed(own, {"history": ["dozes:OOOOO"]})
    assert reviewed(own, {"history": ["dozes:ooooo"]}) is first
    reviewed(own, {"history": ["bones:OOOOO"]})
    assert reviewed(own, {"history": ["dozes:OOOOO"]}) is not first


def test_a_review_that_takes_too_long_ends_and_says_so(own):
    own.seconds = -1
    with pytest.raises(RequestError, match="took longer than -1 s: `gpulingo review` has no limit") as raised:
        reviewed(own, {"history": ["bones:XOOOO"]})
    assert raised.value.status == 422


def test_a_review_is_stopped_while_it_searches(own):
    stop = threading.Event()
    stop.set()
    with pytest.raises(RequestError, match="the review was stopped"):
        reviewed(own, {"history": ["bones:XOOOO"]}, stop=stop)


def test_the_seconds_of_a_review_are_told_each_once(monkeypatch):
    times = iter([5.0, 5.0, 5.4, 6.1, 6.2, 8.0, 9.5])
    monkeypatch.setattr("gpulingo.tensors.clock.clock", lambda: next(times))
    told = []
    watch = reviewer._Watch(told.append, threading.Event(), 4.0)
    for _ in range(5):
        watch.check()
    assert told == [{"seconds": 1, "most": 4.0}, {"seconds": 3, "most": 4.0}]
    with pytest.raises(RequestError, match="took longer than 4 s"):
        watch.check()


def test_reviews_are_asked_for_over_http(client):
    page = client()
    read = page.post("/api/review-read", json={"target": "dozes", "words": "dents dozes"})
    assert (read.status_code, read.json()["history"]) == (200, ["dents:O?XXO", "dozes:OOOOO"])
    found = page.post("/api/review", json={"history": read.json()["history"]})
    assert json.loads(found.text.splitlines()[-1])["answer"]["result"] == 2
    wrong = page.post("/api/review", json={"history": ["dents:XXXXO", "dozes:OOOOO"]})
    assert "no word fits" in json.loads(wrong.text.splitlines()[-1])["error"]
    assert page.post("/api/review", json={"history": []}).status_code == 422
    assert page.get("/api/review-games").json()["letters"] == ["hangman", "hangman-misses"]


@pytest.mark.slow
def test_no_request_leads_to_another_error(setting):
    own = Reviewer(replace(setting, seconds=1))
    chance = random.Random(5)
    guesses = ["bones:XOOOO", "dents:?XXXX", "e:___O_", "q:_____", "<b>:XXX", "\u202e:X", "\u0130stan:XXXXX",
               "\u00e4\u00f6\u00fc\u00df\u00e9:XXXXX", "\u65e5\u672c\u8a9e\u6587\u5b57:XXXXX", "dozes:OOOOO",
               ":", "", "\0:X", "1122:1,1", "1212:2", "bones:4",
               "bones:\u2b1b\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9"]  # fmt: skip
    words = [*WORDS, "<script>", "\U0001f7e9" * 5, "a,b", "\u0130stan", "x" * 60, "1/6", "e", "\0",
             "\u65e5\u672c\u8a9e\u6587\u5b57"]  # fmt: skip
    odd = [None, 0, -1, 1.5, float("inf"), [], {}, True, [[]], "chess", "\ud800"]
    answered = 0
    for _ in range(5000):
        texts = {
            name: " ".join(chance.choices(words, k=chance.randrange(4)))
            for name in ("text", "words", "target")
        }
        whole = {"game": chance.choice(reviewer.GAMES), "hard": chance.choice(["", "", "hard", "from3-hard"])}
        whole["colours"] = chance.choice([2, 3])
        if chance.random() < 0.5:
            ask, record = own.read, whole | texts
        else:
            ask = partial(reviewed, own)
            record = whole | {"history": chance.choices(guesses, k=chance.randrange(4))}
        for name in chance.sample([*record, "else"], chance.choice([0, 0, 0, 1, 2])):
            record[name] = chance.choice(odd)
        answer = answer_of(ask, record)
        answered += answer is not None
        assert answer is None or json.dumps(answer)
    assert answered > 100
