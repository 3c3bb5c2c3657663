"""Trees built by the engine against a brute-force player, a scripted referee and the plain replay; rounds."""

from collections import Counter, defaultdict

import pytest

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.marks import feedback, marks, pattern
from gpulingo.match.referee import play_round
from gpulingo.strategies.build import Searcher, build, simulate
from gpulingo.strategies.objectives import value_table
from gpulingo.strategies.registry import NAMES, named
from gpulingo.strategies.simulation import stored_simulation
from gpulingo.trees.verify import verify
from gpulingo.words.listing import read


def brute_force(words, turns, measure, consistent=False):
    """(guess, pattern, children, hit) of every node, breadth first, by the plain rule and a measure."""
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


# The value of each guess by the sizes of its classes, whether it is a candidate, and the turns left.
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
    """The guess of highest measure, candidates first, then list order; on the last turn a candidate."""
    if left == 1:
        return candidates[0]

    def rank(guess):
        sizes = Counter(feedback(guess, word) for word in candidates).values()
        inside = guess in candidates
        return (measure(sizes, inside, left), inside)

    return max(candidates if consistent else words, key=rank)  # the first of the best


# Computed by an independent program: raven, then by its marks; most words are found on turn 2.
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


@pytest.mark.parametrize("turns", [2, 5])
@pytest.mark.parametrize(("name", "consistent"), list(zip(MEASURES, [False, True, False, True], strict=True)))
def test_the_tree_is_that_of_brute_force(words22, name, turns, consistent):
    game = find_game("lingo-consistent" if consistent else "lingo", turns)
    tree = build(words22, named(name), game).tree
    children = [tree.first[node + 1] - tree.first[node] for node in range(len(tree))]
    guesses = [words22[guess] for guess in tree.guess]
    built = list(zip(guesses, tree.pattern, children, map(bool, tree.hit), strict=True))
    assert built == brute_force(words22.words, turns, MEASURES[name], consistent)


def test_progress_adds_up_to_the_pairs(words22):
    told = []
    done = build(words22, named("parts"), report=lambda turn, pairs, most: told.append((turn, pairs, most)))
    assert sum(pairs for _, pairs, _ in told) == done.pairs
    assert all(sum(p for t, p, _ in told if t == turn) <= most for turn, _, most in told)


@pytest.mark.parametrize("rule", ["hard", "consistent"])
def test_a_users_own_strategy_is_held_to_the_rule_of_the_game(words22, rule):
    game = find_game(f"wordle-{rule}")
    done = simulate(words22, lambda candidates, history: candidates[-1], game)
    assert verify(done.tree, words22) == done.tree.found_turns()


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


FOUND = {4: (1, 14, 573, 2295, 2282), 12: (1, 14244, 13423, 1, 0)}


@pytest.mark.slow
@pytest.mark.parametrize("length", FOUND)
def test_parts_over_the_pits_list_finds_these_words_turn_by_turn(length, pit_words):
    wordlist = pit_words(length)
    tree = build(wordlist, named("parts")).tree
    assert tuple(tree.turn_counts()) == FOUND[length]
    points = sum(100 * (5 - turn) * count for turn, count in enumerate(FOUND[length]))
    assert tree.mean_points == points / len(wordlist)
    verify(tree, wordlist)


@pytest.mark.parametrize(
    ("family", "name", "turns"),
    [("lingo", "points", 6), ("lingo-hard", "letters", 3), ("wordle-consistent", "points", 2)],
)
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


def following(tree, wordlist):
    """A player that follows a tree."""

    def guess(history):
        node = 0
        for _, text in history:
            node = tree.child(node, pattern(text))
        return wordlist[tree.guess[node]]

    return guess


@pytest.mark.parametrize(
    ("turns", "name"), [(1 + place % 6, name) for place, name in enumerate([*NAMES, "parts consistent"])]
)
def test_the_sum_is_that_of_the_tree_of_the_replay_and_of_a_referee(words22, name, turns):
    game = find_game("lingo-consistent" if name.endswith("consistent") else "lingo", turns)
    strategy = named(name.split()[0], seed=3)
    done = simulate(words22, strategy, game)
    rounds = [play_round(following(done.tree, words22), word, words22, game) for word in words22.words]
    found = [len(played.guesses) if played.points else 0 for played in rounds]
    assert found == verify(done.tree, words22) == done.tree.found_turns()
    assert done.found_turns() == list(zip(words22.words, found, strict=True))
    assert done.turns == done.tree.turn_counts() == [found.count(turn + 1) for turn in range(turns)]
    assert done.lost == done.tree.lost == found.count(0)
    assert done.mean_points == done.tree.mean_points == sum(played.points for played in rounds) / 22


def test_a_stored_tree_is_read_off_and_not_played(words22, grown, monkeypatch):
    tree = grown(words22, bound=500.0)
    monkeypatch.setattr("gpulingo.strategies.build.split", None)
    for done in (simulate(words22, tree), stored_simulation(words22, tree)):
        assert done.tree is tree and (done.build.pairs, done.strategy) == (0, "best")
        assert [turn for _, turn in done.found_turns()] == verify(tree, words22)
        assert (done.mean_points, done.turns, done.lost) == (tree.mean_points, tree.turn_counts(), tree.lost)


@pytest.mark.parametrize("fixed", [("crane", "heron"), ("heron", "crane", "papaw")])
def test_fixed_guesses_are_made_whatever_the_marks(words22, fixed):
    done = simulate(words22, "parts", opening=fixed)
    assert done.opening == ",".join(fixed) and verify(done.tree, words22)
    turns = dict(done.found_turns())
    assert [turns[word] for word in fixed] == [*range(1, len(fixed) + 1)]
    assert all(turns[word] > len(fixed) for word in words22.words if word not in fixed)
    for node, turn in enumerate(done.tree.node_turns()):
        assert turn > len(fixed) or words22[done.tree.guess[node]] == fixed[turn - 1]
