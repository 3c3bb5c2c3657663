"""The arguments of `gpulingo play`; refusals.tsv has those that are wrong."""

import pytest

from gpulingo.cli.request import HOST, LETTER, NUMBERS, OPTIONS, PLAYER, Request, parsed_play
from gpulingo.player.question import NAMES, OBJECTIVES, OF_LETTERS
from gpulingo.storage.faults import UsageError
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.strategies.registry import FACTORIES

LINES = {PLAYER: "5", HOST: "--game absurdle", LETTER: "--game hangman --host honest"}


def test_options_and_the_length_are_read():
    for line in ("5 --device cuda:1", "--device cuda:1 5", "--device=cuda:1 5"):
        found = parsed_play(line.split())
        assert (found.length, found.device) == (5, "cuda:1")
    found = parsed_play(
        "--checkpoint a.npz --game lingo6 --wordlist=w.txt --targets t.txt --device cpu --search 13".split()
    )
    given = {"length": 13, "checkpoint": "a.npz", "game": "lingo6", "wordlist": "w.txt", "targets": "t.txt",
             "device": "cpu", "search": True}  # fmt: skip
    assert vars(found) == vars(Request()) | given | {"given": [*list(given)[1:], "length"]}
    assert (found.rule, parsed_play(["--hard", "5"]).rule) == ("", "hard")
    assert parsed_play("--hard-from=2 5".split()).rule == "hard"  # turn 1 has no hint anyway
    for line in ("--hard-from 3 5", "5 --hard-from 3"):
        found = parsed_play(line.split())
        assert (found.rule, found.length) == ("from3-hard", 5)
    found = parsed_play("--hard-from 3".split(), terminal=True)  # a terminal needs no length
    assert (found.rule, found.length) == ("from3-hard", 5)
    assert parsed_play("--first-letter --letter s 5".split()).rule == "letter"


@pytest.mark.parametrize("reader", LINES)
def test_an_option_is_taken_by_its_readers_alone(reader):
    for name, (kind, readers, *_) in OPTIONS.items():
        value = "" if not kind else "3" if kind in NUMBERS else "a=b" if name == "same" else "cpu"
        line = f"--{name} {value} {LINES[reader]}".split()
        if reader not in readers:
            with pytest.raises(UsageError, match=f"argument '--{name}' is none|unknown argument '--{name}'"):
                parsed_play(line)
        elif name not in ("game", "host", "loop"):  # these cannot be repeated, or combined with a host
            assert name in parsed_play(line).given


def test_the_names_are_those_of_the_strategies():
    assert list(OBJECTIVES) == list(BY_NAME)
    assert sorted((*NAMES, *OF_LETTERS)) == sorted((*BY_NAME, *FACTORIES))
