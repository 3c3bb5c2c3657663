"""Tables fit 100 columns whatever they hold, and no number is cut."""

import random
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpulingo.cli.commands import compare, simulate
from gpulingo.cli.commands.pit import print_standings
from gpulingo.cli.tables import WIDEST, print_table, shortened
from gpulingo.games.catalogue import lingo
from gpulingo.match.standings import MeanPoints
from gpulingo.player.question import NAMES
from gpulingo.report.results import Result
from gpulingo.words.wordlist import WordList

LONG = "/home/somebody/players/of/the/pit/fastest --strategy best --list /data/wordlist.txt --level 99"


def narrow(text):
    """The text, of which no line is too wide."""
    assert max(map(len, text.splitlines())) <= WIDEST == 100, text
    return text


def result(length, strategy):
    return Result(
        length=length, words=50655, list="list", fingerprint="0" * 64, strategy=strategy, device="cuda:1",
        opening="w" * length, turns=(1, 12345, 12345, 12345, 12345), lost=1274,
        mean_points=100 * 184_285 / 50655, seconds=123456.78, kernel_seconds=1.0, pairs=10**15,
    )  # fmt: skip


def test_a_simulation_of_all_lengths_fits(capsys):
    build = SimpleNamespace(seconds=12345.67, pairs=10**13)
    tree = SimpleNamespace(
        value=269_469,
        bound_value=269_469,
        strategy="confusion_full seed 12345 consistent",
        game=lingo(5),
        total_weight=74070,
    )
    played = [
        SimpleNamespace(
            wordlist=WordList("list", ["w" * length]), opening="w" * length, tree=tree, build=build,
            strategy=tree.strategy, device="cpu", turns=[12345] * 5, lost=12345,
        )
        for length in range(4, 14)
    ]  # fmt: skip
    simulate._print_tables(SimpleNamespace(sources=[], game=lingo(5)), played)
    text = narrow(capsys.readouterr().out)
    assert text.count("363.803") == 20 and text.count("12,345") == 70 and text.count("363.80 ") == 10
    for one in played:
        one.turns = [12345] * 20
    simulate._print_tables(SimpleNamespace(sources=[], game=lingo(20)), played)
    assert narrow(capsys.readouterr().out).count("12,345") == 220


@pytest.mark.slow
def test_a_comparison_of_all_strategies_and_lengths_fits(capsys):
    names = [name + more for name in NAMES for more in ("", " seed 12345")]
    found = [result(length, name) for name in names for length in range(4, 14)]
    compare._print_tables(SimpleNamespace(sources=[], game=lingo(5)), found)
    text = narrow(capsys.readouterr().out)
    assert text.count("363.804") == len(names) * 10 and text.count("123456.78") == len(names) * 10
    assert text.count("3638.04") == len(names)  # the ranking is one table
    assert text.count("largest_class seed 12345") == len(names) * 10 / 14


@pytest.mark.parametrize(
    "players", [[f"{LONG} {n} {LONG}" for n in range(3)], ["./a", LONG], [f"{LONG}{n}" for n in "ab"]]
)
def test_the_standings_of_long_commands_fit(capsys, players):
    means = {length: MeanPoints(363.80251, 1234.5) for length in range(4, 14)}
    total, behind = MeanPoints(3638.0251, 12345.0), MeanPoints(-1638.0251, 12345.0)
    seconds = [9876.543, 123.456, 100.0]
    standings = [
        SimpleNamespace(player=player, means=means, total=total, to_leader=behind, results=range(123456),
                        mean_guesses=4.0, interval=(-1855.79, -1420.26), lost=12345, invalid=12345,
                        lingered=12345, count=lambda fault: 12345, cpu=seconds, wall=seconds)
        for player in players
    ]  # fmt: skip
    print_standings(standings, lingo(5))
    text = narrow(capsys.readouterr().out)
    assert text.count("363.80") == 10 * len(players) and text.count("3638.03") == len(players)
    assert text.count("-1855.79 to -1420.26") == len(players)
    assert text.count("9876.543") == 2 * len(players)


@pytest.mark.slow
def test_lists_and_checkpoints_far_away_fit(run, list22):
    folder = "a" * 90
    for name in ("b", "c" * 40):
        Path(folder, name).mkdir(parents=True)
    assert run(f"simulate --length 5 --wordlist list.txt --device cpu --save {folder}/b").exit_code == 0
    for line in (f"simulate --length 5 --wordlist {list22} --device cpu --save {folder}/{'c' * 40}", "words"):
        done = run(line)
        assert done.exit_code == 0
        narrow("\n".join(done.stdout.splitlines()[1:] if line == "words" else done.stdout.splitlines()))


def test_whatever_a_table_holds_it_fits_and_holds_all_numbers(capsys):
    draw = random.Random(5)
    for _ in range(25):
        columns = [f"name {'x' * draw.randrange(12)} of {n}" for n in range(draw.randrange(1, 30))]
        left = [name for name in columns if draw.random() < 0.2]
        texts = lambda: "t" * draw.randrange(150)  # noqa: E731
        numbers = lambda: f"{draw.randrange(10 ** draw.randrange(1, 16)):,}"  # noqa: E731
        rows = [[texts() if name in left else numbers() for name in columns] for _ in range(3)]
        print_table(columns, rows, left=left, shorten=left[:1])
        text = capsys.readouterr().out
        shown = re.findall(r"[\d,]+", narrow(text))
        for row in rows:
            for name, cell in zip(columns, row, strict=True):
                assert name in left or cell in shown


def test_a_small_table_is_as_it_always_was(capsys):
    print_table(["length", "opening", "mean points"], [["5", "tares", "196.006"]], left=["opening"])
    assert capsys.readouterr().out == "length  opening  mean points\n     5  tares        196.006\n"


def test_a_text_is_shortened_in_the_middle():
    assert shortened("./player --level 9", 18) == "./player --level 9"
    assert shortened("./player --level 99", 18) == "./player...evel 99"
    assert len(shortened(LONG, 17)) == 17


def test_texts_that_would_become_the_same_are_wrapped(capsys):
    same = [f"{'a' * 60}{n}{'b' * 60}" for n in range(2)]
    print_table(["player", "points"], [[text, "1"] for text in same], left=["player"], shorten=["player"])
    text = capsys.readouterr().out
    assert "..." not in text and all(len(line) <= WIDEST for line in text.splitlines())
