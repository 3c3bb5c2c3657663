"""Lookahead against plain recursion over every legal guess, also if some words are not targets."""

import random
import threading
from itertools import product

import exhaustive
import pytest
import torch
from exhaustive import law_of

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise import lookahead
from gpulingo.optimise.lookahead import Lookahead
from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.strategies.objectives import parts, points
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.objective import perfect_split
from gpulingo.tensors.operations import split
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList


def drawn(seed):
    """Words, their table with given targets and legal guesses, both as lists, and the turns."""
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcde"[: draw.randint(3, 5)], k=4)) for _ in range(26)})
    draw.shuffle(words)
    pool = sorted(draw.sample(range(len(words)), len(words) - draw.randint(0, 4)))
    targets = sorted(draw.sample(pool, min(len(pool), draw.randint(5, 12))))
    sets = (torch.tensor(ids, dtype=torch.int32) for ids in (targets, pool))
    return words, encode(words).with_sets(*sets), targets, pool, draw.randint(3, 4)


@pytest.mark.parametrize("seed", range(3))
def test_a_search_of_all_guesses_finds_the_best_where_targets_are_apart_from_the_pool(seed):
    words, table, targets, pool, turns = drawn(seed)
    search = Lookahead(table, lingo(turns), dict.fromkeys(range(3, turns + 1), len(words)))
    values = search.values(whole(table), turns)
    best = law_of(words, lingo(turns), targets).value(legal=sum(1 << at for at in pool))
    assert int(values[0]) == best
    assert int(values[1]) in pool


@pytest.mark.parametrize(("seed", "width", "order"), [(0, 1, None), (1, 2, points), (2, 2, None)])
def test_a_narrow_search_finds_no_more_than_the_best(seed, width, order):
    words, table, targets, pool, turns = drawn(seed)
    search = Lookahead(table, lingo(turns), dict.fromkeys(range(3, turns + 1), width), order)
    values = search.values(whole(table), turns)
    law = law_of(words, lingo(turns), targets)
    assert 0 < int(values[0]) <= law.value(legal=sum(1 << at for at in pool))


class NeverFinds:
    """Searches for a guess that loses no word until it is stopped."""

    def __init__(self):
        self.stopped = threading.Event()

    def value(self, members, left, floor, limit):
        self.stopped.wait(60)
        return Valued(-1, -1, 0)

    def stop(self):
        self.stopped.set()


def test_progress_ends_a_search_for_a_guess_that_loses_no_word():
    words, endless = ["cran" + last for last in "bcdfgh"], NeverFinds()
    game = find_game("wordle-lost", 4)

    def progress(pairs):
        if not pairs:
            raise TimeIsUp

    search = Lookahead(encode(words), game, {}, progress=progress, all_found=endless)
    with pytest.raises(TimeIsUp):
        search.values(whole(encode(words)), 4)
    assert endless.stopped.is_set()


@pytest.mark.parametrize("seed", range(2))
def test_an_opening_is_found_only_where_it_is_a_target(seed):
    words, table, targets, pool, turns = drawn(seed)
    search = Lookahead(table, lingo(turns), dict.fromkeys(range(3, turns + 1), len(words)))
    law = law_of(words, lingo(turns), targets)
    values = search.values_of(pool)
    assert values == [law.value_after(opening, legal=sum(1 << at for at in pool)) for opening in pool]
    assert values == [each for opening in pool for each in search.values_of([opening])]


def test_what_a_search_says_of_a_set_is_what_its_strategy_does(words22):
    table, game = encode(words22.words), lingo(4)
    search = Lookahead(table, game, {4: 5, 3: 5}, points)
    value, credits = int(search.values(whole(table), 4)[0]), 0
    position = first_position(table, game)
    while position.frontier.sets and position.turns_left:
        choice = search.choose(position)
        classes = split(table, position.frontier, choice.guesses)
        credits += int(classes.hits.sum()) * position.turns_left
        position = type(position)(
            table, classes.frontier, position.turns_left - 1, position.turn + 1, game, table.pool
        )
    assert credits == value


