"""The play view: rounds end as the rules say and reveal nothing too early; requests; the daily word."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from hashlib import sha256
from itertools import count
from string import ascii_lowercase

import pytest

from gpulingo.advice.notation import fitting
from gpulingo.games import marks, positions
from gpulingo.games.catalogue import legal_after, wordle
from gpulingo.hosts.host import Host
from gpulingo.positions.service import RequestError
from gpulingo.web.play import HANGMAN, HOSTS, RoundServer, daily_word
from gpulingo.words.listing import EMBEDDED_LENGTHS, embedded
from gpulingo.words.targets import Targets
from gpulingo.words.wordlist import WordList

from .conftest import WORDS, refused

WORD_ROUNDS = [
    ("wordle", "honest", ""), ("lingo", "honest", "hard"), ("wordle", "largest", "from3-hard"),
    ("lingo", "adversary", ""), ("absurdle", "largest", "hard"), ("evil-wordle", "adversary", "from3-hard"),
]  # fmt: skip
TURNS = {"lingo": 5, "wordle": 6}
TODAY = date(2026, 11, 24)
DAY = 327


@pytest.fixture
def play(setting):
    """The service, with the same random words each time."""
    return RoundServer(setting, random.Random(1))


def test_what_can_be_chosen_is_told(play):
    told = play.games()
    assert told["lengths"] == [5] and "hangman" not in told["hard"]
    assert told["games"]["absurdle"] == ["largest"] and told["games"]["wordle"][0] == "honest"


def test_without_a_list_the_lengths_are_those_of_the_embedded_one(setting, tmp_path):
    (tmp_path / "wordlist.txt").unlink()
    play = RoundServer(replace(setting, names=replace(setting.names, wordlist=None)))
    assert play.games()["lengths"] == list(EMBEDDED_LENGTHS)
    told = play.new({"game": "hangman"})
    assert (told["source"], told["targets"]) == ("built-in list, its usual answers", 2664)
    with pytest.raises(ValueError, match="there are answers of 2 to 21 letters"):
        play.new({"length": 22})


def test_a_round_has_a_name_of_its_own_that_says_nothing(play):
    first, second = play.new({}), play.new({})
    assert first["round"] != second["round"] and len(first["round"]) >= 20
    assert (first["game"], first["host"], first["length"], first["left"]) == ("wordle", "honest", 5, 11)


def test_targets_that_were_named_are_what_is_drawn_from(setting, tmp_path):
    (tmp_path / "targets.txt").write_text("zones\nroses\n")
    play = RoundServer(replace(setting, names=replace(setting.names, targets=str(tmp_path / "targets.txt"))))
    for game in HOSTS:
        told = play.new({"game": game, "words": True})
        words = [word for word in ("zones", "roses") if word.startswith(told.get("letter", ""))]
        assert (told["targets"], told["words"]) == (2, words)
        assert told["source"].endswith(f"wordlist.txt, answers: {tmp_path / 'targets.txt'}")
    name = play.new({"game": "lingo"})["round"]
    assert play.guess({"round": name, "guess": "dents", "turn": 1})["history"][0][0] == "dents"


def test_a_round_is_found_again_as_it_stands(play):
    name = play.new({"game": "absurdle", "hard": "hard"})["round"]
    told = play.guess({"round": name, "guess": "dents", "turn": 1})
    assert play.round({"round": name}) == told
    assert told["hard"] and told["words"] == [] and play.round({"round": name, "words": True})["words"]


def test_only_so_many_rounds_are_kept_and_the_oldest_go(play):
    play._rounds.most = 2
    first, second = play.new({})["round"], play.new({})["round"]
    play.round({"round": first})
    play.new({})
    assert play.round({"round": first})["over"] == ""
    with pytest.raises(RequestError, match="This round has expired") as raised:
        play.guess({"round": second, "guess": "dents", "turn": 1})
    assert raised.value.status == 410


def test_a_guess_that_another_tab_was_faster_with_is_not_taken(play):
    name = play.new({"game": "lingo"})["round"]
    play.guess({"round": name, "guess": "dents", "turn": 1})
    told = play.guess({"round": name, "guess": "zones", "turn": 1})
    assert [guess for guess, _ in told["history"]] == ["dents"] and "in another tab" in told["note"]
    assert "note" not in play.guess({"round": name, "guess": "zones", "turn": 2})


def test_of_guesses_at_once_one_is_taken(play, monkeypatch):
    inside, answered = [], Host.answer

    def answer(host, letter):
        inside.append(letter)
        time.sleep(0.02)  # gives other threads a chance to interfere
        answered(host, letter)

    monkeypatch.setattr(Host, "answer", answer)
    name = play.new({"game": "hangman"})["round"]
    with ThreadPoolExecutor(8) as pool:
        requests = [{"round": name, "guess": letter, "turn": 1} for letter in "abcdefgh"]
        answers = list(pool.map(play.guess, requests))
    assert sum("note" not in answer for answer in answers) == len(inside) == 1
    assert {answer["history"][0][0] for answer in answers} == set(inside)


class Stored:
    """A stored strategy for one word."""

    def asks(self, word: str) -> str:
        if word != "dents":
            raise RequestError("no such word")
        return "Asked: d e n t s."


def test_what_a_perfect_guesser_asks_is_told_at_the_end_of_hangman_alone(setting):
    for game, asks in (("hangman", {"dents": "Asked: d e n t s."}), ("wordle", {})):
        for seed in range(20):
            play = RoundServer(setting, random.Random(seed), walk=lambda game, length: Stored())
            told = play.new({"game": game})
            assert "asks" not in told
            told = play.round({"round": told["round"]}, given_up=True)
            assert told.get("asks", "") == asks.get(told["word"], "")


def begun(setting, seed=1, **choices):
    """A function that guesses in a new round, and the latest answer."""
    play = RoundServer(setting, random.Random(seed))
    told = play.new(choices)

    def guess(word):
        told.update(play.guess({"round": told["round"], "guess": word, "turn": len(told["history"]) + 1,
                                "words": True}))  # fmt: skip
        return told

    told.update(play.round({"round": told["round"], "words": True}))
    return guess, told


def word_left(told):
    """A word that fits all feedback."""
    return told["words"][len(told["words"]) // 2]


@pytest.mark.parametrize(("game", "host", "hard"), WORD_ROUNDS)
def test_who_guesses_words_that_fit_ends_a_round_as_the_rules_say(setting, game, host, hard):
    for seed in range(4):
        guess, told = begun(setting, seed, game=game, host=host, hard=hard)
        while not told["over"]:
            assert told["end"] == "" and "word" not in told
            assert told["words"] == fitting(WORDS, told["history"], marks)
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
            used, shown = {letter for letter, _ in told["history"]}, told["history"]
            fits = [word for word in WORDS if all(positions.feedback(own, word) == row for own, row in shown)]
            assert told["words"] == fits
            guess(max(ascii_lowercase, key=lambda own: (own not in used, sum(own in w for w in fits))))
        missed = [letter for letter, row in told["history"] if row == "_____"]
        assert told["misses"] == len(missed) and told["lives"] == 6
        assert told["over"] == ("found" if "_" not in told["shown"] else "lost")
        assert told["over"] == "found" or len(missed) == 6
        assert told["word"] in WORDS and (told["over"] == "lost" or told["word"] == told["shown"])


def test_an_adversary_keeps_what_takes_most_guesses(setting, tmp_path):
    words = "fast fine hoax line nine quit snag weep".split()  # three differ by a letter, four others do not
    (tmp_path / "wordlist.txt").write_text("\n".join(words))
    for game, host, left in [("wordle", "largest", ["fast", "hoax", "quit", "snag"]),
                             ("wordle", "adversary", ["fine", "line", "nine"]),
                             ("evil-wordle", "adversary", ["fine", "line", "nine"])]:  # fmt: skip
        guess, _ = begun(setting, game=game, host=host, length=4)
        assert guess("weep")["words"] == left


def test_hard_mode_refuses_with_the_reason_and_nothing_is_lost(setting):
    guess, told = begun(setting, game="absurdle", hard="hard")
    guess("dents")
    (shown,), before = told["history"], dict(told)
    wrong = next(word for word in WORDS if not legal_after(wordle().under("hard"), *shown, word))
    with pytest.raises(RequestError, match=f"^{wrong} has no . at place .|^{wrong} has no ., one was shown"):
        guess(wrong)
    assert told == before
    assert len(guess(told["words"][0])["history"]) == 2


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
    with refused(reason) as raised:
        guess(guess_)
    assert "costs nothing" in str(raised.value) and raised.value.status == 422
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
            play = RoundServer(setting, random.Random(3))
            name = play.new({"game": game, "host": host})["round"]
            told = play.round({"round": name}, given_up=True)
            assert told["over"] == "given up" and told["end"].startswith("Given up.")
            assert ("The word was" in told["end"]) == (host == "honest")
            assert any(word.upper() in told["end"] for word in WORDS)
            assert play.round({"round": name}, given_up=True) == told
            with pytest.raises(RequestError, match="The round is over"):
                play.guess({"round": name, "guess": "dents", "turn": 1})


def test_a_found_round_stays_found_when_it_is_given_up(setting):
    play = RoundServer(setting, random.Random(3))
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
        assert told["word"][0] == letter and told["over"] == "found"  # at most four words start with it
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
        play = RoundServer(setting, random.Random(seed))
        told = play.new({"game": game, "history": history, "words": True})
        assert told["history"] == played and set(told["words"]) == fits and told["helped"]
        words.add(play.round({"round": told["round"]}, given_up=True)["word"])
    assert words == fits


@pytest.fixture
def dated(setting):
    """The service, on 24 November 2026."""
    return RoundServer(setting, today=lambda: TODAY)


def found(play, **request):
    """The word of a daily round, by giving up."""
    return play.round({"round": play.new(request)["round"]}, given_up=True)["word"]


def test_every_word_comes_once_in_a_cycle_and_cycles_differ():
    words = WordList("some words", WORDS)
    days = [daily_word(words, day) for day in range(3 * len(WORDS))]
    cycles = [days[start : start + len(WORDS)] for start in range(0, len(days), len(WORDS))]
    assert all(sorted(cycle) == sorted(WORDS) for cycle in cycles) and len(set(map(tuple, cycles))) == 3
    head = f"gpulingo daily 1 {words.fingerprint} 5 1 "
    assert cycles[1] == sorted(WORDS, key=lambda word: sha256(f"{head}{word}".encode()).hexdigest())


def test_another_list_is_another_series(dated):
    told = dated.new({"day": DAY})
    fingerprint = WordList("", WORDS).fingerprint
    assert told["series"] == f"{fingerprint}/5" and told["number"] == f"328 · {fingerprint[:4]}"
    assert (told["dated"], told["game"], told["host"]) == ("24 November", "wordle", "honest")
    usual = Targets("answers").of(embedded().of_length(5))
    words = [daily_word(own, DAY) for own in (usual, WordList("", sorted(usual.targets)[1:]))]
    assert words[0] != words[1]


def test_the_embedded_list_gives_its_answers_and_a_plain_number(setting, tmp_path):
    (tmp_path / "wordlist.txt").unlink()
    play = RoundServer(replace(setting, names=replace(setting.names, wordlist=None)), today=lambda: TODAY)
    told, answers = play.new({"day": DAY}), Targets("answers").of(embedded().of_length(5))
    assert (told["number"], told["series"]) == ("328", f"{answers.fingerprint}/5")
    assert found(play, day=DAY) == daily_word(answers, DAY)


def test_a_daily_round_is_of_the_day_whatever_else_is_asked(dated):
    word = daily_word(WordList("", WORDS), DAY)
    for more in ({}, {"game": "absurdle"}, {"hard": "hard"}, {"game": "wordle", "host": "largest"}):
        assert found(dated, day=DAY, **more) == word
    assert "word" not in dated.new({"day": DAY, "words": True})


@pytest.mark.parametrize("day", [0, 300, DAY - 1, DAY, DAY + 1])
def test_past_days_and_a_date_that_is_a_day_ahead_are_played(dated, day):
    assert found(dated, day=day) == daily_word(WordList("", WORDS), day)


def test_a_day_that_is_to_come_is_refused_with_both_dates(dated):
    with refused("This device says 26 November 2026, the server 24 November 2026"):
        dated.new({"day": DAY + 2})


def test_a_round_is_played_again_from_its_guesses(setting, dated):
    told = dated.new({"day": DAY, "hard": "hard"})
    word = daily_word(WordList("", WORDS), DAY)
    first = next(own for own in WORDS if own != word)
    for guess in (first, word):
        told = dated.guess({"round": told["round"], "guess": guess, "turn": len(told["history"]) + 1})
    other = RoundServer(setting, today=lambda: TODAY).new(
        {"day": DAY, "hard": "hard", "history": [first, word]}
    )
    assert other["round"] != told["round"]
    assert {**other, "round": ""} == {**told, "round": ""} and told["over"] == "found"


def test_who_saw_the_words_left_is_told_as_helped(dated):
    told = dated.new({"day": DAY})
    assert not told["helped"] and not dated.round({"round": told["round"]})["helped"]
    dated.round({"round": told["round"], "words": True})
    assert dated.guess({"round": told["round"], "guess": "dents", "turn": 1})["helped"]
    other = dated.new({"day": DAY})["round"]
    dated.round({"round": other}, given_up=True)
    assert not dated.round({"round": other, "words": True})["helped"]
