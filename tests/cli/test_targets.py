"""`--targets`: some words of the list are to be found, in every command, and Wordle is shown as guesses."""

import json
import re
from pathlib import Path

import pytest
import typer

from gpulingo.cli.app import app
from gpulingo.games.catalogue import wordle
from gpulingo.report.results import read_results
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.words.listing import embedded
from gpulingo.words.targets import Targets

COMMANDS = typer.main.get_command(app).commands
# Each with what else it asks for, so that it ends at once.
PLAYING = {
    "simulate": "--length 5 --strategy letters",
    "compare": "--length 5 --strategies letters",
    "openings": "--length 5 --top 1",
    "solve": "--length 5",
    "tune": "--length 5 --iterations 0 --pools none",
}
LISTS = "--wordlist list.txt --targets t.txt"
WORDLE = f"--length 5 {LISTS} --game wordle --device cpu"


@pytest.fixture
def some(list22, words22):
    """The 22 words, of which every second may be the target; both stand in files of the current folder."""
    words = words22.with_targets(words22.words[::2])
    Path("t.txt").write_text("".join(f"{word}\n" for word in words.targets))
    return words


@pytest.fixture
def solved(run, some):
    """The same after `solve`: the best tree is kept, and proven."""
    done = run(f"solve {WORDLE}")
    assert done.exit_code == 0, done.stderr
    return some


def rows(text):
    """The rows of the tables of a text, as column -> cell."""
    names, found = [], []
    for line in text.splitlines():
        cells = re.split(" {2,}", line.strip())
        if cells[0] in ("length", "strategy", "opening", "turn 1"):
            names = cells
        elif len(cells) == len(names):
            found.append(dict(zip(names, cells, strict=True)))
    return found


def test_every_command_that_plays_or_reads_a_tree_takes_targets():
    taking = {
        name for name in COMMANDS if any("--targets" in option.opts for option in COMMANDS[name].params)
    }
    helping = {"suggest", "review", "web"}
    assert taking == {*PLAYING, "show", "prove", *helping, "play", "words", "pit"}


@pytest.mark.parametrize("game", ["lingo", "wordle"])
@pytest.mark.parametrize("command", PLAYING)
def test_every_command_plays_the_targets_of_every_game(run, some, command, game):
    done = run(f"{command} {PLAYING[command]} {LISTS} --game {game} --device cpu --json")
    assert done.exit_code == 0, done.stderr
    entry = json.loads(done.stdout.splitlines()[-1])
    if command == "tune":
        assert json.loads(Path(entry["file"]).read_text())["fingerprint"] == some.fingerprint
        return
    assert entry["fingerprint"] == some.fingerprint
    assert (entry["list"], entry.get("targets", "t.txt")) == ("list.txt", "t.txt")
    assert entry["words"] == 11
    if game == "wordle":
        total = round(11 * entry["mean_guesses"])
        assert (entry["game"], entry["pool"], entry["total_guesses"]) == ("wordle", 22, total)
        assert "bound_total_guesses" in entry