@pytest.mark.slow
def test_all_words_are_found_where_that_can_be_and_found_words_count_first():
    found_all = 0
    for seed in range(3):
        wordlist, turns = exhaustive.random_list(seed)
        words, game = wordlist.words, lingo(max(3, turns - 1)).seeking("lost")
        search = Lookahead(encode(words), game, {}, points)
        for opening in range(len(words)):
            best = exhaustive.best_of(words, game, opening=words[opening])
            (value,) = search.values_of([opening])
            assert value <= best
            if best >= len(words) * game.bonus:
                found_all += 1
                assert value >= len(words) * game.bonus
    assert found_all


WORDS = ["bats", "cats", "rats", "brag", "crab"]


class Hopeful(Lookahead):
    """Values that assume a guess separates all words of every set except one."""

    def values(self, front, left):
        return perfect_split(front.sizes, left) - 1, front.firsts


def test_a_guess_yields_itself_and_its_classes():
    table = encode(WORDS)
    value = Hopeful(table, lingo(), {}).guess_values(whole(table), torch.tensor([0], dtype=torch.int32), 4)
    # bats tells cats and rats apart from brag and crab, which differ too: itself 4, a pair 3 + 2, two alone.
    assert int(value) == 4 + 4 + 2 + 2


@pytest.mark.parametrize("together", [1, 2, 16])
def test_what_its_bound_allows_to_be_better_is_expanded(monkeypatch, together):
    monkeypatch.setattr(lookahead, "MOST_TOGETHER", together)
    table = encode(WORDS)
    guesses = torch.tensor([[0, 4, 3, -1]], dtype=torch.int32)
    expander = Hopeful(table, lingo(), {})
    best = max(
        int(expander.guess_values(whole(table), guesses[0, place : place + 1], 4)) for place in range(3)
    )
    for bound in (best - 1, best, best + 1):
        bounds = torch.tensor([[20, bound, bound, bound]])
        value = int(expander.best_of(whole(table), 4, guesses, bounds)[0])
        assert value == best or bound <= value < best


def test_of_equal_guesses_the_first_is_taken_and_blocks_change_nothing(monkeypatch):
    table = encode(["abc", "abd", "abe", "abf"])
    front = frontier([torch.arange(4, dtype=torch.int32), torch.arange(1, 4, dtype=torch.int32)])
    guesses = torch.tensor([[3, 0, 1], [2, 3, 1]], dtype=torch.int32)
    bounds = torch.full((2, 3), 99)
    whole_block = Hopeful(table, lingo(), {}).best_of(front, 4, guesses, bounds)
    monkeypatch.setattr(lookahead, "EXPANDED", 1)
    single = Hopeful(table, lingo(), {}).best_of(front, 4, guesses, bounds)
    assert whole_block[1].tolist() == single[1].tolist() == [3, 2]
    assert torch.equal(whole_block[0], single[0])


def test_guesses_that_swaps_of_places_or_letters_map_to_each_other_are_tried_once():
    codes = ["".join(code) for code in product("abcdef", repeat=3)]
    table = table_of(WordList("codes", codes), find_game("mastermind-lost", 4))
    ranked = Lookahead(table, find_game("mastermind-lost", 4), {})._distinct_guesses(
        whole(table), parts(216, 4), 8
    )
    tried = [codes[guess] for guess in ranked.guesses[0].tolist() if guess >= 0]
    assert sorted(len(set(code)) for code in tried) == [1, 2, 3]


def test_with_three_turns_left_as_many_codes_are_found_as_any_guess_finds():
    codes = ["".join(code) for code in product("abcd", repeat=4)]
    game = find_game("mastermind-lost", 3)
    table = table_of(WordList("codes", codes), game)
    most = ValueSearch(table, FOUND, 1 << 24).value(table.targets, 3).value
    assert Lookahead(table, game, {}, points).values(whole(table), 3)[0].item() // game.bonus == most
