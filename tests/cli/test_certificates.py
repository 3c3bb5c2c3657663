"""Which certificate is used for a list, and when one is put aside."""

from pathlib import Path

import numpy as np
import pytest

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.bounds.certificate import read_certificate
from gpulingo.cli.solving import (
    kept_certificates,
    mean_bound,
    put_certificate_aside,
    standing_certificate,
)
from gpulingo.games.catalogue import lingo
from gpulingo.storage.files import CERTIFICATE
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.words.listing import read


@pytest.fixture
def solved(run, list22, words22):
    """The 22 words solved: the path of the certificate, where all look."""
    line = "solve --length 5 --wordlist list.txt --device cpu --json"
    assert run(line).exit_code == 0
    (path,) = Path("checkpoints").glob(f"*{CERTIFICATE}")
    return path


def test_the_bound_in_mean_points_is_that_of_the_header(solved, words22):
    tree = read_checkpoint(str(solved).replace(CERTIFICATE, ".npz"))
    assert mean_bound(read_certificate(solved, words22), words22) == tree.bound


def test_the_lowest_bound_comes_first_and_each_file_once(solved, words22):
    path = Path(solved.name)
    path.write_bytes(solved.read_bytes())
    paths = [*kept_certificates(words22, lingo(), None, [path.resolve()])]
    assert sorted(path.resolve() for path in paths) == sorted([path.resolve(), solved.resolve()])


def test_a_certificate_of_other_turns_is_not_of_the_game(solved, words22, capsys):
    assert standing_certificate(solved, words22, lingo(6), None) is None
    assert standing_certificate(solved, words22, lingo(), None) is not None
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("silent", [False, True])
def test_a_damaged_one_is_passed_over_and_that_is_said(solved, words22, capsys, silent):
    solved.write_bytes(solved.read_bytes()[:-9])
    assert standing_certificate(solved, words22, lingo(), None, silent=silent) is None
    assert capsys.readouterr().err.count("; skipped\n") == (not silent)


def test_one_that_allows_less_than_a_tree_has_is_wrong(solved, words22, capsys):
    tree = read_checkpoint(str(solved).replace(CERTIFICATE, ".npz"))
    better = tree.replaced(mean_points=tree.mean_points + 1)
    assert standing_certificate(solved, words22, lingo(), better) is None
    assert capsys.readouterr().err.endswith(": remove it; skipped\n")


def test_only_the_certificate_of_another_list_game_or_format_is_put_aside(solved, list22, words22, capsys):
    put_certificate_aside(solved, words22, lingo())
    assert solved.exists()
    arrays = read_arrays(solved)
    write_arrays(solved, arrays | {"format": arrays["format"] + [1, 0, 0]})
    put_certificate_aside(solved, words22, lingo())
    said = capsys.readouterr().err
    assert f"{solved} has the format 9, this gpulingo reads 8: it is now {solved.parent}" in said
    assert not solved.exists()
    write_arrays(solved, arrays)
    list22.write_text("\n".join(words22.words[:-1]))
    put_certificate_aside(solved, read(list22).of_length(5), lingo())
    assert not solved.exists() and f"and 5 turns: it is now {solved.parent}" in capsys.readouterr().err
    put_certificate_aside(solved, words22, lingo())  # there is none


@pytest.mark.parametrize("wrong", ["no such opening", "more than a class has", "none of the numbers"])
def test_wrong_counts_of_unfinished_openings_are_reported_and_made_again(wrong, solved, run):
    arrays = read_arrays(solved)
    arrays |= {"counted": np.array([3]), "counted_sizes": np.array([1]), "counted_values": np.array([2])}
    if wrong == "no such opening":
        arrays["counted"] = np.array([22])
    elif wrong == "more than a class has":
        arrays["counted_values"] = np.array([20])
    else:
        del arrays["counted_values"]
    write_arrays(solved, arrays)
    result = run("solve --length 5 --wordlist list.txt --device cpu --json")
    assert result.exit_code == 0 and result.stderr.count("made again\n") == 1
    assert '"gap":0.0' in result.stdout.replace(" ", "")
