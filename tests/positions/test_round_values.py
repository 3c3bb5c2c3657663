"""Reviews of rounds: their sums, mean luck, and values against plain recursion."""

import random
import re
import threading
from fractions import Fraction

import pytest
from exhaustive import best_of
from recurrence import Recurrence
from sampled import quick

from gpulingo.advice.outlook import EXACT, PLAYED, TREE
from gpulingo.advice.review_text import review_entry, review_sentences, turn_rows
from gpulingo.advice.round import Review, Round, RoundError, check_round, shown, target_round
from gpulingo.games.catalogue import feedback_of, find_game, forbidding
from gpulingo.games.units import unit_of
from gpulingo.optimise.solve import solve
from gpulingo.positions import round_values
from gpulingo.positions.round_values import ExactValues, RoundValues
from gpulingo.positions.service import LruCache
from gpulingo.strategies.build import simulate
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.words.listing import parse

GAMES = ["lingo", "wordle-hard", "hangman", "hangman-misses4", "lingo-letter4", "wordle-lost4"]


def reviews(*given, **options):
    return RoundValues(*given, **options).reviews()


def listed(seed, count=24, weighted=False, length=4):
    """A list of few letters, so that words are hard to separate; optionally with weights of 1 to 9."""
    draw, words = random.Random(seed), dict[str, None]()
    while len(words) < count:
        words["".join(draw.choice("abcdef") for _ in range(length))] = None
    found = parse("\n".join(words)).of_length(length)
    return found.with_weights({word: draw.randint(1, 9) for word in words}) if weighted else found


def played(words, target, game, draw):
    """A round of random legal guesses."""
    rule, history, left, shown_places = feedback_of(game), [], game.turns, set()
    letters = sorted(set("".join(words.words)))
    while left:
        if game.feedback == "positions":
            past = {guess for guess, _ in history}
            legal = [letter for letter in letters if letter not in past]
        else:
            legal = [word for word in words.words if not forbidding(game, history, word)]
            legal = [word for word in legal if game.legal != "start" or word[0] == target[0]]
        guess = draw.choice(legal)
        row = rule.feedback(guess, target)
        history.append((guess, row))
        left = game.left_after(left, rule.pattern(row))
        shown_places |= {place for place, mark in enumerate(row) if mark == "O"}
        if len(shown_places) == words.length and (game.feedback == "positions" or "O" * len(row) == row):
            return Round(history, target[0] if game.given else ""), left
        if guess == target:
            return Round(history, target[0] if game.given else ""), left
    return Round(history, target[0] if game.given else ""), 0


def result_of(game, own, left):
    """The result of a round: the payoff of the turns left at its last guess, or of none."""
    found = own.guesses[-1][0]
    rule = feedback_of(game)
    if game.costs == "miss":
        return shown(game, game.payoff[left], 1)
    solved = rule.pattern(own.guesses[-1][1]) == rule.solved(len(found))
    return shown(game, game.payoff[left + 1] if solved else game.payoff[0], 1)


def limit(monkeypatch, small, tried=None):
    """Search sets of up to `small` words completely, and roll out `tried` more guesses of the others."""
    for name, value in {"SMALL": small, "TRIED": tried}.items():
        if value is not None:
            monkeypatch.setattr(round_values, name, value)
            monkeypatch.setattr(round_values, f"{name}_OF_LETTERS", value)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_start_and_luck_less_losses_are_the_result_exactly(name, monkeypatch):
    limit(monkeypatch, small=6, tried=2)
    game, draw = find_game(name), random.Random(name)
    for seed, weighted in enumerate([False, True]):
        words = listed(seed, weighted=weighted)
        rounds = [played(words, draw.choice(words.words), game, draw) for _ in range(40)]
        found = reviews([own for own, _ in rounds], words, game, device="cpu")
        for (own, left), answer in zip(rounds, found, strict=True):
            check_round(own, game)
            assert isinstance(answer, Review)
            assert answer.balanced
            assert answer.result == result_of(game, own, left)
            assert [turn.guess for turn in answer.turns] == [guess for guess, _ in own.guesses]
            assert_said_alike(answer)


