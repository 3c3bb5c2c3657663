"""What a guessed letter shows, one letter and one word at a time."""

import pytest

from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.positions import fault, feedback, marks, pattern, solved


@pytest.mark.parametrize(
    ("guess", "target", "shown", "code"),
    [
        ("s", "guess", "___OO", 3),
        ("g", "guess", "O____", 16),
        ("x", "guess", "_____", 0),
        ("a", "aa", "OO", 3),
        ("guess", "guess", "!!!!!", 32),
        ("gauss", "guess", "_____", 0),
    ],
)
def test_a_guess_shows_its_places(guess, target, shown, code):
    assert feedback(guess, target) == shown and pattern(shown) == code
    assert marks(code, len(target)) == shown and fault(shown, len(target)) == ""
    assert (code == solved(len(target))) == (guess == target)


@pytest.mark.parametrize("length", [2, 5, 24])
def test_every_pattern_has_its_text(length):
    for code in (0, 1, 2, (1 << length) - 1, 1 << length):
        assert pattern(marks(code, length)) == code
    for code in (-1, (1 << length) + 1):
        with pytest.raises(
            ValueError, match=f"pattern {code} is not one of {length} letters: use 0 to {1 << length}"
        ):
            marks(code, length)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "positions are empty"),
        ("_O?", "positions '_O\\?' hold '\\?' at place 3: use only _O"),
        ("_!", "positions '_!' hold '!' at place 2"),
    ],
)
def test_what_is_no_position_is_told(text, said):
    with pytest.raises(ValueError, match=said):
        pattern(text)
    assert text == "" or fault(text, len(text))
    assert "have 1 characters, the word has 3 letters" in fault("_", 3)


def test_a_guess_of_another_length_is_told():
    with pytest.raises(ValueError, match="guess 'ab' has 2 letters, target 'abc' has 3: guess one"):
        feedback("ab", "abc")


def test_only_misses_cost_in_hangman():
    game = hangman(3)
    assert [game.left_after(3, code) for code in (0, 1, 5)] == [2, 3, 3]
    assert [game.credits(turn) for turn in (1, 2, 3, 0)] == [1, 1, 1, 0]
    assert game.mean_misses([1, 2, 1], words=6) == (0 + 2 + 2 + 3 * 2) / 6
    fewest = find_game("hangman-misses4")
    assert [fewest.credits(turn) for turn in (1, 4, 0)] == [4, 1, 0]
    assert find_game("lingo").left_after(3, 5) == 2