@pytest.mark.slow
def test_a_referee_draws_targets_and_takes_any_word_of_the_list_as_a_guess(run, some):
    Path("t.txt").write_text("stork\n")  # eagle, which is guessed first, is none
    Path("player.sh").write_text("for word in eagle stork; do echo $word; read marks; done\n")
    done = run(f"referee {LISTS} --length 5 --rounds 3 --game wordle --player", "sh player.sh")
    assert done.stdout.count("word is stork\nGot:   eagle\nSent:  XXXXX\nGot:   stork") == 3
    line = f"pit {LISTS} --lengths 5 --all-words --game wordle --json --player"
    entry = json.loads(run(line, "sh player.sh").stdout)
    assert (entry["rounds"], entry["lost"], entry["invalid"], entry["mean_guesses"]) == (1, 0, 0, 2.0)
    done = run(f"pit {LISTS} --words t.txt --player", "sh player.sh")
    assert (done.exit_code, done.stderr) == (2, "gpulingo: --words and --targets: give one of them\n")
    for command in ("pit --lengths 5", "referee --length 5"):
        done = run(f"{command} --wordlist list.txt --targets none.txt --player", "sh player.sh")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_a_simulation_of_wordle_is_shown_as_guesses(run, some):
    told = simulate(some, "parts", wordle())
    done = run(f"simulate {WORDLE} --strategy parts")
    row, turns = rows(done.stdout)
    assert done.stdout.startswith("list: list.txt; targets: t.txt; strategy: parts; device: cpu\n")
    assert list(row)[3:7] == ["mean guesses", "total guesses", "lost", "bound"]
    assert row["mean guesses"] == f"{told.tree.total_guesses / 11:.4f}"
    assert (row["words"], row["total guesses"], row["bound"]) == ("11", str(told.tree.total_guesses), "-")
    assert [turns[f"turn {turn}"] for turn in range(1, 7)] == [*map(str, told.turns)]
    assert "mean points" not in done.stdout


def test_several_lengths_have_their_mean_and_no_sum(run, some):
    with Path("list.txt").open("a") as words, Path("t.txt").open("a") as targets:
        words.write("bird\nbard\nbarn\n")
        targets.write("barn\n")
    line = f"simulate {WORDLE.replace('5', '4-5', 1)} --strategy parts"
    means = [json.loads(text)["mean_guesses"] for text in run(f"{line} --json").stdout.splitlines()]
    names, last = run(line).stdout.splitlines()[-2:]
    assert names.split() == ["strategy", "4", "5", "mean"]
    assert last.split()[1:] == [f"{number:.4f}" for number in (*means, sum(means) / 2)]


def test_a_comparison_of_wordle_begins_with_the_fewest_guesses(run, some):
    done = run(f"compare {WORDLE} --strategies random,parts,letters --out a.jsonl")
    totals = [int(row["total guesses"]) for row in rows(done.stdout) if "total guesses" in row]
    assert totals == sorted(totals) and len(totals) == 3
    ranking = done.stdout.partition("\nmean guesses\n")[2].split("\n\n")[0].splitlines()
    assert ranking[0].split() == ["strategy", "5", "mean"]
    means = [float(line.split()[-1]) for line in ranking[1:]]
    assert means == sorted(means) and len(means) == 3
    assert "mean points" not in done.stdout
    again = run(f"compare {WORDLE} --strategies random,parts,letters --out a.jsonl --resume")
    assert again.stderr == "gpulingo: a.jsonl: 3 of 3 results are there\n"
    assert {(one.words, one.pool, one.targets) for one in read_results("a.jsonl")} == {(11, 22, "t.txt")}


def test_results_of_other_targets_are_played_anew(run, some):
    line = f"compare {WORDLE} --strategies letters --out a.jsonl"
    assert run(line).exit_code == 0
    Path("t.txt").write_text("heron\nraven\n")
    assert "0 of 1 results are there" in run(f"{line} --resume").stderr
    assert "0 of 1 results are there" in run(f"{line} --resume".replace("--targets t.txt", "")).stderr
    assert [one.words for one in read_results("a.jsonl")] == [11, 2, 22]


def test_openings_of_wordle_are_shown_as_guesses(run, some):
    done = run(f"openings {WORDLE} --top 3 --out a.jsonl")
    totals = [int(row["total guesses"]) for row in rows(done.stdout)]
    assert totals == sorted(totals) and len(totals) == 3
    assert done.stdout.startswith("list: list.txt; targets: t.txt; 11 words of 5 letters; device: cpu\n")
    assert "mean points" not in done.stdout
    entries = [json.loads(line) for line in run(f"openings {WORDLE} --top 3 --json").stdout.splitlines()]
    assert [entry["total_guesses"] for entry in entries] == totals
    assert all(entry["bound_total_guesses"] <= entry["total_guesses"] for entry in entries)


