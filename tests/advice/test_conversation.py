"""Answers at a terminal that `tests/transcripts` does not cover: mistakes, failures, any input."""

import random

import pytest
from sampled import quick

from gpulingo.advice.conversation import OVER, Hosted, Paint, Revealed, paint_for
from gpulingo.cli.pipes import REMEDIES
from gpulingo.cli.terminal import conversation_of
from gpulingo.games import marks
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.hosts.host import Host
from gpulingo.player.guesser import Guesser, QuizRule
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import parse

from .conftest import WORDS

SHORT = ["fish", "dish", "wish", "iris", "hill", "moth"]
CLASHING = ["left", "help", "quit", "mint", "mind"]


def said(talk, *lines):
    """The answer to the last of some lines, as one text."""
    return "\n".join([talk.take(line) for line in lines][-1])


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


def test_a_guess_may_come_with_its_marks(talk):
    one = talk()
    said(one, "bones:XOOOO")
    said(one, "bones=xoooo", "BONES X O O O O", "bones ⬛🟩🟩🟩🟩", "🟩🟩🟩🟩🟩 tones", "undo", "TONES 22222")
    assert one.history == [("bones", "XOOOO"), ("tones", "OOOOO")] and one.found


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


def test_a_letter_that_is_given_holds(talk):
    one = talk("lingo-letter", letter="d")
    assert said(one, "words") == "3 words left: dents dozes dunes"
    assert "does not begin with d, the letter that was given" in said(one, "it was reads")


@pytest.mark.slow
def test_whatever_is_typed_about_words_there_is_an_answer_and_no_error(talk):
    chance = random.Random(4)
    signs = [*"X ? O undo again words why guessed bones tones é :".split(), "it was", " ", "\0"]
    one = talk("lingo3")
    for _ in range(1500):
        line = "".join(chance.choices(signs, k=chance.randrange(7)))
        row = marks.feedback(one.session.guess, chance.choice(WORDS)) if len(one.session.guess) == 5 else ""
        lines = one.take(chance.choice([line, " ".join(line), row, row, "undo", "I guessed roses", "again"]))
        assert lines and all("\n" not in own for own in lines)
        assert len(one.history) <= 3 and not one.ended


@pytest.mark.slow
def test_the_kept_tree_is_followed_without_the_engine_while_the_history_follows_it(talk, folder, scripted):
    words = parse("\n".join(WORDS)).of_length(5)
    tree = simulate(words, "parts").tree
    write_checkpoint(tree, folder / f"lingo5-5-{words.fingerprint[:12]}.npz")
    engine = scripted()
    one = talk(engine=engine)
    assert one.session.guess == words[tree.guess[0]]
    row = marks.feedback(one.session.guess, "tones")
    if row != "OOOOO":
        said(one, row)
        assert one.session.guess == words[tree.guess[tree.child(0, marks.pattern(row))]]
    assert engine.asked == 0 and "by the best stored tree" in one.session.how
    one = talk(engine=engine)
    said(one, "zzzzz XXXXX")
    assert engine.asked == 1


@pytest.mark.parametrize("proposal", ["fail", "nails", "bones"])
def test_where_the_engine_fails_any_word_that_fits_is_guessed(talk, scripted, proposal):
    one = talk(engine=scripted(proposal))
    text = said(one, "bones XOOOO")
    assert one.session.guess == "zones"
    assert "guessing any word that fits" in text or proposal != "bones"


def test_a_strategy_that_is_named_is_asked_first(talk):
    class Searcher:
        def guess(self, history):
            return "roses" if not history else "nails"

    one = talk(strategy=lambda words: Searcher())
    assert one.session.guess == "roses" and said(one, "why").endswith("Found by the strategy that was named.")
    text = said(one, marks.feedback("roses", "tones"))
    assert "the strategy failed: it proposes 'nails'; continuing without it" in text


def test_a_strategy_is_left_out_where_no_answer_fits(talk, folder):
    class Searcher:
        def guess(self, history):
            return "dealt"

    (folder / "wordlist.txt").unlink()
    one = talk("wordle", strategy=lambda words: Searcher())
    text = said(one, "slate ?XX??", "ester X??O?")
    assert "no answer fits; of all 11,506 words of the embedded list 6 do" in text
    assert one.session.guess == "roset" and "failed" not in text
    said(one, "undo", "undo", "slate ?XX??")
    assert one.session.guess == "dealt"


