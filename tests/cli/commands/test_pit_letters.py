"""`gpulingo pit --game hangman`: foreign guessers over many words, through real pipes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpulingo.player.guesser import quiz_letter
from gpulingo.words.shown import shown

PLAYER = f"{sys.executable} -m gpulingo play --game hangman"
# A foreign guesser that asks for the letters of its arguments, after one word ended or not.
FOREIGN = """while :; do
    before=; missed=0; letters='e t a o i n s r h l d u c m f p g b v k w y'
    while read -r line; do
        [ "$line" = "$before" ] && missed=$((missed + 1))
        case $line in *_*) ;; *) echo "I guessed your word"; break ;; esac
        [ $missed -ge ${LIVES:-6} ] && { echo "I'm out of guesses"; break; }
        set -- $letters; echo "I guess the letter '$1'."; shift; letters="$*"; before=$line
    done || exit 0
    [ -n "$line" ] || exit 0
    [ -n "$ONCE" ] && exit 0
done
"""


@pytest.fixture
def words(folder, random_words):
    """The folder's list is of 40 words of 4 and of 5 letters; `sh foreign.sh` guesses by the alphabet."""
    rows = [word for length in (4, 5) for word in random_words(length, 40, length, "abcdefghijklmno")]
    (folder / "wordlist.txt").write_text("\n".join(rows))
    (folder / "foreign.sh").write_text(FOREIGN)
    return rows


def plainly_played(word, words, lives):
    """Misses of the quiz's rule on a word that it wins, else None."""
    guessed, misses = set(), 0
    same = [other for other in words if len(other) == len(word)]
    while shown(word, guessed) != word:
        missed = "".join(sorted(guessed - {*word}))
        letter = quiz_letter(shown(word, guessed), missed, same)
        guessed.add(letter)
        misses += letter not in word
        if misses == lives:
            return None
    return misses


def told(done):
    """The JSON objects of a run."""
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("lives", [2, 6])
def test_our_player_wins_as_often_as_the_quizs_rule_by_plain_simulation(run, words, lives):
    line = f"pit --game hangman --lives {lives} --length 4,5 --all-words --json --player"
    (row,) = told(run(line, f"{PLAYER} --loop --lives {lives}"))
    misses = [plainly_played(word, words, lives) for word in words]
    counts = [misses.count(number) for number in range(lives)]
    won = sum(counts)
    assert (row["words"], row["won"], row["lost"]) == (80, won, 80 - won)
    assert row["misses"] == counts
    missed = sum(lives if number is None else number for number in misses)
    assert row["mean_misses"] == pytest.approx(missed / 80)
    assert row["by_length"]["4"]["words"] == row["by_length"]["5"]["words"] == 40
    assert (row["game"], row["crashes"], row["timeouts"], row["gave_up"]) == (f"hangman{lives}", 0, 0, 0)


@pytest.mark.slow
def test_a_player_that_ends_after_each_word_is_as_good(run, words):
    line = "pit --game hangman --length 4 --rounds 12 --json --player"
    (loop, once) = told(run(line, f"{PLAYER} --loop", "--player", PLAYER))
    assert {key: loop[key] for key in ("words", "won", "misses")} == {
        key: once[key] for key in ("words", "won", "misses")
    }
    assert once["crashes"] == once["timeouts"] == 0


def test_the_tables_say_what_was_won_by_misses_and_length_and_what_broke(run, words):
    done = run("pit --game hangman --length 4-5 --rounds 10 --player", "sh foreign.sh", "--player", "true")
    lines = [re.split(r"  +", line.strip()) for line in done.stdout.splitlines()]
    assert done.exit_code == 1  # true fails every round
    assert lines[0] == ["list: wordlist.txt; words of each length: 10"]
    assert lines[1] == ["rank", "player", "words", "won", "won %", "mean misses", "words/s"]
    assert lines[2][:3] == ["1", "sh foreign.sh", "20"]
    assert lines[3][:6] == ["2", "true", "20", "0", "0.000", "6.000"]
    assert lines[5] == ["rank", "player", *(f"{n} missed" for n in range(6)), "lost"]
    assert lines[7] == ["2", "true", *["0"] * 6, "20"]
    assert sum(map(int, lines[6][2:])) == 20
    assert lines[9] == ["rank", "player", "4 won %", "5 won %"]
    names = ["CPU s", "wall s", "wall max", "crashes", "timeouts", "gave up", "repeated"]
    assert lines[13] == ["rank", "player", *names]
    assert lines[14][-4:] == ["0", "0", "0", "0"]


