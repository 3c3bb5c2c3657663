"""The program guesses and a script answers: what it says, what it takes back, what it never loses."""

import random

import pytest

from gpulingo.advice.conversation import OVER
from gpulingo.games import marks

WORDS = ["dents", "dozes", "reads", "zones", "dunes", "tunes", "tones", "bones", "cones", "lones", "roses"]


def said(talk, *lines):
    """The answer to the last of some lines, as one text."""
    answers = [talk.take(line) for line in lines]
    return "\n".join(answers[-1])


def test_a_round_to_its_end(talk):
    one = talk()
    assert one.prompt == "marks of dents> "
    text = said(one, marks.feedback("dents", "tones"))
    assert text.splitlines()[0] == "  d e n t s  BYGYG"
    left = [word for word in WORDS if marks.feedback("dents", word) == "X?O?O"]
    assert text.splitlines()[1] == f"Turn 2 of 5, {len(left)} words left. I guess {left[0]}."
    text = said(one, marks.feedback(left[0], "tones"), *(["OOOOO"] if left[0] != "tones" else []))
    assert one.over and one.found and "Found on turn" in text and "tones" in text and "points" in text
    assert not one.ended and said(one, "quit") == "" and one.ended


@pytest.mark.parametrize("row", ["X?O?O", "bygyg", "01212", "⬛🟨🟩🟨🟩", "X ? O ? O", "  x?o?o  "])
def test_marks_are_read_in_every_form(talk, row):
    one = talk()
    said(one, row)
    assert one.history == [("dents", "X?O?O")]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("XXX", "are 3, it has 5 letters"),
        ("XXXXXX", "are 6, it has 5 letters"),
        ("XX!XX", "hold '!' at place 3"),
        ("hello", "'hello' is not understood"),
        ("", "type 5 marks, or help"),
        ("OOOO?", "no word fits: guess 1, dents GGGGY, rules out every word"),
        ("I guessed den", "'den' is no word of 5 letters"),
        ("I guessed den!s", "'den!s' is no word of 5 letters"),
        ("dents:XX", "are 2, it has 5 letters"),
        ("it was dozes!", "is no word of 5 letters"),
        ("undo", "nothing to undo"),
        ("\x1b[2J" * 400, "is not understood"),
    ],
)
def test_after_a_mistake_it_asks_again_and_nothing_is_lost(talk, line, told):
    one = talk()
    text = said(one, line)
    assert told in text and "\x1b" not in text
    assert (one.history, one.prompt, one.over) == ([], "marks of dents> ", False)
    said(one, "X?O?O")
    assert one.history == [("dents", "X?O?O")]


def test_a_contradiction_names_the_guess_and_the_nearest_reading_and_an_earlier_guess_can_be_changed(talk):
    one = talk()
    said(one, "I guessed bones", "XOOOO", "I guessed tones")
    text = said(one, "OOOOX")
    assert "guess 2, tones GGGGB, rules out the 4 words" in text
    assert "if the s of tones (place 5) were G instead of B, 1 would fit" in text
    assert "Nothing was taken" in text and one.history == [("bones", "XOOOO")]
    text = said(one, "bones XXOOO")
    assert one.history == [("bones", "XXOOO")] and one.prompt == "marks of tones> "
    assert f"{sum(marks.feedback('bones', word) == 'XXOOO' for word in WORDS)} words left" in text
    said(one, "undo")
    assert one.history == [("bones", "XOOOO")]
    assert "rules out every word" in said(one, "bones OOOOX")


def test_undo_takes_back_one_step_after_the_other_also_after_the_end(talk):
    one = talk()
    said(one, "I guessed bones", "XOOOO", "I guessed tones", "OOOOO")
    assert one.over and one.found
    text = said(one, "undo")
    assert (one.over, one.found, one.prompt) == (False, False, "marks of tones> ")
    assert "  b o n e s  BGGGG" in text.splitlines()
    said(one, "undo")
    assert one.prompt == "marks of zones> "  # the first that fits
    said(one, "undo", "undo")
    assert one.history == [] and one.prompt == "marks of dents> "
    assert "nothing to undo" in said(one, "undo")


