from math import log2

import pytest
from held import least, least_against, most_against, random_words

from gpulingo.search.fixed_players import GUESSERS, HOSTS, against_guesser, against_host
from gpulingo.tensors.wordtable import encode


def frequency(words, splits) -> str:
    return max(splits, key=lambda letter: sum(letter in word for word in words))


def entropy(words, splits) -> str:
    def told(letter: str) -> float:
        sizes = [len(part) for part in splits[letter].values()]
        return round(sum(size * log2(size) for size in sizes) / len(words), 9)

    return min(splits, key=told)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("host", HOSTS)
def test_a_host_of_a_known_rule_is_worth_what_the_definition_says(host: str, seed: int) -> None:
    words = random_words(seed, most=20)
    value = least_against(frozenset(words), host)
    assert against_host(encode(words), host) == (value, value)


@pytest.mark.parametrize("seed", range(40))
def test_a_guesser_of_a_known_rule_is_worth_what_the_definition_says(seed: int) -> None:
    words = random_words(seed)
    for guesser, choose in zip(GUESSERS, (frequency, entropy), strict=True):
        value = against_guesser(encode(words), guesser)
        assert value == most_against(frozenset(words), choose) >= least(frozenset(words))


def test_a_limit_leaves_bounds() -> None:
    words = [x + y for x in "abcdefg" for y in "abcdefg"]
    lower, upper = against_host(encode(words), "largest", limit=1)
    assert lower < upper


def test_other_names_are_refused() -> None:
    with pytest.raises(ValueError, match="host is 'kind': use largest or diversity"):
        against_host(encode(["bat"]), "kind")
    with pytest.raises(ValueError, match="guesser is 'kind': use frequency or entropy"):
        against_guesser(encode(["bat"]), "kind")
