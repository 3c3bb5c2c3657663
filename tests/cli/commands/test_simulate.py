"""`gpulingo simulate`: what it prints and writes, and what it refuses."""

import json
import subprocess
from pathlib import Path

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.words.listing import embedded, read

KEYS = "length words list fingerprint strategy device opening turns lost mean_points"
COSTS = "seconds kernel_seconds pairs"


def test_the_table_says_what_the_simulation_says(run, list22, words22):
    done = run("simulate --length 5 --wordlist list.txt --device cpu")
    told = simulate(words22)
    head, names, row, _, title, turns, found = done.stdout.splitlines()
    assert (done.exit_code, done.stderr) == (0, "")
    assert head == "list: list.txt; strategy: parts; device: cpu"
    assert names == ("length  words  opening  mean points  mean guesses  bound  lost  seconds  million pairs")
    means = [f"{told.mean_points:.3f}", f"{told.mean_guesses:.3f}"]
    assert row.split()[:7] == ["5", "22", told.opening, *means, "-", str(told.lost)]
    assert (title, turns) == ("words found", "length  turn 1  turn 2  turn 3  turn 4  turn 5  lost")
    assert found.split() == ["5", *map(str, told.turns), str(told.lost)]


def test_several_lengths_end_with_the_row_of_the_pits_ranking(run, list22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    done = run("simulate --length 4-5 --wordlist list.txt --device cpu --turns 3 --strategy letters")
    points = [simulate(read(list22).of_length(n), "letters", lingo(3)).mean_points for n in (4, 5)]
    assert [line.split() for line in done.stdout.splitlines()[-2:]] == [
        ["strategy", "4", "5", "total"],
        ["letters", *(f"{number:.2f}" for number in (*points, sum(points)))],
    ]


MORE = "bound date processor opening_given mean_guesses"


def test_json_is_one_object_a_line_for_each_length(run, list22, words22):
    list22.write_text(list22.read_text() + "bird\n")
    done = run("simulate --length 5,4 --wordlist list.txt --device cpu --json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert list(first) == f"schema command version {KEYS} {COSTS} {MORE}".split()
    assert (first["mean_guesses"], first["bound"]) == (simulate(words22).mean_guesses, None)
    told = simulate(words22)
    assert first["fingerprint"] == words22.fingerprint
    assert (first["turns"], first["lost"], first["mean_points"]) == (told.turns, 0, told.mean_points)
    assert (second["length"], second["opening"], second["turns"]) == (4, "bird", [1, 0, 0, 0, 0])


def test_the_tree_and_the_turn_of_every_word_are_written(run, list22, words22):
    done = run(
        "simulate --length 5 --wordlist list.txt --device cpu --opening CRANE --save a.npz --per-word a.tsv"
    )
    told = simulate(words22, opening="crane")
    assert done.exit_code == 0
    assert read_checkpoint("a.npz") == told.tree
    rows = [line.split("\t") for line in (list22.parent / "a.tsv").read_text().splitlines()]
    assert [(word, int(turn)) for word, turn in rows] == told.found_turns()
    assert {path.name for path in list22.parent.iterdir()} == {"list.txt", "a.npz", "a.tsv"}


@pytest.mark.parametrize("strategy", ["entropy", "letters", "random", "own:squares"])
def test_under_the_consistent_rule_candidates_are_guessed(run, list22, strategy):
    (list22.parent / "own.py").write_text("def squares(sizes):\n    return -sizes * sizes\n")
    line = "simulate --length 5 --wordlist list.txt --device cpu --consistent --save a.npz --strategy"
    done = run(line, strategy)
    assert done.exit_code == 0
    assert sum(read_checkpoint("a.npz").hit) == len(read_checkpoint("a.npz"))  # every guess may be the target


def test_without_a_list_the_embedded_one_is_used(run, list22):
    done = run("simulate --length 4 --device cpu --strategy letters --json")
    assert json.loads(done.stdout)["list"] == "embedded list"
    assert json.loads(done.stdout)["words"] == len(embedded().of_length(4))
    list22.rename(list22.parent / "wordlist5.txt")
    done = run("simulate --length 4-5 --device cpu --strategy letters")
    assert done.stdout.startswith("list: embedded list (4), wordlist5.txt (5); strategy: letters")


def test_what_a_list_leaves_out_is_told_once(run, list22):
    list22.write_text(list22.read_text() + "\nHERON\nco-op\nbird\n")
    done = run("simulate --length 4-5 --wordlist list.txt --device cpu --strategy letters")
    assert done.exit_code == 0
    assert done.stderr == "gpulingo: list.txt: skipped 1 blank line, 1 duplicate, 1 word with non-letters\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--length 5-4", "--length: '5-4' has a range from 5 to 4"),
        (
            "--length 5 --turns 0",
            "invalid value for '--turns' / '--lives': '0' is not a whole number from 1 to",
        ),
        ("--length 5 --turns 21", "invalid value for '--turns' / '--lives': '21' is no"),
        ("--length 5 --turns many", "invalid value for '--turns' / '--lives': 'many' is no"),
        ("--length 5 --seed -1", "invalid value for '--seed': '-1' is no"),
        ("--length 5 --strategy bets", "--strategy: no strategy 'bets': did you mean best? use parts,"),
        ("--length 5 --strategy solve", "--strategy: no strategy 'solve': did you mean best? use parts,"),
        ("--length 5 --strategy=", "--strategy: no strategy '': use parts,"),
        (
            "--length 5 --strategy best",
            "--strategy: no tree is stored for the words of 5 letters in list.txt and lingo of 5",
        ),
        (
            "--length 5 --strategy best --opening heron",
            "--strategy: best is a whole tree: leave out --opening",
        ),
        (
            "--length 5 --strategy best --consistent",
            "--strategy: no tree is stored for",
        ),
        ("--length 5 --hard --consistent", "--hard and --consistent: give one of them"),
        ("--length 5 --strategy no:such", "--strategy: cannot load strategy 'no:such' (ModuleNotFoundError"),
        ("--length 5 --device tpu", "--device: device 'tpu' is unknown: use auto, cpu, cuda or cuda:1"),
        ("--length 5 --device cuda:99", "--device: device 'cuda:99', but"),
        (
            "--length 5 --opening zebra",
            "--opening: 'zebra' is not among the 22 words of 5 letters in list.txt",
        ),
        ("--length 4-5 --opening heron", "--opening heron with 2 lengths: give one length"),
        ("--length 5,22 --save a.npz", "no words of 22 letters in list.txt"),
        ("--length 5 --wordlist none.txt", "--wordlist: no word list at none.txt"),
        ("--length 5 --wordlist .", "--wordlist: . is a folder"),
        ("--length 5 --per-word .", ". is not a plain file: name a file to write"),
        ("--length 5 --per-word list.txt", "list.txt would replace a file that is read"),
        ("--length 5 --save a --per-word a", "--save and --per-word are both a: name two files"),
        ("--length 6", "no words of 6 letters in list.txt: it holds words of 5 letters"),
        ("--length 5 --save none/a.npz", "none: cannot write there (No such file or directory)"),
        ("--length 5 --per-word list.txt/a.tsv", "list.txt: cannot write there (Not a directory)"),
    ],
)
def test_bad_input_is_one_line(run, list22, line, said):
    done = run(f"simulate --wordlist list.txt {line}")
    code = 1 if "no words" in said or "cannot write" in said else 2
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith(f"gpulingo: {said}")
    assert done.stderr.count("\n") == 1
    assert [path.name for path in list22.parent.iterdir()] == ["list.txt"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "list.txt holds no words"),
        (b"\xff\xfe", "list.txt is not UTF-8 text"),
        (b"a\0b\n", "list.txt is a binary"),
    ],
)
def test_a_list_that_is_none_is_a_failed_run(refused, list22, text, said):
    list22.write_bytes(text)
    refused("simulate --length 5 --wordlist list.txt", said, code=1)


