"""Trees built by the engine against a brute-force player, a scripted referee and the plain replay; rounds."""

from collections import Counter, defaultdict

import pytest
import torch

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.game import Game
from gpulingo.games.marks import feedback, marks, pattern
from gpulingo.match.referee import play_round
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import Searcher, build, position_after, simulate
from gpulingo.strategies.objectives import value_table
from gpulingo.strategies.registry import NAMES, named
from gpulingo.strategies.simulation import TreeReplay, stored_simulation
from gpulingo.strategies.strategy import History, Position, first_position
from gpulingo.tensors.device import DeviceError, find_device
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import CheckpointError, write_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import UnknownWordError, read


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
    assert verify(done.tree, words22) == list(done.tree.found_turns())


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


WORDS = ["bats", "cats", "rats", "brag", "crag"]


def indices(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def test_the_first_position_holds_all_targets_and_every_legal_guess():
    table = encode(WORDS).with_sets(indices(0, 2, 3), indices(0, 1, 2, 3))
    first = first_position(table, lingo(4))
    assert first.frontier.members.tolist() == [0, 2, 3] and first.pool is table.pool
    assert (first.turns_left, first.turn, first.payoff) == (4, 1, (0, 1, 2, 3, 4))
    assert first.history.guesses.shape == first.history.patterns.shape == (1, 0)
    assert first_position(table, Game("own", 4, range(5), legal="candidates")).pool is None


def test_some_sets_of_a_position_keep_their_history_and_their_legal_guesses():
    table, game = encode(WORDS), lingo()
    front, legal = (
        frontier([indices(0, 1), indices(2), indices(3, 4)]),
        frontier([indices(0, 1, 4), indices(2), indices(3, 4)]),
    )
    past = History(indices(4, 4, 4)[:, None], torch.tensor([[1], [2], [3]]))
    some = Position(table, front, 4, 2, game, legal, past).take(torch.tensor([2, 0]))
    assert some.frontier.members.tolist() == [3, 4, 0, 1]
    assert some.pool.members.tolist() == [3, 4, 0, 1, 4]
    assert some.history.patterns.tolist() == [[3], [1]]
    with pytest.raises(
        ValueError, match="game lingo5 has other legal guesses after each hint: name another strategy"
    ):
        some.shared_pool()


def test_a_pool_has_every_target():
    table, game, front = encode(WORDS), lingo(), frontier([indices(0, 1)])
    assert Position(table, front, 4, 2, game, indices(0, 1, 2, 3, 4)).shared_pool().shape == (5,)
    with pytest.raises(ValueError, match="the pool lacks targets"):
        Position(table, front, 4, 2, game, indices(0, 1))


@pytest.mark.parametrize("left", [1, 2, 3, 4])
@pytest.mark.parametrize("legal", ["any", "candidates"])
def test_classes_decide_with_two_turns_left(left, legal):
    table, front = encode(WORDS), frontier([indices(0, 1)])
    game = Game("own", 5, range(6), legal=legal)
    assert Position(table, front, left, 6 - left, game, table.pool).decided_by_classes == (left == 2)
    heavy = table.with_sets(weights=indices(1, 2, 1, 1, 1))
    weighed = Position(heavy, front, left, 6 - left, game, heavy.pool)
    assert weighed.decided_by_classes == (left == 2)


def test_the_likeliest_candidate_is_the_heaviest_and_the_largest_set_the_one_that_weighs_most():
    table, front = encode(WORDS), frontier([indices(0, 1, 2), indices(3, 4), indices(1)])
    plain = Position(table, front, 1, 5, lingo(), table.pool)
    assert (plain.likeliest().tolist(), plain.largest) == ([0, 3, 1], 3)
    heavy = table.with_sets(weights=indices(1, 2, 2, 4, 6))
    weighed = Position(heavy, front, 1, 5, lingo(), heavy.pool)
    assert (weighed.likeliest().tolist(), weighed.largest) == ([1, 4, 1], 10)


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
    assert found == verify(done.tree, words22) == list(done.tree.found_turns())
    assert done.found_turns() == list(zip(words22.words, found, strict=True))
    assert done.turns == done.tree.turn_counts() == [found.count(turn + 1) for turn in range(turns)]
    assert done.lost == done.tree.lost == found.count(0)
    assert done.mean_points == done.tree.mean_points == sum(played.points for played in rounds) / 22


def test_an_opening_that_is_not_in_the_list_is_told(words22):
    with pytest.raises(UnknownWordError, match="'zebra' is not among the 22 words of 5 letters"):
        simulate(words22, opening="zebra")
    with pytest.raises(ValueError, match="no tree is stored for the words"):
        simulate(words22, "best")


def test_a_stored_tree_is_read_off_and_not_played(words22, grown, monkeypatch):
    tree = grown(words22, bound=500.0)
    monkeypatch.setattr("gpulingo.strategies.build.split", None)
    for done in (simulate(words22, tree), stored_simulation(words22, tree)):
        assert done.tree is tree and (done.build.pairs, done.strategy) == (0, "best")
        assert [turn for _, turn in done.found_turns()] == verify(tree, words22)
        assert (done.mean_points, done.turns, done.lost) == (tree.mean_points, tree.turn_counts(), tree.lost)


def test_a_stored_tree_of_something_else_is_refused(words22, grown):
    tree = grown(words22)
    with pytest.raises(CheckpointError, match=r"the tree is for lingo5, played is lingo4: build another"):
        simulate(words22, tree, lingo(4))
    with pytest.raises(
        CheckpointError, match=r"checkpoint is for list .*, this list is .*: make one for the list"
    ):
        simulate(words22.words[::-1], tree)
    with pytest.raises(CheckpointError, match=r"the tree opens with .*, asked for is papaw: leave it out"):
        simulate(words22, tree, opening="papaw")


def test_without_a_strategy_the_best_stored_tree_is_followed(tmp_path, monkeypatch, words22):
    monkeypatch.chdir(tmp_path)
    assert simulate(words22).strategy == "parts" and simulate(words22, game="hangman").strategy == "frequency"
    tree = simulate(words22, "entropy").tree
    write_checkpoint(tree, tmp_path / file_name("lingo5", 5, words22.fingerprint))
    done = simulate(words22)
    assert (done.strategy, done.tree) == ("best", tree)
    assert simulate(words22, opening="crane").strategy == "parts"
    assert simulate(words22, game="lingo4").strategy == "parts"  # the stored tree is of another game


def test_sets_that_are_not_those_of_the_tree_are_refused(words22, position):
    replay = TreeReplay(build(words22, named("parts")).tree)
    table = encode(words22.words)
    whole = frontier([torch.arange(22, dtype=torch.int32)])
    with pytest.raises(CheckpointError, match="the tree has no guess for a set of turn 2: build it again"):
        replay.choose(position(table, whole, 4))
    opening = frontier([torch.tensor([words22.index("raven")], dtype=torch.int32)])
    with pytest.raises(CheckpointError, match="the tree has no guess for a set of turn 3: build it again"):
        replay.choose(position(table, opening, 3))


def test_a_device_is_named_as_on_the_command_line(words22):
    done = simulate(words22, "parts", device="auto")
    assert done.device == find_device("auto")
    assert done.mean_points == simulate(words22, "parts").mean_points
    with pytest.raises(DeviceError, match="device 'gpu' is unknown: use auto"):
        simulate(words22, "parts", device="gpu")


@pytest.mark.parametrize("opening", ["papaw", "heron", "apple"])
def test_the_opening_that_is_asked_for_is_played(words22, opening):
    done = simulate(words22, "parts", opening=opening)
    assert done.opening == opening
    assert dict(done.found_turns())[opening] == 1
    assert verify(done.tree, words22)


@pytest.mark.parametrize("fixed", [("crane", "heron"), ("heron", "crane", "papaw")])
def test_fixed_guesses_are_made_whatever_the_marks(words22, fixed):
    done = simulate(words22, "parts", opening=fixed)
    assert done.opening == ",".join(fixed) and verify(done.tree, words22)
    turns = dict(done.found_turns())
    assert [turns[word] for word in fixed] == [*range(1, len(fixed) + 1)]
    assert all(turns[word] > len(fixed) for word in words22.words if word not in fixed)
    for node, turn in enumerate(done.tree.node_turns()):
        assert turn > len(fixed) or words22[done.tree.guess[node]] == fixed[turn - 1]


@pytest.mark.parametrize(
    ("fixed", "game", "said"),
    [
        (("crane", "crane"), "lingo", "crane, crane: a guess comes twice"),
        (("crane", "heron", "papaw"), "lingo3", "3 fixed guesses, lingo3 allows 2"),
        (("crane", "heron"), "wordle-hard", "2 fixed guesses, wordle-hard6 allows 1"),
        (("crane", "heron"), "wordle-consistent", "2 fixed guesses, wordle-consistent6 allows 1"),
        (("crane", "heron"), "lingo-letter", "2 fixed guesses, lingo-letter5 allows 1"),
        (("a", "e"), "hangman", "2 fixed guesses, hangman6 allows 1"),
    ],
)
def test_fixed_guesses_that_a_game_does_not_allow_are_refused(words22, fixed, game, said):
    with pytest.raises(ValueError, match=said):
        simulate(words22, "parts", find_game(game), opening=fixed)


def test_fixed_guesses_before_the_first_turn_of_a_rule_are_free(words22):
    assert simulate(words22, "parts", find_game("wordle-from3-hard"), opening=["crane", "heron"]).lost == 0
