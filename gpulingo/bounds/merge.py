"""One certificate out of several of a list: for every opening the smallest bound, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain

import torch
from torch import Tensor

from gpulingo.bounds.certificate import Certificate, certificate_of
from gpulingo.bounds.counting import open_counts
from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.state import BoundState
from gpulingo.words.listing import WordList

MOST_VALUE = 1 << 62  # no opening has more
MOST_COUNTS = (
    4_000_000  # numbers of a certificate for openings that are not finished: 6 MB in its file at most
)


def merged(certificates: Sequence[Certificate]) -> Certificate:
    """Return a certificate whose bounds are the smallest of all.

    Whatever more is named, for an opening or for all, makes no derived bound greater: so each bound follows
    from what its own certificate names for it, beside what others name.

    Args:
        certificates: at least one, of the same list and game; of equal bounds the first counts.
    """
    return reduce(_of_two, certificates)


def with_rows(certificate: Certificate, rows: Sequence[Evidence]) -> Certificate:
    """Return a certificate whose bounds are the smallest of its own and of evidence of some of its openings.

    Args:
        certificate: of all openings.
        rows: of equal bounds the first counts, after the certificate; to give one twice changes nothing.
    """
    first = certificate.evidence
    bounds, looked, two_guesses = first.bounds.clone(), first.looked.clone(), first.two_guesses.clone()
    neighbours, searched, three = dict(first.neighbours), dict(first.searched), dict(first.three_turns)
    supersets = dict.fromkeys(first.supersets)
    for own in rows:
        lower = own.bounds < bounds[own.openings]
        places = own.openings[lower]
        lowered = set(places.tolist())
        bounds[places], looked[places] = own.bounds[lower], own.looked[lower]
        two_guesses[places] |= own.two_guesses[lower]  # others may rest on what there was
        for opening in lowered:
            neighbours.pop(opening, None)
            searched.pop(opening, None)
            three.pop(opening, None)
        neighbours |= {opening: others for opening, others in own.neighbours.items() if opening in lowered}
        searched |= {opening: values for opening, values in own.searched.items() if opening in lowered}
        three |= {opening: values for opening, values in own.three_turns.items() if opening in lowered}
        supersets |= dict.fromkeys(own.supersets)
    columns, named = (bounds, looked, two_guesses), (neighbours, searched, supersets.keys())
    kept = first.automorphisms
    evidence = Evidence(
        first.openings, *columns, *named, counted=first.counted, three_turns=three, automorphisms=kept
    )
    return Certificate(certificate.fingerprint, certificate.game, evidence)


def proof_of(
    wordlist: WordList, state: BoundState | None, given: Certificate | None, value: int = MOST_VALUE
) -> Certificate | None:
    """Return the proof of a search's bounds: its own, and those that it was given; None without bounds.

    Args:
        value: credits; of openings that may have more it has the counts of their classes as well.
    """
    if state is None:
        return given
    own = certificate_of(wordlist, state.game, replace(state.evidence, counted=open_counts(state, value)))
    if given is None:
        return own
    both = merged([given, own])
    if not len(both.evidence.automorphisms):
        return both
    first = state.first  # no opening has a greater bound than the first of its orbit
    return replace(both, evidence=replace(both.evidence, bounds=both.bounds.minimum(both.bounds[first])))


def of_greatest(certificate: Certificate) -> Certificate:
    """Return a certificate that says of every opening what `prove` derives where openings are searched.

    That no opening has more than the greatest bound. Each lower bound rests on the search that wrote it.
    """
    bounds = certificate.bounds.where(certificate.bounds == 0, certificate.bound)
    return replace(certificate, evidence=replace(certificate.evidence, bounds=bounds))


def unfinished(certificate: Certificate, value: int) -> Certificate:
    """Return a certificate without counts of openings that have no more than a value; the lowest bounds first
    where there are too many."""
    evidence, room = certificate.evidence, MOST_COUNTS
    counted = dict[int, Tensor]()
    for opening in sorted(evidence.counted, key=lambda each: int(evidence.bounds[each])):
        if int(evidence.bounds[opening]) > value and room >= len(evidence.counted[opening]):
            counted[opening] = evidence.counted[opening]
            room -= len(counted[opening])
    return replace(certificate, evidence=replace(evidence, counted=counted))


def _of_two(certificate: Certificate, other: Certificate) -> Certificate:
    first, second = certificate.evidence, other.evidence
    lower = second.bounds < first.bounds
    more = {
        opening: two
        for opening, two in second.counted.items()
        if len(two) > len(first.counted.get(opening, ()))
    }
    counted = {**first.counted, **more}
    if not bool(lower.any()):
        return replace(certificate, evidence=replace(first, counted=counted)) if more else certificate
    two_guesses = torch.where(lower, second.two_guesses, first.two_guesses)
    neighbours: dict[int, list[int]] = {}
    searched: dict[int, Tensor] = {}
    three: dict[int, Tensor] = {}
    for evidence, chosen in ((first, (~lower).tolist()), (second, lower.tolist())):
        its = {opening: others for opening, others in evidence.neighbours.items() if chosen[opening]}
        neighbours |= its
        searched |= {opening: values for opening, values in evidence.searched.items() if chosen[opening]}
        three |= {opening: values for opening, values in evidence.three_turns.items() if chosen[opening]}
        # Openings that bound others may do so by three turns, whichever certificate bounds themselves.
        others = torch.tensor(sorted({*chain(*its.values())}), dtype=torch.int64)
        two_guesses[others] |= evidence.two_guesses[others]
    bounds, looked = first.bounds.minimum(second.bounds), torch.where(lower, second.looked, first.looked)
    supersets = dict.fromkeys([*first.supersets, *second.supersets]).keys()
    columns = (first.openings, bounds, looked, two_guesses)
    kept = max(first.automorphisms, second.automorphisms, key=len)
    named = neighbours, searched, supersets
    evidence = Evidence(*columns, *named, counted=counted, three_turns=three, automorphisms=kept)
    return Certificate(certificate.fingerprint, certificate.game, evidence)
