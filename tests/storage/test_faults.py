"""Names that a user mistypes: one message for every kind of name, and the exit code for wrong usage."""

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.player.question import NAMES
from gpulingo.storage.faults import meant, unknown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("entrpy", "did you mean entropy? "),
        ("Parts", "did you mean parts or plain_parts? "),
        ("distinkt", "did you mean distinct? "),
        ("", ""),
        ("zzz", ""),
    ],
)
def test_what_is_mistyped_is_understood(text, said):
    assert meant(text, NAMES) == said


def test_a_name_that_resembles_none_is_answered_by_all():
    said = f"no topic {('zzz' * 40)[:40]!r}: use games, marks"
    assert unknown("topic", "zzz" * 40, ["games", "marks"]) == said


SLIPS = [
    ("suggest crane:XXXXX --game worlde6", "--game: no game 'worlde6': did you mean wordle? use lingo"),
    ("suggest --length 5 --game absurdel", "--game: no game 'absurdel': did you mean absurdle? use lingo"),
    ("play 5 --game ling", "--game: no game 'ling': did you mean lingo? use lingo"),
    ("suggest --length 5 --targets smal", "--targets: no word list at smal: did you mean small? give a file"),
    ("simulate 5 --weights level", "--weights: no weights at level: did you mean levels? give a file"),
    ("simulate 5 --strategy prts", "--strategy: no strategy 'prts': did you mean parts or points? use parts"),
    (
        "simulate 5 --strategy parts --device cdua",
        "--device: device 'cdua' is unknown: did you mean cuda? use auto, cpu, cuda or cuda:1",
    ),
    ("play 5 --device cdua", "device 'cdua' is unknown: did you mean cuda? use auto, cpu, cuda or cuda:1"),
    ("help gmaes", "no topic 'gmaes': did you mean games or marks? use games"),
]


@pytest.mark.parametrize(("line", "said"), SLIPS)
def test_a_misspelt_name_is_wrong_usage_and_the_near_one_is_named(line, said, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, line.split())
    told = done.stderr + capfd.readouterr().err  # the light path bypasses sys.stderr
    assert done.exit_code == 2
    assert told.startswith(f"gpulingo: {said}") and told.count("\n") == 1