def test_a_match_that_is_resumed_tells_what_an_uninterrupted_one_tells(run, folder, words):
    line = "pit --game hangman --length 4 --rounds 9 --resume kept.jsonl --json --player"
    (whole,) = told(run(line, "sh foreign.sh"))
    path = folder / "kept.jsonl"
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rows[:4]) + rows[4][:30])
    done = run(line, "sh foreign.sh")
    (again,) = told(done)
    assert done.stderr == "gpulingo: kept.jsonl: 4 of 9 rounds are played\n"
    times = ("cpu", "wall", "words_per_second")
    assert {key: again[key] for key in again if key not in times} == {
        key: whole[key] for key in whole if key not in times
    }
    # Other lives: nothing of it counts.
    assert ": 0 of 9 rounds" in run(f"{line.replace('9', '9 --lives 5')}", "sh foreign.sh").stderr


def test_words_of_a_file_need_not_stand_in_the_list(run, folder, words):
    (folder / "words.txt").write_text("tease\nfuzzy\n")
    (row,) = told(run("pit --game hangman --words words.txt --json --player", "sh foreign.sh"))
    assert (row["words"], row["won"], row["misses"][2]) == (2, 1, 0)


def test_a_log_holds_what_was_shown_and_said(run, folder, words):
    (folder / "words.txt").write_text("tease\n")
    run("pit --game hangman --words words.txt --log logs --player", "sh foreign.sh")
    (log,) = (folder / "logs").iterdir()
    lines = log.read_text().splitlines()
    assert lines[:4] == [
        "Starting new round, word is tease",
        "Sent:  _ _ _ _ _",
        "Got:   I guess the letter 'e'.",
        "Sent:  _ e _ _ e",
    ]
    assert "Got:   I guessed your word" in lines and "Round won with 6 misses" not in lines


def test_an_interrupted_match_tells_what_it_has(folder, words):
    slow = "sh -c 'read line; echo e; read line && exec sleep 1000'"
    command = [sys.executable, "-m", "gpulingo", "pit", "--game", "hangman", "--length", "4", "--json"]
    command += ["--resume", "kept.jsonl", "--player", "sh foreign.sh", "--player", slow]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=folder) as cut:
        until = time.monotonic() + 60
        path = folder / "kept.jsonl"
        while not (path.exists() and path.read_bytes().count(b"\n")) and time.monotonic() < until:
            time.sleep(0.01)
        cut.send_signal(signal.SIGINT)
        output, complaints = cut.communicate(timeout=60)
    assert (cut.returncode, json.loads(output.splitlines()[0])["words"]) == (130, 1)
    said = "gpulingo: interrupted after 1 of 80 rounds; kept.jsonl has them, --resume continues\n"
    assert complaints == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--game lingo --lives 4", "--lives 4 with --game lingo, where no guess is a miss: leave it out"),
        ("--game hangman --lives 0", "'0' is not a whole number from 1"),
        ("--game hangman4 --lives 5", "game hangman4 has 4 turns, asked for are 5: name one number"),
        ("--game hangman --hard", "--hard with --game hangman, where letters are guessed: leave it out"),
        ("--game hangman --length 9", "no words of 9 letters in wordlist.txt"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_before_anything_is_played(run, words, line, said):
    done = run(f"pit --player true {line}")
    assert done.exit_code in (1, 2) and done.stdout == ""
    assert done.stderr.startswith("gpulingo: ") and done.stderr.count("\n") == 1
    assert said in done.stderr


def test_the_original_referee_knows_no_letters(run, words):
    done = run("referee --game hangman --player true")
    assert done.exit_code == 2
    assert "--game hangman6, where letters are guessed: leave out --transcript" in done.stderr


def test_nothing_is_left_running(run, words):
    os.environ["GPULINGO_TEST"] = mark = f"letters-{os.getpid()}"
    try:
        run("pit --game hangman --length 4 --rounds 3 --player", "sh -c 'setsid sleep 999 & sh foreign.sh'")
    finally:
        del os.environ["GPULINGO_TEST"]
    left = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            left += [path] if mark.encode() in path.read_bytes() else []
        except OSError:
            pass
    assert left == []
