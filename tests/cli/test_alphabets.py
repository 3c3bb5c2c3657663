"""Other alphabets: a Cyrillic list of this file's own making goes through every command of Wordle."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse

LETTERS = "абвгдежйкё"
LISTS = "--wordlist слова.txt --targets цели.txt"
WORDLE = f"--length 5 {LISTS} --game wordle --device cpu"


@pytest.fixture
def words(tmp_path, monkeypatch):
    """60 words of ten letters, of which 30 may be the target; both stand in files of the current folder."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(5)
    drawn = list(dict.fromkeys("".join(draw.choices(LETTERS, k=5)) for _ in range(60)))
    targets = drawn[::2]
    Path("слова.txt").write_text("".join(f"{word}\n" for word in drawn), encoding="utf-8")
    Path("цели.txt").write_text("".join(f"{word}\n" for word in targets), encoding="utf-8")
    return parse("\n".join(drawn), "слова.txt").of_length(5).with_targets(targets, "цели.txt")


@pytest.mark.parametrize("rule", ["", "--hard", "--consistent"])
def test_it_is_played_kept_verified_shown_and_followed(run, words, rule):
    game = find_game("wordle" + rule.replace("--", "-"))
    told = simulate(words, "parts", game)
    entry = json.loads(run(f"simulate {WORDLE} {rule} --strategy parts --json").stdout)
    assert (entry["total_guesses"], entry["opening"]) == (told.tree.total_guesses, told.opening)
    assert (entry["words"], entry["pool"], entry["targets"]) == (30, 60, "цели.txt")
    assert run(f"build {WORDLE} {rule} --strategy parts --folder .").exit_code == 0
    (path,) = Path().glob("wordle*.npz")
    assert read_checkpoint(path) == told.tree and verify(told.tree, words)
    done = run(f"verify 5 {LISTS} --game wordle {rule}")
    assert "right for all 30 words of 5 letters in слова.txt; targets: цели.txt\n" in done.stdout
    shown = run(f"show 5 {LISTS} --game wordle {rule}").stdout
    assert shown.startswith(f"{told.opening} (30)\n") and all(target in shown for target in words.targets)
    command = [sys.executable, "-m", "gpulingo", "play", *f"{LISTS} --game wordle {rule} 5".split()]
    played = subprocess.run(command, input=b"OOOOO\n", capture_output=True, timeout=60)
    assert (played.stdout.decode(), played.stderr) == (f"{told.opening}\n", b"")


def test_the_best_strategy_of_it_is_found_and_proven(run, words):
    entry = json.loads(run(f"solve {WORDLE} --json").stdout)
    parts = simulate(words, "parts", find_game("wordle")).tree
    assert entry["optimal"] and entry["total_guesses"] <= parts.total_guesses
    assert entry["opening"] in words
    assert run(f"prove 5 {LISTS} --game wordle --device cpu").stdout.endswith("optimal\n")


def test_a_referee_marks_guesses_in_it(run, words):
    Path("цели.txt").write_text(f"{words.targets[3]}\n", encoding="utf-8")
    Path("player.sh").write_text(
        f"for word in {words[1]} {words.targets[3]}; do echo $word; read marks; done\n", encoding="utf-8"
    )
    done = run(f"referee {LISTS} --length 5 --game wordle --player", "sh player.sh")
    assert f"Starting new round, word is {words.targets[3]}\nGot:   {words[1]}\n" in done.stdout
    assert done.stdout.endswith("Total score: 500 / 600\n")


def test_wordle_on_such_a_list_alone_has_every_word_as_target(run, words):
    entry = json.loads(
        run("simulate --length 5 --wordlist слова.txt --game wordle --device cpu --json").stdout
    )
    assert (entry["words"], entry["pool"]) == (60, 60)
    Path("слова.txt").rename("wordlist.txt")
    entry = json.loads(run("simulate --length 5 --game wordle --device cpu --json").stdout)
    assert (entry["words"], entry["list"]) == (60, "wordlist.txt")


def test_its_words_are_of_no_level(run, words):
    entry = json.loads(run("words --wordlist слова.txt --json").stdout)
    assert (entry["words"], set(entry["levels"].values())) == (60, {0})
    done = run("simulate --length 5 --wordlist слова.txt --game wordle --targets common")
    said = "gpulingo: --targets: слова.txt has no answer of 5 letters: "
    said += "there are answers of 2 to 21 letters; use all, or a file of targets\n"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", said)
