"""A check goes on from what was found before: pieces are the whole, no file is taken for another."""

from dataclasses import fields, replace
from functools import cache

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.bounds.arrays import (
    CertificateError,
    packed_arrays,
    sealed_arrays,
    unpacked_arrays,
    unsealed_arrays,
)
from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checked import CHECK, Checked, read_checked, subject, write_checked
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.neighbours import bounded_by
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.three_turns import bounded_in_three_turns
from gpulingo.bounds.two_guesses import TwoGuesses
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode

pytestmark = pytest.mark.usefixtures("every_opening")


class Ended(Exception):
    """A check ends before its time."""


@cache
def whole():
    """A list of which bounds rest on everything that a certificate can name: words, table, certificate."""
    wordlist, game = exhaustive.words_alike(), lingo(5)
    table = encode(wordlist.words)
    state = exhaustive.with_supersets(table, game)
    exhaustive.counted(state, list(range(0, len(wordlist), 4)), int(state.evidence.bounds.median()) - 20)
    state.apply(evaluate(state, [1, 40]))
    others = torch.tensor([opening for opening in range(len(wordlist)) if opening not in (1, 40)])
    for center in (1, 40):
        state.apply(bounded_by(state, others, center))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    state.apply(TwoGuesses(state).evaluate(1))
    state.apply(bounded_in_three_turns(Searches(table, game, 1 << 22), state, [7, 9], 0, None))
    state.apply(exhaustive.searched(state, 3))
    evidence = replace(state.evidence, supersets=state.supersets.two.keys())  # all that were known
    return wordlist, table, certificate_of(wordlist, game, evidence)


def found(checked):
    """How much a check has found."""
    flags = (values for part in (checked.searched, checked.three_turns) for values in part.values())
    counted = (checked.supersets, checked.two, checked.three, checked.openings)
    return sum(map(len, counted)) + 0.01 * sum(int(each.sum()) for each in flags)


def ended_check(table, certificate, checked, more, **options):
    """Check until so much more was found; the last count of openings, and whether it came to the end."""
    before, counts, reports = found(checked), [], []

    def often(pairs):
        if found(checked) >= before + more:
            raise Ended

    report = lambda done, total: (reports.append((done, total)), often(0))  # noqa: E731
    try:
        for count in prove(table, certificate, often, report, checked=checked, **options):
            counts.append(count)
    except Ended:
        return counts, False
    for done, total in reports[-1:]:
        assert done == pytest.approx(total)
    return counts, True


def in_pieces(tmp_path, table, certificate, of, more, **options):
    """Check piece by piece, each from the file of the one before; the counts of each, and what was found."""
    path, pieces, checked = tmp_path / "work.npz", [], Checked()
    while True:
        counts, done = ended_check(table, certificate, checked, more, **options)
        pieces.append(counts)
        write_checked(path, checked, of)
        checked = read_checked(path, of, len(certificate.bounds))
        if done:
            return pieces, checked


@pytest.fixture
def of(grown):
    """What a check of that certificate is of."""
    wordlist, _, certificate = whole()
    return subject(certificate, grown(wordlist))


@pytest.mark.slow
@pytest.mark.parametrize("more", [9, 0.03])
def test_pieces_together_are_the_whole(tmp_path, of, more):
    wordlist, table, certificate = whole()
    evidence = certificate.evidence
    assert evidence.supersets and evidence.neighbours and evidence.searched and evidence.three_turns
    once = Checked()
    at_once = list(prove(table, certificate, checked=once))
    pieces, checked = in_pieces(tmp_path, table, certificate, of, more)
    assert len(pieces) > 20
    lasts = [counts[-1] for counts in pieces if counts]
    assert lasts == sorted(lasts) and lasts[-1] == at_once[-1] == len(wordlist)
    assert checked.openings == once.openings and len(checked.openings) > 50
    assert checked.supersets.items() >= {key: once.supersets[key] for key in evidence.supersets}.items()
    for name in ("two", "three"):
        ours, theirs = getattr(checked, name), getattr(once, name)
        assert ours.keys() == theirs.keys() and ours
        assert all(torch.equal(ours[opening], theirs[opening]) for opening in ours)
    assert not checked.searched and not checked.three_turns


@pytest.mark.slow
def test_what_does_not_hold_is_refused_in_pieces_too(tmp_path, of):
    _, table, certificate = whole()
    for opening in (3, 7, 40):
        bounds = certificate.bounds.clone()
        bounds[opening] -= 1
        claim = replace(certificate, evidence=replace(certificate.evidence, bounds=bounds))
        with pytest.raises(CertificateError, match=f"place {opening} "):
            in_pieces(tmp_path, table, claim, of, 9)


@pytest.mark.slow
def test_what_was_found_is_not_searched_or_counted_again(tmp_path, of):
    _, table, certificate = whole()
    alone, together, checked = [], [], Checked()
    for k in (1, 2, 3):
        list(prove(table, certificate, alone.append, part=(k, 3)))
        list(prove(table, certificate, together.append, part=(k, 3), checked=checked))
        write_checked(tmp_path / "work.npz", checked, of)
        checked = read_checked(tmp_path / "work.npz", of, table.words)
    again = []
    assert list(prove(table, certificate, again.append, checked=checked)) == [table.words]
    by_size = sum(again)
    assert sum(together) - 3 * by_size < 0.5 * (sum(alone) - 3 * by_size)


