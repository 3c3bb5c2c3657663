"""The arguments of `gpulingo play`, good and bad."""

import pytest

from gpulingo.cli.arguments import (
    HOST,
    LETTER,
    NUMBERS,
    OPTIONS,
    PLAYER,
    Arguments,
    parsed_arguments,
)
from gpulingo.player.question import NAMES, OBJECTIVES
from gpulingo.storage.faults import UsageError
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.strategies.registry import FACTORIES

LINES = {PLAYER: "5", HOST: "--game absurdle", LETTER: "--game hangman --host honest"}


def test_options_and_the_length_are_read():
    assert parsed_arguments(["5"]).length == 5
    found = parsed_arguments(
        "--checkpoint a.npz --game lingo6 --wordlist=w.txt --targets t.txt --device cpu --search 13".split()
    )
    given = {"length": 13, "checkpoint": "a.npz", "game": "lingo6", "wordlist": "w.txt", "targets": "t.txt",
             "device": "cpu", "search": True}  # fmt: skip
    assert vars(found) == vars(Arguments()) | given | {"given": [*list(given)[1:], "length"]}
    assert (found.rule, parsed_arguments(["--hard", "5"]).rule) == ("", "hard")
    assert parsed_arguments("--hard-from=2 5".split()).rule == "hard"  # turn 1 has no hint anyway
    for line in ("--hard-from 3 5", "5 --hard-from 3"):
        found = parsed_arguments(line.split())
        assert (found.rule, found.length) == ("from3-hard", 5)
    found = parsed_arguments("--hard-from 3".split(), terminal=True)  # a terminal needs no length
    assert (found.rule, found.length) == ("from3-hard", 5)
    assert parsed_arguments("--first-letter --letter s 5".split()).rule == "letter"


@pytest.mark.parametrize("reader", LINES)
def test_an_option_is_taken_by_its_readers_alone(reader):
    for name, (kind, readers, _) in OPTIONS.items():
        value = "" if not kind else "3" if kind in NUMBERS else "a=b" if name == "same" else "cpu"
        line = f"--{name} {value} {LINES[reader]}".split()
        if reader not in readers:
            with pytest.raises(UsageError, match=f"argument '--{name}' is none|unknown argument '--{name}'"):
                parsed_arguments(line)
        elif name not in ("game", "host", "loop"):  # these cannot be repeated, or combined with a host
            assert name in parsed_arguments(line).given


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--search", "no word length"),
        ("-5", "unknown argument '-5'"),
        ("٥", "is no whole number"),
        ("5.0", "word length '5.0'"),
        ("99999999999999999999", "is no whole number"),
        ("4 5", "two word lengths, 4 and 5: give one, as in `gpulingo play 5`"),
        ("4 5 6", "unknown argument '5'"),
        ("4 --strategy parts 5", "two word lengths, 4 and 5"),
        ("4 --stratgy parts", "unknown argument '--stratgy': did you mean --strategy? see `gpulingo play"),
        ("--speed 9 5", "unknown argument '--speed'"),
        ("-search 5", "unknown argument '-search'"),
        ("search 5", "unknown argument 'search'"),
        ("--hard=yes 5", "unknown argument '--hard=yes'"),
        ("--game wordle --hard-from 3", "--hard-from has no value, or the word length is missing"),
        ("--colours 6", "is missing: give both, as in `gpulingo play --colours 6 5`"),
        ("--game wordle --game lingo 5", "--game is there twice: give it once"),
        ("--strategy parts --strategy entropy 5", "--strategy is there twice: give it once"),
        ("--search=yes 5", "unknown argument '--search=yes'"),
        ("--device cpu:0 5", "device 'cpu:0' is unknown: did you mean cpu? use auto, cpu, cuda or cuda:1"),
        ("--device cuda: 5", "device 'cuda:' is unknown: did you mean cuda? use auto, cpu, cuda or cuda:1"),
        ("--checkpoint 5", "option --checkpoint has no value"),
        ("--checkpoint= 5", "option --checkpoint has no value"),
        ("--checkpoint a.npz --strategy parts 5", "--strategy parts and --checkpoint: give one of them"),
    ],
)
def test_other_arguments_are_wrong_usage(words, said):
    with pytest.raises(UsageError) as caught:
        parsed_arguments(words.split())
    assert said in str(caught.value)


@pytest.mark.parametrize("line", ["--strategy entropy 5", "5 --strategy entropy", "--strategy=entropy 5"])
def test_the_length_stands_anywhere(line):
    found = parsed_arguments(line.split())
    assert (found.length, found.strategy) == (5, "entropy")


def test_one_of_several_gpus_may_be_named():
    assert parsed_arguments(["--device", "cuda:1", "5"]).device == "cuda:1"


def test_the_names_are_those_of_the_strategies():
    assert list(OBJECTIVES) == list(BY_NAME)
    assert sorted(NAMES) == sorted((*BY_NAME, *FACTORIES))
