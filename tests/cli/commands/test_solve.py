"""`gpulingo solve`: the best strategy, how a search ends, and what is refused."""

import itertools
import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.bounds.certificate import Certificate, certificate_arrays, of_sizes, read_certificate
from gpulingo.cli.errors import tell
from gpulingo.cli.run import PATIENCE, SAID, SOON, Bar, Run
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise.kept import put_certificate_aside, stored_certificate, stored_certificates
from gpulingo.optimise.solver import Solver
from gpulingo.optimise.stored_search import ENOUGH, NONE_SO_GOOD, PROVEN, REACHED, Search
from gpulingo.storage.files import CERTIFICATE
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import embedded
from gpulingo.words.wordlist import WordList

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


def test_the_time_of_a_search_counts_from_the_start_of_the_command(run, list22, monkeypatch):
    clock = [0.0]

    def late(*_):
        clock[0] += 60

    monkeypatch.setattr("gpulingo.cli.run.clock", lambda: clock[0])
    monkeypatch.setattr("gpulingo.optimise.stored_search.clock", lambda: clock[0])
    monkeypatch.setattr("gpulingo.cli.commands.solve.clock", lambda: clock[0])
    monkeypatch.setattr(
        "gpulingo.optimise.stored_search.begin_with_stored", late
    )  # so long it took to read it
    for given, ended in (("50s", "time is up"), ("70s", "proven")):
        clock[0] = 0.0
        entry = json.loads(run(f"{SOLVE} --out {given}.npz --time {given} --json").stdout)
        assert (entry["ended"], entry["seconds"]) == (ended, 60.0)  # both by the same clock
        assert read_checkpoint(f"{given}.npz").bound is not None