def test_a_search_of_wordle_is_shown_as_guesses_and_kept_for_its_targets(run, solved):
    path = Path("checkpoints", file_name("wordle6", 5, solved.fingerprint))
    tree = read_checkpoint(path)
    done = run(f"solve {WORDLE}")
    row, turns = rows(done.stdout)
    total = str(tree.total_guesses)
    assert (row["total guesses"], row["bound"], row["gap"], row["lost"]) == (total, total, "0", "0")
    assert [turns[f"turn {turn}"] for turn in range(1, 7)] == [*map(str, tree.turn_counts())]
    mean = f"{tree.total_guesses / 11:.4f} mean guesses ({total} in total)"
    assert f"begins with {path}: {mean}\n" in done.stderr
    assert f"bound {total} guesses in total\n" in done.stderr
    assert "mean points" not in done.stdout + done.stderr
    entry = json.loads(run(f"solve {WORDLE} --json").stdout)
    assert (entry["total_guesses"], entry["bound_total_guesses"], entry["optimal"]) == (
        tree.total_guesses, tree.total_guesses, True,
    )  # fmt: skip
    assert (entry["turns"], entry["lost"]) == (tree.turn_counts(), 0)


def test_a_level_names_targets_of_any_list(run, list22):
    list22.write_text("about\nabaft\nabaca\n")
    done = run("simulate --length 5 --wordlist list.txt --targets common --device cpu")
    assert (
        done.stdout.startswith("list: list.txt; targets: answers; ") and rows(done.stdout)[0]["words"] == "2"
    )
    done = run("simulate --length 5 --wordlist list.txt --targets comon --device cpu")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert (
        "--targets: no word list at comon: give a file with one word a line, or one of answers, "
        in done.stderr
    )


def test_a_gap_is_asked_for_in_guesses(run, some):
    best = json.loads(run(f"solve {WORDLE} --json --out a.npz").stdout)["total_guesses"]
    entry = json.loads(run(f"solve {WORDLE} --json --fresh --gap 1000 --out b.npz").stdout)
    assert entry["ended"] in ("gap reached", "proven")
    for gap in (1, 2):
        entry = json.loads(run(f"solve {WORDLE} --json --fresh --gap {gap} --out b.npz").stdout)
        assert entry["total_guesses"] - entry["bound_total_guesses"] <= gap
        assert entry["bound_total_guesses"] <= best <= entry["total_guesses"]


@pytest.mark.parametrize("name", ["5", "checkpoints/{}"])
def test_a_kept_tree_is_proven_shown_and_verified_with_its_targets(run, solved, name):
    tree = read_checkpoint(Path("checkpoints", file_name("wordle6", 5, solved.fingerprint)))
    name = name.format(file_name("wordle6", 5, solved.fingerprint))
    options = f"{name} {LISTS} --game wordle"
    done = run(f"prove {options} --device cpu")
    replayed, held, last = done.stdout.splitlines()
    assert replayed.endswith(f"all 11 words replayed: {tree.total_guesses / 11:.4f} mean guesses "
                             f"({tree.total_guesses} in total)")  # fmt: skip
    assert held.endswith(
        f"all 22 openings hold: no strategy has fewer than {tree.total_guesses} guesses in total"
    )
    assert last == "no strategy has fewer: optimal"
    entry = json.loads(run(f"prove {options} --device cpu --json").stdout)
    assert (entry["optimal"], entry["bound_total_guesses"], entry["pool"]) == (True, tree.total_guesses, 22)
    done = run(f"prove --tree-only {options}")
    (row,) = rows(done.stdout)
    assert "right for all 11 words of 5 letters in list.txt; targets: t.txt\n" in done.stdout
    assert (row["total guesses"], row["lost"]) == (str(tree.total_guesses), "0")
    assert json.loads(run(f"prove --tree-only {options} --json").stdout)["optimal"] is True
    assert run(f"show {options}").stdout.startswith(f"{solved[tree.guess[0]]} (11)\n")


