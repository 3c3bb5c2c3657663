"""What the checker checks, and that the certificates of the project are proofs."""

import random
from dataclasses import replace
from pathlib import Path

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.bounds.certificate import (
    CertificateError,
    certificate_arrays,
    certificate_of,
    of_sizes,
    parsed_certificate,
    read_certificate,
)
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import TwoGuesses, bounded_by, evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.formulas import opening_size_bounds
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise.solve import solve
from gpulingo.solvers.words import value
from gpulingo.tensors.objective import perfect_split
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.words.wordlist import WordList

FOLDER = Path(__file__).parent.parent.parent / "checkpoints"


@pytest.mark.slow
def test_the_tree_of_the_pits_list_is_the_best_there_is(pit_words):
    wordlist = pit_words(13)
    name = f"lingo5-13-{wordlist.fingerprint[:12]}"
    certificate = read_certificate(FOLDER / f"{name}.bounds.npz", wordlist)
    assert list(prove(encode(wordlist.words), certificate))[-1] == len(wordlist)
    assert 100 * certificate.bound / len(wordlist) == read_checkpoint(FOLDER / f"{name}.npz").mean_points


@pytest.mark.slow
def test_a_header_has_the_bound_of_its_certificate(pit_words):
    for length in range(4, 14):
        wordlist = pit_words(length)
        name = f"lingo5-{length}-{wordlist.fingerprint[:12]}"
        certificate = read_certificate(FOLDER / f"{name}.bounds.npz", wordlist)
        tree = read_checkpoint(FOLDER / f"{name}.npz", thorough=False)
        bound = max(100 * certificate.bound / len(wordlist), tree.mean_points)
        assert tree.mean_points <= tree.bound == bound


def certificate(wordlist, state):
    return certificate_of(wordlist, state.game, state.evidence)


def refused(table, claim, opening):
    """Check that the bound of this opening is refused."""
    with pytest.raises(CertificateError, match=f"place {opening} "):
        list(prove(table, claim))


def test_a_certificate_that_claims_less_than_follows_is_refused(any_game):
    wordlist, table, game, _ = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, list(range(0, len(wordlist), 3))))
    for opening in range(len(wordlist)):
        state.apply(bounded_by(state, np.array([opening]), 0 if opening else 3))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    state.apply(TwoGuesses(state).evaluate(1))
    for opening in (0, 1, 2):
        claim = certificate(wordlist, state)
        claim.bounds[opening] -= 1
        refused(table, claim, opening)


@pytest.mark.slow
def test_parts_together_check_every_opening():
    wordlist, game = exhaustive.words_alike(), lingo(5)
    state = BoundState(encode(wordlist.words), game)
    state.apply(evaluate(state, list(range(len(wordlist)))))
    whole = certificate(wordlist, state)
    parts = [list(prove(state.table, whole, part=(k, 3))) for k in (1, 2, 3)]
    by_size = {counts[0] for counts in parts}
    assert len(by_size) == 1
    assert sum(counts[-1] - counts[0] for counts in parts) == len(wordlist) - by_size.pop() > 3
    for opening in (0, 17, 40):
        claim = certificate(wordlist, state)
        claim.bounds[opening] -= 1
        refusing = []
        for k in (1, 2, 3):
            try:
                list(prove(state.table, claim, part=(k, 3)))
            except CertificateError as error:
                assert f"place {opening} " in str(error)
                refusing.append(k)
        assert len(refusing) == 1


def test_a_certificate_that_claims_less_than_a_search_has_is_refused(game):
    wordlist, table, game, best = game
    state = BoundState(table, game)
    state.apply(exhaustive.searched(state, 3))
    claim = certificate(wordlist, state)
    claim.bounds[3] -= 1
    refused(table, claim, 3)
    claim.evidence.searched[3][0] -= 1  # now the sum is right
    refused(table, claim, 3)
    most = np.iinfo(np.int64).max
    for values in ([most, most], [most, most, most, most], [-1], [-most - 1]):
        claim = certificate(wordlist, state)
        claim.evidence.searched[3][: len(values)] = values
        claim.bounds[3] = int(best[3]) - 1
        refused(table, claim, 3)
    claim = certificate(wordlist, state)
    claim.evidence.searched[3] = claim.evidence.searched[3][1:]
    claim.bounds[3] = int(best[3]) - 1
    refused(table, claim, 3)


