"""`gpulingo referee`: what the pit's own engine prints, byte for byte, for its ranking script to read."""

import re
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

PLAYER = """for word in eagle abcde stork; do
    echo $word
    read marks
    [ $marks = OOOOO ] && exit
done
"""
ROUND = """Starting new round, word is stork
Got:   eagle
Sent:  XXXXX
Got:   abcde
Sent:  XXXXX
Got:   stork
Sent:  OOOOO
Round won with score 300

Total score: 300 / 500
"""


@pytest.fixture
def folder(list22):
    """The pit's folder: a list of 22 words and a player."""
    list22.rename(list22.with_name("wordlist.txt"))
    (list22.parent / "player.sh").write_text(PLAYER)
    return list22.parent


@pytest.mark.parametrize("line", ["referee -word stork -player", "pit --word stork --transcript --player"])
def test_a_round_is_printed_as_the_original_prints_it(run, folder, line):
    done = run(line, "sh player.sh")
    assert (done.stdout, done.stderr, done.exit_code) == (ROUND, "", 0)


def test_the_ranking_script_finds_its_number(run, folder):
    # As pit.rb does: the last line, and two numbers in it.
    def points(player, word):
        lines = run(f"referee -word {word} -player", player).stdout.rstrip("\n").split("\n")
        found = re.search(r"(\d+) / (\d+)", lines[-1])
        return int(found[1]) if found else None

    assert points("sh player.sh", "eagle") == 500
    assert points("sh player.sh", "heron") is None  # it ends after three guesses
    assert points("yes eagle", "heron") == 0


@pytest.mark.parametrize(
    ("player", "line"),
    [
        ("sh player.sh", "Error: Player program ended unexpectedly"),
        ("false", "Error: Player program ended unexpectedly"),
        ("no-such-player", 'Error: exec: "no-such-player": executable file not found in $PATH'),
        ("./gone", "Error: fork/exec ./gone: no such file or directory"),
        ("./player.sh", "Error: fork/exec ./player.sh: permission denied"),
        ("cat /dev/zero", "Error: bufio.Scanner: token too long"),
        ("sleep 60 ", "Error: Player program timed out after 0.4 s"),
    ],
)
def test_a_player_that_fails_ends_the_run_with_an_error_line(run, folder, player, line):
    if player.startswith("cat"):  # cat takes the length for a file, which has to be there
        (folder / "5").write_text("")
    if player.startswith("sleep"):
        player = "sh -c 'sleep 60'"
    timeout = 0.4 if player.startswith("sh -c") else 30
    done = run(f"referee --word heron --timeout {timeout} --player", player)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "Starting new round, word is heron"
    assert done.stdout.splitlines()[-1] == line


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("false", "'false' ended with exit code 1 before its first guess\n"),
        ("sh none.sh", "'sh' ended with exit code 2 before its first guess: "),
        ("no-such-player", "'no-such-player' cannot be started: no program 'no-such-player' is in $PATH\n"),
        ("./player.sh", "'./player.sh' cannot be started: './player.sh' is not executable; "),
    ],
)
def test_why_a_player_made_no_guess_is_told_beside_what_the_original_prints(run, folder, player, said):
    done = run("referee --word heron --timeout 30 --player", player)
    assert done.exit_code == 0
    assert done.stderr.startswith(f"gpulingo: --player: {said}")
    assert done.stderr.count("\n") == 1
    assert len(done.stdout.splitlines()) == 2


def test_rounds_are_added_up_until_one_fails(run, folder):
    done = run("referee --rounds 3 --word eagle --player", "sh player.sh")
    assert done.stdout.count("Starting new round") == 3
    assert done.stdout.endswith("Round won with score 500\n\nTotal score: 1500 / 1500\n")
    done = run("referee --rounds 3 --word heron --player", "sh player.sh")
    assert done.stdout.count("Starting new round") == 1
    assert "Total" not in done.stdout


def test_words_are_drawn_by_length_and_seed(run, folder):
    (folder / "wordlist.txt").write_text((folder / "wordlist.txt").read_text() + "bird\n")

    def words(line):
        return re.findall("word is (.*)", run(line, "yes eagle").stdout)

    drawn = words("referee --length 5 --rounds 12 --seed 3 --player")
    assert len(drawn) == 12 and len(set(drawn)) > 3
    assert drawn == words("referee --length 5 --rounds 12 --seed 3 --player")
    assert drawn != words("referee --length 5 --rounds 12 --seed 4 --player")
    assert words("referee --length 4 --player") == ["bird"]
    assert words("referee -length 6 -word bird -player") == ["bird"]
    five, chance = (folder / "wordlist.txt").read_text().split()[:22], Random(3)
    assert drawn == [five[chance.randrange(22)] for _ in drawn]


def test_guesses_are_made_printable(run, folder):
    done = run("referee --word heron --player", r"printf '\033[2J\0\377\n\n\n\n\n'")
    assert done.stdout.splitlines()[1:3] == ["Got:   \\x1b[2J\\x00\\xff", "Sent:  XXXXX"]


def test_the_player_runs_in_the_current_folder_where_the_list_is(run, folder):
    done = run("referee --word heron --player", "sh -c 'touch was-here; pwd; true'")
    assert done.stdout.splitlines()[1] == f"Got:   {folder}"
    assert (folder / "was-here").exists()


@pytest.mark.parametrize("option", ["--wordlist ../other.txt", ""])
def test_elsewhere_the_player_finds_the_list_in_a_temporary_folder(run, folder, monkeypatch, option):
    (folder / "other.txt").write_text("crane\nheron\n")
    (folder / "in").mkdir()
    monkeypatch.chdir(folder / "in")
    Path("player.sh").write_text("pwd; wc -l <wordlist5.txt; head -n 1 wordlist.txt")
    done = run(f"referee {option} --word heron --player", "sh ./player.sh")
    place, lines, first = re.findall("Got:   (.*)", done.stdout)
    assert place != str(folder / "in") and not Path(place).exists()
    assert (int(lines), first) == (2, "crane") if option else int(lines) > 10_000


@pytest.mark.parametrize(("debug", "shown"), [("-debug", "hello\n"), ("", "")])
def test_debug_shows_the_players_stderr(run, folder, capfd, debug, shown):
    run(f"referee -word eagle {debug} -player", "sh -c 'echo hello >&2; echo eagle'")
    assert capfd.readouterr().err == shown


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_a_terminated_referee_takes_its_player_along(folder):
    command = [sys.executable, "-m", "gpulingo", "referee", "--word", "heron", "--player"]
    player = "sh -c 'setsid sleep 60 & echo $!; sleep 60'"
    with subprocess.Popen([*command, player], stdout=-1, stderr=-1, text=True, cwd=folder) as referee:
        numbers = (re.match(r"Got: +(\d+)", line) for line in referee.stdout)
        sleeper = Path("/proc") / next(found[1] for found in numbers if found)
        until = time.monotonic() + 60
        while (sleeper / "cmdline").read_bytes() != b"sleep\x0060\x00":  # at first it is still its parent's
            assert time.monotonic() < until
        referee.terminate()
        assert referee.wait(60) == 130
        assert referee.stderr.read() == "gpulingo: interrupted\n"
    assert not sleeper.exists()
