"""Every search against the recurrence: values, guesses, floors, limits, stops and bounded tables."""

import random
import threading
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from recurrence import Recurrence

from gpulingo.games.catalogue import find_game, hangman, hangman_misses, lingo
from gpulingo.games.game import Game
from gpulingo.positions.lines import LineSolver
from gpulingo.solvers import transpositions
from gpulingo.solvers.hosts.misses import AdversaryMisses
from gpulingo.solvers.letters.value import LetterSearch
from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.words import all_found
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.words.listing import WordList, parse

MEMORY = 1 << 20
NO_LIMIT = 1 << 62
UNKNOWN = -1


class Answer(NamedTuple):
    """A search's answer for a set: its value, or UNKNOWN; a best first guess, or UNKNOWN."""

    value: int
    guess: int = UNKNOWN


class Search(NamedTuple):
    """A search for one kind of question."""

    value: Callable[..., Answer]  # of members, turns left, floor and limit
    stop: Callable[[], None]


class Question(NamedTuple):
    """A kind of question about sets: a game of so many turns, lists with weights or without; the search."""

    game: Callable[[int], Game]
    search: Callable[[WordTable, Game, int], Search]
    weights: bool = True
    floors: bool = True


def words_by_lot(table: WordTable, game: Game, memory: int) -> Search:
    """Values of sets if words are guessed and the target is random."""
    search = ValueSearch(table, game.payoff, memory, legal=game.legal, within=game.ruled_left)

    def value(members, left, floor=-1, limit=NO_LIMIT, legal=None):
        found = search.value(members, left, floor, limit, legal)
        return Answer(found.value, found.guess)

    return Search(value, search.stop)


def letters_by_lot(table: WordTable, game: Game, memory: int) -> Search:
    """Values of sets if letters are guessed and the target is random."""
    search = LetterSearch(table, game.payoff, memory)

    def value(members, left, floor=-1, limit=NO_LIMIT):
        found = search.value(members, left, len(table.alphabet), floor, limit)
        return Answer(UNKNOWN if found is None else found)

    return Search(value, search.stop)


def all_words(table: WordTable, game: Game, memory: int) -> Search:
    """Whether all words of sets are found, if words are guessed."""
    search = ValueSearch(table, FOUND, memory)

    def value(members, left, floor=-1, limit=NO_LIMIT):
        whole = len(members) if table.weights is None else int(table.weights[members].sum())
        found = search.value(members, left, whole - 1, limit)
        return Answer(UNKNOWN if found.value < 0 else int(found.value == whole), found.guess)

    return Search(value, search.stop)


def held(table: WordTable, game: Game, memory: int) -> Search:
    """Whether words are found by letters, against a host that only keeps a set of words."""
    search = AdversaryMisses(table, memory)

    def value(members, left, floor=-1, limit=NO_LIMIT):
        found = search.wins(members, left - 1, limit)
        letter = search.letter(members, left - 1) if found and len(members) > 1 else None
        return Answer(UNKNOWN if found is None else int(found), UNKNOWN if letter is None else letter)

    return Search(value, search.stop)


def adversary(feedback: str, turns: int) -> Game:
    """A game in which all words must be found, whatever the adversary chooses."""
    costs = "miss" if feedback == "positions" else "guess"
    payoff = [0] + [1] * turns
    return Game("all", turns, payoff, feedback=feedback, costs=costs, opponent="adversary")


def paid(*payoff: int, legal: str = "any") -> Callable[[int], Game]:
    """A game with this payoff for a found word."""
    return lambda turns: Game("paid", turns, payoff[: turns + 1], legal=legal)


def named(name: str, more: int = 0) -> Callable[[int], Game]:
    return lambda turns: find_game(name, turns + more)