def test_a_guess_may_come_with_its_marks(talk):
    one = talk()
    said(one, "bones:XOOOO")
    said(one, "bones=xoooo", "BONES X O O O O", "bones ⬛🟩🟩🟩🟩", "🟩🟩🟩🟩🟩 tones", "undo", "TONES 22222")
    assert one.history == [("bones", "XOOOO"), ("tones", "OOOOO")] and one.found


def test_what_hard_mode_does_not_allow_is_told_and_not_taken(talk):
    one = talk(rule="hard")
    said(one, "I guessed bones", "XOOOO")
    text = said(one, "I guessed dents")
    assert text.startswith("dents has no o at place 2, where it was shown, so lingo-hard does not allow it")
    assert one.prompt == "marks of zones> "


def test_all_words_left_are_told_where_they_are_asked_for(talk, folder):
    more = [a + b for a in "bcdfg" for b in ("ired", "ared", "ates", "ores", "ites")]
    (folder / "wordlist.txt").write_text("\n".join(WORDS + more))
    one = talk()
    assert said(one, "words").endswith(" .. and 16 more (words all)")
    assert said(one, "words all").split()[3:] == WORDS + more


@pytest.mark.parametrize("line", ["?", "HELP"])
def test_help_is_asked_for_in_other_ways_too(talk, line):
    one = talk()
    assert said(one, line) == said(one, "help")


def test_when_the_turns_are_over_it_says_so_and_hears_the_word(talk):
    one = talk("lingo1")
    text = said(one, "I guessed bones", "XOOOO")
    assert "The turns are over. 4 words left: zones tones cones lones" in text
    assert one.prompt == "the word, undo, again or quit> " and said(one, "why") == OVER == said(one, "X?X?X")
    assert "dents does not fit: bones would have shown BBGYG, not BGGGG" in said(one, "dents")
    assert said(one, "cones") == "The word was cones."
    said(one, "undo")
    text = said(one, "it was hones")
    assert (
        "The word was hones." in text
        and "hones is not among the 11 words of 5 letters in wordlist.txt" in text
    )
    assert "add it to a file of words and give that by --wordlist" in text


def test_marks_of_the_last_turn_that_no_word_fits_end_the_round_and_say_how_to_add_a_word(talk):
    one = talk("lingo1")
    text = said(one, "XXXXX")
    assert one.over and "The turns are over, and no word fits: guess 1" in text
    assert "add it to a file of words" in text
    said(one, "undo")
    assert not one.over and one.prompt == "marks of dents> "


def test_a_word_that_the_list_lacks_can_be_found(talk):
    one = talk()
    text = said(one, "I guessed hones", "OOOOO")
    assert one.found and "hones is not among the 11 words" in text
    one = talk()
    said(one, "bones XOOOO", "I guessed dents")
    assert "rules out the 4 words" in said(one, "OOOOO") and not one.over


def test_a_word_made_of_signs_of_marks_can_be_named_at_the_end(talk, folder):
    (folder / "wordlist.txt").write_text("bobby\nboxxy\n")
    one = talk("lingo1")
    said(one, "guessed goxxy", "XOOOO")
    assert one.over and said(one, "boxxy") == "The word was boxxy."


def test_a_letter_that_is_given_holds(talk):
    one = talk("lingo-start", letter="d")
    assert said(one, "words") == "3 words left: dents dozes dunes"
    assert "reads does not begin with d" in said(one, "I guessed reads")
    assert "does not begin with d, the letter that was given" in said(one, "it was reads")


@pytest.mark.slow
def test_whatever_is_typed_there_is_an_answer_and_no_error(talk):
    chance = random.Random(4)
    signs = [
        "X",
        "?",
        "O",
        "undo",
        "again",
        "words",
        "why",
        "guessed",
        "bones",
        "tones",
        "it was",
        "é",
        ":",
        " ",
        "\0",
    ]
    one = talk("lingo3")
    for _ in range(1500):
        line = "".join(chance.choices(signs, k=chance.randrange(7)))
        row = marks.feedback(one.proposal.guess, chance.choice(WORDS)) if len(one.proposal.guess) == 5 else ""
        lines = one.take(chance.choice([line, " ".join(line), row, row, "undo", "I guessed roses", "again"]))
        assert lines and all("\n" not in own for own in lines)
        assert len(one.history) <= 3 and not one.ended