def assert_said_alike(answer):
    """Check that the rows of a review sum to its headline, and the headline to the result, in equal words."""
    better = {"points": 1, "won, %": 1, "guesses": -1, "misses": -1}[unit_of(answer.game).short]
    good = "gained" if better > 0 else "saved"
    rounded = 0.001 * (len(answer.turns) + 3)

    def effect(text):
        word, size = text.split()
        return {"cost": -1, good: 1}[word] * float(size)

    headline, sum_ = review_sentences(answer)[:2]
    start, *effects, kind = re.fullmatch(
        r".* averages (\S+)\. Your choices (\S+ \S+), (?:good |bad |)luck (\S+ \S+): (.*)\.", headline
    ).groups()
    assert [sum(effect(row[part]) for row in turn_rows(answer)) for part in ("choice", "luck")] == [
        pytest.approx(effect(text), abs=rounded) for text in effects
    ]
    assert ("good luck" in headline, "bad luck" in headline) == (answer.luck > 0, answer.luck < 0)
    result = float(start) + better * sum(map(effect, effects))
    assert result == pytest.approx(float(re.search(r"[\d.]+", kind)[0]), abs=rounded)
    *terms, end = (float(part.replace(" ", "")) for part in re.findall(r"(?:[+-] )?\d+\.\d+", sum_))
    assert sum(terms) == pytest.approx(end, abs=rounded)
    record = review_entry(answer)
    for part, sign in (("lost", -1), ("luck", 1)):
        assert sum(turn[part] for turn in record["turns"]) == pytest.approx(record[part])
        assert record[part] == pytest.approx(sign * effect(effects[part == "luck"]), abs=rounded)


@pytest.mark.parametrize(
    ("name", "weighted"),
    quick([("lingo", True), ("wordle-hard4", False), ("hangman3", True), ("lingo-letter", False)],
          [("lingo", True)]),
)  # fmt: skip
def test_luck_is_nothing_on_the_average_after_every_guess_of_a_position(name, weighted, monkeypatch):
    limit(monkeypatch, small=4, tried=2)
    game, words = find_game(name), listed(7, 20, weighted)
    weight = dict(zip(words.words, words.weights or [1] * len(words), strict=True))
    guesses = sorted(set("".join(words.words))) if game.feedback == "positions" else words.words
    second = guesses[3]
    for first in [*guesses, "zzzz" if game.feedback == "marks" else "z"]:
        rounds = [
            target_round(target, [first, second][: 1 + (first != target)], game) for target in words.words
        ]
        found = reviews(rounds, words, game, device="cpu")
        by_history = {}
        for target, answer in zip(words.words, found, strict=True):
            for place, turn in enumerate(answer.turns):
                history = answer.played.letter, *answer.played.guesses[:place]
                by_history.setdefault(history, []).append(weight[target] * turn.luck)
        assert all(sum(values) == Fraction(0) for values in by_history.values())
        assert sum(map(len, by_history.values())) == 2 * len(words) - (first in words)


@pytest.mark.parametrize(
    ("name", "weighted"),
    [("lingo4", True), ("wordle-hard3", False), ("lingo-from3-hard4", True), ("lingo-consistent4", True),
     ("wordle-lost3", False), ("hangman2", False)],
)  # fmt: skip
def test_values_of_small_sets_are_those_of_plain_recursion(name, weighted):
    game, words = find_game(name), listed(3, 12, weighted and "hangman" not in name)
    letters = game.feedback == "positions"
    (answer,) = reviews(
        [target_round(words[0], ["a" if letters else words[0]], game)], words, game, device="cpu"
    )
    start = answer.turns[0].before
    assert (start.how, start.credits) == (EXACT, best_of(words.words, game, weights=words.weights))


@pytest.mark.parametrize(
    ("name", "credits"),
    [("lingo5", 27), ("lingo-from3-hard5", 26), ("lingo-hard5", 24), ("lingo-consistent5", 24)],
)
def test_values_after_a_guess_whose_hints_few_words_use_are_those_of_plain_recursion(name, credits):
    game, words = (
        find_game(name),
        parse("\n".join("aaba aabb aabc aabd aabe aabf aabg aabh cdzz efzz ghzz".split())).of_length(4),
    )
    (answer,) = reviews([target_round("aabb", ["aaba"], game)], words, game, device="cpu")
    assert answer.turns[0].chosen == best_of(words.words, game, opening="aaba") == credits


@pytest.mark.parametrize("name", ["lingo4", "wordle-hard4", "hangman3"])
def test_a_set_that_is_played_out_is_worth_no_less_than_by_the_strategy_and_no_more_than_can_be_had(
    name, monkeypatch
):
    game, words = find_game(name), listed(11, 40, length=3)
    letters = game.feedback == "positions"
    own = target_round(words[0], ["a" if letters else words[0]], game)
    worths = {}
    for small in (0, 3, 40):
        limit(monkeypatch, small)
        (answer,) = reviews([own], words, game, device="cpu")
        worths[small] = answer.turns[0].before
    assert [worths[small].how for small in (0, 3, 40)] == [PLAYED, PLAYED, EXACT]
    least = simulate(words, "frequency" if letters else "parts", game).tree.value
    assert least <= worths[0].credits <= worths[3].credits <= worths[40].credits


