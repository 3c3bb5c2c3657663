"""Trees built by the engine against a brute-force player, a scripted referee and the plain replay; rounds."""

from collections import Counter, defaultdict

import pytest
import torch

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.marks import ContradictionError, feedback, marks, pattern
from gpulingo.strategies.build import Searcher, build, position_after, simulate
from gpulingo.strategies.objectives import value_table
from gpulingo.strategies.registry import named
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.verify import verify
from gpulingo.words.listing import UnknownWordError, parse, read


def brute_force(words, turns, measure, consistent=False):
    """(guess, pattern, children, hit) of every node, breadth first, by the plain rule and a measure alone."""
    nodes, level = [], [(list(words), -1)]
    for left in range(turns, 0, -1):
        below = []
        for candidates, code in level:
            guess = choice(words, candidates, left, MEASURES["parts"] if left == 2 else measure, consistent)
            classes = defaultdict(list)
            for word in candidates:
                if word != guess:
                    classes[pattern(feedback(guess, word))].append(word)
            children = sorted(classes) if left > 1 else []
            nodes.append((guess, code, len(children), guess in candidates))
            below += [(classes[child], child) for child in children]
        level = below
    return nodes


# What each guess is worth by the sizes of its classes, whether it is a candidate, and the turns left.
MEASURES = {
    "parts": lambda sizes, inside, left: len(sizes) + (inside if left == 2 else 0),
    "expected_size": lambda sizes, inside, left: -sum(size**2 for size in sizes),
    "largest_class": lambda sizes, inside, left: -max(sizes),
    "points": lambda sizes, inside, left: (
        sum(VALUES[left - 1][size] for size in sizes) + (VALUES[1][1] if inside else 0)
    ),
}
VALUES = value_table(22, 6).tolist()


def choice(words, candidates, left, measure, consistent):
    """The guess of greatest measure, candidates first, then list order; on the last turn a candidate."""
    if left == 1:
        return candidates[0]

    def rank(guess):
        sizes = Counter(feedback(guess, word) for word in candidates).values()
        inside = guess in candidates
        return (measure(sizes, inside, left), inside)

    return max(candidates if consistent else words, key=rank)  # the first of the best


# Worked out by a program that shares nothing with this one: raven, then by its marks; most words on turn 2.
OPENING, COUNTS = "raven", [1, 18, 3, 0, 0]
SECOND = [
    ("XXXX?", "finch"), ("XXX?X", "goose"), ("XXX??", "snipe"), ("XXX?O", "lemon"), ("XX??X", "olive"),
    ("X?XXX", "quail"), ("X?X?X", "apple"), ("X??XX", "guava"), ("XOXXX", "macaw"), ("XOXX?", "mango"),
    ("XOX?X", "eagle"), ("?XXXX", "stork"), ("?XX?X", "berry"), ("?XX?O", "heron"), ("?XXOX", "egret"),
    ("??X?X", "grape"), ("??X??", "crane"), ("OXXXO", "robin"),
]  # fmt: skip


def test_the_tree_of_most_parts_is_this_one(words22):
    tree = build(words22, named("parts"), lingo(5)).tree
    root = range(tree.first[0], tree.first[1])
    assert words22[tree.guess[0]] == OPENING
    assert [(marks(tree.pattern[node], 5), words22[tree.guess[node]]) for node in root] == SECOND
    assert (tree.turn_counts(), tree.lost, len(tree)) == (COUNTS, 0, 22)


@pytest.mark.parametrize("turns", range(1, 7))
@pytest.mark.parametrize("consistent", [False, True])
@pytest.mark.parametrize("name", MEASURES)
def test_the_tree_is_that_of_brute_force(words22, name, turns, consistent):
    game = find_game("lingo-consistent" if consistent else "lingo", turns)
    tree = build(words22, named(name), game).tree
    children = [tree.first[node + 1] - tree.first[node] for node in range(len(tree))]
    guesses = [words22[guess] for guess in tree.guess]
    built = list(zip(guesses, tree.pattern, children, map(bool, tree.hit), strict=True))
    assert built == brute_force(words22.words, turns, MEASURES[name], consistent)


