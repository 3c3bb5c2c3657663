"""Tables fit in 100 columns, whatever their contents, and no number is cut."""

import random
import re
from types import SimpleNamespace

import pytest

from gpulingo.cli.commands import simulate
from gpulingo.cli.commands.pit import print_standings
from gpulingo.cli.run import Run
from gpulingo.cli.tables import WIDEST, print_rows
from gpulingo.games.catalogue import lingo
from gpulingo.words.wordlist import WordList

LONG = "/home/somebody/players/of/the/pit/fastest --strategy best --list /data/wordlist.txt --level 99"


def narrow(text):
    """The text, after a check that no line is too wide."""
    assert max(map(len, text.splitlines())) <= WIDEST == 100, text
    return text


def test_a_simulation_of_all_lengths_fits(capsys):
    build = SimpleNamespace(seconds=12345.67, kernel_seconds=0.0, pairs=10**13, processor="a", fixed=())
    played = []
    for length in range(4, 14):
        words = WordList("list", ["w" * length])
        tree = SimpleNamespace(
            value=269_469, bound_value=269_469, bound=363.80252, mean_points=363.80252, game=lingo(5),
            strategy="rivals:confusion_full of a user", total_weight=74070, targets=74070, words=74070,
            weights=None, length=length, fingerprint="", lost=12345, turn_counts=lambda: [12345] * 5,
        )  # fmt: skip
        of_length = {"wordlist": words, "opening": "w" * length, "strategy": tree.strategy}
        played.append(SimpleNamespace(tree=tree, build=build, device="cpu", **of_length))
    simulate._print_tables(SimpleNamespace(lists=[], game=lingo(5), run=Run("simulate")), played)
    text = narrow(capsys.readouterr().out)
    assert text.count("363.803") == 20 and text.count("12,345") == 70 and text.count("363.80 ") == 10
    for one in played:
        one.tree.game, one.tree.turn_counts = lingo(20), lambda: [12345] * 20
    simulate._print_tables(SimpleNamespace(lists=[], game=lingo(20), run=Run("simulate")), played)
    assert narrow(capsys.readouterr().out).count("12,345") == 220


@pytest.mark.parametrize(
    "players", [[f"{LONG} {n} {LONG}" for n in range(3)], ["./a", LONG], [f"{LONG}{n}" for n in "ab"]]
)
def test_the_standings_of_long_commands_fit(capsys, players):
    points = {str(length): 363.80251 for length in range(4, 14)}
    seconds = {"median": 123.456, "max": 9876.543}
    counts = dict.fromkeys(("lost", "invalid", "lingered", "crashes", "timeouts"), 12345)
    standings = [
        {"player": player, "points": points, "total": 3638.0251, "standard_error": 12345**0.5,
         "to_leader": -1638.0251, "interval": (-1855.79, -1420.26), "mean_guesses": 4.0, "rounds": 123456,
         "cpu": seconds, "wall": seconds, **counts}
        for player in players
    ]  # fmt: skip
    print_standings(standings)
    text = narrow(capsys.readouterr().out)
    assert text.count("363.80") == 10 * len(players) and text.count("3638.03") == len(players)
    assert text.count("-1855.79 to -1420.26") == len(players)
    assert text.count("9876.543") == 2 * len(players)


def test_whatever_a_table_holds_it_fits_and_holds_all_numbers(capsys):
    draw = random.Random(5)
    for _ in range(25):
        columns = [f"name {'x' * draw.randrange(12)} of {n}" for n in range(draw.randrange(1, 30))]
        left = [name for name in columns if draw.random() < 0.2]
        texts = lambda: "t" * draw.randrange(150)  # noqa: E731
        numbers = lambda: f"{draw.randrange(10 ** draw.randrange(1, 16)):,}"  # noqa: E731
        rows = [{name: texts() if name in left else numbers() for name in columns} for _ in range(3)]
        print_rows(rows, left=left, shorten=left[:1])
        text = capsys.readouterr().out
        shown = re.findall(r"[\d,]+", narrow(text))
        for row in rows:
            for name, cell in row.items():
                assert name in left or cell in shown


def test_a_small_table_is_as_it_always_was(capsys):
    print_rows([{"length": "5", "opening": "tares", "mean points": "196.006"}], left=["opening"])
    assert capsys.readouterr().out == "length  opening  mean points\n     5  tares        196.006\n"


def test_texts_that_would_become_the_same_are_wrapped(capsys):
    same = [f"{'a' * 60}{n}{'b' * 60}" for n in range(2)]
    print_rows([{"player": text, "points": "1"} for text in same], left=["player"], shorten=["player"])
    text = capsys.readouterr().out
    assert "..." not in text and all(len(line) <= WIDEST for line in text.splitlines())
