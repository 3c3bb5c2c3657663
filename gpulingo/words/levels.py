"""How common a word is: the smallest of SCOWL's four lists that has it.

Leaves the words to `listing` and what a level is used for to who asks. Not on the light path.
"""

from __future__ import annotations

from gpulingo.words.listing import EMBEDDED_LENGTHS, embedded, embedded_text
from gpulingo.words.wordlist import WordList, WordListError

LEVELS = ("small", "medium", "large", "huge")  # numbered from 1; each has the words of those before it
COMMON = "small"  # what `common` means: 3,568 words of 5 letters; Wordle has 2,315 targets


def levels_of(wordlist: WordList, unknown: int | None = None) -> list[int]:
    """The level of each word of a list.

    Args:
        unknown: what stands for a word that the embedded list has not; None: such a word is an error.
    Returns:
        For each word in list order 1 (small) to 4 (huge), or `unknown`.
    Raises:
        WordListError: a word has no level, and `unknown` is None.

    >>> levels_of(WordList("three words", ["about", "abaft", "abaca"]))
    [1, 2, 3]
    """
    levels = _levels(wordlist.length)
    if unknown is not None:
        return [levels.get(word, unknown) for word in wordlist.words]
    missing = [word for word in wordlist.words if word not in levels]
    if missing:
        raise WordListError(
            f"{len(missing):,} of {len(wordlist):,} words of {wordlist.source} have no level, "
            f"{missing[0]!r} first: only the embedded list's words have one, so take a list of these"
        )
    return [levels[word] for word in wordlist.words]


def words_up_to(level: int, length: int) -> list[str]:
    """The embedded list's words of a length and of at most a level, 1 to 4, in list order.

    >>> len(words_up_to(1, 5))
    3568
    """
    return [word for word, own in _levels(length).items() if own <= level]


def level_targets(name: str, pool: WordList) -> list[str] | None:
    """The words of a pool that are of at most the level of that name, in the pool's order.

    Args:
        name: a level or `common`.
    Returns:
        The words, for `pool.with_targets`; None when the name is no level's.
    Raises:
        WordListError: there is no such word.

    >>> level_targets("common", WordList("three words", ["about", "abaft", "abaca"]))
    ['about']
    """
    name = COMMON if name == "common" else name
    if name not in LEVELS:
        return None
    chosen = set(words_up_to(LEVELS.index(name) + 1, pool.length))
    targets = [word for word in pool.words if word in chosen]
    if not targets:
        raise WordListError(
            f"{pool.source} has no word of {pool.length} letters of level {name}: give a file of targets"
        )
    return targets


def _levels(length: int) -> dict[str, int]:
    """The embedded list's words of a length with their levels, in list order; empty for other lengths."""
    if length not in EMBEDDED_LENGTHS:
        return {}
    words, lines = embedded().of_length(length).words, embedded_text("levels").split("\n")
    try:
        return dict(zip(words, map(int, lines[EMBEDDED_LENGTHS.index(length)]), strict=True))
    except (IndexError, ValueError):
        damage = f"its levels are not those of its words of {length} letters"
        raise WordListError(f"the embedded list is damaged ({damage}): install gpulingo again") from None
