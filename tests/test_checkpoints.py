"""The checkpoints of the project: the claims of their README, and their actual scores."""

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import SimpleNamespace

import pytest
from sampled import quick

from gpulingo.games.catalogue import repeats_colours
from gpulingo.storage.files import file_name
from gpulingo.strategies.tuned import read_tuned, tuned_name
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import embedded, find_listing, parse

FOLDER = Path(__file__).parent.parent / "checkpoints"
STUDY = FOLDER.parent / "scripts" / "study"
FILES = sorted(path.name for path in FOLDER.glob("lingo5-*[0-9a-f].npz"))
CODES = sorted(path.name for path in FOLDER.glob("[mb]*12-*[0-9a-f].npz"))
VALUES = sorted(path.name for path in FOLDER.glob("lingo5-*.values.json"))


def test_there_is_one_for_each_length_of_both_lists():
    assert sorted(int(name.split("-")[1]) for name in FILES) == sorted(list(range(4, 14)) * 2)


@pytest.fixture
def study(monkeypatch, capsys):
    """A function that runs scripts/study: its exit code and output lines."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delenv("GPULINGO_PIT_LIST", raising=False)
    loader = SourceFileLoader("study", str(STUDY))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("study", loader))
    monkeypatch.setitem(sys.modules, "study", module)
    loader.exec_module(module)

    def ran(*options):
        monkeypatch.setattr(sys, "argv", ["study", *map(str, options)])
        return module.main(), capsys.readouterr().out.splitlines()

    return ran


@pytest.fixture
def rows(study, monkeypatch):
    """A function that returns the rows of the stored results of a list."""
    monkeypatch.chdir(FOLDER.parent)
    return lambda *named: study("--tables", *named)[1]


def in_the_readme(printed):
    """Whether README has all these rows, in this order."""
    readme = (FOLDER / "README.md").read_text().splitlines()
    return [row for row in readme if row in printed] == printed


@pytest.mark.slow
def test_the_readme_has_the_rows_of_the_embedded_list(rows):
    printed = rows()
    openings = [row for row in printed if ".npz" not in row]
    assert len(printed) == 29 + len(openings) and in_the_readme([row for row in printed if ".npz" in row])
    table = (FOLDER.parent / "docs" / "wordle.md").read_text().splitlines()
    assert len(openings) == 40 and set(openings) <= set(table)


@pytest.mark.slow
def test_the_readme_has_the_rows_of_the_pits_list(rows, pit_list):
    printed = rows("--wordlist", pit_list)
    assert len(printed) == 10 and in_the_readme(printed)


def test_the_trees_of_wordles_lists_are_those_that_are_public(rows, wordle_lists):
    printed = rows("--wordlist", wordle_lists / "pool.txt", "--targets", wordle_lists / "targets.txt")
    assert in_the_readme(printed)
    figures = [row.split(" | ")[2:5] for row in printed]
    assert figures == [["salet", "7,920", "3.4212"], ["salet", "8,122", "3.5084"]]


@pytest.mark.parametrize("lengths", quick([[9], [4, 5, 6, 7, 8, 10, 11, 12, 13]], [[9]]))
@pytest.mark.parametrize("game", quick(["lingo5", "hangman6"], ["lingo5"]))
def test_the_tree_of_the_embedded_list_scores_what_it_says(game, lengths):
    for length in lengths:
        wordlist = embedded().of_length(length)
        verify(read_checkpoint(FOLDER / file_name(game, length, wordlist.fingerprint)), wordlist)


@pytest.mark.parametrize("lengths", quick([[9], [4, 5, 6, 7, 8, 10, 11, 12, 13]], [[9]]))
def test_the_tree_of_the_pits_list_scores_what_it_says(lengths, pit_words):
    for length in lengths:
        wordlist = pit_words(length)
        verify(read_checkpoint(FOLDER / file_name("lingo5", length, wordlist.fingerprint)), wordlist)


def test_the_tree_of_codes_takes_as_many_guesses_as_it_says():
    assert len(CODES) > 5
    for name in CODES:
        tree = read_checkpoint(FOLDER / name)
        colours = round(tree.words ** (1 / tree.length)) if tree.game.name == "mastermind" else None
        codes = find_listing(tree.length, None, repeats_colours(tree.game), colours)
        verify(tree, codes.of_length(tree.length))


def test_the_readme_has_the_row_of_tuned_values():
    readme = (FOLDER / "README.md").read_text().splitlines()
    assert VALUES
    for name in VALUES:
        tuned = read_tuned(FOLDER / name)
        assert name == tuned_name(tuned.length, tuned.fingerprint)
        assert f"| {name} | {tuned.words:,} | {tuned.mean_points:.5f} |" in readme


@pytest.mark.slow
def test_a_study_makes_what_is_missing_and_nothing_twice(study, tmp_path, words22, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "nice", lambda more: None)  # these tests keep their priority
    long = parse("\n".join(f"{word}long" for word in words22.words)).of_length(9)  # a proof of one part
    Path("own.txt").write_text("\n".join(long.words) + "\n")
    own = "--wordlist", "own.txt"
    assert study(*own)[1] == [
        "lingo5          9 letters  nothing stored                     "
        "missing: search and proof, about 0.60 CPU hours",
        "0.6 CPU hours of one thread are left",
    ]
    assert study(*own, "--tables") == (0, [])
    code, lines = study(*own, "--run")
    name = file_name("lingo5", 9, long.fingerprint)
    assert code == 0 and f"gpulingo prove checkpoints/{name} --wordlist own.txt" in lines
    assert study(*own)[1][0].endswith("done") and study(*own)[1][1] == "0.0 CPU hours of one thread are left"
    assert study(*own, "--run") == (0, [])
    (row,) = study(*own, "--tables")[1]
    assert row.startswith(f"| {name} | 22 | solve | ")
    certificate = Path("checkpoints", name.replace(".npz", ".bounds.npz"))
    certificate.write_bytes(certificate.read_bytes() + b" ")
    assert "missing: proof" in study(*own)[1][0]
    assert study(*own, "--targets", "none.txt")[0] == study("--time", "soon")[0] == 2


@pytest.mark.parametrize(("code", "begun"), [(1, ["11", "9"]), (130, ["11"])])
def test_a_study_continues_after_a_search_that_fails_but_not_after_ctrl_c(
    study, tmp_path, words22, monkeypatch, code, begun
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "nice", lambda more: None)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: SimpleNamespace(returncode=code))
    Path("own.txt").write_text("".join(f"{word}long\n{word}longer\n" for word in words22.words))
    ended, lines = study("--wordlist", "own.txt", "--run")
    lengths = [line.split()[line.split().index("--length") + 1] for line in lines]
    assert (ended, lengths) == (1, begun)
