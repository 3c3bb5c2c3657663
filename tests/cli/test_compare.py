"""`gpulingo compare`: its tables, its results file, and what it refuses."""

import json

import pytest

from gpulingo.lab.results import read_results
from gpulingo.play.simulate import simulate
from gpulingo.rules.lingo import Lingo
from gpulingo.strategies.registry import NAMES, named
from gpulingo.trees.checkpoint import file_name, write_checkpoint

LINE = "compare --wordlist list.txt --device cpu --lengths"


def test_each_strategy_has_a_row_the_best_first(run, list22, words22):
    done = run(f"{LINE} 5 --strategies random,parts,distinct --turns 3")
    assert (done.exit_code, done.stderr) == (0, "")
    head, names, *rows = done.stdout.splitlines()
    assert head == "list: list.txt; turns: 3; device: cpu"
    assert names.split("  ")[:3] == ["length", "strategy", "opening"]
    told = {name: simulate(words22, name, Lingo(3)) for name in ("random", "parts", "distinct")}
    best = sorted(told, key=lambda name: -told[name].mean_points)
    for name, row in zip(best, rows, strict=False):
        one = told[name]
        found, shares = 0, []
        for count in one.turns:
            found += count
            shares.append(f"{100 * found / 22:.2f}")
        worst = ["over", "3"] if one.lost else [str(max(t for t in (1, 2, 3) if one.turns[t - 1]))]
        expected = ["5", name, one.opening, f"{one.mean_points:.3f}", *shares, str(one.lost), *worst]
        assert row.split()[: len(expected)] == expected
    ranking = rows[rows.index("mean points") + 2 :]
    assert [row.split() for row in ranking] == [
        [name, f"{told[name].mean_points:.2f}", f"{told[name].mean_points:.2f}"] for name in best
    ]


def test_all_are_those_with_a_name(run, list22):
    done = run(f"{LINE} 5 --json")
    entries = list(map(json.loads, done.stdout.splitlines()))
    assert [entry["strategy"] for entry in entries] == list(NAMES)
    for entry in entries:
        assert sum(entry["turns"]) + entry["lost"] == 22
        assert entry["found_by"][-1] == (22 - entry["lost"]) / 22
        assert (entry["worst_turn"] is None) == (entry["lost"] > 0)


def test_what_candidates_only_cost_is_the_difference(run, list22, words22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    done = run(f"{LINE} 4-5 --strategies letters,entropy --consistent --turns 2")
    alone, free = (simulate(words22, named("entropy", consistent=kind), Lingo(2)) for kind in (True, False))
    rows = [row.split() for row in done.stdout.splitlines()]
    cost = f"{free.mean_points - alone.mean_points:.2f}"
    assert rows[-3:] == [
        "mean points lost by guessing candidates only".split(),
        ["strategy", "4", "5", "total"],
        ["entropy", "0.00", cost, cost],
    ]
    assert [row[1] for row in rows if row[:1] == ["5"]].count("letters") == 1  # guesses candidates anyway
    assert ["5", "entropy", "consistent"] in [row[:3] for row in rows]


def test_turns_that_find_nothing_more_have_no_column(run, list22):
    done = run(f"{LINE} 5 --strategies parts --turns 20")
    names = done.stdout.splitlines()[1]
    assert "by 2, %" in names and "by 9, %" not in names


def test_results_are_kept_and_json_is_the_same(run, list22):
    list22.write_text(list22.read_text() + "bird\n")
    done = run(f"{LINE} 4-5 --strategies parts,histogram --seed 7 --out a.jsonl --json")
    kept = read_results("a.jsonl")
    entries = list(map(json.loads, done.stdout.splitlines()))
    assert [(one.strategy, one.length, list(one.turns)) for one in kept] == [
        (entry["strategy"], entry["length"], entry["turns"]) for entry in entries
    ]
    assert [one.strategy for one in kept] == ["parts", "parts", "histogram seed 7", "histogram seed 7"]
    assert {path.name for path in list22.parent.iterdir()} == {"list.txt", "a.jsonl"}


def test_a_failure_keeps_the_results_before_it(run, list22):
    (list22.parent / "late.py").write_text("def f(sizes):\n    return sizes if len(sizes) < 5 else 1 / 0\n")
    done = run(f"{LINE} 5 --strategies parts,late:f --out a.jsonl")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert [one.strategy for one in read_results("a.jsonl")] == ["parts"]


def test_best_is_the_kept_tree_where_there_is_one_for_every_length(run, list22, words22, grown):
    path = list22.parent / "checkpoints" / file_name("lingo", 5, words22.fingerprint)
    path.parent.mkdir()
    write_checkpoint(grown(words22), path)
    done = run(f"{LINE} 5 --strategies best,letters --consistent --json")
    entries = list(map(json.loads, done.stdout.splitlines()))
    assert [entry["strategy"] for entry in entries] == ["best", "letters"]
    assert entries[0]["mean_points"] == grown(words22).mean_points
    done = run(f"{LINE} 5 --json")
    assert [json.loads(row)["strategy"] for row in done.stdout.splitlines()] == ["best", *NAMES]
    list22.write_text(list22.read_text() + "bird\n")
    done = run(f"{LINE} 5,4 --json")
    assert {json.loads(row)["strategy"] for row in done.stdout.splitlines()} == set(NAMES)
    assert done.stderr == "gpulingo: best is left out: no tree is kept for the words of 4 letters\n"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("5 --strategies bets", 2, "--strategies: no strategy 'bets': use parts, entropy,"),
        ("5 --strategies best", 2, "--strategies: no tree is kept for the words of 5 letters in list.txt"),
        ("5 --strategies parts,,", 2, "--strategies: no strategy '': use parts,"),
        ("5 --out .", 2, ". is no plain file: name a file to write"),
        ("5 --out list.txt", 2, "list.txt would replace a file that is read"),
        ("5 --out none/a", 1, "none: cannot write there"),
        ("5 --turns 0", 2, "invalid value for '--turns'"),
        ("4,5", 1, "no words of 4 letters in list.txt"),
        ("5-4", 2, "--length: '5-4' has a range"),
        ("5 --device tpu", 2, "--device: device 'tpu'"),
    ],
)
def test_bad_input_is_one_line(run, list22, line, code, said):
    done = run(f"{LINE} {line}")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    assert done.stderr.startswith(f"gpulingo: {said}")
    assert [path.name for path in list22.parent.iterdir()] == ["list.txt"]
