"""Upper bounds of openings with their evidence, as columns, as a file, and merged; `checker` checks them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from gpulingo.bounds.arrays import Arrays, CertificateError, Rows, lists_as_arrays, read_arrays
from gpulingo.bounds.automorphisms import orbits
from gpulingo.bounds.partitions import Evaluated
from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.storage.faults import PROVE_AGAIN
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import WordList
from gpulingo.words.shown import brief
from gpulingo.words.wordlist import MOST_WEIGHT


@dataclass(frozen=True, eq=False)
class Evidence:
    """Bounds of K openings, and the evidence that they rest on.

    Attributes:
        openings: [K] int64, distinct; evidence of a whole list has all W words.
        bounds: [K] int64 credits: upper bounds of any strategy that begins with the opening. 0 for words that
            may not be guessed, and during a search for openings that an automorphism maps to an earlier one.
        looked: [K] int32: number of classes, from the largest down (equal sizes by pattern), whose bounds
            use the most classes that any guess makes of them.
        two_guesses: [K] bool: the bound uses two more guesses.
        neighbours: opening -> other openings whose classes bound its classes.
        searched: opening -> [C] int64 credits, by pattern: searched upper bounds of its classes, which alone
            give its bound.
        three_turns: opening -> [C] int64 credits, by pattern: upper bounds of its classes with three turns
            left.
        evaluated: opening -> counts of all its classes; not in a certificate.
        counted: opening -> [K] int32, values of its K largest classes with two turns left. A certificate has
            those of openings to be lowered further, a search those of openings that are not evaluated.
        automorphisms: [K, N + A] int64 generators, in evidence of a whole list.
        class_bounds: opening -> [C] int16 or int32, lowest bounds of its classes by all of this except
            searches; none if they rest on class sizes alone, and not in a certificate.

    >>> from gpulingo import solve
    >>> solve(["dents", "dozes", "reads"]).certificate.evidence
    Evidence(3 openings, bound 13 credits)
    """

    openings: Array
    bounds: Array
    looked: Array
    two_guesses: Array
    neighbours: dict[int, list[int]] = field(default_factory=dict)
    searched: dict[int, Array] = field(default_factory=dict)
    evaluated: dict[int, Evaluated] = field(default_factory=dict)
    counted: dict[int, Array] = field(default_factory=dict)
    class_bounds: dict[int, Array] = field(default_factory=dict)
    three_turns: dict[int, Array] = field(default_factory=dict)
    automorphisms: Array = field(default_factory=lambda: np.empty((0, 0), np.int64))

    def __repr__(self) -> str:
        bound = f", bound {self.bound:,} credits" if len(self.openings) else ""
        return brief("Evidence", f"{len(self.openings):,} openings{bound}")

    @property
    def bound(self) -> int:
        """Upper bound, in credits, of any strategy that begins with one of the openings."""
        return int(self.bounds.max())

    def rows(self, places: Array) -> Evidence:
        """Return a copy of the columns at [M] int64 places, without the mappings."""
        columns = (self.openings[places], self.bounds[places], self.looked[places])
        return Evidence(*columns, self.two_guesses[places])

    @property
    def complete(self) -> Array:
        """[M] int64: openings whose classes have all been counted."""
        return np.array(list(self.evaluated), np.int64)


def of_sizes(bounds: Array) -> Evidence:
    """Return evidence of all W openings whose [W] int64 bounds rest on class sizes alone."""
    count = len(bounds)
    return Evidence(np.arange(count), bounds, np.zeros(count, np.int32), np.zeros(count, np.bool))


T = TypeVar("T")
FORMAT = 8
MOST_NAME = 32  # characters of a game's name
MOST_GENERATORS = 1 << 20  # a limit of memory: numbers of all generators of the automorphisms


@dataclass(frozen=True, eq=False)
class Certificate:
    """Bounds of all W openings of a list, and the evidence that they rest on.

    Attributes:
        fingerprint: id of the list.
        game: its rules.
        evidence: of all openings, in order; without the fields that only a search uses.
        fault: why counts of unfinished openings in a file were ignored; no bound rests on them.

    >>> from gpulingo import solve
    >>> solve(["dents", "dozes", "reads"]).certificate.bounds  # credits after each opening
    array([13, 13, 13])
    """

    fingerprint: str
    game: Game
    evidence: Evidence
    fault: str = ""

    def __repr__(self) -> str:
        what = f"{len(self.bounds):,} openings, bound {self.bound:,} credits"
        return brief("Certificate", f"{self.game.code}: {what}, {self.fingerprint[:12]}")

    @property
    def turns(self) -> int:
        return self.game.turns

    @property
    def bounds(self) -> Array:
        """[W] int64 credits summed over the words: upper bounds of strategies that begin with each word."""
        return self.evidence.bounds

    @property
    def bound(self) -> int:
        """Upper bound of any strategy, in credits summed over the words."""
        return self.evidence.bound


def certificate_of(wordlist: WordList, game: Game, evidence: Evidence) -> Certificate:
    """Return the certificate of the current bounds; all openings of an orbit get the bound of the first."""
    if len(evidence.automorphisms):
        first = orbits(table_of(wordlist, game), evidence.automorphisms)
        evidence = replace(evidence, bounds=evidence.bounds[first])
    return parsed_certificate(certificate_arrays(Certificate(wordlist.fingerprint, game, evidence)))


def certificate_arrays(certificate: Certificate) -> Arrays:
    """Return a certificate as named arrays; the inverse of `parsed_certificate`."""
    evidence, game = certificate.evidence, certificate.game
    lists: dict[str, Mapping[int, Any]] = {"near": evidence.neighbours, "searched": evidence.searched}
    lists |= {"three_turns": evidence.three_turns, "counted": evidence.counted}
    arrays: Arrays = {
        "format": np.array([FORMAT, game.turns, evidence.bounds.shape[0]], dtype=np.int64),
        "game": np.frombuffer(game.name.encode(), dtype=np.uint8),
        "fingerprint": np.frombuffer(certificate.fingerprint.encode(), dtype=np.uint8),
        "bounds": evidence.bounds,
        "looked": evidence.looked,
        "twofold": evidence.two_guesses,
        "larger": np.empty((0, 1), np.int64),  # of older versions, see `parsed_certificate`
        "automorphisms": evidence.automorphisms,
    }
    for name, by_opening in lists.items():
        arrays |= lists_as_arrays(name, by_opening)
    return arrays


def parsed_certificate(arrays: Mapping[str, Any]) -> Certificate:
    """Return a certificate from its arrays; ValueError if `certificate_arrays` cannot have made them."""
    rows = Rows(arrays)
    turns, words = rows.format(FORMAT, 3)
    name = rows.text("game")[:MOST_NAME].rstrip("0123456789")
    try:
        game = find_game(name, turns)
    except ValueError as error:
        raise ValueError(f"is for a game that is not known here ({error})") from None
    near, credits = rows.lists("near", words, (0, words - 1)), (0, max(game.payoff) * MOST_WEIGHT)
    searched, three = (rows.lists(name, words, credits) for name in ("searched", "three_turns"))
    swaps = rows.array("automorphisms")
    if swaps.ndim != 2 or swaps.dtype.kind != "i" or swaps.size > MOST_GENERATORS:
        raise ValueError(f"has automorphisms of {swaps.dtype} {list(swaps.shape)}, expected rows of integers")
    counted, fault = dict[int, Array](), ""
    try:
        counted = rows.lists("counted", words, (1, words + 1))
    except ValueError as error:
        fault = str(error)
    looked = rows.row("looked", "i", words, (0, words))
    if rows.array("larger").size:  # older bounds rest on sets that hold the classes; counts of all are lower
        looked = np.full(words, words)
    evidence = Evidence(
        np.arange(words),
        rows.row("bounds", "i", words, credits).astype(np.int64),
        looked.astype(np.int32),
        rows.row("twofold", "b", words),
        {opening: others.tolist() for opening, others in near.items()},
        searched,
        counted={opening: two.astype(np.int32) for opening, two in counted.items()},
        three_turns=three,
        automorphisms=swaps.astype(np.int64),
    )
    return Certificate(rows.text("fingerprint", 64), game, evidence, fault)


def read_certificate(
    path: str | os.PathLike[str], wordlist: WordList, game: Game | None = None
) -> Certificate:
    """Read the certificate of a list.

    Args:
        path: the file. wordlist: its list.
        game: the expected game; None: any.
    Raises:
        CertificateError: no such file, damaged, or of another list or game.

    >>> from gpulingo import parse
    >>> read_certificate("missing.bounds.npz", parse("dents").of_length(5))
    Traceback (most recent call last):
    gpulingo.bounds.certificate.CertificateError: ...
    """
    name, arrays = os.fspath(path), read_arrays(path)
    try:
        certificate = parsed_certificate(arrays)
    except ValueError as error:
        raise CertificateError(f"{name} {error}", PROVE_AGAIN) from None
    check_fits(certificate, wordlist, game, name)
    return certificate


def check_fits(certificate: Certificate, wordlist: WordList, game: Game | None, name: str) -> None:
    """Check that a certificate, called `name`, is for a list, and for a game if one is given."""
    if certificate.fingerprint != wordlist.fingerprint:
        theirs, ours = certificate.fingerprint[:12], wordlist.fingerprint[:12]
        raise CertificateError(f"{name} is for list {theirs}, this list is {ours}: name its list")
    bounds, most, fault = certificate.bounds, max(certificate.game.payoff) * wordlist.total_weight, ""
    if len(bounds) != len(wordlist):
        fault = f"{len(bounds):,} words, its list {len(wordlist):,}"
    elif bounds.max() > most:
        fault = f"bounds of {bounds.max()}, all words together have {most} at most"
    elif bounds.min() < 1:
        fault = f"bound 0 for {wordlist[int(bounds.argmin())]}, which may be guessed"
    if fault:
        raise CertificateError(f"{name} has {fault}", PROVE_AGAIN)
    if game is not None and certificate.game != game:
        theirs, ours = certificate.game.code, game.code
        raise CertificateError(f"{name} is for the game {theirs}, asked for is {ours}: name another")


# Most counts that a certificate stores for unfinished openings: at most 6 MB of its file.
MOST_COUNTS = 4_000_000


def merged(certificates: Sequence[Certificate]) -> Certificate:
    """Return a certificate with the smallest bounds of all.

    More evidence, for one opening or for all, never raises a derived bound. So each bound still follows from
    the evidence of its own certificate when that of the others is added.

    Args:
        certificates: at least one, of the same list and game; on ties the first counts.
    """
    evidence = certificates[0].evidence
    for other in (certificate.evidence for certificate in certificates[1:]):
        known = evidence.counted
        more = {own: two for own, two in other.counted.items() if len(two) > len(known.get(own, ()))}
        evidence = replace(_lowered(evidence, other), counted={**known, **more})
    return replace(certificates[0], evidence=evidence)


def _lowered(evidence: Evidence, other: Evidence) -> Evidence:
    """Evidence of all openings; for each opening the evidence with the lower bound."""
    lower = other.bounds < evidence.bounds
    if not bool(lower.any()):
        return evidence
    lowered = set(np.flatnonzero(lower).tolist())

    def chosen(before: Mapping[int, T], new: Mapping[int, T]) -> dict[int, T]:
        unchanged = {opening: value for opening, value in before.items() if opening not in lowered}
        return unchanged | {opening: value for opening, value in new.items() if opening in lowered}

    # A neighbour may bound others by two guesses even if its own bound does not use them.
    named = chain(*(others for opening, others in other.neighbours.items() if opening in lowered))
    rests = lower.copy()
    rests[list(named)] = True
    return replace(
        evidence,
        bounds=np.minimum(evidence.bounds, other.bounds),
        looked=np.where(lower, other.looked, evidence.looked),
        two_guesses=evidence.two_guesses | (rests & other.two_guesses),
        neighbours=chosen(evidence.neighbours, other.neighbours),
        searched=chosen(evidence.searched, other.searched),
        three_turns=chosen(evidence.three_turns, other.three_turns),
        automorphisms=max(evidence.automorphisms, other.automorphisms, key=len),
    )


def of_greatest(certificate: Certificate) -> Certificate:
    """Return a certificate that gives every opening the greatest bound, which `prove` derives by searches.

    A lower bound of a single opening rests only on the search that wrote it.
    """
    bounds = np.full_like(certificate.bounds, certificate.bound)
    return replace(certificate, evidence=replace(certificate.evidence, bounds=bounds))


def unfinished(certificate: Certificate, value: int) -> Certificate:
    """Return a certificate with counts only of openings whose bound is above a value, lowest bounds first."""
    evidence, left = certificate.evidence, MOST_COUNTS
    counted = dict[int, Array]()
    for opening in sorted(evidence.counted, key=lambda opening: int(evidence.bounds[opening])):
        if int(evidence.bounds[opening]) > value and left >= len(evidence.counted[opening]):
            counted[opening] = evidence.counted[opening]
            left -= len(counted[opening])
    return replace(certificate, evidence=replace(evidence, counted=counted))
