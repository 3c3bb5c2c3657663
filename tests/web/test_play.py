"""Requests of the play view: rounds under names that say nothing, one guess at a time, nothing believed."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from gpulingo.hosts.host import Host
from gpulingo.web.play import HOSTS, Play
from gpulingo.web.requests import RequestError
from gpulingo.words.listing import EMBEDDED_LENGTHS

from .conftest import WORDS


@pytest.fixture
def play(setting):
    """What answers, and draws the same words each time."""
    return Play(setting, random.Random(1))


def test_what_can_be_chosen_is_told(play):
    told = play.games()
    assert told["lengths"] == [5] and "hangman" not in told["hard"]
    assert told["games"]["absurdle"] == ["largest"] and told["games"]["wordle"][0] == "honest"


def test_without_a_list_the_lengths_are_those_of_the_embedded_one(setting, tmp_path):
    (tmp_path / "wordlist.txt").unlink()
    play = Play(replace(setting, wordlist=None))
    assert play.games()["lengths"] == list(EMBEDDED_LENGTHS)
    told = play.new({"game": "hangman"})
    assert (told["source"], told["targets"]) == ("built-in list, its usual answers", 2664)
    with pytest.raises(RequestError, match="there are answers of 2 to 21 letters"):
        play.new({"length": 22})


def test_a_round_has_a_name_of_its_own_that_says_nothing(play):
    first, second = play.new({}), play.new({})
    assert first["round"] != second["round"] and len(first["round"]) >= 20
    assert (first["game"], first["host"], first["length"], first["left"]) == ("wordle", "honest", 5, 11)


def test_targets_that_were_named_are_what_is_drawn_from(setting, tmp_path):
    (tmp_path / "targets.txt").write_text("zones\nroses\n")
    play = Play(replace(setting, targets=str(tmp_path / "targets.txt")))
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
        time.sleep(0.02)  # for others to come in between, if they could
        answered(host, letter)

    monkeypatch.setattr(Host, "answer", answer)
    name = play.new({"game": "hangman"})["round"]
    with ThreadPoolExecutor(8) as pool:
        requests = [{"round": name, "guess": letter, "turn": 1} for letter in "abcdefgh"]
        answers = list(pool.map(play.guess, requests))
    assert sum("note" not in answer for answer in answers) == len(inside) == 1
    assert {answer["history"][0][0] for answer in answers} == set(inside)


def test_rounds_of_several_users_are_apart(play):
    order = "etsnodabrlzqwxyvk"
    names = [play.new({"game": "hangman"})["round"] for _ in range(40)]

    def whole(name):
        told, letters = play.round({"round": name}), iter(order)
        while not told["over"]:
            request = {"round": name, "guess": next(letters), "turn": len(told["history"]) + 1}
            told = play.guess(request)
            assert "note" not in told
        return told

    with ThreadPoolExecutor(16) as pool:
        for told in pool.map(whole, names):
            guessed = "".join(letter for letter, _ in told["history"])
            assert order.startswith(guessed) and told["word"] in WORDS
            assert told["misses"] == len(set(guessed) - set(told["shown"]))


@pytest.mark.parametrize(
    ("name", "request_", "told"),
    [
        ("new", [], "is no JSON object"),
        ("new", {"game": "chess"}, "game 'chess'"),
        ("new", {"game": "absurdle", "host": "honest"}, "host 'honest' of absurdle, expected largest"),
        ("new", {"host": "exact"}, "host 'exact'"),
        ("new", {"length": 40}, "length 40"),
        ("new", {"length": 9}, "no words of 9 letters"),
        ("new", {"word": "dents"}, "the key 'word'"),
        ("new", {"day": 1.5}, "day 1.5"),
        ("new", {"day": -1}, "The first daily word is that of 1 January 2026"),
        ("new", {"history": ["zzzzz:XXXXX"]}, "Not in the list. It costs nothing."),
        ("new", {"history": ["zones"]}, "is not a guess with its marks"),
        ("new", {"history": ["zones:OOOOX"]}, "No usual answer fits these colours"),
        ("round", {}, "no round"),
        ("round", {"round": 1}, "round 1, expected text"),
        ("round", {"round": "../../etc/passwd"}, "has expired"),
        ("guess", {"round": "x", "turn": 1}, "no guess"),
        ("guess", {"round": "x", "guess": "dents"}, "no turn"),
        ("guess", {"round": "x", "guess": "dents", "turn": True}, "turn True"),
        ("guess", {"round": "x", "guess": "d" * 500, "turn": 1}, "500 characters, expected at most"),
    ],
)
def test_what_is_no_request_is_told_in_a_line(play, name, request_, told):
    with pytest.raises(RequestError) as raised:
        getattr(play, name)(request_)
    assert told in str(raised.value) and "\n" not in str(raised.value)
    assert raised.value.status in (400, 410, 422)


def test_no_request_leads_to_another_error(play):
    chance = random.Random(7)
    known = [
        play.new({"game": game, "hard": hard})["round"]
        for game in HOSTS
        for hard in ("", "hard", "from3-hard")
    ]
    values = [None, 0, 1, 2, 5, -1, 10**30, 1.5, float("nan"), "", "e", "Z", "\0", "\ud800", "\u202e", [], {},
              True, False, "absurdle", "hangman", "adversary", ["dents"], *WORDS, *known]  # fmt: skip
    keys = ["game", "length", "hard", "host", "words", "round", "guess", "turn", "day", "history", "else"]
    taken = 0
    for _ in range(3000):
        record = {key: chance.choice(values) for key in chance.sample(keys, chance.randrange(5))}
        verb = chance.choice(["new", "round", "guess", "guess"])
        if verb == "guess" and chance.random() < 0.7:
            record = {"round": chance.choice(known), "guess": chance.choice([*WORDS, *"etsnodqw", "", "\0"]),
                      "turn": chance.randrange(1, 9)}  # fmt: skip
        try:
            told = getattr(play, verb)(record)
        except RequestError as error:
            assert "\n" not in str(error) and error.status in (400, 410, 422)
            str(error).encode()
        else:
            taken += verb == "guess" and "note" not in told
            assert told["left"] >= 1
    assert taken > 5


class Stored:
    """A strategy that is stored for one word."""

    def asks(self, word: str) -> str:
        if word != "dents":
            raise RequestError("no such word")
        return "Asked: d e n t s."


def test_what_a_perfect_guesser_asks_is_told_at_the_end_of_hangman_alone(setting):
    for game, asks in (("hangman", {"dents": "Asked: d e n t s."}), ("wordle", {})):
        for seed in range(20):
            play = Play(setting, random.Random(seed), walk=lambda game, length: Stored())
            told = play.new({"game": game})
            assert "asks" not in told
            told = play.round({"round": told["round"]}, given_up=True)
            assert told.get("asks", "") == asks.get(told["word"], "")
