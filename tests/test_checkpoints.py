"""The checkpoints that come with the project: what their README says of them, and what they really score."""

from pathlib import Path

import pytest
from sampled import quick

from gpulingo.strategies.build import simulate
from gpulingo.strategies.tuned import read_tuned, tuned_name
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import embedded

QUICK = [5, 9, 13]

FOLDER = Path(__file__).parent.parent / "checkpoints"
FILES = sorted(path.name for path in FOLDER.glob("lingo5-*[0-9a-f].npz"))
VALUES = sorted(path.name for path in FOLDER.glob("lingo5-*.values.json"))


def test_there_is_one_for_each_length_of_both_lists():
    lengths = [read_checkpoint(FOLDER / name, thorough=False).length for name in FILES]
    assert sorted(lengths) == sorted(list(range(4, 14)) * 2)


@pytest.mark.parametrize("name", FILES)
def test_the_readme_has_its_row(name):
    tree = read_checkpoint(FOLDER / name)
    counts = " ".join(f"{count:,}" for count in tree.turn_counts())
    bound = "none" if tree.bound is None else f"{tree.bound:.5f}"
    score = f"{tree.strategy} | {tree.mean_points:.5f} | {counts} | {tree.lost:,} | {bound}"
    row = f"| {name} | {tree.words:,} | {score} |"
    assert row in (FOLDER / "README.md").read_text().splitlines()


@pytest.mark.parametrize("length", quick(range(4, 14), QUICK))
def test_the_tree_of_the_embedded_list_scores_what_it_says(length):
    wordlist = embedded().of_length(length)
    name = f"lingo5-{length}-{wordlist.fingerprint[:12]}.npz"
    verify(read_checkpoint(FOLDER / name), wordlist)


@pytest.mark.parametrize("length", quick(range(4, 14), QUICK))
def test_the_tree_of_the_pits_list_scores_what_it_says(length, pit_words):
    wordlist = pit_words(length)
    name = f"lingo5-{length}-{wordlist.fingerprint[:12]}.npz"
    verify(read_checkpoint(FOLDER / name), wordlist)


@pytest.mark.parametrize("length", quick(range(4, 14), QUICK))
def test_the_tree_of_hangman_wins_what_it_says(length):
    wordlist = embedded().of_length(length)
    name = f"hangman6-{length}-{wordlist.fingerprint[:12]}.npz"
    tree = read_checkpoint(FOLDER / name)
    verify(tree, wordlist)
    won, most = len(wordlist) - tree.lost, round(tree.bound * len(wordlist) / 100)
    row = f"| {name} | {len(wordlist):,} | {won:,} | {tree.mean_points:.3f} | {most:,} |"
    assert row in (FOLDER / "README.md").read_text().splitlines()


@pytest.mark.parametrize("name", VALUES)
def test_the_readme_has_the_row_of_tuned_values(name):
    tuned = read_tuned(FOLDER / name)
    assert name == tuned_name(tuned.length, tuned.fingerprint)
    row = f"| {name} | {tuned.words:,} | {tuned.mean_points:.5f} |"
    assert row in (FOLDER / "README.md").read_text().splitlines()


@pytest.mark.slow
def test_the_tuned_values_of_four_letters_yield_what_they_say(pit_words):
    wordlist = pit_words(4)
    tuned = read_tuned(FOLDER / tuned_name(4, wordlist.fingerprint))
    assert (
        simulate(wordlist, "tuned").mean_points
        == tuned.mean_points
        > simulate(wordlist, "points").mean_points
    )
