"""The certificate of a bound: the evidence of all openings of a list, as a file.

How it is checked is in `checker`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gpulingo.bounds.arrays import (
    Arrays,
    CertificateError,
    check_range,
    checked_row,
    keys_as_array,
    keys_from_array,
    lists_as_arrays,
    lists_from_arrays,
    read_arrays,
)
from gpulingo.bounds.automorphisms import orbits
from gpulingo.bounds.evidence import Evidence
from gpulingo.games.catalogue import MOST_TURNS, UnknownGameError, find_game
from gpulingo.games.game import Game
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import WordList
from gpulingo.words.shown import brief
from gpulingo.words.wordlist import MOST_WEIGHT

FORMAT = 8
MOST_NAME = 32  # characters of a game's name
MOST_GENERATORS = 1 << 20  # a limit of memory: numbers of all generators of the automorphisms
PLAIN = ("game", "fingerprint", "bounds", "looked", "twofold", "larger", "automorphisms")
LISTS = [name + part for name in ("near", "searched", "three_turns") for part in ("", "_sizes", "_values")]


@dataclass(frozen=True, eq=False)
class Certificate:
    """Bounds of all W openings of a list, and what they rest on.

    Attributes:
        fingerprint: of the list.
        game: that is played.
        evidence: of all openings, in order; without what it keeps for a search alone.
        fault: why counts of openings that are not finished were left out of a file; no bound rests on them.

    >>> from gpulingo import solve
    >>> solve(["dents", "dozes", "reads"]).certificate.bounds  # credits after each opening
    tensor([13, 13, 13])
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
        """Turns of a round."""
        return self.game.turns

    @property
    def bounds(self) -> Tensor:
        """[W] int64 credits, summed over the words: no strategy that begins with this one has more."""
        return self.evidence.bounds

    @property
    def bound(self) -> int:
        """No strategy has more, in credits summed over the words."""
        return self.evidence.bound


def certificate_of(wordlist: WordList, game: Game, evidence: Evidence) -> Certificate:
    """The certificate of bounds as they are now; all openings of an orbit have the bound of the first."""
    if len(evidence.automorphisms):
        first = orbits(table_of(wordlist, game), evidence.automorphisms)
        evidence = replace(evidence, bounds=evidence.bounds[first])
    return parsed_certificate(certificate_arrays(Certificate(wordlist.fingerprint, game, evidence)))


def certificate_arrays(certificate: Certificate) -> Arrays:
    """Return a certificate as named arrays; the twin of `parsed_certificate`."""
    evidence, game = certificate.evidence, certificate.game
    lists = {"near": evidence.neighbours, "searched": evidence.searched}
    lists |= {"three_turns": evidence.three_turns, "counted": evidence.counted}
    arrays: Arrays = {
        "format": np.array([FORMAT, game.turns, evidence.bounds.shape[0]], dtype=np.int64),
        "game": np.frombuffer(game.name.encode(), dtype=np.uint8),
        "fingerprint": np.frombuffer(certificate.fingerprint.encode(), dtype=np.uint8),
        "bounds": evidence.bounds.cpu().numpy(),
        "looked": evidence.looked.cpu().numpy(),
        "twofold": evidence.two_guesses.cpu().numpy(),
        "larger": keys_as_array(evidence.supersets),
        "automorphisms": evidence.automorphisms.cpu().numpy(),
    }
    for name, by_opening in lists.items():
        arrays |= lists_as_arrays(name, by_opening)
    return arrays