def test_a_search_that_ends_before_its_first_bounds_says_so(run, list22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --time 0s --out best.npz")
    assert done.exit_code == 0
    assert "ended before any opening was bounded: there is no certificate to prove" in done.stderr
    assert "--resume" not in done.stderr


WRITING = """
import sys
from gpulingo import __main__
from gpulingo.optimise import stored_search
stored_search.SAVED = 0.2
sys.exit(__main__.run(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_search_that_is_killed_goes_on_where_it_was(tmp_path):
    words = WordList("some.txt", embedded().of_length(4).words[::3])
    (tmp_path / "some.txt").write_text("".join(f"{word}\n" for word in words.words))
    options = ["--length", "4", "--wordlist", "some.txt", "--out", "four.npz"]
    command = [sys.executable, "-c", WRITING, "solve", *options]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    while not (tmp_path / "four.npz").exists() and process.poll() is None:  # the last file to be written
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    told = process.communicate()[1]
    read_certificate(tmp_path / "four.bounds.npz", words)
    assert "Traceback" not in told and process.returncode == -signal.SIGKILL
    done = subprocess.run(
        [*command, "--resume", "--time", "1s"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    tree = read_checkpoint(tmp_path / "four.npz")
    verify(tree, words)
    assert tree.bound >= tree.mean_points > 100


FAR = 1 << 30  # credits, more than any strategy has


@pytest.fixture
def search(monkeypatch):
    """A search whose state and counts a test sets; its last line was just printed."""
    solver = SimpleNamespace(counted=0, work="rolling out tares")
    solver.state = SimpleNamespace(bounds=None)
    search = Search(solver, None, Bar(Run("solve"), None), tell, 0)
    search.known = "gap 9"
    monkeypatch.setattr(Search, "line", lambda self: self.known)
    return search


def test_what_is_new_is_told_once(search, capsys):
    for search.known in ("gap 9", "gap 9", "gap 8"):
        search.watch.shown -= 1 + SOON
        search.often()
    assert [line.split(" s  ")[1] for line in capsys.readouterr().err.splitlines()] == ["gap 9", "gap 8"]


def test_where_nothing_is_new_it_is_told_within_5_seconds_what_is_searched(search, capsys):
    assert PATIENCE + SAID < 5
    search.solver.counted = 1234
    looks = iter([False, False, False, True])  # results of waiting for the end of the search
    search.watch.shown = clock()
    search.watch.remind(search.work, lambda seconds: next(looks) or late(search))
    lines = [line.split(" s  ")[1] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["rolling out tares; classes counted of 1,234", *["rolling out tares"] * 2]


def late(search):
    """The last line was printed too long ago."""
    search.watch.shown -= PATIENCE + 1


def searched(words, game, path, least=0, **more):
    """A search of a list without stored results."""
    solver = Solver(words, find_game(game), least=least)
    return Search(solver, path, Bar(Run("solve"), None), tell, **more)


@pytest.mark.parametrize(
    ("least", "enough", "gap", "ended"),
    [
        (0, 0, 0, PROVEN),
        (0, FAR, FAR, REACHED),
        (1, FAR, 0, ENOUGH),
        (FAR, 0, 0, NONE_SO_GOOD),
        (FAR, FAR, 0, NONE_SO_GOOD),
    ],
)
def test_a_gap_is_reached_only_where_it_is(tmp_path, least, enough, gap, ended):
    chance = random.Random(3)  # a list on which no first bound equals the value
    words = WordList("random", sorted({"".join(chance.choices("abcdef", k=4)) for _ in range(60)}))
    search = searched(words, "wordle4", tmp_path / "a.npz", least, enough=enough, gap=gap)
    assert search.run() == ended
    solver = search.solver
    assert (solver.value == solver.bound) == (ended == PROVEN)
    assert (solver.value < least) == (ended == NONE_SO_GOOD)


@pytest.mark.parametrize("game", ["lingo", "wordle-hard", "wordle-lost"])
def test_no_value_is_told_before_there_is_a_strategy_and_then_its_lost_words_too(words22, tmp_path, game):
    search = searched(words22, game, tmp_path / "a.npz", enough=0)
    assert (search.line(), search.solver.work) == ("", "building a first strategy")
    search.run()
    assert search.solver.work != "building a first strategy"
    line = search.line()
    assert line.startswith(words22[int(search.solver.tree.guess[0])])
    assert (f"  lost {search.solver.tree.lost:,}" in line) == (game != "lingo")


SOLVE_SHORT = "solve --length 3 --wordlist list.txt --device cpu --json"
FAMILY = [first + second + "x" for first in "abc" for second in "mnop"] + ["abc", "mno"]


@pytest.fixture
def family(tmp_path, monkeypatch):
    """Words that are hard to tell apart, in a file of the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("\n".join(FAMILY))
    return WordList("list.txt", FAMILY)


def least_turns(name, words):
    """The fewest turns in which all words can be found."""
    found = (turns for turns in range(1, 20) if best(f"{name}-found", turns) == len(words))
    return next(found)


def best(name, turns):
    """Credits of the best strategy."""
    return exhaustive.best_of(FAMILY, find_game(name, turns))


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["", "-hard", "-consistent"])
def test_the_worst_turn_is_least_and_then_the_mean_is(run, family, rule):
    least = least_turns(f"wordle{rule}", FAMILY)
    entry = json.loads(
        run(f"{SOLVE_SHORT} --game wordle{rule.replace('-', ' --')} --turns 9 --objective worst").stdout
    )
    assert (entry["worst_guesses"], entry["worst_proven"], entry["optimal"]) == (least, True, True)
    tree = read_checkpoint(entry["checkpoint"])
    verify(tree, family)
    assert tree.turns == least and tree.lost == 0
    lost_first = find_game(f"wordle{rule}-lost", least)  # the best mean among trees that lose no word
    assert tree.replaced(game=lost_first, mean_points=None).value == best(lost_first.name, least)
    assert entry["total_guesses"] == tree.total_guesses


@pytest.mark.parametrize("rule", ["", "-hard", "-consistent"])
def test_an_adversary_is_beaten_in_as_few_guesses_as_can_be(run, family, rule):
    least = least_turns(f"lingo{rule}", FAMILY)
    line = f"{SOLVE_SHORT} --game lingo{rule.replace('-', ' --')} --opponent adversary"
    done = run(line)
    entry = json.loads(done.stdout)
    assert (entry["worst_guesses"], entry["worst_proven"]) == (least, True), done.stderr
    tree = read_checkpoint(entry["checkpoint"])
    assert tree.game.code == f"lingo{rule}-found{least}" and verify(tree, family)
    text = run(line.replace("--json", ""))
    assert text.stdout.count(f"at most {least} guesses; no strategy needs fewer: proven") <= 1
    folder = Path(entry["checkpoint"]).parent
    fewer = next(iter(sorted(folder.glob(f"lingo{rule}-found{least - 1}-3-*[0-9a-f].npz"))), None)
    if fewer is not None:
        proof = run(f"prove {fewer} --wordlist list.txt --device cpu --json")
        assert proof.exit_code == 0 and json.loads(proof.stdout)["bound_lost"] >= 1


@pytest.mark.parametrize("turns", [pytest.param(3, marks=pytest.mark.slow), 4])
def test_lost_words_come_first_then_the_worst_turn_then_the_mean(run, family, turns):
    done = run(f"{SOLVE_SHORT} --game lingo --turns {turns} --objective lost")
    entry = json.loads(done.stdout)
    found = best("lingo-found", turns)
    tree = read_checkpoint(entry["checkpoint"])
    assert len(FAMILY) - tree.lost == found and entry["lost"] == tree.lost
    last = entry["worst_guesses"]
    assert best("lingo-found", last) == found > best("lingo-found", last - 1)
    assert tree.value == best("lingo-lost", last) and entry["worst_proven"] and entry["optimal"]


