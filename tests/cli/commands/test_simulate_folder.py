"""`gpulingo simulate --save FOLDER`: checkpoints that the player follows."""

import json
from pathlib import Path

import pytest

from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint


@pytest.fixture
def kept(list22):
    """The options that save trees of a list to its folder `checkpoints`."""
    (list22.parent / "checkpoints").mkdir()
    return "--wordlist list.txt --device cpu --save checkpoints"


def test_a_checkpoint_is_made_for_each_length(run, list22, words22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    done = run("simulate --length 4-5 --wordlist list.txt --device cpu --save checkpoints")
    path = f"checkpoints/lingo5-5-{words22.fingerprint[:12]}.npz"
    tree = read_checkpoint(path)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1].split() == [
        path,
        "list.txt",
        "parts",
        "cpu",
        str(len(tree)),
        f"{tree.mean_points:.3f}",
        f"{tree.mean_guesses:.3f}",
    ]
    assert len(list((list22.parent / "checkpoints").iterdir())) == 2


def test_json_is_one_object_a_line(run, list22, words22):
    Path("a/b").mkdir(parents=True)
    done = run("simulate --length 5 --wordlist list.txt --device cpu --save a/b --turns 3 --json")
    (entry,) = map(json.loads, done.stdout.splitlines())
    names = (
        "schema command version checkpoint list fingerprint strategy device nodes mean_points mean_guesses"
    )
    assert list(entry) == names.split()
    assert entry["checkpoint"] == f"a/b/lingo3-5-{words22.fingerprint[:12]}.npz"
    assert read_checkpoint(entry["checkpoint"]).turns == 3


def test_replacing_a_checkpoint_of_more_points_is_told(run, kept):
    line = f"simulate --length 5 {kept} --strategy"
    assert [run(line, name).stderr for name in ("letters", "parts", "parts")] == [""] * 3
    done = run(line, "letters")
    assert (done.exit_code, done.stderr.count("\n")) == (0, 1)
    assert "is replaced: its parts had 390.909 mean points, this has" in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--save list.txt", "list.txt: cannot make this folder (File exists); name another"),
        ("--save list.txt/a", "list.txt/a: cannot make this folder (Not a directory)"),
    ],
)
def test_a_folder_that_cannot_be_made_is_one_line(refused, list22, line, said):
    list22.write_text(list22.read_text() + "bird\n")
    refused(f"simulate --wordlist list.txt --length 4-5 {line}", said, code=1)
    assert list(list22.parent.rglob("*.npz")) == []


def test_a_damaged_checkpoint_is_replaced(run, kept, words22):
    line = f"simulate --length 5 {kept}"
    assert run(line).exit_code == 0
    path = Path("checkpoints") / f"lingo5-5-{words22.fingerprint[:12]}.npz"
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    done = run(line)
    assert (done.exit_code, done.stderr.count("\n"), path.read_bytes()) == (0, 1, whole)
    assert f"{path.name} has a damaged end" in done.stderr


def test_what_is_worse_than_what_is_kept_elsewhere_is_written_and_told(run, kept, words22):
    line = f"simulate --length 5 {kept.rpartition(' ')[0]}"
    name = f"lingo5-5-{words22.fingerprint[:12]}.npz"
    assert run(f"{line} checkpoints").exit_code == 0
    done = run(f"{line} . --strategy letters")
    worse = read_checkpoint(name)
    said = f"checkpoints/{name} is better and stays in use: 390.909 mean points, {name} has"
    assert (done.exit_code, done.stderr) == (0, f"gpulingo: {said} {worse.mean_points:.3f}\n")
    assert worse.strategy == "letters"
    Path("mine").mkdir()
    for best in ("", " --strategy best"):
        assert run(f"{line} mine{best}").stderr == ""
        assert read_checkpoint(f"mine/{name}") == read_checkpoint(f"checkpoints/{name}")


@pytest.mark.parametrize("saved", ["other", "other.npz"])
def test_a_kept_tree_that_does_not_do_what_it_says_is_not_written_again(
    refused, list22, words22, grown, saved
):
    path = Path(f"checkpoints/lingo5-5-{words22.fingerprint[:12]}.npz")
    path.parent.mkdir()
    Path("other").mkdir()
    tree = grown(words22)
    leaves = [at for at in range(len(tree)) if tree.first[at] == tree.first[at + 1] and tree.hit[at]]
    guess = list(tree.guess)
    guess[leaves[-1]], guess[leaves[-2]] = guess[leaves[-2]], guess[leaves[-1]]
    write_checkpoint(tree.replaced(guess=guess), path)
    done = refused(f"simulate --save {saved} --length 5 --wordlist list.txt --device cpu", "", code=1)
    assert done.stderr.endswith("make it again with `gpulingo simulate --save`, naming a --strategy\n")
    assert not Path("other.npz").exists() and not list(Path().glob("other/*.npz"))


@pytest.mark.parametrize("asked", ["--strategy letters", "--opening able"])
def test_a_tree_that_was_solved_is_not_replaced_by_another(run, refused, kept, words22, asked):
    line = f"simulate --length 5 {kept.rpartition(' ')[0]}"
    folder, options = Path("checkpoints"), asked.replace("able", words22[3])
    assert run("solve --length 5 --wordlist list.txt --device cpu").exit_code == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = refused(f"{line} checkpoints {options}", "")
    assert f"lingo5-5-{words22.fingerprint[:12]}.npz is the solve of" in done.stderr
    assert "would be lost: name another file or folder" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert run(f"{line} mine.npz {options}").exit_code == 0
    # The default is the best, so it builds the tree that stands there, though a worse one lies nearer.
    worse = run(f"{line} . --strategy letters")
    assert (worse.exit_code, worse.stderr.count("is better and stays in use")) == (0, 1)
    assert run(f"{line} checkpoints").exit_code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def kept_path(words):
    return Path("checkpoints") / file_name("lingo5", 5, words.fingerprint)


def test_the_best_tree_is_played_wherever_it_stands_and_is_called_best(run, list22, words22, grown):
    line = "simulate --length 5 --wordlist list.txt --device cpu"
    path = kept_path(words22)
    path.parent.mkdir()
    best, worse = simulate(words22).tree, grown(words22)
    assert worse.mean_points < best.mean_points
    for near, far in ((worse, best), (best, worse)):
        write_checkpoint(near, path.name)
        write_checkpoint(far, path)
        done = run(f"{line} --json --save kept.npz")
        entry = json.loads(done.stdout)
        assert (entry["strategy"], entry["mean_points"], done.stderr) == ("best", best.mean_points, "")
        assert read_checkpoint("kept.npz") == best  # under the name that its header has
        assert run(f"{line} --strategy best --json").stdout.startswith(done.stdout.partition(', "seconds')[0])
    assert "; strategy: best; " in run(line).stdout


def test_a_damaged_tree_is_told_once_and_another_is_played(run, list22, words22, grown):
    line = "simulate --length 5 --wordlist list.txt --device cpu --json"
    path, tree = kept_path(words22), grown(words22)
    path.parent.mkdir()
    Path(path.name).write_bytes(b"PK")
    done = run(line)
    assert json.loads(done.stdout)["strategy"] == "parts"
    assert (done.stderr.count("\n"), "no other is stored for this list" in done.stderr) == (1, True)
    write_checkpoint(tree, path)
    done = run(line)
    assert json.loads(done.stdout)["mean_points"] == tree.mean_points
    assert done.stderr == (
        f"gpulingo: checkpoint {path.name} ends before its array header; replace it with `gpulingo simulate "
        f"--length 5 --save .`; {path} is used instead\n"
    )