@pytest.mark.parametrize(
    ("name", "body", "code", "said"),
    [
        (
            "halves",
            "sizes / 2",
            2,
            "--strategy: strategy 'halves:f' returned torch.float32, expected 3 whole",
        ),
        (
            "late",
            "sizes if len(sizes) < 5 else 1 / 0",
            1,
            "strategy 'late:f' failed on sizes 0..22 (ZeroDivisionError: division by zero): mend it",
        ),
        (
            "short",
            "sizes[:3]",
            1,
            "strategy 'short:f' returned [3], first [0], expected 23 whole numbers, the first 0",
        ),
    ],
)
def test_a_faulty_objective_of_the_users_is_one_line(refused, list22, name, body, code, said):
    (list22.parent / f"{name}.py").write_text(f"def f(sizes):\n    return {body}\n")
    refused(f"simulate --length 5 --wordlist list.txt --device cpu --strategy {name}:f", said, code=code)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_files_are_written_though_nobody_takes_the_output(process, list22):
    line = "simulate --length 5 --wordlist list.txt --device cpu --save tree.npz --per-word turns.tsv"
    with Path("/dev/full").open("w") as full:
        done = process(line, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert read_checkpoint(list22.parent / "tree.npz").words == 22
    assert len((list22.parent / "turns.tsv").read_text().splitlines()) == 22


ENDED = """
import signal

def f(sizes):
    if len(sizes) == 23:  # the 22 words of 5 letters
        signal.raise_signal(signal.SIGINT)
    return -sizes**2
"""


def test_ctrl_c_prints_the_lengths_so_far(run, list22):
    list22.write_text(list22.read_text() + "bird\nbard\nabcdef\n")
    (list22.parent / "ended_simulate.py").write_text(ENDED)
    line = "simulate --length 4-6 --wordlist list.txt --device cpu --strategy ended_simulate:f"
    done = run(line)
    assert done.exit_code == 130
    assert done.stderr == "gpulingo: interrupted after 1 of 3 lengths; the rest is --length 5-6\n"
    rows = done.stdout.splitlines()
    assert rows[2].split()[:3] == ["4", "2", "bird"] and not rows[3]  # the only length of the table
    done = run(f"{line} --json")
    assert [json.loads(row)["length"] for row in done.stdout.splitlines()] == [4]


def test_ctrl_c_prints_what_was_saved(run, list22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    (list22.parent / "ended_simulate.py").write_text(ENDED)
    (list22.parent / "mine").mkdir()
    done = run(
        "simulate --length 4-5 --wordlist list.txt --device cpu --strategy ended_simulate:f --save mine/"
    )
    assert done.exit_code == 130
    assert done.stderr == "gpulingo: interrupted after 1 of 2 lengths; the rest is --length 5\n"
    (built,) = (list22.parent / "mine").glob("lingo5-*.npz")
    assert done.stdout.splitlines()[1].split()[0] == f"mine/{built.name}"


def test_a_file_of_another_kind_is_not_replaced(run, list22):
    Path("notes").write_text("notes of mine")
    for command in ("simulate --save", "simulate --per-word", "tune --out", "tune --picture"):
        done = run(f"{command} notes --length 5 --wordlist list.txt --device cpu")
        said = "gpulingo: notes is of another kind and would be lost: name another file to write\n"
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", said)
    assert Path("notes").read_text() == "notes of mine"
    for option in ("--save a.npz", "--per-word a.tsv") * 2:
        assert run(f"simulate --length 5 --wordlist list.txt --device cpu {option}").exit_code == 0
