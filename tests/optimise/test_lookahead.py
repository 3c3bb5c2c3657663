"""Lookahead against plain recursion over every legal guess, also where not every word is a target."""

import random
import threading
from itertools import product

import exhaustive
import pytest
import torch
from exhaustive import law_of

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.game import Game
from gpulingo.optimise.lookahead import Lookahead, SetHash
from gpulingo.strategies.objectives import points
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.operations import split
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.wordtable import encode


def drawn(seed):
    """Words, their table with targets and legal guesses of its own, both as lists, and the turns."""
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcde"[: draw.randint(3, 5)], k=4)) for _ in range(26)})
    draw.shuffle(words)
    pool = sorted(draw.sample(range(len(words)), len(words) - draw.randint(0, 4)))
    targets = sorted(draw.sample(pool, min(len(pool), draw.randint(5, 12))))
    sets = (torch.tensor(ids, dtype=torch.int32) for ids in (targets, pool))
    return words, encode(words).with_sets(*sets), targets, pool, draw.randint(3, 4)


@pytest.mark.parametrize("seed", range(6))
def test_a_search_of_all_guesses_finds_the_best_where_targets_are_apart_from_the_pool(seed):
    words, table, targets, pool, turns = drawn(seed)
    search = Lookahead(table, lingo(turns), dict.fromkeys(range(3, turns + 1), len(words)))
    values = search.values(whole(table), turns)
    best = law_of(words, lingo(turns), targets).value(legal=sum(1 << at for at in pool))
    assert int(values.lower) == best
    assert int(values.guesses) in pool


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("order", [None, points])
def test_a_narrow_search_finds_no_more_than_the_best(seed, width, order):
    words, table, targets, pool, turns = drawn(seed)
    search = Lookahead(table, lingo(turns), dict.fromkeys(range(3, turns + 1), width), order)
    values = search.values(whole(table), turns)
    law = law_of(words, lingo(turns), targets)
    assert 0 < int(values.lower) <= law.value(legal=sum(1 << at for at in pool))


class NeverFinds:
    """Looks for a guess that loses no word until it is stopped."""

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


@pytest.mark.parametrize("seed", range(4))
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
    value, credits = int(search.values(whole(table), 4).lower), 0
    position = first_position(table, game)
    while position.frontier.sets and position.turns_left:
        choice = search.choose(position)
        classes = split(table, position.frontier, choice.guesses)
        credits += int(classes.hits.sum()) * position.turns_left
        position = type(position)(
            table, classes.frontier, position.turns_left - 1, position.turn + 1, game, table.pool
        )
    assert credits == value


def test_sets_are_forgotten_when_they_take_too_much():
    table = encode(["".join(letters) for letters in product("abcd", repeat=4)])
    much, little = (Lookahead(table, lingo(3), {3: 32}, memory=memory) for memory in (1 << 20, 0))
    few = frontier([torch.arange(9, dtype=torch.int32)])
    for front in (whole(table), few):
        one, other = (search.values(front, 3) for search in (much, little))
        assert int(one.lower) == int(other.lower)
    assert 0 < len(little._known[2]) < len(much._known[2])


def test_a_set_that_was_searched_is_not_searched_again(words22):
    table = encode(words22.words)
    search = Lookahead(table, lingo(), {3: 22})
    front = frontier([torch.arange(3, 20, dtype=torch.int32)] * 3)
    once = search.values(front, 3)
    pairs = search.pairs
    again = search.values(front.take(torch.tensor([1])), 3)
    assert search.pairs == pairs and torch.equal(once.lower, once.lower[:1].expand(3))
    assert int(again.lower) == int(once.lower[0])


@pytest.mark.parametrize(
    "game",
    [
        Game("steep", 4, (0, 1, 2, 4, 8)),
        Game("lost", 4, (1, 2, 3, 4, 5)),
        Game("own", 4, range(5), legal="candidates"),
    ],
)
def test_a_game_whose_values_it_does_not_know_is_refused(words22, game):
    with pytest.raises(ValueError, match=f"no lookahead for game {game.code}: there is one where turns"):
        Lookahead(encode(words22.words), game, {})


@pytest.mark.slow
def test_all_words_are_found_where_that_can_be_and_found_words_count_first():
    found_all = 0
    for seed in range(6):
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


def test_equal_sets_have_one_hash_and_others_do_not():
    sets = [[1, 4, 7], [2], [1, 4, 7], [1, 4], [4, 7]]
    front = frontier([torch.tensor(members, dtype=torch.int32) for members in sets])
    sums = [tuple(row) for row in SetHash(9).of(front).tolist()]
    assert sums[0] == sums[2] and len(set(sums)) == 4
    assert sums != [tuple(row) for row in SetHash(9, seed=1).of(front).tolist()]
    assert sums == [tuple(row) for row in SetHash(9).of(front).tolist()]
