"""`letter_search`: rollouts against plain recursion, brackets, limits and what is refused."""

import random

import pytest
import torch

from gpulingo.solvers.letters import letter_search
from gpulingo.tensors.wordtable import encode


def classes_of(words: list[str], letter: str) -> dict[tuple[bool, ...], list[str]]:
    """The words by the places of a letter."""
    classes: dict[tuple[bool, ...], list[str]] = {}
    for word in words:
        classes.setdefault(tuple(at == letter for at in word), []).append(word)
    return classes


def rolled_out(words: list[str], lives: int, levels: int, width: int) -> int:
    """Words found when the first letters are the best of some, the others what most words hold."""
    if lives == 0 or len(words) <= lives:
        return len(words) if lives else 0
    counts = {letter: sum(letter in word for word in words) for letter in sorted(set("".join(words)))}
    open_letters = [letter for letter in counts if len(classes_of(words, letter)) > 1]
    ranked = sorted(open_letters, key=lambda letter: -counts[letter])
    # A letter that all words hold is free, and is guessed whatever is compared.
    ranked = ranked[: 1 if counts[ranked[0]] == len(words) or not levels else width]
    values = []
    for letter in ranked:
        parts = classes_of(words, letter).items()
        values.append(
            sum(rolled_out(part, lives - (not any(mask)), max(levels - 1, 0), width) for mask, part in parts)
        )
    return max(values)


def words_of(seed: int, count: int = 60) -> list[str]:
    rng = random.Random(seed)
    return sorted({"".join(rng.choices("abcdefgh", k=4)) for _ in range(count)})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("levels", "width"), [(0, 1), (1, 3), (2, 2)])
def test_rollouts_are_those_of_plain_recursion(seed, levels, width):
    words = words_of(seed)
    table = encode(words)
    for lives in (1, 2, 4):
        search = letter_search(table, [0] + [1] * 4, 1 << 20)
        assert search.rollout(table.targets, lives, levels, width) == rolled_out(words, lives, levels, width)


def test_the_tree_of_rollouts_is_worth_at_least_the_rollout():
    table = encode(words_of(9))
    search = letter_search(table, [0, 1, 1, 1], 1 << 20)
    assert search.tree(table.targets, 3, 0, 1).value == search.rollout(table.targets, 3, 0, 1)
    again = letter_search(table, [0, 1, 1, 1], 1 << 20)
    assert again.tree(table.targets, 3, 1, 3).value >= again.rollout(table.targets, 3, 1, 3)


def test_the_table_brackets_what_was_searched():
    table = encode(words_of(5))
    search = letter_search(table, [0, 1, 1], 1 << 20)
    low, high = search.bracket(table.targets, 2)
    value = search.value(table.targets, 2, width=8)
    assert value is not None and low <= value <= high
    assert search.bracket(table.targets, 2) == (value, value)


@pytest.mark.slow
def test_words_over_31_letters_have_long_patterns():
    table = encode(["a" * 38 + "b", "b" + "a" * 38])
    tree = letter_search(table, [0, 1], 1 << 20).tree(table.targets, 1, 0, 1)
    assert tree.pattern.dtype == torch.int64
    assert sorted(tree.pattern.tolist()[1:]) == [(1 << 38) - 1, ((1 << 38) - 1) << 1]


@pytest.mark.parametrize("payoff", [[0], [1, 1], [0, 2, 1], [0, 0, 1], [0, 1 << 30]])
def test_payoffs_that_fall_or_pay_for_a_lost_word_are_refused(payoff):
    with pytest.raises(ValueError, match="expected"):
        letter_search(encode(["ab", "cd"]), payoff, 1 << 20)