@pytest.mark.parametrize("aim", ["--objective worst", "--objective lost", "--opponent adversary"])
@pytest.mark.parametrize("rule", ["--hard"])
def test_where_the_time_is_up_only_what_is_true_is_called_proven(run, family, rule, aim):
    done = run(f"{SOLVE_SHORT} --game lingo {rule} {aim} --time 0")
    entry, least = json.loads(done.stdout), least_turns("lingo" + rule.replace("--", "-"), FAMILY)
    assert done.exit_code == 0 and entry["worst_guesses"] >= least
    assert entry["worst_guesses"] == least or not entry["worst_proven"]
    assert entry["worst_proven"] or entry["ended"] == "time is up"


@pytest.mark.parametrize("rule", ["-hard"])
def test_the_best_of_the_least_worst_turn_stands_where_it_was_asked_for(run, family, tmp_path, rule):
    done = run(
        f"{SOLVE_SHORT} --game wordle{rule.replace('-', ' --')} --objective worst --out {tmp_path}/worst.npz"
    )
    entry = json.loads(done.stdout)
    assert entry["checkpoint"] == f"{tmp_path}/worst.npz" and entry["optimal"]
    verify(read_checkpoint(tmp_path / "worst.npz"), family)
    proof = run(f"prove {tmp_path}/worst.npz --wordlist list.txt --device cpu")
    assert proof.exit_code == 0, proof.stderr


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


@pytest.mark.parametrize("ending", ["--time 0s", "--openings 1 --width 3:1 --gap 1", ""])
def test_a_search_elsewhere_begins_with_what_is_kept_and_writes_nothing_worse(run, kept, ending):
    tree, bounds = read_checkpoint(kept), kept.with_suffix(".bounds.npz")
    assert tree.bound > tree.mean_points
    done = run(f"{SOLVE} --out mine.npz {ending} --json")
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
    assert (done.exit_code, done.stderr.count("skipped")) == (0, 2)
    assert f"checkpoint {kept} has a damaged end; replace it with `gpulingo simulate" in done.stderr
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
    assert done.exit_code == 0
    assert done.stderr.count("make it again with `gpulingo simulate --save`; skipped") == 1
    assert "mine.npz: " in done.stderr and done.stderr.count("; replaced\n") == 1
    mine = read_checkpoint("mine.npz")
    assert (mine.mean_points, mine.bound) == (sound.mean_points, sound.bound)


def test_a_certificate_that_a_tree_refutes_is_passed_over(run, kept):
    tree, path = read_checkpoint(kept), kept.with_suffix(".bounds.npz")
    arrays = read_arrays(path)
    arrays["bounds"][tree.guess[0]] = 10  # the greatest of all bounds stays what it was
    write_arrays(path, arrays)
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("remove it; skipped\n")) == (0, 1)
    assert not Path("mine.bounds.npz").exists()
    assert run(f"{SOLVE} --out mine.npz --gap 2").exit_code == 0
    assert run("prove mine.npz --wordlist list.txt --device cpu").exit_code == 0


