"""Cheating hangman by its definition, for a few short words: what searches must agree with."""

import random
from functools import cache

from gpulingo.games.positions import pattern


def parts(words: frozenset[str], letter: str) -> dict[str, frozenset[str]]:
    """Marks -> words, where they show a letter's places."""
    classes: dict[str, set[str]] = {}
    for word in words:
        classes.setdefault("".join("O" if x == letter else "_" for x in word), set()).add(word)
    return {marks: frozenset(part) for marks, part in classes.items()}


@cache
def least(words: frozenset[str]) -> int:
    """The least misses that a perfect guesser needs against a perfect host."""
    if len(words) == 1:
        return 0
    splits = [parts(words, letter) for letter in set("".join(words))]
    return min(
        max(least(part) + ("O" not in marks) for marks, part in split.items())
        for split in splits
        if len(split) > 1
    )


def least_against(words: frozenset[str], host: str, guessed: str = "", left: int = 26) -> int:
    """The least misses against a host who keeps the `largest` class, or by `diversity`."""
    if len(words) == 1:
        return 0
    best = left
    for letter in sorted(set("".join(words)) - set(guessed)):
        split = parts(words, letter)
        if len(split) > 1:
            marks = kept(split, host, guessed + letter)
            cost = "O" not in marks
            if cost < best:
                after = least_against(split[marks], host, guessed + letter, best - cost)
                best = min(best, after + cost)
    return best


def kept(split: dict[str, frozenset[str]], host: str, guessed: str) -> str:
    """The marks of the class that a host keeps."""

    def order(marks: str) -> tuple[int, ...]:
        ties = (-len(split[marks]), marks.count("O"), pattern(marks))
        letters = len(set("".join(split[marks])) - set(guessed))
        return (-letters, *ties) if host == "diversity" else ties

    return min(split, key=order)


def most_against(words: frozenset[str], choose) -> int:
    """The most misses that a host forces on a guesser; `choose` picks from the letters that part words."""
    if len(words) == 1:
        return 0
    splits = {letter: parts(words, letter) for letter in sorted(set("".join(words)))}
    split = splits[choose(words, {letter: split for letter, split in splits.items() if len(split) > 1})]
    return max(most_against(part, choose) + ("O" not in marks) for marks, part in split.items())


def random_words(seed: int, most: int = 12) -> list[str]:
    """Different words of one length, of a few letters."""
    rng = random.Random(seed)
    length, letters = rng.randint(1, 4), "abcdefgh"[: rng.randint(2, 8)]
    words = {"".join(rng.choices(letters, k=length)) for _ in range(rng.randint(1, most))}
    return sorted(words)
