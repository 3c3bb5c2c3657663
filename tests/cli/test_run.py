"""What is done when the time is up is kept, printed and told."""

import json
import math
import signal
import sys
import threading

import pytest

from gpulingo.cli.errors import endings
from gpulingo.cli.run import Run, late_interrupt
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.trees.checkpoint import read_checkpoint


def test_results_end_with_the_time_which_is_told(capsys):
    endless, late = Run("letters"), Run("letters", -1.0)
    assert list(endless.results(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert list(late.results(iter("abc"), "letters", 3)) == ["a"]
    said = "gpulingo: the time is up after 1 of 3 letters: --time was too short for all\n"
    assert capsys.readouterr().err == said
    assert list(late.results(iter("a"), "letters", 1)) == ["a"]
    assert capsys.readouterr().err == ""


def test_time_that_is_up_within_a_result_keeps_those_before_it(capsys):
    def results(done):
        yield from range(done)
        Run("numbers", -1.0).check()

    run = Run("numbers")
    assert list(run.results(results(2), "numbers")) == [0, 1]
    assert capsys.readouterr().err.startswith("gpulingo: the time is up after 2 numbers:")
    with pytest.raises(TimeIsUp, match="before there was any result"):
        list(run.results(results(0), "numbers"))


def test_a_run_ends_at_its_time_or_never():
    assert Run("numbers").ends == math.inf
    assert clock() <= Run("numbers", 0.0).ends <= clock()


@pytest.mark.parametrize(
    "line",
    [
        "simulate --length 4-5",
        "compare --length 5",
        "openings --length 5",
    ],
)
def test_no_time_is_a_failed_run(run, list22, line):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    done = run(f"{line} --wordlist list.txt --device cpu --time 0s")
    said = "gpulingo: the time was over before there was any result: give more with --time\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", said)


@pytest.fixture
def lines(list22, monkeypatch):
    """Options of a run over 4 and 5 letters; the strategy clock:f lets the clock run out at 5."""
    list22.write_text(list22.read_text() + "bird\nbard\n")
    (list22.parent / "clock.py").write_text(
        "now = 0.0\ndef f(sizes):\n    global now\n    now += 99.0 * (len(sizes) > 9)\n    return sizes\n"
    )
    monkeypatch.delitem(sys.modules, "clock", raising=False)
    now = lambda: sys.modules["clock"].now if "clock" in sys.modules else 0.0  # noqa: E731
    monkeypatch.setattr("gpulingo.cli.run.clock", now)
    yield "4-5 --wordlist list.txt --device cpu --time 9s"
    sys.modules.pop("clock", None)


def test_what_was_played_in_time_is_printed_and_written(run, list22, lines):
    done = run(f"simulate --length {lines} --strategy clock:f --json --per-word turns.tsv")
    assert done.exit_code == 0
    assert [json.loads(row)["length"] for row in done.stdout.splitlines()] == [4]
    assert done.stderr == "gpulingo: the time is up after 1 of 2 lengths: --time was too short for all\n"
    assert len((list22.parent / "turns.tsv").read_text().splitlines()) == 2


def test_what_was_built_in_time_stays(run, list22, lines):
    done = run(f"simulate --length {lines} --strategy clock:f --save mine")
    assert (done.exit_code, done.stderr.count("\n")) == (0, 1)
    (path,) = (list22.parent / "mine").glob("lingo5-*.npz")
    assert read_checkpoint(path).length == 4


def test_what_was_compared_in_time_is_printed(run, lines):
    done = run(f"compare --length {lines} --strategies letters,clock:f --json")
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [(row["strategy"], row["length"]) for row in rows] == [
        ("letters", 4),
        ("letters", 5),
        ("clock:f", 4),
    ]
    assert done.stderr == "gpulingo: the time is up after 3 of 4 results: --time was too short for all\n"


def test_a_match_ends_after_the_first_that_is_late(run, list22):
    done = run("pit --player true --lengths 5 --rounds 6 --wordlist list.txt --time 0s --json")
    rounds = sum(json.loads(row)["rounds"] for row in done.stdout.splitlines())
    assert (done.exit_code, rounds) == (1, 1)  # its player made no guess
    assert "the time is up after 1 of 6 rounds: --time was too short for all\n" in done.stderr


def test_the_first_waits_until_it_is_looked_for():
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt() as check:
        check()
        signal.raise_signal(signal.SIGINT)
        reached.append("after it")
        check()
        reached.append("never")
    assert reached == ["after it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_comes_at_the_end_when_nobody_looks():
    reached = []
    with pytest.raises(KeyboardInterrupt):
        with late_interrupt():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")
        reached.append("never")
    assert reached == ["the end"]


def test_the_second_does_not_wait():
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt():
        signal.raise_signal(signal.SIGINT)
        reached.append("after the first")
        signal.raise_signal(signal.SIGINT)
        reached.append("never")
    assert reached == ["after the first"]


@pytest.fixture(params=[signal.SIGTERM, signal.SIGHUP])
def ending(request):
    """A signal that ends a process, also where these tests run under `nohup`."""
    before = signal.signal(request.param, signal.SIG_DFL)
    yield request.param
    signal.signal(request.param, before)


def test_what_is_as_good_as_the_first_waits_too(ending):
    reached = []
    with pytest.raises(KeyboardInterrupt), endings(), late_interrupt() as check:
        signal.raise_signal(ending)
        reached.append("after it")
        check()
        reached.append("never")
    assert reached == ["after it"]
    assert signal.getsignal(ending) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_caller_keeps_its_own_handler():
    noted = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        with late_interrupt():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted == [signal.SIGINT]


def test_a_thread_that_may_set_no_handler_runs_all_the_same():
    def work():
        with late_interrupt() as check:
            check()
            done.append(True)

    done = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
