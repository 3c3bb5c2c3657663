"""The first letter is asked for before a round; what is none is asked again."""

import pytest

from gpulingo.advice.terminal import Loaders, seated
from gpulingo.games import marks


@pytest.fixture
def begun(folder, scripted):
    """A function that begins what the arguments of `play` ask for, and the engine."""
    engine = scripted()
    return lambda line: seated(line.split(), Loaders(lambda: None, lambda: engine, None), lambda text: None)


@pytest.mark.parametrize("rule", ["--first-letter", "--first-letter --must-start"])
def test_a_round_begins_with_the_letter_that_is_typed(begun, rule):
    one = begun(f"{rule} 5")
    assert one.greeting()[-1] == "Which letter does it begin with?" and one.prompt == "first letter> "
    lines = one.take(" D ")
    assert "that begins with d" in lines[0] and one.prompt == "marks of dents> "
    one.take(marks.feedback("dents", "dunes"))
    assert one.prompt in ("marks of dozes> ", "marks of dunes> ")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("dd", "'dd' is no letter."),
        ("", "'' is no letter."),
        ("7", "'7' is no letter."),
        ("help", "Type the letter"),
        ("q", "--letter q: no target begins with it"),
    ],
)
def test_what_is_no_letter_is_asked_again(begun, line, told):
    one = begun("--first-letter 5")
    (answer,) = one.take(line)
    assert answer.startswith(told) and one.prompt == "first letter> " and not one.ended


def test_a_letter_that_is_given_is_not_asked_for(begun):
    one = begun("--first-letter --letter d 5")
    one.greeting()
    assert one.prompt == "marks of dents> "
