"""Requests in JSON on stdin of `gpulingo suggest -`; faults and reviews are rows of cli/replies.tsv."""

import json
import os
import random
import re
import signal
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from gpulingo.games import marks

from .conftest import WORDS, Engine, asker

PAGE = Path(__file__).parent.parent.parent / "docs" / "howto" / "engine.md"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """A function that sends requests, and returns the answers by their id."""
    monkeypatch.chdir(tmp_path)
    run = asker(tmp_path, WORDS, Engine)

    def asked(*requests, line="-", engine=None):
        code, text, told = run(
            line, [own if isinstance(own, str) else json.dumps(own) for own in requests], engine
        )
        assert (code, told) == (0, [])
        answers = {}
        for own in map(json.loads, text.splitlines()):
            answers.setdefault(own["id"], []).append(own)
        for own in answers.values():
            assert [each["final"] for each in own] == [False] * (len(own) - 1) + [True]
        return answers

    return asked


def test_each_request_is_answered_at_once_and_then_by_a_search(ask):
    rows = {word: marks.feedback("bones", word) for word in WORDS[:3]}
    answers = ask(*({"id": word, "history": [f"bones:{row}"], "top": 1} for word, row in rows.items()))
    for word, row in rows.items():
        first, *_, last = answers[word]
        left = [own for own in WORDS if marks.feedback("bones", own) == row]
        assert first["candidates"] == last["candidates"] == left and first["suggestions"] == []
        assert [own["guess"] for own in last["suggestions"]] == left[:1]


def test_options_of_the_line_hold_unless_a_request_names_others(ask):
    answers = ask(
        {"id": 1}, {"id": 2, "game": "lingo"}, {"id": 3, "hard_from": 3}, line="- --game wordle4 --top 2"
    )
    assert [answers[own][-1]["game"] for own in (1, 2, 3)] == ["wordle4", "lingo5", "wordle-from3-hard4"]
    (answer,) = ask({"id": 1, "lives": 3}, line="- --game wordle --turns 5")[1][-1:]
    assert answer["game"] == "wordle3"  # another spelling of the option of the line
    (answer,) = ask({"id": 1, "hard": False}, line="- --game wordle --hard")[1][-1:]
    assert answer["game"] == "wordle6"


def test_a_list_that_a_request_names(ask, tmp_path):
    (tmp_path / "four.txt").write_text("tare\nrate\ntear\n")
    answers = ask({"id": 1, "wordlist": "four.txt", "length": 4}, {"id": 2})
    assert [own[-1]["left"] for own in answers.values()] == [3, len(WORDS)]


@pytest.mark.parametrize(
    "wrong", ['{"id": 7', {"id": 7, "history": ["bones:XXXXX"]}, {"id": 7, "stop": True}]
)
def test_a_fault_ends_its_request_alone(ask, wrong):
    answers = ask(wrong, {"id": "next"})
    assert answers.pop("next")[-1]["left"] == len(WORDS)
    assert ["error" in own[-1] for own in answers.values()] == [True]


def test_scores_are_those_of_many_reviews(ask):
    rounds = [{"target": "tones", "guesses": ["bones", "tones"]}, f"dents:{marks.feedback('dents', 'reads')}"]
    (own,) = ask({"id": 1, "question": "score", "rounds": rounds})[1]
    one, *_ = ask({"id": 1, "question": "review", **rounds[0]})[1]
    assert own["rounds"] == 2 and own["reviews"][0]["result"] == one["result"] == 400.0


def test_a_search_with_less_time_than_an_earlier_one_has_its_answer(ask, scripted):
    engine = scripted()
    answers = ask(*({"id": time, "time": time, "top": 1} for time in (2, 1, 3)), engine=engine)
    assert engine.asked == 2 and answers[1][-1]["suggestions"] == answers[2][-1]["suggestions"]