def parsed_certificate(arrays: Mapping[str, Any]) -> Certificate:
    """Return a certificate from its arrays.

    Raises:
        ValueError: they are not what `certificate_arrays` makes.
    """
    game, words = _game_and_words(arrays)
    bounds, looked = (checked_row(name, arrays[name], "i", words) for name in ("bounds", "looked"))
    check_range("bounds", bounds, 0, max(game.payoff) * MOST_WEIGHT)
    check_range("looked", looked, 0, words)
    twofold = checked_row("twofold", arrays["twofold"], "b", words)
    near = lists_from_arrays("near", arrays, words)
    if any(bool(((others < 0) | (others >= words)).any()) for others in near.values()):
        raise ValueError(f"names openings beyond {words} words")
    searched = lists_from_arrays("searched", arrays, words)
    check_range("values of classes", arrays["searched_values"], 0, max(game.payoff) * MOST_WEIGHT)
    three = lists_from_arrays("three_turns", arrays, words)
    check_range("values in three turns", arrays["three_turns_values"], 0, max(game.payoff) * MOST_WEIGHT)
    kept = np.asarray(arrays["automorphisms"])
    if kept.ndim != 2 or kept.dtype.kind != "i" or kept.size > MOST_GENERATORS:
        raise ValueError(f"has automorphisms of {kept.dtype} {list(kept.shape)}, expected rows of integers")
    counted, fault = dict[int, Tensor](), ""
    try:
        counted = lists_from_arrays("counted", arrays, words)
        check_range("counts of classes", arrays["counted_values"], 1, words + 1)
    except (KeyError, ValueError) as error:
        counted, fault = {}, f"lacks {error}" if isinstance(error, KeyError) else str(error)
    if np.asarray(arrays["fingerprint"]).dtype != np.uint8:
        raise ValueError("has a fingerprint that is not text")
    evidence = Evidence(
        torch.arange(words),
        torch.from_numpy(bounds.astype(np.int64)),
        torch.from_numpy(looked.astype(np.int32)),
        torch.from_numpy(twofold),
        {opening: others.tolist() for opening, others in near.items()},
        searched,
        dict.fromkeys(keys_from_array(np.asarray(arrays["larger"]))).keys(),
        counted={opening: two.to(torch.int32) for opening, two in counted.items()},
        three_turns=three,
        automorphisms=torch.from_numpy(kept.astype(np.int64)),
    )
    fingerprint = bytes(checked_row("fingerprint", arrays["fingerprint"], "u", 64)).decode(errors="replace")
    return Certificate(fingerprint, game, evidence, fault)


def _game_and_words(arrays: Mapping[str, Any]) -> tuple[Game, int]:
    """Return the game of a certificate, and the words of its list; all arrays are there.

    Raises:
        ValueError: they are not, or it is of another format or of no game that is known.
    """
    if "format" not in arrays:
        raise ValueError("lacks format")
    version, turns, words = checked_row("format", arrays["format"], "i", 3).tolist()
    if version != FORMAT:
        raise ValueError(f"has the format {version}, this gpulingo reads {FORMAT}")
    if missing := [name for name in (*PLAIN, *LISTS) if name not in arrays]:
        raise ValueError(f"lacks {', '.join(missing)}")
    check_range("turns", turns, 1, MOST_TURNS)
    name = bytes(checked_row("game", arrays["game"], "u")[:MOST_NAME].astype(np.uint8)).decode(
        errors="replace"
    )
    try:
        return find_game(name.rstrip("0123456789"), turns), words
    except UnknownGameError as error:
        raise ValueError(f"is for a game that is not known here ({error})") from None


def read_certificate(
    path: str | os.PathLike[str], wordlist: WordList, game: Game | None = None
) -> Certificate:
    """Read the certificate of a list.

    Args:
        path: of the file. wordlist: its list.
        game: that it must be of; None: any.
    Raises:
        CertificateError: no such file, damaged, or of another list or game.

    >>> from gpulingo import parse
    >>> read_certificate("missing.bounds.npz", parse("dents").of_length(5))
    Traceback (most recent call last):
    gpulingo.bounds.certificate.CertificateError: ...
    """
    name = os.fspath(path)
    try:
        certificate = parsed_certificate(read_arrays(path))
    except CertificateError:
        raise
    except ValueError as error:
        raise CertificateError(f"{name} {error}: make it with `gpulingo solve`") from None
    check_fits(certificate, wordlist, game, name)
    return certificate


def check_fits(certificate: Certificate, wordlist: WordList, game: Game | None, name: str) -> None:
    """Check that a certificate, called `name`, is for a list, and for a game if one is given.

    Raises:
        CertificateError: the list has another fingerprint or number of words, or the game is another.
    """
    if certificate.fingerprint != wordlist.fingerprint:
        theirs, ours = certificate.fingerprint[:12], wordlist.fingerprint[:12]
        raise CertificateError(f"{name} is for list {theirs}, this list is {ours}: name its list")
    if len(certificate.bounds) != len(wordlist):
        seen = f"{len(certificate.bounds):,} words, its list {len(wordlist):,}"
        raise CertificateError(f"{name} has {seen}: make it with `gpulingo solve`")
    most = max(certificate.game.payoff) * wordlist.total_weight
    if int(certificate.bounds.max()) > most:
        seen = f"bounds of {int(certificate.bounds.max())}, all words together have {most} at most"
        raise CertificateError(f"{name} has {seen}: make it with `gpulingo solve`")
    if game is not None and certificate.game != game:
        theirs, ours = certificate.game.code, game.code
        raise CertificateError(f"{name} is for the game {theirs}, asked for is {ours}: name another")