@pytest.mark.slow
def test_values_that_hold_are_not_searched_again():
    _, table, certificate = whole()
    checked, resumed, anew = Checked(), [], []

    def often(pairs):
        if any(int(hold.sum()) == len(hold) - 1 for hold in checked.three_turns.values()):
            raise Ended

    with pytest.raises(Ended):
        list(prove(table, certificate, often, checked=checked))
    forgetful = replace(Checked().joined(checked), three_turns={})
    list(prove(table, certificate, resumed.append, checked=checked))
    list(prove(table, certificate, anew.append, checked=forgetful))
    assert sum(resumed) < sum(anew)


def test_openings_that_are_searched_whole_are_gone_on_with(tmp_path, of):
    wordlist, _ = exhaustive.random_list(18)
    table, game = encode(wordlist.words), lingo(4).under("hard")
    state = bound_state(table, game)
    for each in Searches(table, game, 1 << 22).of(state, list(range(table.words)), 0, 1 << 40, None):
        state.apply(each.evidence)
    certificate = certificate_of(wordlist, game, state.evidence)
    pieces, _ = in_pieces(tmp_path, table, certificate, of, 1)
    assert len(pieces) > 9 and pieces[-1][-1] == table.words
    less = int(certificate.bounds.max()) - 1
    certificate.bounds.clamp_(max=less)
    with pytest.raises(CertificateError, match=f"is said to have at most {less}, what is named for it gives"):
        in_pieces(tmp_path, table, certificate, of, 1)


@pytest.fixture
def half(tmp_path, of):
    """The work file of a check that ended early."""
    _, table, certificate = whole()
    checked = Checked()
    assert not ended_check(table, certificate, checked, 300)[1]
    write_checked(tmp_path / "work.npz", checked, of)
    return tmp_path / "work.npz"


@pytest.mark.slow
def test_a_work_file_of_something_else_is_refused(half, of):
    for name in of:
        with pytest.raises(CertificateError, match=f"is for another {name}.*leave --resume out to begin"):
            read_checked(half, of | {name: "0" * 64}, 108)


def resealed(path, **arrays):
    """Write other arrays in a work file under a right digest."""
    known = unsealed_arrays(path.read_bytes())
    path.write_bytes(sealed_arrays(known | {name: np.array(array) for name, array in arrays.items()}))


@pytest.mark.slow
def test_a_work_file_of_another_check_is_refused(half, of):
    resealed(half, check=[CHECK + 1])
    with pytest.raises(CertificateError, match=f"is of check {CHECK + 1}, this gpulingo resumes from"):
        read_checked(half, of, 108)


@pytest.mark.slow
@pytest.mark.parametrize("forged", [{"openings": [108]}, {"two": [1]}, {"larger_found": [3]}])
def test_a_work_file_of_what_there_is_not_is_refused(half, of, forged):
    resealed(half, **forged)
    with pytest.raises(CertificateError):
        read_checked(half, of, 108)


@pytest.mark.slow
def test_what_fits_no_opening_is_refused(half, of):
    _, table, certificate = whole()
    checked = read_checked(half, of, 108)
    short = {1: torch.tensor([2])}
    hold = {3: torch.ones(2, dtype=torch.bool)}
    key = max(checked.supersets)
    others = [replace(checked, **{name: short}) for name in ("all_openings", "two", "three")]
    others += [replace(checked, supersets={(*key, 999): 2}), replace(checked, searched=hold)]
    for other in others:
        with pytest.raises(CertificateError, match="leave --resume out to begin with nothing"):
            list(prove(table, certificate, checked=other))


@pytest.mark.slow
def test_no_damage_goes_unseen(half, of, write_anew):
    data = half.read_bytes()
    before = read_checked(half, of, 108)
    for place in range(0, len(data), max(1, len(data) // 200)):
        write_anew(half, data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        try:
            after = read_checked(half, of, 108)
        except CertificateError as error:
            assert "\n" not in str(error) and str(error).startswith(str(half))
        else:  # a byte that says nothing, such as a date
            assert after.openings == before.openings and after.supersets == before.supersets
    for cut in (b"", b"no zip", data[: len(data) // 2]):
        write_anew(half, cut)
        with pytest.raises(CertificateError, match="is damaged, or no work file"):
            read_checked(half, of, 108)
    write_anew(half, packed_arrays(unpacked_arrays(data) | {"openings": np.array([5])}))
    with pytest.raises(CertificateError, match="another digest than what it says"):
        read_checked(half, of, 108)
    half.unlink()
    with pytest.raises(CertificateError, match="cannot be read"):
        read_checked(half, of, 108)


def test_two_checks_of_one_certificate_are_joined():
    one = Checked({1}, {(0,): 3}, two={1: torch.tensor([2])})
    two = Checked({2}, {(1,): 4}, two={5: torch.tensor([3])}, searched={7: torch.tensor([True])})
    both = one.joined(replace(two, all_openings={0: torch.tensor([9])}))
    assert both.openings == {1, 2} and both.supersets == {(0,): 3, (1,): 4}
    assert [len(getattr(both, each.name)) for each in fields(both)] == [2, 2, 1, 2, 0, 1, 0]
    assert len(one.openings) == len(two.openings) == 1