@pytest.mark.parametrize("name", ["lingo", "hangman", "lingo-letter"])
def test_who_plays_as_the_kept_tree_loses_nothing(name):
    game, words = find_game(name), listed(5, 24)
    tree = simulate(words, "frequency" if game.feedback == "positions" else "entropy", game).tree
    names = [*words.words, *sorted(set("".join(words.words)))]
    rule, rounds = feedback_of(game), []
    for target in words.words:
        node, history = tree.root(target), []
        while node is not None:
            guess = names[tree.guess[node]]
            if game.feedback == "positions" and len(guess) > 1:
                break
            history.append((guess, rule.feedback(guess, target)))
            node = tree.child(node, rule.pattern(history[-1][1]))
        rounds.append(Round(history, target[0] if game.given else ""))
    found = reviews(rounds, words, game, tree=tree, device="cpu")
    turns = [turn for answer in found for turn in answer.turns]
    assert all(turn.lost == 0 for turn in turns)
    assert {turn.before.how for turn in turns if turn.before.words > 1} == {TREE}
    total = sum(answer.start * Fraction(1, len(words)) for answer in found)
    assert game.given or total == shown(game, tree.value, len(words))
    assert game.given or sum(answer.result for answer in found) == total * len(words)


def test_guesses_beside_the_list_count_and_are_never_the_best():
    game, words = find_game("lingo"), listed(4, 20)
    (answer,) = reviews([target_round(words[2], ["zzzz", "abcz", words[2]], game)], words, game)
    first = answer.turns[0]
    assert first.before.words == first.after.words == 20
    assert first.lost > 0 and first.luck == 0
    assert all(turn.before.best in words for turn in answer.turns)
    hangman = find_game("hangman3")
    (answer,) = reviews([target_round(words[2], ["z", "y", "x"], hangman)], words, hangman)
    assert (answer.state, answer.result, answer.balanced) == ("lost", 0, True)
    assert all(turn.luck == 0 for turn in answer.turns)


def test_a_round_that_no_target_fits_is_an_error_beside_the_others():
    game, words = find_game("lingo"), parse("dents\ndozes\nreads").of_length(5)
    good, bad = target_round("reads", ["dozes", "reads"], game), Round([("dozes", "OOOOX")])
    first, second = reviews([bad, good], words, game)
    assert isinstance(first, RoundError) and "guess 1, dozes GGGGB, rules out every word" in str(first)
    assert [float(turn.expected_before) for turn in second.turns] == [1300 / 3, 400]
    (alone,) = reviews([Round([("zebra", "OOOOO")])], words, game, seconds=60, check=pytest.fail)
    assert isinstance(alone, RoundError)  # nothing was valued


def test_a_round_whose_words_left_weigh_nothing_is_an_error():
    game, words = find_game("lingo"), parse("dents\ndozes\nreads").of_length(5)
    words = words.with_weights({"dents": 1, "dozes": 2, "reads": 0})
    rounds = [target_round("reads", guesses, game) for guesses in (["dozes"], ["dozes", "reads"], ["reads"])]
    fair = target_round("dozes", ["reads", "dozes"], game)
    *found, answer = reviews([*rounds, fair], words, game, device="cpu")
    assert all(isinstance(one, RoundError) and "the words left weigh 0 in" in str(one) for one in found)
    assert isinstance(answer, Review) and answer.balanced


@pytest.mark.parametrize(("name", "small"), [("lingo", 0), ("wordle-hard", 60), ("hangman", 60)])
def test_a_review_can_be_ended_in_the_middle_wherever_it_searches(name, small, monkeypatch):
    limit(monkeypatch, small)
    words, game, calls = listed(3, 60), find_game(name), []
    round_, _ = played(words, words.words[7], game, random.Random(2))

    def check():
        calls.append(None)
        if len(calls) == 3:
            raise TimeIsUp("over")

    with pytest.raises(TimeIsUp):
        reviews([round_], words, game, device="cpu", check=check)
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("name", "weighted"),
    [
        ("lingo2", True),
        ("wordle-hard2", False),
        ("wordle-found2", True),
        ("wordle-lost2", False),
        ("lingo1", True),
    ],
)
def test_with_two_turns_left_nothing_is_better_however_large_the_set_is(name, weighted, monkeypatch):
    limit(monkeypatch, small=0)
    game, words = find_game(name), listed(9, 30, weighted)
    (answer,) = reviews([target_round(words[0], [words[0]], game)], words, game, device="cpu")
    start = answer.turns[0].before
    assert (start.how, start.credits) == (EXACT, best_of(words.words, game, weights=words.weights))


