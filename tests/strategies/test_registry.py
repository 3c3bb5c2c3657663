"""Strategies by name, and a user's: each of the three kinds played, and every error in one line."""

import re
import sys

import pytest
import torch

from gpulingo.cli.wording import worded
from gpulingo.games.marks import feedback
from gpulingo.storage.faults import Fault
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import Ranking
from gpulingo.strategies.registry import NAMES, TUNED, Chooser, OneByOne, loaded, named, plugged, sentence
from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.frontier import frontier
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.trees.verify import verify

SETS = [list(range(0, 22, 2)), [3, 4, 9], [7], list(range(22))]


@pytest.fixture
def front():
    return frontier([torch.tensor(one, dtype=torch.int32) for one in SETS])


def test_what_is_wrong_with_trees_that_are_kept_is_told(words22, grown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    damaged = tmp_path / file_name("lingo5", 5, words22.fingerprint)
    damaged.write_bytes(b"")
    with pytest.raises(Fault) as raised:
        named("best", wordlist=words22)
    said = (
        f"no tree is stored for .* [(].*{damaged.name}.*[)]: make one with `gpulingo solve`, or name another"
    )
    assert re.fullmatch(said, worded(raised.value))
    tree = grown(words22)
    (tmp_path / "checkpoints").mkdir()
    write_checkpoint(tree, tmp_path / "checkpoints" / damaged.name)
    with pytest.warns(UserWarning, match=f"{damaged.name} .*; checkpoints/{damaged.name} is used instead"):
        assert named("best", wordlist=words22).tree == tree


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if name not in ("letters", "random", "histogram", "statistician", "distinct")],
)
def test_the_last_turn_guesses_the_first_candidate(words22, front, name, position):
    assert named(name).choose(position(words22.words, front, 1)).guesses.tolist() == [one[0] for one in SETS]


@pytest.mark.parametrize("kind", [torch.uint8, torch.int8, torch.int16, torch.int64])
def test_a_user_may_choose_by_a_narrow_type_from_many_words(position, kind):
    words = [a + b + c for a in "abcdefg" for b in "abcdefg" for c in "abcdefg"]
    here = position(words, frontier([torch.arange(len(words))]), 3)
    assert Chooser("mine", lambda _: torch.tensor([120], dtype=kind)).choose(here).guesses.tolist() == [120]


def test_every_strategy_has_a_sentence_of_its_own():
    told = {name: sentence(name) for name in (*NAMES, TUNED, "best")}
    assert len(set(told.values())) == len(told)
    for text in told.values():
        assert text[0].isupper() and text.endswith(".") and "`" not in text and 20 < len(text) < 111
    assert sentence("random seed 7") == sentence("random") == "Any candidate, each as likely."
    assert sentence("mine:cubes") == sentence("") == ""
    assert "examples/rivals.py" in sentence("edc65") and "edc65" not in told


PLAYERS = """
import torch
from gpulingo.strategies.strategy import Choice

def table(sizes): return -(sizes**2)

def middle(candidates, history): return candidates[len(candidates) // 2]

def with_default(candidates, history=()): return candidates[0]

def chooser(position): return position.frontier.firsts

class Last:
    def choose(self, position):
        return Choice(position.frontier.members[position.frontier.offsets[1:] - 1], 7)

last = Last()
"""


@pytest.fixture
def players(tmp_path, monkeypatch):
    """A current folder with a module of a user's strategies."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "players", raising=False)  # of another test
    (tmp_path / "players.py").write_text(PLAYERS)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("table", Ranking),
        ("middle", OneByOne),
        ("with_default", OneByOne),
        ("chooser", Chooser),
        ("last", Chooser),
        ("Last", Chooser),
    ],
)
def test_what_a_name_means_is_told_apart_by_what_it_is(players, words22, name, kind):
    strategy = named(f"players:{name}")
    assert isinstance(strategy, kind) and strategy.name == f"players:{name}"
    done = simulate(words22, f"players:{name}")
    verify(done.tree, words22)
    assert done.tree.strategy == f"players:{name}"
    assert done.tree.guess.tolist() == simulate(words22, loaded(f"players:{name}")).tree.guess.tolist()
    if name == "table":
        assert done.tree.guess.tolist() == simulate(words22, "expected_size").tree.guess.tolist()


def test_a_strategy_is_loaded_from_the_file_that_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "elsewhere.py").write_text(PLAYERS)
    assert isinstance(named(f"{tmp_path}/elsewhere.py:Last"), Chooser)


class Telling:
    """Accepts progress, and reports the sets to it."""

    def choose(self, position, progress=None):
        if progress:
            progress(position.frontier.sets)
        return Choice(position.frontier.firsts)


def test_who_takes_progress_gets_it_and_what_it_raises_ends_the_work(words22):
    told = []
    done = simulate(words22, Telling(), report=lambda turn, sets, most: told.append(sets))
    assert sum(told) == len(done.tree)

    def over(turn, sets, most):
        if sets:
            raise TimeIsUp

    with pytest.raises(TimeIsUp):
        simulate(words22, Telling(), report=over)


def test_a_plain_function_gets_candidates_and_history_once_a_set(words22):
    asked = []

    def first(candidates, history):
        asked.append((tuple(candidates), tuple(history)))
        return candidates[0]

    strategy = plugged(first, "first")
    done = simulate(words22, strategy)
    assert len(asked) == len(set(asked)) == len(done.tree)
    assert done.strategy == "first"
    assert strategy == plugged(first, "first") and hash(strategy) == hash(plugged(first, "first"))
    for candidates, history in asked:
        fit = [
            word for word in words22.words if all(feedback(guess, word) == said for guess, said in history)
        ]
        assert list(candidates) == [word for word in fit if word not in [guess for guess, _ in history]]


def test_what_a_user_prints_goes_to_stderr(words22, capsys):
    simulate(words22, lambda candidates, history: print("here") or candidates[0])
    assert capsys.readouterr().out == ""