def test_a_search_is_stopped_with_the_best_so_far(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines, begun = [], threading.Event()

    class Patient(Engine):
        def outlooks(self, *arguments, progress, stop, **options):
            best, _ = super().outlooks(*arguments, **options)
            progress(best, "so far")
            begun.set()
            assert stop.wait(60)
            return best, "stopped"

    def stdin():
        yield json.dumps({"id": 1})
        assert begun.wait(60)
        yield json.dumps({"id": 1})
        yield json.dumps({"id": 1, "stop": True})

    code, *_ = asker(tmp_path, WORDS, Patient)("-", stdin(), write=lines.append)
    first, progress, again, last = map(json.loads, lines)
    assert (again["id"], last["id"]) == (None, 1)
    assert code == 0 and (progress["how"], last["how"]) == ("so far", "stopped")
    assert [own["final"] for own in (first, progress, again, last)] == [False, False, True, True]
    assert again["error"] == "id 1 is that of a request without its final answer: use another"


def finals(lines):
    """The final answers by id; those of each id follow its others."""
    counts = Counter()
    for own in map(json.loads, lines):
        counts[own["id"]] += own["final"]
    return counts


def test_a_stop_that_comes_too_late_is_no_answer_to_its_request(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines, ended = [], threading.Event()

    def write(line):
        lines.append(line)
        if '"final": true' in line:
            ended.set()

    def stdin():
        yield json.dumps({"id": 1, "top": 1})
        assert ended.wait(60)
        yield json.dumps({"id": 1, "stop": True})

    asker(tmp_path, WORDS, Engine)("-", stdin(), write=write)
    assert finals(lines) == {1: 1, None: 1}
    assert json.loads(lines[-1])["error"] == "no answer to id 1 is under way"


def test_an_id_has_one_final_answer_whenever_it_is_stopped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw, asked, before = random.Random(1), Counter(), sys.getswitchinterval()
    requests = [{"id": draw.randrange(9), "stop": draw.random() < 0.7} for _ in range(120)]
    lines = []
    sys.setswitchinterval(1e-6)
    try:
        asker(tmp_path, WORDS, Engine)("-", map(json.dumps, requests), write=lines.append)
    finally:
        sys.setswitchinterval(before)
    asked.update(own["id"] for own in requests if not own["stop"])
    refused = [re.match(r"id (\d)", own.get("error", "")) for own in map(json.loads, lines)]
    asked.subtract(int(own[1]) for own in refused if own)
    answered = finals(lines)
    assert answered.pop(None) > 30 and answered == asked and min(asked.values()) > 0


def test_a_signal_ends_the_input_with_the_best_so_far(tmp_path, monkeypatch, ending):
    monkeypatch.chdir(tmp_path)
    lines, begun = [], threading.Event()

    class Patient(Engine):
        def outlooks(self, *arguments, stop, **options):
            begun.set()
            assert stop.wait(60)
            return super().outlooks(*arguments, **options)

    def stdin():
        yield json.dumps({"id": 1})
        yield json.dumps({"id": 2})
        assert begun.wait(60)
        signal.raise_signal(ending)
        pytest.fail("the input goes on")

    with pytest.raises(KeyboardInterrupt):
        asker(tmp_path, WORDS, Patient)("-", stdin(), write=lines.append)
    last = [own for own in map(json.loads, lines) if own["final"]]
    assert finals(lines) == {1: 1, 2: 1} and all(own["suggestions"] for own in last)


def test_a_list_that_waits_for_its_writer_blocks_no_other_request_and_no_stop(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("silent")
    os.mkfifo("written")
    writer = threading.Thread(target=lambda: (tmp_path / "written").write_text("tare\nrate\ntear\n"))
    writer.start()
    requests = [
        {"id": 1, "wordlist": "silent"}, {"id": 2}, {"id": 3, "wordlist": "written", "length": 4},
        {"id": 4, "question": "score", "rounds": ["bones:XXXXO"], "targets": "silent"},
        {"id": 4, "stop": True},
        {"id": 5, "wordlist": "silent", "length": 4}, {"id": 1, "stop": True}, {"id": 5, "stop": True},
    ]  # fmt: skip
    lines = []
    assert asker(tmp_path, WORDS, Engine)("-", map(json.dumps, requests), write=lines.append)[0] == 0
    writer.join()
    answers = {own["id"]: own for own in map(json.loads, lines) if own["final"]}
    assert finals(lines) == dict.fromkeys([1, 2, 3, 4, 5], 1)
    assert [answers[own]["left"] for own in (2, 3)] == [len(WORDS), 3]
    assert {answers[own]["error"] for own in (1, 4, 5)} == {"stopped before its lists were read"}


def test_the_requests_of_the_page_are_answered(ask, monkeypatch):
    monkeypatch.chdir(PAGE.parent.parent.parent)
    lines = code_of("json").splitlines()
    answers = ask(*lines)
    assert [own[-1].get("error") for own in answers.values()] == [None] * len(lines)


def code_of(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL).group(1)
