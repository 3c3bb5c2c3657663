"""Certificates as arrays: what is written is read back, what does not fit is refused."""

from dataclasses import replace

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.bounds.arrays import write_arrays
from gpulingo.bounds.certificate import (
    CertificateError,
    certificate_arrays,
    certificate_of,
    parsed_certificate,
    read_certificate,
)
from gpulingo.bounds.counting import bounded_by, evaluate
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


@pytest.fixture
def certified():
    """A list, its table and a certificate that names something of every kind."""
    wordlist, turns = exhaustive.random_list(18)
    table = encode(wordlist.words)
    state = exhaustive.with_supersets(table, lingo(turns))
    state.apply(evaluate(state, [0, 1]))
    state.apply(bounded_by(state, torch.arange(2, len(wordlist)), 0))
    state.apply(exhaustive.searched(state, 3))
    return wordlist, table, certificate_of(wordlist, state.game, state.evidence)


def test_a_certificate_is_read_back_as_it_was_written(certified):
    wordlist, _, certificate = certified
    three = {4: torch.tensor([7, 5]), 9: torch.tensor([3])}
    certificate = replace(certificate, evidence=replace(certificate.evidence, three_turns=three))
    arrays = certificate_arrays(certificate)
    assert arrays["format"].tolist() == [8, certificate.turns, len(wordlist)]
    assert arrays["game"].tobytes() == b"lingo"
    again = certificate_arrays(parsed_certificate(arrays))
    assert arrays.keys() == again.keys()
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
    evidence = certificate.evidence
    assert evidence.neighbours and evidence.supersets and evidence.searched and evidence.three_turns


def test_a_certificate_of_another_game_is_refused_in_one_line(certified, tmp_path):
    wordlist, _, certificate = certified
    arrays = certificate_arrays(certificate)
    write_arrays(tmp_path / "a.bounds.npz", arrays)
    game = certificate.game
    assert read_certificate(tmp_path / "a.bounds.npz", wordlist, game).game == game
    with pytest.raises(CertificateError, match=f"is for the game {game.code}, asked for is lingo9") as told:
        read_certificate(tmp_path / "a.bounds.npz", wordlist, lingo(9))
    assert "\n" not in str(told.value)
    arrays["game"] = np.frombuffer(b"chess", dtype=np.uint8)
    write_arrays(tmp_path / "b.bounds.npz", arrays)
    with pytest.raises(CertificateError, match="is for a game that is not known here") as told:
        read_certificate(tmp_path / "b.bounds.npz", wordlist)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": [9, 5, 24]}, "has the format 9, this gpulingo reads 8"),
        ({"near": [0], "near_sizes": [1], "near_values": [99]}, "beyond"),
        ({"near": [0], "near_sizes": [2], "near_values": [1]}, "do not fit"),
        ({"searched": [-1], "searched_sizes": [0]}, "do not fit"),
        ({"twofold": [True]}, "twofold as bool .1., expected one row of"),
        ({"bounds": [[0]]}, "bounds as int64 .1, 1., expected one row of"),
        ({"looked": 3}, "looked as int64 .., expected one row of"),
        ({"format": [np.inf, 5, 24]}, "format as float64"),
        ({"fingerprint": [[1]]}, "has a fingerprint that is not text"),
        ({"near": [0], "near_sizes": [1.0], "near_values": [1]}, "near_sizes as float64"),
        ({"near": [0], "near_sizes": [1], "near_values": 1}, "near_values as int64"),
        ({"searched": [0], "searched_sizes": [24], "searched_values": np.empty((24, 0, 1), int)}, "24, 0, 1"),
        ({"larger": [3, 4]}, "larger sets"),
        ({"larger": [[-1, 3]]}, "larger sets"),
        ({"game": [[1]]}, "has game as int64"),
        ({"game": np.array([255, 1], dtype=np.uint8)}, "a game that is not known"),
        ({"searched": [], "searched_sizes": [], "searched_values": []}, "searched as float64"),
        (
            {"searched": [4], "searched_sizes": [1], "searched_values": [-1]},
            "values of classes -1, expected 0 to",
        ),
        (
            {"searched": [4], "searched_sizes": [1], "searched_values": [1 << 60]},
            f"values of classes {1 << 60}, expected 0",
        ),
    ],
)
def test_a_certificate_of_another_shape_is_refused(certified, change, told):
    arrays = certificate_arrays(certified[2])
    parsed_certificate(arrays)
    with pytest.raises(ValueError, match=told):
        parsed_certificate(arrays | {name: np.array(values) for name, values in change.items()})


@pytest.mark.parametrize("name", ["larger", "searched", "game", "near_sizes", "automorphisms", "three_turns"])
def test_no_array_may_be_missing(certified, name):
    arrays = certificate_arrays(certified[2])
    del arrays[name]
    with pytest.raises(ValueError, match=f"lacks {name}"):
        parsed_certificate(arrays)


def test_a_bound_beyond_what_all_words_are_worth_is_refused(certified, tmp_path):
    wordlist, _, certificate = certified
    arrays = certificate_arrays(certificate)
    arrays["bounds"][0] = certificate.turns * len(wordlist) + 1
    write_arrays(tmp_path / "a.bounds.npz", arrays)
    with pytest.raises(
        CertificateError, match=f"has bounds of .* {certificate.turns * len(wordlist)} at most"
    ):
        read_certificate(tmp_path / "a.bounds.npz", wordlist)
