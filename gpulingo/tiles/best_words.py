"""The best words of racks: few are compared with every word, many are looked up by their parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import Bag, find_bag
from gpulingo.tiles.laid_words import laid_words
from gpulingo.tiles.parts import BestWords, best_of_many
from gpulingo.tiles.racks import rack_numbers
from gpulingo.tiles.spelling import Spelling, counts_of, on_device, spelled

MANY = 1 << 22  # racks x words from which on racks are looked up by their parts
COMPARED = 1 << 21  # racks x words at once; each word that a rack spells takes some bytes for each letter
MOST_PARTED = 10  # tiles of a rack that has parts to be looked up, 2**10 of them
MOST_RACKS = 1 << 24  # that may be numbered for it, or taken whole by words; they take 4 or 24 bytes each


def best_words(
    racks: Iterable[str],
    words: Iterable[str],
    bag: Bag | str = "challenge",
    *,
    device: str | torch.device = "auto",
) -> list[BestWords]:
    """The best words that can be laid with each rack: every tile at most once, and not all need be used.

    Args:
        racks: letters of the bag, in any order and case; `?` is a blank.
        words: distinct, lower case.
        bag: it, its name, or the path of its file.
        device: where to compute.
    Raises:
        BagError: no such bag, or a rack with a tile that it lacks.

    >>> best_words(["agzequi", "xxx"], ["quiz", "quag", "age"])
    [BestWords(agzequi: 13 points, quiz quag), BestWords(xxx: no word)]
    """
    tiles = bag if isinstance(bag, Bag) else find_bag(bag)
    texts = [tiles.rack(rack) for rack in racks]
    spelling = spelled(list(words), tiles, max(map(len, texts), default=0))
    return best_of(texts, on_device(spelling, find_device(device)))


def best_of(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """Return the best words of each rack, of the tiles of the words' bag."""
    by_rack: dict[str, BestWords] = {}
    for tiles, group in _by_size(racks).items():
        own = [rack for rack in group if not spelling.bag.beyond(rack)]
        if _many(len(own), tiles, spelling):
            by_rack |= {best.rack: best for best in best_of_many(own, spelling)}
    others = [rack for rack in dict.fromkeys(racks) if rack not in by_rack]
    by_rack |= {best.rack: best for best in compared(others, spelling)}
    return [by_rack[rack] for rack in racks]


def laid(rack: str, spelling: Spelling) -> list[tuple[str, int]]:
    """All words that can be laid with a rack and their points, the best first, then in list order."""
    counts = counts_of([rack], spelling.bag, spelling.letters.device)
    _, words, points = laid_words(counts, spelling.letters, spelling.values, spelling.bag.blank)
    order = (-points).argsort(stable=True)
    pairs = zip(words[order].tolist(), points[order].tolist(), strict=True)
    return [(spelling.words[word], worth) for word, worth in pairs]


def compared(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """Return the best words of each rack, which is compared with every word; some racks at once."""
    size = max(1, COMPARED // max(1, len(spelling.words)))
    blocks = (racks[start : start + size] for start in range(0, len(racks), size))
    return [best for block in blocks for best in _compared(block, spelling)]


def _compared(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """As `compared`, all racks at once."""
    counts = counts_of(racks, spelling.bag, spelling.letters.device)
    owners, words, points = laid_words(counts, spelling.letters, spelling.values, spelling.bag.blank)
    best = torch.full((len(racks),), torch.iinfo(torch.int64).min, dtype=torch.int64, device=points.device)
    best.scatter_reduce_(0, owners, points, "amax")
    kept = points == best[owners]
    texts: list[list[str]] = [[] for _ in racks]
    for owner, word in zip(owners[kept].tolist(), words[kept].tolist(), strict=True):
        texts[owner].append(spelling.words[word])
    return [
        BestWords(rack, worth if own else 0, tuple(own))
        for rack, worth, own in zip(racks, best.tolist(), texts, strict=True)
    ]


def _by_size(racks: Iterable[str]) -> dict[int, list[str]]:
    """Return the different racks by their number of tiles."""
    groups: dict[int, list[str]] = {}
    for rack in dict.fromkeys(racks):
        groups.setdefault(len(rack), []).append(rack)
    return groups


def _many(racks: int, tiles: int, spelling: Spelling) -> bool:
    """Return True if looking up parts of the racks is cheaper than comparing racks with words."""
    if tiles > MOST_PARTED or racks * len(spelling.words) < MANY:
        return False
    taken = sum(map(spelling.most_taking, range(1, tiles + 1)))
    return taken <= MOST_RACKS and rack_numbers(spelling.bag.counts, tiles).count(tiles) <= MOST_RACKS
