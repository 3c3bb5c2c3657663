"""Minimum hitting set of letters: a lower bound on misses against a host that always answers "miss".

Take words that all show the same places of some letters. The host denies every other letter as long as a word
without it is left. So where k letters are needed to hit every word, k - 1 misses are forced.
"""

from __future__ import annotations

from collections.abc import Sequence


def smallest(sets: Sequence[int]) -> list[int]:
    """Of sets, as bits, those that hold no other; fewest bits first.

    >>> smallest([0b110, 0b10, 0b101])
    [2, 5]
    """
    kept: list[int] = []
    for bits in sorted(set(sets), key=lambda bits: (bits.bit_count(), bits)):
        if not any(other & bits == other for other in kept):
            kept.append(bits)
    return kept


def covered(sets: Sequence[int], letters: int, limit: int) -> bool | None:
    """Return True if some `letters` letters hit every set of bits; None: not known after `limit` steps.

    >>> covered([0b011, 0b110, 0b101], 1, limit=100), covered([0b011, 0b110, 0b101], 2, limit=100)
    (False, True)
    """
    stack, steps = [(smallest(sets), letters)], 0
    while stack:
        steps += 1
        if steps > limit:
            return None
        rest, left = stack.pop()
        if not rest:
            return True
        if rest[0] == 0 or _apart(rest) > left:
            continue
        hits = [0] * max(rest).bit_length()
        for bits in rest:
            while bits:
                hits[bits.bit_length() - 1] += 1
                bits ^= 1 << bits.bit_length() - 1
        letter = 1 << hits.index(max(hits))
        # Without the letter; with it, which is searched first.
        stack.append((smallest([bits & ~letter for bits in rest]), left))
        stack.append(([bits for bits in rest if not bits & letter], left - 1))
    return False


def least_cover(sets: Sequence[int], limit: int) -> int | None:
    """Return the fewest letters that hit every set; None: not known after `limit` steps, or one is empty.

    >>> least_cover([0b011, 0b110, 0b101], limit=100)
    2
    """
    kept = smallest(sets)
    if kept and kept[0] == 0:
        return None
    letters = _apart(kept)
    while (enough := covered(kept, letters, limit)) is False:
        letters += 1
    return letters if enough else None


def _apart(sets: Sequence[int]) -> int:
    """Sets that share nothing, taken one by one: each needs a letter of its own."""
    taken, many = 0, 0
    for bits in sets:
        if not bits & taken:
            taken |= bits
            many += 1
    return many