def test_a_certificate_of_other_turns_or_another_list_is_put_aside(run, list22, words22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz --turns"
    assert run(line, "3").exit_code == 0
    Path("best.npz").unlink()  # otherwise the search would be refused
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


@pytest.fixture
def solved(run, list22, words22):
    """The 22 words solved: the path of the certificate, in the default folder."""
    line = "solve --length 5 --wordlist list.txt --device cpu --json"
    assert run(line).exit_code == 0
    (path,) = Path("checkpoints").glob(f"*{CERTIFICATE}")
    return path


def test_the_bound_is_that_of_the_header(solved, words22):
    tree = read_checkpoint(str(solved).replace(CERTIFICATE, ".npz"))
    assert read_certificate(solved, words22).bound == tree.bound_value


def test_the_lowest_bound_comes_first_and_each_file_once(solved, words22):
    path = Path(solved.name)
    path.write_bytes(solved.read_bytes())
    paths = [*stored_certificates(words22, lingo(), None, print, [path.resolve()])]
    assert sorted(path.resolve() for path in paths) == sorted([path.resolve(), solved.resolve()])


def test_a_certificate_of_other_turns_is_not_of_the_game_and_a_damaged_one_is_reported(solved, words22):
    told = []
    assert stored_certificate(solved, words22, lingo(6), None, told.append) is None
    assert stored_certificate(solved, words22, lingo(), None, told.append) is not None
    assert told == []
    solved.write_bytes(solved.read_bytes()[:-9])
    assert stored_certificate(solved, words22, lingo(), None, told.append) is None
    assert [str(fault).endswith("; skipped") for fault in told] == [True]


def test_only_the_certificate_of_another_format_is_put_aside(solved, words22):
    told = []
    put_certificate_aside(solved, words22, lingo(), told.append)
    assert solved.exists() and not told
    arrays = read_arrays(solved)
    write_arrays(solved, arrays | {"format": arrays["format"] + [1, 0, 0]})
    put_certificate_aside(solved, words22, lingo(), told.append)
    assert f"{solved} has the format 9, this gpulingo reads 8: it is now {solved.parent}" in told[0]
    assert not solved.exists()
    put_certificate_aside(solved, words22, lingo(), told.append)  # no certificate exists now


@pytest.mark.parametrize("wrong", ["no such opening", "more than a class has", "none of the numbers"])
def test_wrong_counts_of_unfinished_openings_are_reported_and_made_again(wrong, solved, run):
    arrays = read_arrays(solved)
    arrays |= {"counted": np.array([3]), "counted_sizes": np.array([1]), "counted_values": np.array([2])}
    if wrong == "no such opening":
        arrays["counted"] = np.array([22])
    elif wrong == "more than a class has":
        arrays["counted_values"] = np.array([20])
    else:
        del arrays["counted_values"]
    write_arrays(solved, arrays)
    result = run("solve --length 5 --wordlist list.txt --device cpu --json")
    assert result.exit_code == 0 and result.stderr.count("made again\n") == 1
    assert '"gap":0.0' in result.stdout.replace(" ", "")


AIMS = ["", "--objective lost", "--objective worst", "--opponent adversary"]
STOPPED = [f"--game {game} {aim}" for game in ("lingo", "wordle", "wordle --hard") for aim in AIMS]
STOPPED += [f"--game hangman {aim}" for aim in ("", "--objective misses", "--opponent adversary")]


@pytest.mark.parametrize("count", [5, pytest.param(40, marks=pytest.mark.slow)])
def test_a_stopped_search_says_proven_or_optimal_only_without_a_gap(run, tmp_path, monkeypatch, count):
    monkeypatch.chdir(tmp_path)
    looks = itertools.count()
    for place in ("cli.run", "optimise.stored_search", "cli.commands.solve", "tensors.clock"):
        monkeypatch.setattr(f"gpulingo.{place}.clock", lambda: float(next(looks)))
    gaps = 0
    for seed in range(count):
        draw, line = random.Random(seed), STOPPED[seed % len(STOPPED)]
        words = draw.sample(["".join(each) for each in itertools.product("abc", "mnop", "xyz")], 24)
        Path("list.txt").write_text("\n".join(words))
        turns = draw.randint(3, 5)
        line = f"solve --length 3 --wordlist list.txt --device cpu {line} --turns {turns} --fresh"
        done = run(f"{line} --time {draw.randint(2, 60)} --out {seed}.npz")
        assert done.exit_code == 0, done.stderr
        said = re.search(r"proven|optimal", done.stdout)
        gap = re.search(r"\d\.\.\d", done.stdout) is not None
        if "hangman --opponent" not in line:
            tree = read_checkpoint(re.search(r"\S+\.npz", done.stdout)[0])
            gap = tree.value < tree.bound_value
        gaps += gap
        assert not (said and gap), (line, done.stdout)
    assert gaps > count // 5


def test_a_bound_of_0_under_a_rule_is_not_believed(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = WordList("list.txt", "cen cmf cnf cnm cnn cny cyn czm vzm".split())
    Path("list.txt").write_text("\n".join(words.words))
    evidence = of_sizes(np.array([34, 33, 33, 33, 32, 33, 0, 32, 32]))
    forged = Certificate(words.fingerprint, find_game("lingo-hard", 5), evidence)
    write_arrays(f"a{CERTIFICATE}", certificate_arrays(forged))
    entry = json.loads(run(f"{SOLVE_SHORT} --hard --gap 0 --out a.npz").stdout)
    tree = read_checkpoint("a.npz")
    assert (entry["opening"], tree.value, entry["optimal_openings"]) == ("cyn", 34, 1)
    assert run("prove a.npz --wordlist list.txt").exit_code == 0
    write_arrays(f"a{CERTIFICATE}", certificate_arrays(forged))
    done = run("prove a.npz --wordlist list.txt")
    assert done.exit_code == 1 and "bound 0 for cyn, which may be guessed" in done.stderr
