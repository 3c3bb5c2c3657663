"""`gpulingo suggest` as a process, and its help; what it answers is in tests/advice/test_suggest.py."""

import json

import pytest

from gpulingo.player.arguments import ADVISER, OPTIONS


def test_the_help_names_every_option(run):
    shown = " ".join(run("suggest --help").stdout.split())
    for name, (_, readers, text) in OPTIONS.items():
        assert ADVISER not in readers or (f"--{name}" in shown and text in shown)


@pytest.mark.slow
def test_a_history_is_answered(process, list22, words22):
    first = words22[0]
    done = process(f"suggest --wordlist list.txt {first}:XXXXX --json --device cpu")
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr
    if done.returncode == 0:
        assert json.loads(done.stdout)["left"] >= 1


@pytest.mark.parametrize("line", ["crane:X?XX", "crane", "--top x", "--game chess", "--letter s --length 5"])
def test_wrong_usage_ends_with_2_and_one_line(process, line):
    done = process(f"suggest {line}")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("gpulingo: ")


@pytest.mark.slow
def test_typer_leads_to_the_same_answer(run, process, list22):
    line = "suggest --wordlist list.txt --length 5 --search --json --time 5 --device cpu"
    assert run(line).exit_code == process(line).returncode == 0