def test_a_tree_of_some_targets_is_none_of_all_words(run, refused, solved):
    path = Path("checkpoints", file_name("wordle6", 5, solved.fingerprint))
    done = refused(f"prove --tree-only {path} --wordlist list.txt", "", code=1)
    assert "name its list with --wordlist and its targets with --targets (read: list.txt)" in done.stderr
    done = run("prove --tree-only 5 --wordlist list.txt --game wordle")
    assert (done.exit_code, done.stderr[:27]) == (2, "gpulingo: no tree is stored")
    done = run(f"prove --tree-only 5 {LISTS} --game wordle4")
    assert "in list.txt with the targets of t.txt and wordle of 4 turns: make one" in done.stderr
    played = json.loads(run(f"simulate {WORDLE} --json").stdout)
    assert (played["strategy"], played["optimal"]) == ("best", True)
    whole = json.loads(run(f"simulate {WORDLE.replace('--targets t.txt', '')} --json").stdout)
    assert (whole["strategy"], whole["words"], whole["pool"]) == ("parts", 22, 22)
    assert (whole["optimal"], whole["bound_total_guesses"]) == (False, None)


def test_values_that_are_tuned_are_shown_as_guesses(run, some):
    done = run(f"tune {WORDLE} --iterations 1 --pools 5")
    changes, pools = (text.splitlines()[1] for text in done.stdout.split("changes tried")[1].split("pools: "))
    assert "mean guesses  total guesses" in changes and "mean guesses  total guesses" in pools
    assert re.search(r"values\.json: \d\.\d{4} mean guesses \(\d+ in total\)$", done.stdout.rstrip())


@pytest.mark.parametrize("command", ["simulate --save a.npz", "solve --out a.npz"])
def test_a_tree_of_another_game_of_as_many_turns_is_not_replaced(run, some, command):
    assert run(f"simulate {WORDLE.replace('wordle', 'lingo6')} --save a.npz").exit_code == 0
    before = Path("a.npz").read_bytes()
    done = run(f"{command} {WORDLE}")
    assert (done.exit_code, done.stdout, Path("a.npz").read_bytes()) == (2, "", before)
    assert done.stderr.startswith("gpulingo: a.npz is for lingo6, not wordle6: name another")


@pytest.mark.slow  # a list of thousands
def test_one_turn_of_foresight_takes_7949_guesses_on_the_lists_of_wordle(run, wordle_lists):
    lists = f"--wordlist {wordle_lists / 'pool.txt'} --targets {wordle_lists / 'targets.txt'}"
    line = f"simulate --length 5 --game wordle --strategy parts --device cpu {lists}"
    entry = json.loads(run(f"{line} --json").stdout)
    assert (entry["words"], entry["pool"], entry["opening"]) == (2315, 12972, "trace")
    assert (entry["total_guesses"], entry["lost"]) == (7949, 0)


@pytest.mark.slow
def test_wordle_without_lists_is_kept_proven_and_shown_on_the_answers(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    common = Targets("common").of(embedded().of_length(2))
    assert run("simulate --length 2 --game wordle --strategy parts --device cpu --save .").exit_code == 0
    (path,) = Path().glob("wordle6-2-*.npz")
    for name in ("2 --game wordle", str(path)):
        done = run(f"prove --tree-only {name}")
        right = f"right for all {common.target_count} words of 2 letters in embedded list; targets: answers\n"
        assert done.exit_code == 0 and right in done.stdout
    assert rows(run("words --game wordle").stdout)[0]["words"] == f"{common.target_count}"
    assert run("prove --tree-only 2 --game wordle --targets all").exit_code == 2
    every = json.loads(run("simulate --length 2 --game wordle --targets all --device cpu --json").stdout)
    assert (every["words"], every["list"]) == (len(common), "embedded list") and "targets" not in every
    assert run("simulate --length 2 --game wordle --targets all --device cpu --save all.npz").exit_code == 0
    assert run("prove --tree-only all.npz").exit_code == 0
