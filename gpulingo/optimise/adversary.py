"""The misses that an adversary can force on the best guesser of hangman, and both sides' strategies.

The search is `solvers.hosts.misses`; `bounds.host_proof` checks the strategies.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import compress

import numpy as np

from gpulingo.bounds.host_proof import HostProof, least_cover, smallest
from gpulingo.games import positions
from gpulingo.games.catalogue import hangman
from gpulingo.hosts.host import Classes, History, Keep, tie_key
from gpulingo.player.question import SOLVED
from gpulingo.solvers.hosts.misses import AdversaryMisses
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.clock import Deadline, OutOfTime, stopped_at
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Misses
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import WordList

FEW = 500  # words of a family whose covers are searched: they help most where words are short and few
MANY = 3000  # sets of more words skip the search of families
STEPS = 3000  # most steps of the search for a cover of one family
MEMORY = 1 << 28  # bytes, of a host
LIMIT = 30_000_000  # words processed per class of a host: some seconds; then the bounds so far count


def least_misses(search: AdversaryMisses, members: Array, limit: int = 1 << 62) -> Misses:
    """Return the misses that the best guesser needs against an adversary, or bounds of them after
    `limit` words were processed; `members` ascend.
    """
    words, misses = family_cover(search.codes, members)
    if misses:
        search.add_nogood(words, misses)
    return search.least(members, limit)


def misses_bracket(
    words: WordList, seconds: float, stop: threading.Event | None = None
) -> tuple[int, int | None]:
    """Return the misses that a perfect host can force with words, and those that suffice for a guesser.

    The latter: None if `seconds` did not suffice.
    """
    table = table_of(words, hangman())
    search = AdversaryMisses(table, MEMORY)
    with stopped_at(search.stop, Deadline(seconds, stop)):
        misses = least_misses(search, table.targets)
    return misses.lower, misses.upper if misses.lower == misses.upper else None


def family_cover(codes: Array, members: Array) -> tuple[Array, int]:
    """Return [k] int32 words that show a letter at the same places, and the misses forced by denying all
    other letters. Of the family of at most FEW words that forces most; 0 for more than MANY members.
    """
    words, forced = np.empty(0, np.int32), 0
    if len(members) > MANY:
        return words, forced
    bits = [1 << letter for letter in range(codes.shape[1])]
    for letter in range(codes.shape[1]):
        column = codes[members, letter]
        for code in np.unique(column[column > 0]).tolist():
            family = members[column == code]
            if not forced + 1 < len(family) <= FEW:
                continue
            held = codes[family] != 0
            held[:, (codes[family] == codes[family[0]]).all(0)] = False
            sets = [sum(compress(bits, row)) for row in held.tolist()]
            cover = least_cover(sets, STEPS)
            if cover is not None and cover - 1 > forced:
                word_of = dict(zip(reversed(sets), reversed(family.tolist()), strict=True))
                words = np.array(sorted(word_of[kept] for kept in smallest(sets)), np.int32)
                forced = cover - 1
    return words, forced


@dataclass(frozen=True)
class FewestMisses:
    """The strategy that loses no word to any host; OutOfTime if the search was stopped or words are lost."""

    search: AdversaryMisses
    name: str = SOLVED

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        sets = map(position.frontier.candidates, range(position.frontier.sets))
        letters = [self.search.letter(members, position.turns_left - 1) for members in sets]
        if None in letters:
            raise OutOfTime
        return Choice(position.table.words + np.array(letters, np.int32))


def host_proof(search: AdversaryMisses, nogood: int, wordlist: WordList) -> HostProof:
    """Return a proof that no guesser needs fewer misses than a nogood of the lower bound forces; -1 if the
    bound is 0.
    """
    number, nodes = {nogood: 0}, [nogood]
    rows, words, misses = [], [], []
    nothing = np.zeros(1, np.int32), 0, np.full(search.letters, -1, np.int32)
    for node in nodes:  # grows during the loop
        its_words, forced, row = search.nogood(node) if node >= 0 else nothing
        for other in np.unique(row[row >= 0]).tolist():
            if other not in number:
                number[other] = len(nodes)
                nodes.append(other)
        rows.append([number[other] if other >= 0 else -1 for other in row.tolist()])
        words.append(its_words)
        misses.append(forced)
    return HostProof(
        wordlist.fingerprint,
        len(wordlist.words[0]),
        np.concatenate(words).astype(np.int32),
        np.cumsum([0, *map(len, words)]),
        np.array(misses, np.int32),
        np.array(rows, np.int32),
    )


def adversary_host(words: WordList) -> Keep:
    """Return an adversary's choice among the classes of a letter; the answer may be any target of the list.

    Of classes that cost the guesser equally many misses the host keeps the largest, on ties the one that
    shows fewest letters, then the smaller pattern.

    >>> keep = adversary_host(WordList("five words", ["bat", "cat", "eat", "hat", "hoe"]))
    >>> keep({"___": ["bat", "cat"], "O__": ["hat", "hoe"]}, [("h", "")])
    '___'
    """
    search = AdversaryMisses(table_of(WordList(words.source, words.targets), hangman()), MEMORY)
    numbers = {word: number for number, word in enumerate(words.targets)}

    def forced(marks: str, candidates: list[str]) -> int:
        """Misses that the class costs, and those that can be forced after it."""
        members = np.array(sorted(numbers[word] for word in candidates), np.int32)
        return (positions.THERE not in marks) + least_misses(search, members, LIMIT).lower

    def keep(classes: Classes, history: History) -> str:
        return min(
            classes,
            key=lambda marks: (-forced(marks, classes[marks]), -len(classes[marks]), tie_key(marks)),
        )

    return keep
