"""One certificate out of several of a list: for every opening the smallest bound, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import torch

from gpulingo.bounds.certificate import Certificate, certificate_of
from gpulingo.bounds.evidence import OpeningBounds
from gpulingo.words.listing import WordList


def merged(certificates: Sequence[Certificate]) -> Certificate:
    """A certificate whose bounds are the smallest of all.

    Whatever more is named, for an opening or for all, makes no derived bound greater: so each bound follows
    from what its own certificate names for it, beside what others name.

    Args:
        certificates: at least one, of the same list and number of turns; of equal bounds the first counts.
    """
    return reduce(_of_two, certificates)


def proof_of(wordlist: WordList, held: OpeningBounds | None, given: Certificate | None) -> Certificate | None:
    """What proves the bounds of a search: its own, and those that it was given; None where there are none."""
    own = [] if held is None else [certificate_of(wordlist, held)]
    return merged([given, *own]) if given is not None else next(iter(own), None)


def _of_two(first: Certificate, second: Certificate) -> Certificate:
    lower = second.bounds < first.bounds
    if not bool(lower.any()):
        return first
    twofold = torch.where(lower, second.twofold, first.twofold)
    near: dict[int, list[int]] = {}
    searched: dict[int, torch.Tensor] = {}
    for certificate, mine in ((first, (~lower).tolist()), (second, lower.tolist())):
        near |= {opening: others for opening, others in certificate.near.items() if mine[opening]}
        searched |= {opening: found for opening, found in certificate.searched.items() if mine[opening]}
        # Openings that bound others may do so by three turns, whichever certificate bounds themselves.
        named = {other for opening, others in certificate.near.items() if mine[opening] for other in others}
        at = torch.tensor(sorted(named), dtype=torch.int64)
        twofold[at] |= certificate.twofold[at]
    return Certificate(
        first.fingerprint,
        first.turns,
        torch.where(lower, second.bounds, first.bounds),
        torch.where(lower, second.looked, first.looked),
        twofold,
        near,
        searched,
        list(dict.fromkeys([*first.larger, *second.larger])),
    )
