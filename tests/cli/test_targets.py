"""`--targets`: only some words of the list are targets, in every command, and Wordle is shown as guesses."""

import json
from pathlib import Path

import pytest

from gpulingo.words.listing import embedded
from gpulingo.words.targets import Targets

# Each command with options that let it end at once.
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
    """The 22 words, every second of which is a target; both in files of the current folder."""
    words = words22.with_targets(words22.words[::2])
    Path("t.txt").write_text("".join(f"{word}\n" for word in words.targets))
    return words


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
    Path("t.txt").write_text("stork\n")  # the first guess, eagle, is not a target
    Path("player.sh").write_text("for word in eagle stork; do echo $word; read marks; done\n")
    done = run(f"referee {LISTS} --length 5 --rounds 3 --game wordle --player", "sh player.sh")
    assert done.stdout.count("word is stork\nGot:   eagle\nSent:  XXXXX\nGot:   stork") == 3
    line = f"pit {LISTS} --lengths 5 --all-words --game wordle --json --player"
    entry = json.loads(run(line, "sh player.sh").stdout)
    assert (entry["rounds"], entry["lost"], entry["invalid"], entry["mean_guesses"]) == (1, 0, 0, 2.0)


def test_a_gap_is_asked_for_in_guesses(run, some):
    best = json.loads(run(f"solve {WORDLE} --json --out a.npz").stdout)["total_guesses"]
    entry = json.loads(run(f"solve {WORDLE} --json --fresh --gap 1000 --out b.npz").stdout)
    assert entry["ended"] in ("gap reached", "proven")
    for gap in (1, 2):
        entry = json.loads(run(f"solve {WORDLE} --json --fresh --gap {gap} --out b.npz").stdout)
        assert entry["total_guesses"] - entry["bound_total_guesses"] <= gap
        assert entry["bound_total_guesses"] <= best <= entry["total_guesses"]


@pytest.mark.slow  # a list of thousands of words
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
    first = run("words --game wordle --json").stdout.splitlines()[0]
    assert json.loads(first)["words"] == common.target_count
    assert run("prove --tree-only 2 --game wordle --targets all").exit_code == 2
    every = json.loads(run("simulate --length 2 --game wordle --targets all --device cpu --json").stdout)
    assert (every["words"], every["list"]) == (len(common), "embedded list") and "targets" not in every
    assert run("simulate --length 2 --game wordle --targets all --device cpu --save all.npz").exit_code == 0
    assert run("prove --tree-only all.npz").exit_code == 0