QUESTIONS = {
    "words, plain": Question(named("lingo"), words_by_lot, weights=False),
    "words": Question(named("lingo"), words_by_lot),
    "words, hard": Question(named("lingo-hard"), words_by_lot),
    "words, hard from turn 3": Question(named("lingo-from3-hard"), words_by_lot),
    "words, hard from turn 4": Question(named("wordle-from4-hard-lost", more=2), words_by_lot),
    "words, consistent": Question(named("wordle-consistent"), words_by_lot),
    "words, fewest lost first": Question(named("wordle-lost"), words_by_lot),
    "words, most found": Question(named("wordle-found"), words_by_lot),
    "words, hard, most found": Question(named("wordle-hard-found"), words_by_lot),
    "words, sooner counts more": Question(paid(0, 2, 7, 8, 20, 21), words_by_lot),
    "words, sooner counts less": Question(paid(0, 9, 12, 13, 13, 14), words_by_lot),
    "words, hard, sooner counts more": Question(paid(0, 2, 7, 7, 9, 9, legal="hard"), words_by_lot),
    "codes": Question(named("mastermind"), words_by_lot, weights=False),
    "codes, placed alone": Question(named("black-pegs"), words_by_lot),
    "words, letters in common": Question(named("jotto"), words_by_lot),
    "codes, consistent": Question(named("mastermind-consistent"), words_by_lot, weights=False),
    "codes, placed alone, consistent": Question(named("black-pegs-consistent"), words_by_lot),
    "words, letters in common, consistent": Question(named("jotto-consistent"), words_by_lot),
    "words, all found": Question(lambda turns: adversary("marks", turns), all_words, floors=False),
    "letters, most found": Question(hangman, letters_by_lot),
    "letters, fewest misses": Question(hangman_misses, letters_by_lot),
    "letters, a host who cheats": Question(lambda turns: adversary("positions", turns), held, floors=False),
}
LATER = ["words, hard from turn 3", "words, hard from turn 4"]
ANY = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


def drawn(seed: int, weights: bool) -> WordList:
    """Up to 10 words of few letters, hard to separate; some seeds have targets and weights."""
    draw = random.Random(seed)
    length = draw.randint(2, 5)
    letters = "abcdefgh"[: draw.randint(2 + (length == 2), 3 if length > 3 else 6)]
    words = {"".join(draw.choices(letters, k=length)) for _ in range(draw.randint(4, 12))}
    if draw.random() < 0.3:  # words that differ in one place
        words |= {letter + "a" * (length - 1) for letter in draw.sample("abcdefgh", 5)}
    listed = parse("\n".join(draw.sample(sorted(words), min(len(words), 10)))).of_length(length)
    if draw.random() < 0.5 and len(listed) > 4:
        listed = listed.with_targets(draw.sample(listed.words, len(listed) - 2))
    if weights and draw.random() < 0.5:
        listed = listed.with_weights({word: draw.randint(1, 5) for word in listed.words})
    return listed


def sets_of(table: WordTable, draw: random.Random) -> list[Array]:
    """All targets, and random subsets."""
    every = table.targets.tolist()
    some = [sorted(draw.sample(every, draw.randint(1, len(every)))) for _ in range(3)]
    return [table.targets, *(np.array(members, np.int32) for members in some)]


def bits(members: Array) -> int:
    return sum(1 << place for place in members.tolist())


@pytest.mark.parametrize(("seed", "memory"), [(0, MEMORY), (2, 1)], ids=["a table", "a table that forgets"])
@ANY
def test_values_and_guesses_are_those_of_the_recurrence(question, seed, memory, monkeypatch):
    for module, name in ((transpositions, "FEWEST"), (all_found, "FEWEST_NOGOODS")):
        monkeypatch.setattr(module, name, 8)
    words, draw = drawn(seed, question.weights), random.Random(seed)
    game = question.game(4)
    table, law = table_of(words, game), Recurrence(words, game)
    search = question.search(table, game, max(memory, 1 << 14 if question.search is held else 1))
    for members in sets_of(table, draw):
        for left in (3, 1, 4, 2):
            value = law.value(bits(members), left)
            floors = (-1, 0, value - 1, value, value + 2) if question.floors else (-1,)
            for floor in floors:
                found = search.value(members, left, max(floor, -1))
                assert found.value == value if value > floor else value <= found.value <= floor
                if found.guess >= 0 and len(members) > 1:
                    guess = found.guess - (len(words) if found.guess >= len(law.guesses) else 0)
                    assert law.value_after(guess, bits(members), left) == value


def alike(seed: int, weights: bool) -> WordList:
    """24 words of two or three letters out of few: counts of classes alone do not give their values."""
    draw = random.Random(seed)
    letters, length = draw.choice([("abcdefgh", 2), ("abcd", 3), ("abcde", 3)])
    every = ["".join(word) for word in product(letters, repeat=length)]
    listed = parse("\n".join(draw.sample(every, 24))).of_length(length)
    if weights and seed % 2:
        listed = listed.with_weights({word: draw.randint(1, 3) for word in listed.words})
    return listed


@ANY
def test_values_of_longer_lists_are_those_of_the_recurrence(question):
    words = alike(1, question.weights)
    game = question.game(4)
    table, law = table_of(words, game), Recurrence(words, game)
    for left in (3, 4):
        value = law.value(left=left)
        for floor in (-1, value - 1, value) if question.floors else (-1,):
            found = question.search(table, game, MEMORY).value(table.targets, left, max(floor, -1))
            assert found.value == value if value > floor else value <= found.value <= floor


