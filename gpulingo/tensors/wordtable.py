"""Words of one length as a matrix of letter numbers, and which of them may be targets and guesses.

The letters of words, and their places, are computed as one tensor operation on the device of the letters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial, wraps
from threading import RLock
from typing import TypeVar

import numpy as np

from gpulingo.games.game import Game
from gpulingo.games.positions import SIGNS
from gpulingo.tensors.arrays import (
    Array,
    Device,
    Tensor,
    add_at,
    array_of,
    as_type,
    contiguous,
    is_array,
    is_on,
    like,
    moved,
    namespace,
    places_among,
    wide,
)
from gpulingo.tensors.checks import check_row, check_tensor, check_within, code_type
from gpulingo.words.letters import enter, in_order
from gpulingo.words.shown import brief
from gpulingo.words.wordlist import WordList, WordListError

Made = TypeVar("Made")
LETTERS = "positions"  # the feedback whose guesses are letters as well as words
MOST_LETTERS = 255  # 255 itself is no letter, so that a kernel may use it for "no letter"


@dataclass(frozen=True, eq=False)
class WordTable:
    """The words that all indices (targets, pool, members of a frontier) point into: tensors, or arrays.

    Attributes:
        letters: [W, N] uint8, numbers into `alphabet`; at least one word, of at least one letter, none twice.
        alphabet: the letters that occur, in code point order.
        targets: [T] int32, ascending: the words that may be the target; all unless given.
        pool: [P] int32, ascending: the words that may be guessed, the targets among them; all unless given.
        weights: [W] int32, 0 or more, not all 0: weight of each word as a target; None: 1 each.
        feedback: name of the feedback rule, see `gpulingo.tensors.feedback`.
        guesses: number of guesses; those from W on are not words. The number of words unless given.
    Raises:
        ValueError: a field is not of this form.

    >>> encode(["dents", "dozes"])
    WordTable(2 x 5, cpu)
    """

    letters: Tensor
    alphabet: str
    targets: Tensor = None  # filled by __post_init__
    pool: Tensor = None
    weights: Tensor | None = None
    feedback: str = "marks"
    guesses: int = 0

    def __post_init__(self) -> None:
        letters, alphabet = self.letters, self.alphabet
        check_tensor("letters", letters, ("uint8",), ("W", "N"))
        if 0 in letters.shape:
            raise ValueError(f"letters is {list(letters.shape)}, expected a word of a letter at least")
        if len(alphabet) > MOST_LETTERS or list(alphabet) != in_order(alphabet):
            raise ValueError(f"alphabet is {alphabet[:40]!r}, expected up to {MOST_LETTERS} rising letters")
        object.__setattr__(self, "letters", contiguous(letters))
        object.__setattr__(self, "guesses", self.guesses or self.words)
        if self.guesses < self.words or (self.feedback != LETTERS and self.guesses > self.words):
            fault = f"{self.guesses} guesses for {self.words} words"
            raise ValueError(f"{fault} of feedback {self.feedback!r}: give 0")
        rows = array_of(self.letters)
        if rows.max() >= len(alphabet):
            raise ValueError(f"letters hold {rows.max()}, the alphabet ends at {len(alphabet) - 1}")
        text, length = rows.tobytes(), rows.shape[1]
        if len({text[start : start + length] for start in range(0, len(text), length)}) < len(rows):
            raise ValueError("letters hold a word twice, expected distinct words: drop it")
        self._fill_sets()

    def _fill_sets(self) -> None:
        """Fill in the index sets that were not given, and check those that were."""
        xp = namespace(self.letters)
        every_word = xp.arange(self.words, dtype=xp.int32, device=self.device)
        for name, limit in (("targets", self.words), ("pool", self.guesses)):
            ids = getattr(self, name)
            if ids is None:
                object.__setattr__(self, name, every_word)
                continue
            ids = check_row(name, ids, "int32", self.device, name[0].upper())
            object.__setattr__(self, name, ids)
            check_within(name, ids, limit)
            if ids.shape[0] == 0 or bool((ids[1:] <= ids[:-1]).any()):
                raise ValueError(f"{name} are {ids.tolist()[:5]}.., expected rising indices, at least one")
        of_words = self.guesses == self.words and self.targets is not self.pool  # otherwise they are equal
        if of_words and not within(self.targets, self.pool):
            raise ValueError("targets hold words that are not in the pool: a target must be a legal guess")
        if self.weights is not None:
            check_row("weights", self.weights, "int32", self.device, "W")
            if self.weights.shape[0] != self.words or int(self.weights.min()) < 0:
                raise ValueError(f"weights are {list(self.weights.shape)}, expected one of 0 or more a word")
            if not bool(self.weights[self.targets].any()):
                raise ValueError("the weights of all targets are 0, expected at least one more")

    def __repr__(self) -> str:
        parts = [f"{self.words:,} x {self.length}", str(self.device)]
        if self.targets.shape[0] != self.words:
            parts.insert(1, f"{self.targets.shape[0]:,} targets")
        return brief("WordTable", ", ".join(parts))

    def __len__(self) -> int:
        return self.words

    @property
    def words(self) -> int:
        """Number of words."""
        return int(self.letters.shape[0])

    @property
    def length(self) -> int:
        """Letters of each word."""
        return int(self.letters.shape[1])

    @property
    def guesses_letters(self) -> bool:
        """Return True if guesses are letters, not words."""
        return self.feedback == LETTERS

    @property
    def shows_marks(self) -> bool:
        """Return True if guesses show a mark for each of their letters: placed, misplaced or absent."""
        return self.feedback == "marks"

    @property
    def device(self) -> Device:
        """Device of the letters, and so of everything computed from them."""
        return self.letters.device

    def get(self, word: str) -> int | None:
        """Return the index of a word, or None."""
        word = enter(word)
        if len(word) != self.length or not set(word) <= set(self.alphabet):
            return None
        letters = like(np.array([self.alphabet.index(letter) for letter in word], np.uint8), self.letters)
        rows = namespace(letters).nonzero((self.letters == letters).all(1))[0]
        return int(rows[0]) if rows.shape[0] else None

    def to(self, device: Device) -> WordTable:
        """Return the table on another device; one of arrays is on the CPU."""
        return self if is_on(self.letters, device) else self._with(partial(moved, device=device))

    @property
    def here(self) -> WordTable:
        """The table in arrays of numpy."""
        return self if isinstance(self.letters, np.ndarray) else self._copied

    @cached_property
    def _copied(self) -> WordTable:
        return self._with(array_of)

    def _with(self, made: Callable[[Tensor], Tensor]) -> WordTable:
        table = object.__new__(WordTable)
        for field in fields(self):
            value = getattr(self, field.name)
            object.__setattr__(table, field.name, made(value) if is_array(value) else value)
        return table

    def with_sets(
        self, targets: Tensor | None = None, pool: Tensor | None = None, weights: Tensor | None = None
    ) -> WordTable:
        """Return the same words with other targets, pool or weights; without one, all words, or weight 1."""
        return replace(self, targets=targets, pool=pool, weights=weights)


def within(values: Tensor, members: Tensor) -> bool:
    """Return True if all of some values are among ascending members, of which there is one at least."""
    return bool((places_among(members, values) >= 0).all())


def cached_by_table(function: Callable[[WordTable], Made]) -> Callable[[WordTable], Made]:
    """Decorator: cache the result of the function in the table, for as long as the table exists."""
    name, lock = f"{function.__module__}.{function.__qualname__}", RLock()

    @wraps(function)
    def kept(table: WordTable) -> Made:
        cache: dict[str, Made] = table.__dict__  # not its fields, which are frozen
        if name not in cache:
            with lock:  # the first of several threads makes it
                if name not in cache:
                    cache[name] = function(table)
        return cache[name]

    return kept


def encode(words: Sequence[str]) -> WordTable:
    """Number the letters of words of one length.

    Args:
        words: at least one word, none twice; all have the same number of characters, at least one.
    Returns:
        Table of tensors on the CPU, rows in the order of `words`.
    Raises:
        WordListError: no words, one twice, different lengths, or more than 255 different letters.

    >>> encode(["dents", "dozes"]).alphabet
    'denostz'
    """
    import torch

    letters, alphabet = numbered(words)
    return WordTable(torch.from_numpy(letters), alphabet)


def numbered(words: Sequence[str]) -> tuple[Array, str]:
    """Return the letters of words as [W, N] uint8, and the alphabet; arguments and errors of `encode`."""
    words = enter("\0".join(words)).split("\0") if words else []
    lengths = {len(word) for word in words}
    if len(set(words)) < len(words):
        raise WordListError(f"{len(words)} words, {len(set(words))} different ones: drop what is there twice")
    if len(lengths) != 1 or lengths == {0}:
        seen = "no words" if not lengths else f"words of {min(lengths)} to {max(lengths)} letters"
        raise WordListError(f"{seen}, expected words of one length: pick one with Listing.of_length")
    points = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    signs, numbers = np.unique(points, return_inverse=True)
    if len(signs) > MOST_LETTERS:
        fault = f"{len(signs)} different letters"
        raise WordListError(f"{fault}, expected at most {MOST_LETTERS}: split the list")
    alphabet = in_order(map(chr, signs))
    places = np.array([alphabet.index(chr(sign)) for sign in signs], np.uint8)
    letters = places[numbers].reshape(len(words), lengths.pop())
    return letters, "".join(alphabet)


def table_of(wordlist: WordList, game: Game) -> WordTable:
    r"""Return the table of a list in a game, in arrays of numpy, with the list's targets and weights.

    All its words may be guessed; or, if guesses show positions, all its letters.

    Raises:
        WordListError: more than 255 different letters.

    >>> from gpulingo import parse
    >>> from gpulingo.games.catalogue import hangman
    >>> table_of(parse("dents\ndozes\nreads").of_length(5), hangman()).pool.tolist()
    [3, 4, 5, 6, 7, 8, 9, 10, 11]
    """
    letters, alphabet = numbered(wordlist.words)
    rows = wordlist.target_ids, wordlist.weights
    targets, weights = (None if row is None else np.array(row, np.int32) for row in rows)
    if game.feedback != LETTERS:
        return WordTable(letters, alphabet, targets, weights=weights, feedback=game.feedback)
    words, guesses = len(letters), len(letters) + len(alphabet)
    pool = np.arange(words + _signs(alphabet), guesses, dtype=np.int32)
    targets = np.arange(words, dtype=np.int32) if targets is None else targets
    return WordTable(letters, alphabet, targets, pool, weights, game.feedback, guesses)


def signs_of(table: WordTable) -> int:
    """Return the number of signs in the alphabet: they come first, are shown, and are never guessed."""
    return _signs(table.alphabet)


def _signs(alphabet: str) -> int:
    return sum(sign in SIGNS for sign in alphabet)


def letter_copies(table: WordTable) -> Tensor:
    """Return [W, A] int64, the copies of each letter in each word."""
    alphabet, xp = len(table.alphabet), namespace(table.letters)
    places = xp.arange(table.words, dtype=xp.int64, device=table.device)[:, None] * alphabet + table.letters
    counts = xp.zeros(table.words * alphabet, dtype=xp.int64, device=table.device)
    # Not by bincount, which waits for a GPU.
    return add_at(counts, places.reshape(-1), xp.ones_like(places.reshape(-1))).reshape(-1, alphabet)


def most_copies(letters: Array) -> int:
    """Most copies of one letter in any of [W, N] uint8 letters."""
    return int(max((letters == column[:, None]).sum(1).max() for column in letters.T))


def target_features(letters: Tensor, alphabet: int, copies: int) -> Tensor:
    """[W, F] bool: the features of [W, N] uint8 letters, numbered as in `PairCodes`; the last is False."""
    xp, (words, _) = namespace(letters), letters.shape
    numbers = xp.arange(alphabet, dtype=xp.uint8, device=letters.device)
    placed = letters[:, :, None] == numbers  # [W, N, A]
    counts = xp.arange(copies, dtype=xp.int64, device=letters.device)[:, None]
    contained = placed.sum(1)[:, None, :] > counts  # [W, J, A]
    none = xp.zeros((words, 1), dtype=xp.bool, device=letters.device)
    rows = (xp.reshape(features, (words, -1)) for features in (placed, contained))
    return xp.concat([*rows, none], axis=1)


def letter_places(table: WordTable) -> Tensor:
    """Return [W, A] int32 (int64 from 20 letters on): places of each letter in each word, a bit per place.

    The first place is the highest bit. This is the pattern that a guessed letter shows.
    """
    xp = namespace(table.letters)
    places = xp.zeros((table.words, len(table.alphabet)), dtype=xp.int64, device=table.device)
    rows = xp.arange(table.words, dtype=xp.int64, device=table.device)
    for place in range(table.length):
        places[rows, wide(table.letters[:, place])] += 1 << table.length - 1 - place
    return as_type(places, code_type(table.length))
