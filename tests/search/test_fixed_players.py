from math import log2

import pytest
from exhaustive import least_misses, random_words
from sampled import quick

from gpulingo.games.positions import feedback
from gpulingo.search.fixed_players import GUESSERS, against_guesser, against_host
from gpulingo.tensors.wordtable import encode
from gpulingo.words.wordlist import WordList


def frequency(words, splits) -> str:
    return max(splits, key=lambda letter: sum(letter in word for word in words))


def entropy(words, splits) -> str:
    def told(letter: str) -> float:
        sizes = [len(part) for part in splits[letter].values()]
        return round(sum(size * log2(size) for size in sizes) / len(words), 9)

    return min(splits, key=told)


def most_against(words: frozenset[str], choose) -> int:
    """The most misses that a host forces on a guesser; `choose` picks from the letters that part words."""
    if len(words) == 1:
        return 0
    splits: dict[str, dict[str, set[str]]] = {letter: {} for letter in sorted(set("".join(words)))}
    for letter, split in splits.items():
        for word in words:
            split.setdefault(feedback(letter, word), set()).add(word)
    split = splits[choose(words, {letter: split for letter, split in splits.items() if len(split) > 1})]
    return max(most_against(frozenset(part), choose) + ("O" not in marks) for marks, part in split.items())


@pytest.mark.parametrize("seed", quick(range(40), range(8)))
def test_a_guesser_of_a_known_rule_is_worth_what_the_definition_says(seed: int) -> None:
    words = random_words(seed)
    for guesser, choose in zip(GUESSERS, (frequency, entropy), strict=True):
        longer = [f"ö{word}" for word in sorted(words)]  # by a letter that parts none: two letters at least
        value = against_guesser(WordList("few", longer), guesser)
        assert value == most_against(frozenset(words), choose) >= least_misses(words)


def test_a_limit_leaves_bounds() -> None:
    words = [x + y for x in "abcdefg" for y in "abcdefg"]
    lower, upper = against_host(encode(words), "largest", limit=1)
    assert lower < upper


def test_other_names_are_refused() -> None:
    with pytest.raises(ValueError, match="host is 'kind': use largest or diversity"):
        against_host(encode(["bat"]), "kind")
    with pytest.raises(ValueError, match="guesser is 'kind': use frequency or entropy"):
        against_guesser(WordList("few", ["bat"]), "kind")
