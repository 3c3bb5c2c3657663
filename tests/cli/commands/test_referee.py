"""`gpulingo referee`: the output of the pit's own engine, byte for byte, for its ranking script."""

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


@pytest.fixture
def folder(list22):
    """The pit's folder: a list of 22 words and a player."""
    list22.rename(list22.with_name("wordlist.txt"))
    (list22.parent / "player.sh").write_text(PLAYER)
    return list22.parent


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


@pytest.mark.parametrize("line", ["referee --word \u00e9lan", "pit --json --word \u00e9lan"])
def test_letters_that_are_the_same_are_marked_as_one(run, folder, line):
    (folder / "wordlist.txt").write_text("\u00e9lan\nolan\n\u00eblon\n")
    done = run(
        f"{line} --length 4 --same accents --player", "sh -c 'for w in olan elan; do echo $w; read m; done'"
    )
    assert ("Got:   elan\nSent:  OOOO\nRound won" in done.stdout) or ('"total": 400.0' in done.stdout)


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
        while (sleeper / "cmdline").read_bytes() != b"sleep\x0060\x00":  # before exec it is its parent's
            assert time.monotonic() < until
        referee.terminate()
        assert referee.wait(60) == 130
        assert referee.stderr.read() == "gpulingo: interrupted\n"
    assert not sleeper.exists()