def test_no_word_that_may_be_guessed_has_the_bound_0():
    for seed in range(60):
        draw = random.Random(seed)
        letters = draw.sample("cefmnvyz", 5)
        words = sorted({"".join(draw.choices(letters, k=3)) for _ in range(draw.randint(4, 12))})
        name = draw.choice(["lingo-hard", "lingo-consistent", "wordle-lost", "wordle-from3-hard"])
        wordlist, game = WordList("a test", words), find_game(name, draw.randint(3, 6))
        bounds = opening_size_bounds(encode(words), game, torch.full((len(words),), len(words))).numpy()
        # The greatest bounds are those of the best openings, too.
        forged = certificate_of(wordlist, game, of_sizes(bounds * (bounds < bounds.max())))
        opening = int(bounds.argmax())
        refused(encode(words), forged, opening)
        with pytest.raises(CertificateError, match=f"bound 0 for {words[opening]}, which may be guessed: "):
            solve(wordlist, game, certificate=forged)


def hold(searches, sets, left, values):
    """True if each value is an upper bound of its set."""
    found = searches.values(sets, left, values, None)
    return all(0 <= result.value <= most for result, most in zip(found, values, strict=True))


def test_the_best_values_of_classes_hold_and_no_smaller_ones(any_game):
    _, table, game, best = any_game
    state, searches, left = BoundState(table, game), Searches(table, game, 1 << 20), game.turns - 1
    for opening in range(0, table.words, 7):
        sets = opening_classes(table, opening)
        values = exhaustive.searched(state, opening).searched[opening]
        assert int(state.credits[opening] + values.sum()) == int(best[opening])
        assert hold(searches, sets, left, values.tolist())
        assert hold(searches, sets, left, (values + 1).tolist())
        for place in (int(sets.sizes.argmax()), int(sets.sizes.argmin())):
            less = values.tolist()
            less[place] -= 1
            assert not hold(searches, sets, left, less)


def test_where_an_older_version_named_sets_that_hold_classes_all_classes_are_counted(any_game):
    wordlist, table, game, _ = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, table.pool.tolist()))
    arrays = certificate_arrays(certificate(wordlist, state))
    arrays |= {"looked": arrays["looked"] * 0, "larger": np.array([[0, 5, -1]])}
    claim = parsed_certificate(arrays)
    assert list(prove(table, claim))[-1] == len(wordlist)
    opening = int((opening_size_bounds_of(state) - claim.bounds).argmax())
    claim.bounds[opening] -= 1
    refused(table, claim, opening)


def opening_size_bounds_of(state):
    """Bounds of the openings of a state before anything was counted."""
    return BoundState(state.table, state.game).evidence.bounds


def test_an_opening_rests_on_values_or_on_counts_whichever_say_less(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, [0]))
    sizes = opening_classes(state.table, 0).sizes
    loose = perfect_split(sizes, game.turns - 1)
    rows = state.evidence.rows(np.array([0]))
    state.apply(replace(rows, searched={0: loose}))  # as after a search that was stopped early
    assert int(state.credits[0] + loose.sum()) >= int(state.evidence.bounds[0])
    exhaustive.check(wordlist, state, best)


@pytest.mark.parametrize("since", [3])
def test_where_hard_mode_begins_later_counts_are_enough_and_three_turns_say_nothing(since, monkeypatch):
    wordlist, table, _, _ = exhaustive.made(18)
    state = BoundState(table, find_game(f"lingo-from{since}-hard", 4))
    by_size = state.evidence.bounds.copy()
    state.apply(evaluate(state, table.pool.tolist()))
    claim = certificate(wordlist, state)
    with monkeypatch.context() as patched:
        patched.setattr(Searches, "after_each", None)
        assert list(prove(table, claim))[-1] == len(wordlist)
    # With three turns left more may be legal after two guesses than in a search that starts at the set.
    opening = int((by_size - claim.bounds).argmax())
    none = np.zeros(opening_classes(table, opening).sets, np.int64)
    forged = replace(claim.evidence, three_turns={opening: none})
    assert list(prove(table, replace(claim, evidence=forged)))[-1] == len(wordlist)


def test_a_class_that_is_too_large_to_be_searched_is_no_proof(monkeypatch):
    table = encode(exhaustive.families().words)
    sets = opening_classes(table, 0)
    values = [10**6] * sets.sets
    assert hold(Searches(table, lingo(5), 1 << 20), sets, 4, values)
    values[int(sets.sizes.argmax())] = 0
    monkeypatch.setattr(value, "MOST_LABELS", 1)
    assert not hold(Searches(table, lingo(5), 1 << 20), sets, 4, values)