def test_the_trees_of_long_words_have_wide_patterns():
    wordlist = parse("\n".join(a * 10 + b * 10 for a in "abcd" for b in "defg")).of_length(20)
    tree = build(wordlist, named("parts")).tree
    assert memoryview(tree.pattern).itemsize == 8
    assert max(tree.pattern) >= 1 << 31
    assert verify(tree, wordlist) == list(tree.found_turns())


def test_progress_adds_up_to_the_pairs(words22):
    told = []
    done = build(words22, named("parts"), report=lambda turn, pairs, most: told.append((turn, pairs, most)))
    assert sum(pairs for _, pairs, _ in told) == done.pairs
    assert all(sum(p for t, p, _ in told if t == turn) <= most for turn, _, most in told)


@pytest.mark.parametrize("rule", ["hard", "consistent"])
def test_a_users_own_strategy_is_held_to_the_rule_of_the_game(words22, rule):
    game = find_game(f"wordle-{rule}")
    done = simulate(words22, lambda candidates, history: candidates[-1], game)
    assert verify(done.tree, words22) == list(done.tree.found_turns())
    with pytest.raises(ValueError) as caught:
        simulate(words22, lambda candidates, history: ["raven", "finch", "goose"][len(history)], game)
    said = f"on turn 2, which wordle-{rule}6 does not allow there: name another strategy"
    assert str(caught.value).endswith(f"chose finch {said}")


# By rule and strategy: total guesses, lost words, words found by turn.
RULED = {
    ("hard", "parts"): (8171, 6, [1, 122, 1081, 912, 165, 28]),
    ("hard", "entropy"): (8337, 7, [0, 79, 1041, 969, 183, 36]),
    ("hard", "points"): (8249, 8, [0, 112, 1066, 909, 185, 35]),
    ("consistent", "parts"): (8177, 8, [1, 124, 1085, 899, 167, 31]),
    ("consistent", "points"): (8253, 9, [0, 112, 1069, 903, 185, 37]),
}


@pytest.mark.parametrize(("rule", "name"), RULED)
def test_wordle_under_a_rule_takes_these_guesses(rule, name, wordle_lists):
    targets = read(wordle_lists / "targets.txt").of_length(5).words
    words = read(wordle_lists / "pool.txt").of_length(5).with_targets(targets)
    tree = simulate(words, name, find_game(f"wordle-{rule}")).tree
    assert (tree.total_guesses, tree.lost, tree.turn_counts()) == RULED[rule, name]
    assert sum(turn or 7 for turn in verify(tree, words)) == tree.total_guesses


FOUND = {4: (1, 14, 573, 2295, 2282), 7: (1, 812, 24766, 13728, 341), 12: (1, 14244, 13423, 1, 0)}


@pytest.mark.slow
@pytest.mark.parametrize("length", FOUND)
def test_parts_over_the_pits_list_finds_these_words_turn_by_turn(length, pit_words):
    wordlist = pit_words(length)
    tree = build(wordlist, named("parts")).tree
    assert tuple(tree.turn_counts()) == FOUND[length]
    points = sum(100 * (5 - turn) * count for turn, count in enumerate(FOUND[length]))
    assert tree.mean_points == points / len(wordlist)
    verify(tree, wordlist)


def test_seconds_are_without_those_in_which_kernels_were_compiled(words22, monkeypatch):
    from gpulingo.tensors import clock

    time = [0.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: time[0])
    strategy = named("random")

    class Compiling:
        name = "compiling"

        def choose(self, position, progress=None):
            time[0] += 1
            clock.begin(True)
            time[0] += 100
            clock.end()
            return strategy.choose(position, progress)

    made = build(words22, Compiling(), lingo(2))
    assert (made.seconds, made.kernel_seconds) == (2, 2)


