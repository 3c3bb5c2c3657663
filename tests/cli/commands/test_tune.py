"""`gpulingo tune`: its output and files, `tuned` with them, and what it refuses."""

import contextlib
import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest

import gpulingo.tuning.tuner
from gpulingo.storage.files import locked
from gpulingo.strategies.tuned import read_tuned, tuned_name, write_tuned
from gpulingo.tuning.tuner import Tuner, read_tuning

LINE = "tune --length 5 --wordlist list.txt --device cpu --turns 4"


@pytest.fixture
def name(words22):
    return f"checkpoints/{tuned_name(5, words22.fingerprint, 4)}"


def test_a_stopped_tuning_goes_on_to_the_same_bytes(run, list22, words22):
    run(f"{LINE} --iterations 9 --out a.json")
    run(f"{LINE} --iterations 4 --out b.json --resume w.json")
    done = run(f"{LINE} --iterations 9 --out b.json --resume w.json --json")
    assert (list22.parent / "a.json").read_bytes() == (list22.parent / "b.json").read_bytes()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["number"] for row in rows if "number" in row] == list(range(10))
    assert [row["pool"] for row in rows if "pool" in row] == ["all"]
    assert rows[-1]["file"] == "b.json" and rows[-1]["opening"] in words22.words


@pytest.fixture
def two_lengths(list22):
    """A list of words of 4 and 5 letters."""
    list22.write_text(list22.read_text() + "bird\nbard\nbond\nband\nbend\nbind\n")
    return list22


def without_times(text):
    """Lines of JSON without measured times."""
    return [
        {name: one for name, one in json.loads(line).items() if name != "seconds"}
        for line in text.splitlines()
    ]


def test_several_lengths_are_tuned_to_one_after_the_other(run, two_lengths):
    line = "tune --wordlist list.txt --device cpu --turns 4 --iterations 3 --pools 4 --json --length"
    both = run(f"{line} 4,5")
    assert (both.exit_code, both.stderr) == (0, "")
    files = {path: path.read_bytes() for path in sorted(Path("checkpoints").iterdir())}
    assert len(files) == 2
    alone = [run(f"{line} {length}").stdout for length in (4, 5)]
    assert without_times(both.stdout) == without_times("".join(alone))
    assert {path: path.read_bytes() for path in sorted(Path("checkpoints").iterdir())} == files


def test_when_the_time_is_over_no_change_begins(run, list22):
    done = run(f"{LINE} --iterations 1000000 --time 0.1 --out a.json --json")
    assert done.exit_code == 0
    assert 1 <= sum("number" in line for line in done.stdout.splitlines()) < 1000


def test_a_picture_is_written(run, list22):
    for _ in range(2):  # a picture may be replaced
        assert run(f"{LINE} --iterations 0 --out a.json --picture a.svg --pools 3").exit_code == 0
    assert (list22.parent / "a.svg").read_text().startswith("<svg ")


def test_better_values_stay_and_this_is_told(run, list22):
    run(f"{LINE} --iterations 0 --out a.json")
    write_tuned(replace(read_tuned("a.json"), mean_points=400.0), "a.json")
    before = Path("a.json").read_bytes()
    done = run(f"{LINE} --iterations 0 --out a.json")
    assert (done.exit_code, Path("a.json").read_bytes()) == (0, before)
    assert done.stderr.startswith("gpulingo: a.json has 400.000 mean points, more than the ")
    assert done.stdout.splitlines()[-1] == "a.json: 400.000 mean points"


@contextlib.contextmanager
def interrupted(change=0, pool=0):
    """Raise Ctrl-C in the numbered change, or at the numbered pool."""
    after, played = Tuner.after, gpulingo.tuning.tuner.build
    pools = []

    def interrupted_after(self, work, check, most):
        if len(work.trials) == change:
            signal.raise_signal(signal.SIGINT)
        return after(self, work, check, most)

    def interrupted_build(*args, **options):
        pools.append(args)
        if len(pools) == pool:
            signal.raise_signal(signal.SIGINT)
        return played(*args, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Tuner, "after", interrupted_after)
        patched.setattr(gpulingo.tuning.tuner, "build", interrupted_build)
        yield


def test_ctrl_c_without_resume_keeps_the_work_and_the_best_values(run, list22):
    with interrupted(change=4):
        done = run(f"{LINE} --iterations 9 --out b.json")
    kept = read_tuning("b.work.json")
    assert (done.exit_code, len(kept.trials)) == (130, 4)
    assert done.stderr == (
        "gpulingo: interrupted after 3 changes; b.work.json has them, --resume continues\n"
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "3 changes tried; those that were better:"
    assert lines[-1] == f"b.json: {kept.best.mean_points:.3f} mean points"
    assert read_tuned("b.json") == kept.best
    run(f"{LINE} --iterations 9 --out a.json")
    assert run(f"{LINE} --iterations 9 --out b.json --resume").exit_code == 0
    assert Path("b.json").read_bytes() == Path("a.json").read_bytes()
    assert not Path("b.work.json").exists() and not Path("a.work.json").exists()


def test_ctrl_c_among_the_pools_prints_those_that_were_measured(run, list22):
    with interrupted(pool=4):  # the first compiles the kernels
        done = run(f"{LINE} --iterations 2 --pools 4,9 --out b.json --json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, len(read_tuning("b.work.json").trials)) == (130, 3)
    assert [row["words"] for row in rows if "pool" in row] == [22, 4]
    assert rows[-1]["file"] == "b.json" and read_tuned("b.json").words == 22


def test_two_tunings_do_not_share_a_file_of_work(run, list22):
    with locked("a.work.json"):
        done = run(f"{LINE} --out a.json --iterations 1")
    said = "gpulingo: a.work.json is of a tuning that still runs: wait for its end, or name another --out\n"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", said)


def test_the_work_of_a_tuning_that_was_cut_short_is_put_aside(run, list22):
    with interrupted(change=2):
        run(f"{LINE} --iterations 9 --out b.json")
    before = Path("b.work.json").read_bytes()
    done = run(f"{LINE} --iterations 1 --out b.json")
    assert "b.work.json of an earlier tuning is now b.old1.work.json: --resume" in done.stderr
    assert Path("b.old1.work.json").read_bytes() == before
    assert not Path("b.work.json").exists()
