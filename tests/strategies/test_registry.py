"""Strategies by name: the baselines in plain Python, ranking with one and two turns left by brute force."""

import pytest
import torch

from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.strategies.registry import NAMES, TUNED, named, sentence
from gpulingo.tensors.frontier import frontier
from gpulingo.trees.checkpoint import write_checkpoint

SETS = [list(range(0, 22, 2)), [3, 4, 9], [7], list(range(22))]


@pytest.fixture
def front():
    return frontier([torch.tensor(one, dtype=torch.int32) for one in SETS])


def test_best_is_the_tree_that_is_kept_for_the_list(words22, grown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError,
        match=r"no tree is stored for the words of 5 letters in .* and lingo of 5 turns: make one with",
    ):
        named("best", wordlist=words22)
    tree = grown(words22)
    write_checkpoint(tree, file_name("lingo5", 5, words22.fingerprint))
    assert named("best", wordlist=words22).tree == tree
    assert simulate(words22, "best").tree == tree


def test_what_is_wrong_with_trees_that_are_kept_is_told(words22, grown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    damaged = tmp_path / file_name("lingo5", 5, words22.fingerprint)
    damaged.write_bytes(b"")
    with pytest.raises(ValueError, match=f"no tree is stored for .* [(].*{damaged.name}.*[)]: make one with"):
        named("best", wordlist=words22)
    tree = grown(words22)
    (tmp_path / "checkpoints").mkdir()
    write_checkpoint(tree, tmp_path / "checkpoints" / damaged.name)
    with pytest.warns(UserWarning, match=f"{damaged.name} .*; checkpoints/{damaged.name} is used instead"):
        assert named("best", wordlist=words22).tree == tree


@pytest.mark.parametrize("name", ["best", "tuned"])
def test_a_strategy_that_is_kept_for_a_list_asks_for_the_list(name):
    with pytest.raises(ValueError, match=f"^strategy '{name}' depends on the list: .* wordlist=$"):
        named(name)


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if name not in ("letters", "random", "histogram", "statistician", "distinct")],
)
def test_the_last_turn_guesses_the_first_candidate(words22, front, name, position):
    assert named(name).choose(position(words22.words, front, 1)).guesses.tolist() == [one[0] for one in SETS]


def test_a_file_of_an_unknown_name_is_what_may_be_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alike.py").write_text("")
    with pytest.raises(ValueError, match=r"^no strategy 'alike', .* did you mean alike:alike[?]$"):
        named("alike")


def test_an_unknown_name_lists_the_known_ones():
    for name in ("gold", ""):
        with pytest.raises(ValueError, match=f"^no strategy '{name}': use parts, entropy"):
            named(name)
    for name in ("Parts", "parts "):
        with pytest.raises(
            ValueError, match=f"^no strategy '{name}': did you mean parts.*[?] use parts, ent"
        ):
            named(name)


def test_a_strategy_tells_its_name():
    assert [named(name).name for name in NAMES] == list(NAMES)
    assert (named("random").name, named("random", seed=7).name) == ("random", "random seed 7")


def test_every_strategy_has_a_sentence_of_its_own():
    told = {name: sentence(name) for name in (*NAMES, TUNED, "best")}
    assert len(set(told.values())) == len(told)
    for text in told.values():
        assert text[0].isupper() and text.endswith(".") and "`" not in text and 20 < len(text) < 111


def test_a_sentence_is_found_by_the_name_that_tables_show():
    assert sentence("random seed 7") == sentence("random") == "Any candidate, each as likely."
    assert sentence("mine:cubes") == sentence("") == ""