@pytest.mark.parametrize("name", ["points", "letters"])
@pytest.mark.parametrize("turns", [1, 2, 3, 6])
@pytest.mark.parametrize("family", ["lingo", "lingo-hard", "wordle-consistent"])
def test_it_guesses_what_the_tree_guesses(words22, name, turns, family):
    game = find_game(family, turns)
    searcher = Searcher(words22, "cpu", named(name), game)
    tree = build(words22, named(name), game).tree
    for target in words22.words:
        history, node = [], 0
        while len(history) < turns and node is not None:
            guess = searcher.guess(history)
            assert guess == words22[tree.guess[node]]
            history.append((guess, feedback(guess, target)))
            node = tree.child(node, pattern(history[-1][1]))


def test_after_its_last_turn_it_goes_on_guessing_words_that_fit(words22):
    # A referee may ask more often than there are turns.
    assert Searcher(words22, "cpu").guess([("papaw", "XXXXX")] * 7) in words22
    assert Searcher(words22, "cpu").guess([("heron", "OOOOO")] * 5) == "heron"


def test_a_guess_of_another_list_and_marks_that_no_word_fits_are_told(words22):
    with pytest.raises(UnknownWordError, match="'zebra' is not among the 22 words"):
        Searcher(words22, "cpu").guess([("zebra", "XXXXX")])
    with pytest.raises(ContradictionError, match="no word fits the marks OOOOX of heron"):
        Searcher(words22, "cpu").guess([("heron", "OOOOX")])


@pytest.mark.parametrize("row", ["XXXX", "XXXXXX", "XXXYX", "", "xxxxx"])
def test_marks_that_are_none_are_refused(words22, row):
    with pytest.raises(ValueError, match="marks"):
        Searcher(words22, "cpu").guess([("heron", row)])


def test_the_position_after_a_history_has_what_fits_and_how_it_came_about(words22):
    table = encode(words22.words)
    history = [("raven", feedback("raven", "apple")), ("stork", feedback("stork", "apple"))]
    position = position_after(history, words22, lingo(), table)
    fit = [word for word in words22.words if all(feedback(guess, word) == said for guess, said in history)]
    assert [words22[member] for member in position.frontier.members.tolist()] == fit
    assert (position.turn, position.turns_left, position.frontier.sets) == (3, 3, 1)
    assert position.history.guesses.tolist() == [[words22.index("raven"), words22.index("stork")]]
    assert position.history.patterns.tolist() == [[pattern(said) for _, said in history]]
    assert position_after([], words22, lingo(), table).frontier.members.tolist() == list(range(22))


def test_only_targets_fit_where_not_every_word_is_one(words22):
    every, even = encode(words22.words), torch.arange(0, 22, 2, dtype=torch.int32)
    history = [("raven", feedback("raven", words22[4]))]
    some, fit = (position_after(history, words22, lingo(), table) for table in (every.with_sets(even), every))
    fitting = fit.frontier.members.tolist()
    assert some.frontier.members.tolist() == [word for word in fitting if word % 2 == 0]
    assert some.pool is some.table.pool


@pytest.mark.parametrize("rule", ["hard", "consistent"])
def test_a_history_that_breaks_the_rule_of_the_game_is_refused(words22, rule):
    game = find_game(f"wordle-{rule}")
    history = [("raven", feedback("raven", "crane")), ("finch", feedback("finch", "crane"))]
    assert position_after(history, words22).frontier.members.shape[0]
    said = f"finch is not allowed in wordle-{rule}6 after the guesses before it: use another history"
    with pytest.raises(ValueError, match=f"^{said}$"):
        position_after(history, words22, game)
    found = [("crane", "OOOOO")]
    assert position_after(found, words22, game).pool.members.tolist() == [words22.index("crane")]