def exactly(rounds, words, game, **options):
    """Reviews with a search of every set, however small; what earlier tests found is not known."""
    round_values.exact_values = LruCache(1)
    return reviews(rounds, words, game, device="cpu", **({"seconds": 60} | options))


@pytest.mark.parametrize(
    ("name", "weighted"),
    [("lingo4", True), ("wordle-hard3", False), ("lingo-from3-hard4", False), ("lingo-consistent4", True),
     ("wordle-lost3", True), ("hangman2", False)],
)  # fmt: skip
def test_scores_are_those_of_plain_recursion(name, weighted):
    game, words, draw = find_game(name), listed(6, 11, weighted), random.Random(name)
    plain, rule = Recurrence(words, game), feedback_of(game)
    for answer in exactly([played(words, target, game, draw)[0] for target in words.words], words, game):
        members, left, legal = plain.targets, game.turns, plain.every_guess
        assert answer.balanced
        for turn in answer.turns:
            guess = plain.guesses.index(turn.guess)
            assert turn.known == "exact"
            assert turn.before.credits == plain.value(members, left, legal)
            assert turn.chosen == plain.value_after(guess, members, left, legal)
            shows = [word for word in words.words if rule.feedback(turn.guess, word) == turn.marks]
            members, legal = members & plain.bits(shows), plain.still_legal(guess, turn.marks, legal)
            left = game.left_after(left, rule.pattern(turn.marks))


@pytest.mark.parametrize("name", quick(["lingo4", "wordle-hard4", "hangman3"], ["hangman3"]))
def test_losses_that_are_not_proven_in_time_are_bounds_and_say_so(name):
    game, words, draw = find_game(name), listed(11, 40, length=3), random.Random(name)
    rounds = [played(words, target, game, draw)[0] for target in words.words]
    tree = simulate(words, "frequency" if name == "hangman3" else "parts", game).tree
    for own in (None, tree):
        bounds = [turn for one in exactly(rounds, words, game, tree=own, seconds=0) for turn in one.turns]
        proven = [turn for one in exactly(rounds, words, game) for turn in one.turns]
        for bound, turn in zip(bounds, proven, strict=True):
            assert turn.known == "exact" and turn.lost >= 0
            assert bound.known != "exact" or bound.lost == turn.lost
            assert bound.known != "at least" or bound.lost <= turn.lost
            assert bound.known != "at most" or bound.lost >= turn.lost
        assert {turn.known for turn in bounds} > {"exact"}


def test_a_set_that_an_earlier_call_has_proven_takes_no_time():
    game, words = find_game("lingo4"), listed(11, 40, length=3)
    rounds = [target_round(target, [words[0], words[1]], game) for target in words.words[2:]]
    first = exactly(rounds, words, game)
    again = reviews(rounds, words, game, device="cpu", seconds=0)
    assert [turn.known for own in again for turn in own.turns] == ["exact"] * 2 * len(rounds)
    assert [own.lost for own in again] == [own.lost for own in first]


def test_the_time_of_a_call_is_spent_on_its_own_sets_alone(monkeypatch):
    game, words, open_ = find_game("lingo4"), listed(11, 40, length=3), []
    rounds = [target_round(words[2], [guess, words[2]], game) for guess in words.words[:2]]
    exactly(rounds[:1], words, game, seconds=0)
    monkeypatch.setattr(ExactValues, "prove", lambda self, deadline: open_.append({*self.open}))
    reviews(rounds[1:], words, game, device="cpu", seconds=60)
    exactly(rounds[1:], words, game)
    assert open_[0] == open_[1] != set()


def test_another_thread_ends_the_searches():
    game, words, stop = find_game("lingo4"), listed(11, 40, length=3), threading.Event()
    stop.set()
    (answer,) = exactly([target_round(words[2], [words[0]], game)], words, game, stop=stop)
    assert answer.turns[0].known == "about"


def test_values_of_a_proven_tree_are_exact_without_a_search():
    game, words = find_game("lingo"), listed(5, 24)
    tree = solve(words, game).tree
    (answer,) = exactly([target_round(words[1], [words[0]], game)], words, game, tree=tree, seconds=0)
    start = answer.turns[0].before
    assert (start.how, start.proven, start.credits) == (TREE, True, best_of(words.words, game))