@pytest.mark.parametrize("rule", quick(["hard", "consistent"], ["consistent"]))
def test_hard_mode_searches_after_a_guess_outside_the_list_too(talk, rule):
    from gpulingo.positions import outlooks

    one = talk(game="wordle", rule=rule, engine=outlooks)
    text = said(one, "zzzes XXXOO")
    guess = one.session.guess
    assert not marks.missing_hint(guess, "zzzes", "XXXOO") and "search" in one.session.how
    assert "guessing any word" not in text and one.session.outlook.exact


@pytest.fixture
def begun(folder, scripted):
    """A function that starts a conversation from arguments of `play`, and the engine."""
    engine = scripted()
    return lambda line: conversation_of(line.split(), lambda module: engine, lambda text: None)


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


@pytest.fixture
def hangman_talk():
    """A function that starts a hangman conversation about these words."""

    def begun(length=4, lives=3):
        rules = {4: QuizRule(SHORT)}
        talk = Revealed(
            Guesser(lambda size: rules.get(len(size)) or QuizRule([]), hangman(lives), print),
            Paint(),
            REMEDIES,
            length,
        )
        talk.greeting()
        return talk

    return begun


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("_ _ _", "has 3 places, the word has 4"),
        ("12", "holds '1', '2'"),
        ("", "the line is empty"),
        ("why", "5 of the 6 words left have i"),
    ],
)
def test_in_hangman_it_asks_again_too_and_nothing_is_lost(hangman_talk, line, told):
    one = hangman_talk()
    assert told in said(one, line)
    assert (one.guesser.shown, one.guesser.guess, one.prompt) == ("____", "i", "word with i> ")
    assert said(one, "_i__").startswith("  _ i _ _   0/3 missed\n4 words left")


def test_a_letter_may_come_with_its_places(hangman_talk):
    one = hangman_talk()
    while one.guesser.guess != "i":
        said(one, "no")
    assert "_ i _ _" in said(one, "i:_i__")
    letter = one.guesser.guess
    assert "type it as _ i _ _" in said(one, "q=____") and one.guesser.guess == letter
    assert f"{letter} i _ _" in said(one, f"{letter} = O___")


def test_whatever_is_typed_in_hangman_there_is_an_answer_and_no_error(hangman_talk):
    chance = random.Random(5)
    one = hangman_talk(0)
    lines = [*"4 no undo _i__ again words why é 0 99 fish".split(), "_ _ s _", "I guessed s", ""]
    for _ in range(2000):
        answer = one.take(chance.choice(lines))
        assert answer and all("\n" not in line for line in answer)


@pytest.fixture
def honest(words22):
    """A function that makes a talk with an honest host of 22 words."""

    def make(game="wordle", **options):
        draw = random.Random(1)
        return Hosted(lambda: Host(words22, find_game(game), None, draw), Paint(), **options)

    return make


def test_a_letter_that_is_given_is_told_and_asked_for(honest):
    talk = honest("lingo-letter")
    letter = talk.host.word()[0]
    assert (
        f"that begins with {letter}, one of {len(talk.host.left)}; you have 5 guesses" in talk.greeting()[0]
    )
    assert all(own[0] == letter for own in talk.host.left)


def test_what_may_be_guessed_is_a_guess_and_a_command_with_a_slash():
    words = parse("\n".join(CLASHING)).of_length(4)
    talk = Hosted(lambda: Host(words, find_game("lingo"), None, random.Random(2)), Paint())
    assert "/help says more" in talk.greeting()[1]
    assert said(talk, "/left").startswith("5 words left: ") and talk.prompt == "guess 1> "
    assert said(talk, "left").startswith("  l e f t  ") and said(talk, "/quit") == "" and talk.ended


def test_colours_are_beside_the_marks_and_off_where_they_are_not_wanted():
    assert Paint(True).tiles("1122", "2,1") == "1 1 2 2  2,1"  # counts give no mark of a single sign
    text = Paint(True).tiles("dents", "XO?XX")
    assert text.endswith("  BGYBB") and "\x1b[30;42m E \x1b[0m\x1b[30;43m N \x1b[0m" in text
    assert paint_for({"TERM": "xterm-256color"}).colour
    for environment in ({}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
        assert "\x1b" not in paint_for(environment).tiles("dents", "XO?XX")
