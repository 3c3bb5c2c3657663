"""`gpulingo solve --shared`: what a process writes and tells, and the folders that it refuses."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import sharing

from gpulingo.cli.sharing import ended_text
from gpulingo.games.game import CREDIT
from gpulingo.trees.checkpoint import read_checkpoint

SOLVE = "solve --length 5 --device cpu --memory 16M --shared folder"


@pytest.fixture
def words(list22, random_words):
    """A list of 200 words, of which some openings have to be worked out."""
    list22.write_text("\n".join(random_words(1, 200, 5, "abcdefghijkl")))
    return list22


def shared(run, line="", out="one.npz"):
    return run(f"{SOLVE} --wordlist list.txt --out {out} {line}")


def leases():
    """Files in a folder that only work that goes on needs."""
    return [path for path in Path("folder/results").iterdir() if path.suffix != ".npz"]


def refused(done, code=2):
    """The one line that is told."""
    assert (done.exit_code, done.stdout) == (code, "")
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.slow
def test_two_processes_write_the_same_bytes_which_pass_prove(run, words):
    done = shared(run, "--json")
    assert done.exit_code == 0, done.stderr
    entry = json.loads(done.stdout)
    assert entry["ended"] == "proven" and entry["gap"] == 0
    assert list(Path("folder/results").glob("count-*.npz"))
    assert json.loads(shared(run, "--json", "two.npz").stdout) | {"checkpoint": "", "seconds": 0} == (
        entry | {"checkpoint": "", "seconds": 0}
    )
    for ending in (".npz", ".bounds.npz"):
        assert Path(f"one{ending}").read_bytes() == Path(f"two{ending}").read_bytes()
    assert not Path("one.work.npz").exists()
    proof = run("prove one.npz --wordlist list.txt --device cpu --json")
    assert json.loads(proof.stdout)["optimal"] is True
    assert not leases()


@pytest.mark.slow
def test_it_begins_with_what_is_kept(run, words):
    assert run("solve --length 5 --wordlist list.txt --device cpu --out one.npz").exit_code == 0
    tree, certificate = (Path(f"one{ending}").read_bytes() for ending in (".npz", ".bounds.npz"))
    done = shared(run)
    assert "begins with one.npz" in done.stderr and not list(Path("folder/results").iterdir())
    assert (Path("one.npz").read_bytes(), Path("one.bounds.npz").read_bytes()) == (tree, certificate)
    assert shared(run, "--fresh", "two.npz").exit_code == 0
    assert read_checkpoint("two.npz") == read_checkpoint("one.npz")  # what it began with is in the folder


@pytest.mark.slow
def test_a_process_whose_time_is_up_leaves_and_the_next_goes_on(run, words):
    done = shared(run, "--time 0s")
    assert done.exit_code == 0 and "time is up" in done.stdout
    assert read_checkpoint("one.npz").mean_points > 0
    assert not leases()
    assert "proven" in shared(run).stdout


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"fingerprint": "0" * 64}, "--shared: folder is for the list 000000000000, this is "),
        ({"game": "lingo6"}, "--shared: folder is for the game lingo6, this is lingo5: name another folder"),
        ({"gap": 3.0}, "folder is searched with --gap 3, not 0: give the same"),
        ({"format": 1}, "search.json has format 1, expected 2: name another folder"),
        ({"goal": 99_999}, "search.json has the goal 99999, its tree and gap have "),
    ],
)
def test_a_folder_of_another_search_is_refused_and_left_alone(run, words, change, told):
    assert shared(run, "--time 0s").exit_code == 0
    sharing.forge_search(Path("folder"), **change)
    before = {path: path.read_bytes() for path in Path("folder").rglob("*") if path.is_file()}
    assert told in refused(shared(run, out="two.npz"))
    assert {path: path.read_bytes() for path in Path("folder").rglob("*") if path.is_file()} == before
    assert not Path("two.npz").exists()


def test_a_search_file_cut_short_is_refused(run, words):
    assert shared(run, "--time 0s").exit_code == 0
    Path("folder/search.json").write_text('{"format": 1, "ga')
    assert "search.json is no JSON: name another folder" in refused(shared(run))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--resume", "--resume with --shared, which continues the search of the folder: leave it out"),
        ("--objective worst", "--shared is for the best mean against chance"),
        ("--opponent adversary", "--shared is for the best mean against chance"),
        ("--game hangman", "--shared where letters are guessed"),
        ("--turns 2", "expected at least 3"),
        ("--width fifty", "write turns left"),
    ],
)
def test_options_that_make_no_sense_are_told(run, words, line, told):
    assert told in refused(shared(run, line))
    assert not Path("folder").exists()


def test_other_widths_than_those_of_the_search_are_told(run, words):
    assert shared(run, "--time 0s --openings 5").exit_code == 0
    assert "searched with other --width or --openings" in refused(shared(run, "--openings 6"))
    assert shared(run, "--time 0s --openings 5").exit_code == 0
    assert shared(run, "--time 0s").exit_code == 0  # which asks for none


def test_what_is_no_folder_is_told(run, words):
    Path("folder").write_text("")
    assert refused(shared(run)) == "gpulingo: --shared folder is not a folder: name one that all machines see"
    Path("folder").unlink()
    line = f"{SOLVE}/file/sub --wordlist list.txt --out one.npz"
    Path("folder").mkdir()
    Path("folder/file").write_text("")
    assert "folder/file/sub: cannot make this folder" in refused(run(line), 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "file"),
    [("4k", r"folder/search\.json"), ("24k", r"folder/results/\w+-[0-9]+-\w+\.npz"), ("16k", r"folder/.*")],
)
def test_a_full_disk_is_named_and_what_is_known_is_written_elsewhere(words, size, file):
    """A file system of so many bytes, which a process may mount in a name space of its own."""
    Path("folder").mkdir()
    mount = f"mount -t tmpfs -o size={size} tmpfs folder"
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if shutil.which("unshare") is None or subprocess.run([*inside, mount], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    solve = f"{sys.executable} -m gpulingo {SOLVE} --wordlist {words} --out one.npz"
    done = subprocess.run([*inside, f"{mount} && {solve}; code=$?; ls -R folder; exit $code"],
                          capture_output=True, text=True)  # fmt: skip
    written, full = done.stderr.splitlines()[-2:]
    assert done.returncode == 1 and re.fullmatch(rf"gpulingo: {file}: No space left on device", full)
    assert written.startswith("gpulingo: one.npz has the result so far: ")
    assert read_checkpoint("one.npz").mean_points > 0
    assert "search.json" in done.stdout or size == "4k"
    assert ".lease" not in done.stdout and ".part" not in done.stdout and ".owner" not in done.stdout


@pytest.mark.parametrize(
    ("bound", "said"), [(0.0, "proven"), (3.0, "gap reached"), (4.0, "nothing is left to try")]
)
def test_what_is_said_of_the_end_is_what_is_printed(words22, grown, bound, said):
    tree = grown(words22)
    tree = tree.replaced(bound=tree.mean_points + bound * CREDIT / len(words22))
    assert ended_text(tree, len(words22), 3 * CREDIT / len(words22) + 0.01) == said


@pytest.mark.slow
def test_progress_is_told_as_by_an_ordinary_search(run, words, monkeypatch):
    monkeypatch.setattr("gpulingo.cli.progress.SOON", -1.0)
    told = shared(run).stderr.splitlines()
    assert any("openings left" in line and "pieces" in line and "bound" in line for line in told)
