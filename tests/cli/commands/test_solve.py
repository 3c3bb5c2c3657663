"""`gpulingo solve`: the best strategy, its files, and what it begins with."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import embedded

SOLVE = "solve --length 5 --wordlist list.txt --device cpu"


def test_a_small_list_is_solved_and_proven(run, list22, words22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz")
    assert done.exit_code == 0, done.stderr
    tree = read_checkpoint("best.npz")
    verify(tree, words22)
    assert tree.bound == tree.mean_points
    row = done.stdout.splitlines()[-1].split()
    assert row[0] == "5" and row[3:7] == [
        f"{tree.mean_points:.5f}",
        f"{tree.mean_guesses:.3f}",
        f"{tree.bound:.5f}",
        "0.00000",
    ]
    assert "proven" in done.stdout
    shown = run("prove best.npz --wordlist list.txt --device cpu")
    assert shown.exit_code == 0 and shown.stdout.endswith("no strategy has more: optimal\n")


def test_json_says_what_was_reached(run, list22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --out best.npz --json")
    entry = json.loads(done.stdout)
    assert entry["ended"] == "proven" and entry["gap"] == 0
    assert json.loads(run("prove best.npz --wordlist list.txt --json").stdout)["optimal"] is True


def test_the_default_place_is_where_simulate_and_the_player_look(run, list22, words22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --turns 5").exit_code == 0
    tree = read_checkpoint(f"checkpoints/lingo5-5-{words22.fingerprint[:12]}.npz")
    done = run("simulate --length 5 --wordlist list.txt --device cpu --json")
    assert json.loads(done.stdout)["mean_points"] == tree.mean_points
    assert json.loads(done.stdout)["strategy"] == "best"
    parts = run("simulate --length 5 --wordlist list.txt --device cpu --strategy parts --json")
    assert json.loads(parts.stdout)["mean_points"] <= tree.mean_points
    assert json.loads(parts.stdout)["strategy"] == "parts"


def test_a_checkpoint_of_another_number_of_turns_is_not_followed(run, list22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --turns 4").exit_code == 0
    done = run("simulate --length 5 --wordlist list.txt --device cpu --turns 5 --json")
    assert json.loads(done.stdout)["strategy"] == "parts"


@pytest.mark.parametrize("ending", ["--gap 300", "--time 0s"])
def test_what_is_better_and_stands_there_stays(run, list22, random_words, ending):
    list22.write_text("\n".join(random_words(1, 200, 5, "abcd")))
    line = "solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz"
    assert run(line).exit_code == 0
    best, proof = read_checkpoint("best.npz"), Path("best.bounds.npz").read_bytes()
    done = run(f"{line} {ending} --json")
    assert done.exit_code == 0
    assert f"begins with best.npz: {best.mean_points:.5f} mean points\n" in done.stderr
    assert f"begins with best.bounds.npz: bound {best.bound:.5f}\n" in done.stderr
    assert (json.loads(done.stdout)["bound"], json.loads(done.stdout)["gap"]) == (best.bound, 0)
    assert (read_checkpoint("best.npz"), Path("best.bounds.npz").read_bytes()) == (best, proof)
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


@pytest.mark.parametrize("ending", ["--time 0s", "--gap 300", "--openings 1 --width 3:1 --gap 1", ""])
def test_a_search_elsewhere_begins_with_what_is_kept_and_writes_nothing_worse(run, kept, ending):
    tree, bounds = read_checkpoint(kept), kept.with_suffix(".bounds.npz")
    assert tree.bound > tree.mean_points
    for resumed in (" --resume", "") if not ending else ("",):
        if resumed:
            Path("mine.work.npz").write_bytes(kept.with_suffix(".work.npz").read_bytes())
        done = run(f"{SOLVE} --out mine.npz {ending}{resumed} --json")
        entry, mine = json.loads(done.stdout), read_checkpoint("mine.npz")
        assert done.exit_code == 0
        assert f"begins with {kept}: {tree.mean_points:.5f} mean points\n" in done.stderr
        assert f"begins with {bounds}: bound {tree.bound:.5f}\n" in done.stderr
        assert (entry["mean_points"], entry["bound"]) == (mine.mean_points, mine.bound)
        assert mine.mean_points >= tree.mean_points and mine.bound <= tree.bound
        assert (mine.mean_points == mine.bound) == (not ending)
        assert run("prove mine.npz --wordlist list.txt --device cpu").exit_code == 0
        for path in Path().glob("mine.*npz"):
            path.unlink()


def test_a_search_in_the_place_of_a_damaged_checkpoint_replaces_it(run, kept):
    tree = read_checkpoint(kept)
    for path in (kept, kept.with_suffix(".bounds.npz")):
        path.write_bytes(path.read_bytes()[:-9])
    done = run(f"{SOLVE} --gap 2")
    assert (done.exit_code, done.stderr.count("passed over")) == (0, 2)
    assert f"checkpoint {kept} has a damaged end; replace it with `gpulingo build" in done.stderr
    assert "begins with" not in done.stderr
    assert read_checkpoint(kept) == tree
    assert run(f"prove {kept} --wordlist list.txt --device cpu").exit_code == 0


def test_a_fresh_search_begins_with_nothing_and_writes_nothing_worse_where_it_stands(run, kept):
    before = read_checkpoint(kept)
    done = run(f"{SOLVE} --out {kept} --fresh --time 0s")
    assert (done.exit_code, done.stderr.count("begins with")) == (0, 0)
    after = read_checkpoint(kept)
    assert (after.mean_points, after.bound) == (before.mean_points, before.bound)
    assert "begins with" in run(f"{SOLVE} --out {kept} --time 0s").stderr


def test_a_tree_that_does_not_do_what_it_says_is_no_beginning(run, kept):
    tree = read_checkpoint(kept)
    guess, hit = list(tree.guess), list(tree.hit)
    leaves = [at for at in range(len(tree)) if tree.first[at] == tree.first[at + 1] and hit[at]]
    guess[leaves[-1]], guess[leaves[-2]] = guess[leaves[-2]], guess[leaves[-1]]
    write_checkpoint(tree.replaced(guess=guess), Path(kept.name))
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("build it again with `gpulingo build`; passed over")) == (0, 1)
    assert f"begins with {kept}" in done.stderr


def test_a_tree_that_does_not_do_what_it_says_does_not_stay(run, kept):
    sound = read_checkpoint(kept)
    guess, hit = list(sound.guess), list(sound.hit)
    early, late = hit.index(0), len(hit) - 1 - hit[::-1].index(1)
    guess[early], guess[late] = guess[late], guess[early]
    hit[early], hit[late] = 1, 0  # a word is found too soon
    other = sound.replaced(guess=guess, hit=hit, mean_points=None)
    assert other.mean_points > sound.mean_points
    write_checkpoint(other, Path("mine.npz"))
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("build it again with `gpulingo build`; passed over")) == (0, 1)
    assert "mine.npz: " in done.stderr and done.stderr.count("; replaced\n") == 1
    mine = read_checkpoint("mine.npz")
    assert (mine.mean_points, mine.bound) == (sound.mean_points, sound.bound)


def test_a_certificate_that_a_tree_refutes_is_passed_over(run, kept):
    tree, path = read_checkpoint(kept), kept.with_suffix(".bounds.npz")
    arrays = read_arrays(path)
    arrays["bounds"][tree.guess[0]] = 10  # the greatest of all bounds stays what it was
    write_arrays(path, arrays)
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("remove it; passed over\n")) == (0, 1)
    assert not Path("mine.bounds.npz").exists()
    assert run(f"{SOLVE} --out mine.npz --gap 2").exit_code == 0
    assert run("prove mine.npz --wordlist list.txt --device cpu").exit_code == 0


def test_the_time_of_a_search_counts_from_the_start_of_the_command(run, list22, monkeypatch):
    clock = [0.0]

    def late(*_):
        clock[0] += 60

    monkeypatch.setattr("gpulingo.cli.limits.clock", lambda: clock[0])
    monkeypatch.setattr("gpulingo.cli.commands.solve.clock", lambda: clock[0])
    monkeypatch.setattr("gpulingo.cli.certificates.begin", late)  # so long it took to read what is there
    for given, ended in (("50s", "time is up"), ("70s", "proven")):
        clock[0] = 0.0
        done = run(f"{SOLVE} --out {given}.npz --time {given} --json")
        assert json.loads(done.stdout)["ended"] == ended
        assert read_checkpoint(f"{given}.npz").bound is not None


def test_a_certificate_of_other_turns_or_another_list_is_put_aside(run, list22, words22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz --turns"
    assert run(line, "3").exit_code == 0
    Path("best.npz").unlink()  # with it the search would be refused
    first = Path("best.bounds.npz").read_bytes()
    done = run(line, "4")
    said = (
        f"best.bounds.npz was for list {words22.fingerprint[:12]} and 3 turns: it is now best.old1.bounds.npz"
    )
    assert (done.exit_code, done.stderr.count(said)) == (0, 1)
    assert Path("best.old1.bounds.npz").read_bytes() == first
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0
    list22.write_text("\n".join(words22.words[:-1]))
    refused = run(line, "4")
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "best.npz is for list" in refused.stderr and "name another with --out" in refused.stderr
    Path("best.npz").unlink()
    assert "it is now best.old2.bounds.npz" in run(line, "4").stderr
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


def test_the_work_file_of_an_earlier_search_is_put_aside(run, list22, random_words):
    list22.write_text("\n".join(random_words(1, 200, 5, "abcd")))
    line = "solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz"
    assert "is now" not in run(f"{line} --gap 300").stderr
    before = Path("best.work.npz").read_bytes()
    assert "is now" not in run(f"{line} --gap 300").stderr  # which is reached, so that nothing is searched
    assert Path("best.work.npz").read_bytes() == before
    for number in (1, 2):
        Path("best.npz").unlink()
        Path("best.bounds.npz").unlink()
        before = Path("best.work.npz").read_bytes()
        done = run(f"{line} --gap 300")
        told = f"is now best.old{number}.work.npz: --resume would have"
        assert (done.exit_code, done.stderr.count(told)) == (0, 1)
        assert Path(f"best.old{number}.work.npz").read_bytes() == before
        assert "is now" not in run(f"{line} --resume --gap 300").stderr
    assert "is now best.old3.work.npz" in run(line).stderr  # to the end: there is nothing to go on from
    assert "is now" not in run(line).stderr


def test_a_work_file_of_the_name_before_is_gone_on_from(run, kept):
    work = kept.with_suffix(".work.npz")
    before = work.rename(work.with_name(work.name.replace("lingo5-", "lingo-")))
    data = before.read_bytes()
    done = run(f"{SOLVE} --resume --gap 2")
    assert done.exit_code == 0, done.stderr
    assert work.exists() and before.read_bytes() == data
    assert run(f"{SOLVE} --resume --out mine.npz").exit_code == 2  # another place has its own


def test_a_search_goes_on_where_its_work_file_cannot_be_written(run, list22, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "best.work.npz")

    monkeypatch.setattr("gpulingo.search.resume.write_work", full)
    done = run("solve --length 5 --wordlist list.txt --device cpu --out best.npz --json")
    assert (done.exit_code, json.loads(done.stdout)["ended"]) == (0, "proven")
    assert "best.work.npz was not written, --resume could not go on from here: " in done.stderr
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


@pytest.mark.parametrize("turns", ["3", "4"])
def test_tuned_values_of_other_turns_or_damaged_ones_end_no_search(run, list22, words22, turns):
    line = "--length 5 --wordlist list.txt --device cpu"
    assert run(f"tune {line} --turns {turns} --iterations 0 --pools none").exit_code == 0
    done = run(f"solve {line} --turns 5 --json")
    assert (done.exit_code, json.loads(done.stdout)["ended"]) == (0, "proven")
    assert run(f"openings {line} --turns 5").exit_code == 0
    played = run(f"simulate {line} --strategy tuned --turns 5")
    assert (played.exit_code, played.stderr.count("\n")) == (2, 1)
    assert "--strategy: no tuned values for list.txt (lingo5-5-" in played.stderr
    (values,) = Path("checkpoints").glob("*.values.json")
    values = values.rename(values.with_name(values.name.replace(f"lingo{turns}", "lingo5")))
    values.write_text("{")
    done = run(f"solve {line} --turns 5 --json --out other.npz")
    assert (done.exit_code, json.loads(done.stdout)["ended"]) == (0, "proven")
    assert "ranking by points until then" in done.stderr


def test_a_search_that_ends_before_its_first_bounds_says_so(run, list22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --time 0s --out best.npz")
    assert done.exit_code == 0
    assert "ended before any opening was bounded: there is no certificate to prove" in done.stderr
    assert "there is nothing to --resume yet" in done.stderr
    assert not Path("best.work.npz").exists()


@pytest.mark.parametrize("command", ["solve --out", "simulate --save", "simulate --per-word", "tune --out"])
@pytest.mark.parametrize("name", ["wordlist.txt", "wordlist5.txt"])
def test_the_list_that_is_read_is_never_written(run, list22, command, name):
    list22.rename(name)
    before = Path(name).read_bytes()
    done = run(f"{command} {name} --length 5 --device cpu")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{name} would replace a file that is read" in done.stderr
    assert Path(name).read_bytes() == before


def test_a_checkpoint_of_other_turns_is_not_replaced(run, list22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz --turns"
    assert run(line, "4").exit_code == 0
    before = Path("best.npz").read_bytes()
    done = run(line, "5")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is for 4 turns, not 5: name another with --out" in done.stderr
    assert Path("best.npz").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--width 5:50,2:3", "write turns left, 3 to 5, and guesses"),
        ("--width fifty", "write turns left"),
        ("--openings none", "--openings none, expected a whole number from 1, or all"),
        ("--time soon", "'soon' is no time from 0s to 1000h"),
        ("--memory lots", "'lots' is no size: write it as 500M or 4G"),
        ("--gap -1", "is no number of points"),
        ("--turns 2", "expected at least 3"),
        ("--resume", "leave it out to begin"),
        ("--device cuda:99", "device 'cuda:99'"),
    ],
)
def test_wrong_options_are_told_in_one_line(run, list22, options, told):
    done = run(f"solve --length 5 --wordlist list.txt --out best.npz {options}")
    assert done.exit_code == 2
    assert told in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_a_search_that_is_ended_goes_on_where_it_was(tmp_path, number):
    command = [sys.executable, "-m", "gpulingo", "solve", "--length", "4", "--out", "four.npz"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    work = tmp_path / "four.work.npz"
    limit = time.monotonic() + 120
    while not work.exists() and time.monotonic() < limit:
        time.sleep(0.2)
    process.send_signal(number)
    told = process.communicate(timeout=60)[1]
    assert work.exists() and "Traceback" not in told
    done = subprocess.run(
        [*command, "--resume", "--time", "1s"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    tree = read_checkpoint(tmp_path / "four.npz")
    verify(tree, embedded().of_length(4))
    assert tree.bound >= tree.mean_points > 100


def test_a_bound_of_a_header_that_no_certificate_has_is_not_lost_without_a_word(run, kept):
    before = read_checkpoint(kept)
    Path("mine.npz").write_bytes(kept.read_bytes())
    for path in (kept, kept.with_suffix(".bounds.npz")):
        path.unlink()
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    after = read_checkpoint("mine.npz")
    assert (done.exit_code, after.mean_points) == (0, before.mean_points)
    said = f"said bound {before.bound:.5f}, for which there is no certificate: {after.bound:.5f} now\n"
    assert after.bound > before.bound and said in done.stderr
