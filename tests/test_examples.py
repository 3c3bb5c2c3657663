"""The examples run as their first lines say, with the expected output; the players among them play."""

import importlib.util
import random
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gpulingo
from gpulingo.bounds.arrays import write_arrays
from gpulingo.bounds.certificate import certificate_arrays

ROOT = Path(__file__).parent.parent
PRINTED = {  # part of the output of each
    "own_strategy": "guess",
    "best_guess": "words fit:",
    "rank_a_set": "words left on average",
    "read_certificate": "points at most",
    "tie_rules": "one_class_more",
    "rivals": "358.86 mean points, opening persecutional",
    "train": "so the regret is",
    "llm": "parts            0.009   0.000   0.000   0.000   0.009    2.667      3\n",
}
PLAYERS = {  # their commands, and their guesses if the word is heron
    "player.py": (f"{sys.executable} examples/player.py", ["sores", "nerol", "heron"]),
    "player.sh": ("sh examples/player.sh", ["aahed", "beach", "fecht", "hedge", "heeds"]),
}
no_shell = pytest.mark.skipif(not shutil.which("sh") or not shutil.which("grep"), reason="no sh or no grep")
EACH_PLAYER = [pytest.param(name, marks=no_shell if name.endswith(".sh") else ()) for name in PLAYERS]


def said(*arguments):
    """The output of gpulingo in the root of the checkout."""
    run = [sys.executable, "-m", "gpulingo", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_an_answer_in_words_is_read_and_costs_a_turn_if_it_names_no_word():
    names = runpy.run_path(str(ROOT / "examples" / "llm.py"))
    first, second, *_ = words = names["WORDS"]
    said = [f"Not [{second}] but [ {first.upper()} ].", "none", "[zzzzz]", f"[{first}] or so"]
    assert [names["parse"](answer, gpulingo.Rounds(words)) for answer in said] == [0, -1, -1, 0]
    answers = iter(["who knows?", f"[{second}]"])
    rounds = names["play"](lambda text: next(answers), [second])
    assert rounds.guesses[0, :2].tolist() == [-1, 1] and rounds.turn.tolist() == [2]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "own_strategy" else pytest.mark.slow) for name in PRINTED]
)
def test_an_example_runs(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [f"examples/{name}.py"])
    if name == "read_certificate":  # of 40 words, faster than the one that it reads by default
        path = tmp_path / "lingo5-22-.bounds.npz"
        write_arrays(path, certificate_arrays(gpulingo.solve(22).certificate))
        sys.argv.append(str(path))
    if name in ("train", "llm"):  # for a moment only
        sys.argv.append("3")
    names = runpy.run_path(sys.argv[0], run_name="__main__")
    assert names.get("STORED", ROOT).exists()
    assert PRINTED[name] in capsys.readouterr().out


def test_every_example_is_tried_and_short():
    names = {f"{name}.py" for name in PRINTED} | {*PLAYERS}
    assert {path.name for path in (ROOT / "examples").iterdir() if path.is_file()} == names
    lines = {name: len((ROOT / "examples" / name).read_text().splitlines()) for name in names}
    assert lines.pop("train.py") < 80 and lines.pop("rivals.py") < 175 and lines.pop("llm.py") < 85
    assert max(lines.values()) < 40


@pytest.mark.parametrize("name", EACH_PLAYER)
def test_an_example_of_a_player_plays_a_round(name):
    command, guesses = PLAYERS[name]
    lines = said("referee", "-word", "heron", "-player", command).splitlines()
    assert [line.removeprefix("Got:   ") for line in lines if line.startswith("Got:")] == guesses
    marks = [line.removeprefix("Sent:  ") for line in lines if line.startswith("Sent:")]
    assert marks == [gpulingo.feedback(guess, "heron") for guess in guesses]


def test_the_marks_of_the_player_are_those_of_the_referee():
    spec = importlib.util.spec_from_file_location("player", ROOT / "examples" / "player.py")
    player = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(player)
    draw = random.Random(1)
    for _ in range(2000):
        guess, target = ("".join(draw.choices("abc", k=6)) for _ in range(2))
        assert player.marks(guess, target) == gpulingo.feedback(guess, target)
