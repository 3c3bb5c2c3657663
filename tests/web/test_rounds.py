"""Rounds of the page: they end as the rules say, whoever holds the word, and tell nothing too early."""

import random
from itertools import count

import pytest

from gpulingo.advice.candidates import fitting
from gpulingo.games import marks, positions
from gpulingo.games.catalogue import legal_after, wordle
from gpulingo.hosts.host import classes_of, largest
from gpulingo.web.play import HANGMAN, HOSTS, Play
from gpulingo.web.requests import HARD, RequestError

from .conftest import WORDS

WORD_ROUNDS = [
    (game, host, hard) for game in HARD for host in HOSTS[game] for hard in ("", "hard", "from3-hard")
]
TURNS = {"lingo": 5, "wordle": 6}


def begun(setting, seed=1, **choices):
    """A function that guesses in a new round, and the round as it was told last."""
    play = Play(setting, random.Random(seed))
    told = play.new(choices)

    def guess(word):
        told.update(play.guess({"round": told["round"], "guess": word, "turn": len(told["history"]) + 1,
                                "words": True}))  # fmt: skip
        return told

    told.update(play.round({"round": told["round"], "words": True}))
    return guess, told


def word_left(told):
    """A word that fits all that was told."""
    return told["words"][len(told["words"]) // 2]


@pytest.mark.parametrize(("game", "host", "hard"), WORD_ROUNDS)
def test_who_guesses_words_that_fit_ends_a_round_as_the_rules_say(setting, game, host, hard):
    for seed in range(10):
        guess, told = begun(setting, seed, game=game, host=host, hard=hard)
        while not told["over"]:
            assert (
                told["end"] == ""
                and "word" not in told
                and told["words"] == fitting(WORDS, told["history"], marks)
            )
            guess(word_left(told))
        turns, history = len(told["history"]), told["history"]
        assert (history[-1][1] == "OOOOO") == (told["over"] == "found")
        assert told["over"] == "found" or turns == TURNS[game]
        points = f": {600 - 100 * turns} points" if game == "lingo" else ""
        if told["over"] == "found":
            assert told["end"] == f"Found in {turns}{points}."
        else:
            words = fitting(WORDS, history, marks)
            assert told["end"].startswith("The word was" if host == "honest" else "No guess is left.")
            assert any(word.upper() in told["end"] for word in words) and told["word"] in words
        share = told["share"].splitlines()
        limit = f"/{TURNS[game]}" if game in TURNS else ""
        assert share[0] == f"gpulingo {turns if told['over'] == 'found' else 'X'}{limit}"
        assert len(share) == 2 + turns and {*"".join(share[2:])} <= {*"🟩🟨⬛"}
        assert told["turns"] == TURNS.get(game)


@pytest.mark.parametrize("host", HOSTS[HANGMAN])
def test_who_guesses_letters_of_words_that_fit_ends_a_round_as_the_rules_say(setting, host):
    for seed in range(10):
        guess, told = begun(setting, seed, game=HANGMAN, host=host)
        while not told["over"]:
            assert "word" not in told
            fits = [
                word
                for word in WORDS
                if all(positions.feedback(letter, word) == row for letter, row in told["history"])
            ]
            assert told["words"] == fits
            used = {letter for letter, _ in told["history"]}
            guess(
                max(
                    "abcdefghijklmnopqrstuvwxyz",
                    key=lambda own: (own not in used, sum(own in w for w in fits)),
                )
            )
        missed = [letter for letter, row in told["history"] if row == "_____"]
        assert told["misses"] == len(missed) and told["lives"] == 6
        assert told["over"] == ("found" if "_" not in told["shown"] else "lost")
        assert told["over"] == "found" or len(missed) == 6
        assert told["word"] in WORDS and (told["over"] == "lost" or told["word"] == told["shown"])


def test_letters_that_no_word_has_lose_a_round_of_hangman(setting):
    guess, told = begun(setting, game=HANGMAN)
    for misses, letter in enumerate("qwxyvk", 1):
        assert guess(letter)["misses"] == misses
    assert told["over"] == "lost" and told["end"] == f"The word was {told['word'].upper()}."


def test_a_host_who_cheats_keeps_the_most_words(setting):
    guess, told = begun(setting, game="absurdle")
    classes = classes_of(marks, "dents", WORDS)
    best = largest(classes)
    assert guess("dents")["history"] == [("dents", best)] and told["words"] == classes[best]


def test_an_adversary_keeps_what_takes_most_guesses(setting, tmp_path):
    words = "fast fine hoax line nine quit snag weep".split()  # three that differ by a letter, or four others
    (tmp_path / "wordlist.txt").write_text("\n".join(words))
    for game, host, left in [("wordle", "largest", ["fast", "hoax", "quit", "snag"]),
                             ("wordle", "adversary", ["fine", "line", "nine"]),
                             ("evil-wordle", "adversary", ["fine", "line", "nine"])]:  # fmt: skip
        guess, _ = begun(setting, game=game, host=host, length=4)
        assert guess("weep")["words"] == left


def test_an_honest_host_keeps_its_word_and_tells_it_only_in_the_end(setting):
    words = set()
    for seed in range(20):
        guess, told = begun(setting, seed, game="lingo")
        while not told["over"]:
            assert told["end"] == ""
            guess("reads")
        if told["over"] == "lost":
            assert len(told["history"]) == 5
            word = told["end"].removeprefix("The word was ").rstrip(".").lower()
            assert {row for _, row in told["history"]} == {marks.feedback("reads", word)}
            words.add(word)
    assert words <= set(WORDS) and len(words) > 4


def test_hard_mode_refuses_with_the_reason_and_nothing_is_lost(setting):
    guess, told = begun(setting, game="absurdle", hard="hard")
    guess("dents")
    (shown,), before = told["history"], dict(told)
    wrong = next(word for word in WORDS if not legal_after(wordle().under("hard"), *shown, word))
    with pytest.raises(RequestError, match=f"^{wrong} has no . at place .|^{wrong} has no ., one was shown"):
        guess(wrong)
    assert told == before
    assert len(guess(told["words"][0])["history"]) == 2


def test_hard_mode_from_a_later_turn_refuses_nothing_before(setting):
    guess, told = begun(setting, game="absurdle", hard="from3-hard")
    guess("dents")
    (shown,) = told["history"]
    wrong = next(word for word in WORDS if not legal_after(wordle().under("hard"), *shown, word))
    guess(wrong)
    with pytest.raises(RequestError, match=f"^{wrong} has no ."):
        guess(wrong)
    assert len(told["history"]) == 2


@pytest.mark.parametrize(
    ("game", "guess_", "reason"),
    [
        ("wordle", "zzzzz", "Not in the list. It costs nothing."),
        ("wordle", "abc", "'abc' has 3 letters, expected 5"),
        ("wordle", "<b>hi</b>", "has 9 letters"),
        ("wordle", "", "has 0 letters"),
        ("hangman", "ab", "'ab': that is no letter"),
        ("hangman", "?", "'?': that is no letter"),
        ("hangman", "", "that is no letter"),
    ],
)  # fmt: skip
def test_what_may_not_be_guessed_is_told_in_a_line_and_costs_nothing(setting, game, guess_, reason):
    guess, told = begun(setting, game=game)
    with pytest.raises(RequestError) as raised:
        guess(guess_)
    text = str(raised.value)
    assert reason in text and "\n" not in text and "costs nothing" in text and raised.value.status == 422
    assert told["history"] == []


def test_a_letter_is_guessed_once_in_either_case(setting):
    guess, told = begun(setting, game="hangman")
    guess(" E ")
    with pytest.raises(RequestError, match="'e' was guessed before"):
        guess("e")
    assert [letter for letter, _ in told["history"]] == ["e"]


def test_a_given_up_round_tells_its_word_or_what_fits(setting):
    for game, hosts in HOSTS.items():
        for host in hosts:
            play = Play(setting, random.Random(3))
            name = play.new({"game": game, "host": host})["round"]
            told = play.round({"round": name}, given_up=True)
            assert told["over"] == "given up" and told["end"].startswith("Given up.")
            assert ("The word was" in told["end"]) == (host == "honest")
            assert any(word.upper() in told["end"] for word in WORDS)
            assert play.round({"round": name}, given_up=True) == told
            with pytest.raises(RequestError, match="The round is over"):
                play.guess({"round": name, "guess": "dents", "turn": 1})


def test_a_found_round_stays_found_when_it_is_given_up(setting):
    play = Play(setting, random.Random(3))
    told = play.new({"game": "absurdle"})
    for turn in count(1):
        told = play.guess({"round": told["round"], "guess": word_left(
            play.round({"round": told["round"], "words": True})), "turn": turn})  # fmt: skip
        if told["over"]:
            break
    assert play.round({"round": told["round"]}, given_up=True) == told


def test_the_first_letter_is_that_of_the_word(setting):
    seen = set()
    for seed in range(30):
        guess, told = begun(setting, seed, game="lingo-letter")
        letter = told["letter"]
        assert told["words"] == [word for word in WORDS if word[0] == letter]
        assert (told["points"], told["turns"]) == ([500, 400, 300, 200, 100], 5)
        while not told["over"]:
            guess(word_left(told))
        assert told["word"][0] == letter and told["over"] == "found"  # at most four words begin with one
        assert told["end"] == f"Found in {len(told['history'])}: {600 - 100 * len(told['history'])} points."
        seen.add(letter)
    assert seen == {word[0] for word in WORDS}


@pytest.mark.parametrize(
    ("game", "history"),
    [("lingo", ["dozes:?XX?O"]), ("wordle", ["bones:XOOOO"]), ("hangman", ["n:__O__", "o:_O___"])],
)
def test_a_round_is_played_on_from_a_position(setting, game, history):
    rule = positions if game == "hangman" else marks
    played = [tuple(row.split(":")) for row in history]
    fits = {word for word in WORDS if all(rule.feedback(own, word) == row for own, row in played)}
    words = set()
    for seed in range(40):
        play = Play(setting, random.Random(seed))
        told = play.new({"game": game, "history": history, "words": True})
        assert told["history"] == played and set(told["words"]) == fits and told["helped"]
        words.add(play.round({"round": told["round"]}, given_up=True)["word"])
    assert words == fits