@pytest.mark.parametrize(
    ("seed", "name"), list(enumerate(["words, plain", "words", "words, hard", *LATER, "words, most found"]))
)
def test_openings_have_what_their_classes_have(name, seed):
    question, draw = QUESTIONS[name], random.Random(seed)
    words, game = drawn(seed, question.weights), question.game(4)
    table, law = table_of(words, lingo()), Recurrence(words, game)
    search = ValueSearch(table, game.payoff, MEMORY, legal=game.legal, within=game.ruled_left)
    for left in (1, 2, 3, 4):
        for opening in draw.sample(range(len(words)), 3):
            value = law.value_after(opening, None, left)
            if value < 0:
                continue  # it separates nothing
            exact = search.after(opening, left)
            assert exact.complete and exact.value == value
            for floor in (value - 1, value, value + 2):
                found = search.after(opening, left, max(floor, -1))
                assert found.complete
                assert found.value == value if value > floor else value <= found.value <= max(floor, -1)


@pytest.mark.parametrize(("seed", "name"), list(enumerate(["words, hard", *LATER, "words, consistent"])))
def test_legal_guesses_may_be_fewer_from_the_start(name, seed):
    question, draw = QUESTIONS[name], random.Random(seed)
    words, game = (alike if seed % 2 else drawn)(seed, weights=True), question.game(4)
    table, law = table_of(words, lingo()), Recurrence(words, game)
    search = question.search(table, game, MEMORY)
    for members in sets_of(table, draw):
        others = draw.sample(table.pool.tolist(), 3)
        legal = np.union1d(members, others).astype(np.int32)
        for left in (2, 3, 4):
            value = law.value(bits(members), left, bits(legal))
            assert search.value(members, left, legal=legal).value == value
            assert search.value(members, left).value == law.value(bits(members), left)


@pytest.mark.parametrize("seed", [0, 3])
def test_the_fewest_guesses_against_a_host_who_keeps_the_largest_class(seed):
    words = drawn(seed, weights=False)
    solver = LineSolver(table_of(words, lingo()), MEMORY)
    solver.run()
    law = Recurrence(words, Game("absurdle", 14, [0] + [1] * 14, opponent="largest"))
    assert solver.at_least == solver.at_most == law.least()
    enough = [g for g in range(len(words)) if law.value_after(g, None, solver.at_least) == 1]
    assert sorted(solver.openings) == enough or len(words.targets) == 1


@pytest.mark.parametrize("seed", [0, 3])
def test_the_least_misses_against_a_host_who_cheats(seed):
    words = drawn(seed, weights=False)
    search = AdversaryMisses(table_of(words, hangman()), MEMORY)
    members = table_of(words, lingo()).targets
    least = Recurrence(words, adversary("positions", 1)).least()
    found = search.least(members)
    assert (found.lower, found.upper) == (least, least)


def large() -> WordList:
    """A list whose search takes some time."""
    draw = random.Random(3)
    words = sorted({"".join(draw.choices("abcdefghijkl", k=4)) for _ in range(1500)})
    return parse("\n".join(words)).of_length(4)


@pytest.mark.parametrize("name", ["words", "words, hard", "codes", "words, all found", "letters, most found",
                                  "letters, a host who cheats"])  # fmt: skip
def test_a_limit_ends_a_search_that_can_go_on(name):
    question = QUESTIONS[name]
    game = question.game(5)
    words = large().with_targets(large().words[:60])
    table = table_of(words, game)
    search = question.search(table, game, MEMORY)
    left = 3 if question.floors else 4
    limited = search.value(table.targets, left, limit=1)
    whole = search.value(table.targets, left)
    assert limited.value == UNKNOWN != whole.value
    assert whole.value == question.search(table, game, MEMORY).value(table.targets, left).value


@pytest.mark.parametrize("name", ["words", "words, hard", "codes", "words, all found", "letters, most found",
                                  "letters, a host who cheats"])  # fmt: skip
def test_a_search_is_stopped_from_another_thread(name):
    question = QUESTIONS[name]
    game, draw = question.game(5), random.Random(1)
    table = table_of(large(), game)
    search, unknown = question.search(table, game, MEMORY), list[bool]()

    def ask():  # repeatedly: some searches end soon
        for _ in range(100_000):
            some = np.array(sorted(draw.sample(table.targets.tolist(), 400)), np.int32)
            if search.value(some, 4).value == UNKNOWN:
                unknown.append(True)
                return

    running = threading.Thread(target=ask, daemon=True)
    running.start()
    while running.is_alive():
        search.stop()
        running.join(0.001)
    assert unknown
