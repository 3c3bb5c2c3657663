"""Laws of games with guesses of letters: a replay gives the tree's value, its file comes back."""

import random

import pytest

from gpulingo.advice.notation import read_history
from gpulingo.games.catalogue import LETTERS, feedback_of, find_game
from gpulingo.strategies.build import Searcher, position_after, simulate
from gpulingo.strategies.registry import named
from gpulingo.trees.checkpoint import CheckpointError, read_checkpoint, tree_bytes, write_checkpoint
from gpulingo.trees.text import found_node, guess_names
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList

every = pytest.mark.parametrize("name", LETTERS)


@pytest.fixture(params=[1, 6])
def game(name, request):
    return find_game(name, request.param)


def random_list(seed, count=40, length=5):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcdefg", k=length)) for _ in range(count)})
    return WordList("a list", draw.sample(words, len(words)))


@every
@pytest.mark.parametrize("strategy", ["quiz", "entropy"])
def test_a_value_is_its_replay_and_the_sum_over_its_turns(game, strategy):
    words = random_list(18)
    tree = simulate(words, named(strategy, game=game), game).tree
    played = verify(tree, words)
    assert played == tree.found_turns()
    assert tree.turn_counts() == [played.count(turn) for turn in range(1, game.turns + 1)]
    assert tree.value == sum(game.credits(turn) for turn in played)
    assert tree.mean_points == pytest.approx(game.points_of(tree.value, len(words)), abs=1e-9)


@every
def test_a_tree_is_read_as_it_was_written_and_one_that_lies_is_refused(game, tmp_path):
    words = random_list(3)
    tree = simulate(words, named("frequency", game=game), game).tree
    write_checkpoint(tree, tmp_path / "tree.npz")
    assert read_checkpoint(tmp_path / "tree.npz") == tree
    assert read_checkpoint(tmp_path / "tree.npz").game == game
    guess = list(tree.guess)
    guess[0] = len(words) + 255
    with pytest.raises(ValueError, match="guesses outside a list"):
        tree_bytes(tree.replaced(guess=guess))
    guess[0] = len(words) + 8
    with pytest.raises(CheckpointError, match="guesses outside a list"):
        verify(tree.replaced(guess=guess), words)
    if game.turns > 1:
        guess[0] = len(words) + (tree.guess[0] - len(words) + 1) % 7
        with pytest.raises(CheckpointError):
            verify(tree.replaced(guess=guess), words)


@every
def test_a_round_that_goes_on_after_the_last_life_is_refused(name):
    words, more = random_list(5), simulate(random_list(5), "frequency", find_game(name, 6)).tree
    assert more.lost < simulate(words, "frequency", find_game(name, 2)).tree.lost
    with pytest.raises(ValueError, match="continues after turn 2"):
        more.replaced(game=find_game(name, 2), mean_points=None)


@every
def test_a_history_of_letters_leads_to_its_node_and_its_position(game):
    words = random_list(11)
    tree = simulate(words, named("frequency", game=game), game).tree
    rule, names = feedback_of(game), guess_names(game, words.words)
    for target in words.words[:12]:
        node, left, history = 0, game.turns, []
        while not tree.hit[node]:
            letter = names[tree.guess[node]]
            shown = rule.feedback(letter, target)
            left = game.left_after(left, rule.pattern(shown))
            if not left:
                with pytest.raises(ValueError, match=f"no guess follows turn {game.turns}"):
                    found_node(tree, words.words, [*history, (letter, shown)])
                break
            history.append((letter, shown))
            node = tree.child(node, rule.pattern(shown))
            text = " ".join(f"{guess}:{row}" for guess, row in history)
            assert read_history([text], rule) == history
            assert found_node(tree, words.words, history) == node
            position = position_after(history, words, game)
            assert position.turns_left == left
            fitting = [w for w in words.words if all(rule.feedback(x, w) == row for x, row in history)]
            assert [words[member] for member in position.frontier.members.tolist()] == fitting
            chosen = Searcher(words, "cpu", named("frequency", game=game), game).guess(history)
            assert chosen == names[tree.guess[node]]
