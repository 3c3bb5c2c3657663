"""`gpulingo pit`: who wins, what is kept, and what goes wrong."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.games.marks import feedback
from gpulingo.match.rounds import drawn_words
from gpulingo.storage.files import file_name
from gpulingo.trees.checkpoint import read_checkpoint

TIMES = ("cpu", "wall")
PLAY = ["--player", "sh good.sh", "--player", "sh bad.sh"]


def told(done):
    """The JSON objects of a run, without times; 1 says that a player failed all its rounds."""
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    failed = any(row["crashes"] + row["timeouts"] == row.get("rounds", row.get("words")) for row in rows)
    assert done.exit_code == failed, done.stderr
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def test_the_tables_say_who_wins_by_how_much_and_what_broke(run, folder, words22):
    done = run("pit --length 5 --all-words", *PLAY)
    lines = [re.split(r"  +", line.strip()) for line in done.stdout.splitlines()]
    assert lines[0] == ["list: wordlist.txt; words of each length: 22"]
    assert lines[1] == ["rank", "player", "5", "total"]
    # 500 + 400 + .. + 100, and 500, over 22 words.
    assert lines[2] == ["1", "sh good.sh", "68.18", "68.18"]
    assert lines[3] == ["2", "sh bad.sh", "22.73", "22.73"]
    names = ["rank", "player", "rounds", "lost", "mean guesses", "error", "to leader", "95 % interval"]
    assert lines[5] == names
    assert lines[6] == ["1", "sh good.sh", "22", "17", "5.318", "0.00", "0.00", "0.00 to 0.00"]
    assert lines[7] == ["2", "sh bad.sh", "22", "21", "5.773", "0.00", "-45.45", "-45.45 to -45.45"]
    assert lines[9][-4:] == ["crashes", "timeouts", "lingered", "invalid"]
    assert lines[11][-4:] == ["21", "0", "0", "0"]
    note = (
        "'sh bad.sh' failed 21 of 22 rounds, first with {}: Player program ended unexpectedly (exit code 1)"
    )
    assert done.stdout.splitlines()[12:] == ["", note.format(words22.words[1])]


def test_no_time_left_is_told_by_the_first_rounds_of_players_which_may_compile(run, folder, monkeypatch):
    for name in ("QUIET", "EVERY", "TRUSTED"):
        monkeypatch.setattr(f"gpulingo.cli.run.{name}", 0.0)
    done = run("pit --length 5 --rounds 3 --jobs 1", *PLAY)
    seen, told = set(), []
    for line in re.findall(r"pit: (?:\d+ %), .*", done.stderr):
        rounds = int(re.search(r"(\d+) of 6 rounds", line)[1]) if "rounds" in line else 0
        if rounds and rounds not in seen:
            seen.add(rounds)
            told.append("left" in line)
    assert len(told) == 6 and not told[0] and told[-1] and told.count(False) >= 2


def test_json_is_an_object_for_each_player(run, folder):
    done = run("pit --length 5 --all-words --json", *PLAY)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["rank"], first["player"], first["points"]) == (1, "sh good.sh", {"5": 1500 / 22})
    assert first["mean_guesses"] == 6 - 15 / 22
    assert (second["rounds"], second["lost"], second["crashes"], second["interval"]) == (
        22, 21, 21, [-1000 / 22, -1000 / 22],
    )  # fmt: skip
    assert 0 < second["cpu"]["median"] <= second["cpu"]["max"] < second["wall"]["max"] + 1


def test_all_players_play_the_words_that_the_seed_draws(run, folder, words22):
    words = {}
    for seed in (1, 2):
        run(f"pit --length 5 --rounds 6 --jobs 2 --seed {seed} --log logs{seed}", *PLAY)
        logs = sorted((folder / f"logs{seed}").iterdir())
        assert [log.name for log in logs] == ["1-sh-good.sh.log", "2-sh-bad.sh.log"]
        words[seed] = [sorted(re.findall("word is (.*)", log.read_text())) for log in logs]
        assert words[seed] == [sorted(drawn_words(words22, 6, seed))] * 2
    assert words[1] != words[2]


def test_the_original_file_of_players_and_a_file_of_words_are_read(run, folder, words22):
    (folder / "players.txt").write_text("# the pit\nsh bad.sh\n\nsh good.sh\n")
    (folder / "words.txt").write_text("".join(f"{word}\n" for word in (*words22.words[:2], words22.words[9])))
    (row, other) = told(run("pit --players players.txt --words words.txt --json"))
    assert (row["player"], row["points"], row["rounds"]) == ("sh good.sh", {"5": 300.0}, 3)
    assert other["standard_error"] == pytest.approx(500 / 3)


@pytest.mark.slow
def test_the_player_of_gpulingo_gets_the_points_of_its_checkpoint(run, folder, middle, words22):
    (folder / "checkpoints").mkdir()
    middle.rename(folder / "checkpoints" / file_name("lingo5", 5, words22.fingerprint))
    player = f"{sys.executable} -m gpulingo play"
    (row,) = told(run("pit --length 5 --all-words --jobs 2 --json --player", player))
    (path,) = (folder / "checkpoints").iterdir()
    assert row["total"] == read_checkpoint(path).mean_points
    assert (row["crashes"], row["invalid"], row["lingered"]) == (0, 0, 0)


def test_players_find_the_lists_in_a_folder_of_their_own_that_is_removed(run, folder):
    (folder / "look.sh").write_text(
        'pwd; cat wordlist5.txt | wc -l; wc -l <wordlist.txt; cat <"$0" | head -n 1'
    )
    run("pit --length 5 --rounds 1 --log logs --player", "sh look.sh")
    place, lines, whole, own = re.findall("Got:   (.*)", (folder / "logs" / "1-sh-look.sh.log").read_text())
    assert place != str(folder) and not Path(place).exists() and not Path(place).parent.exists()
    assert (int(lines), int(whole)) == (22, 22)
    assert own.startswith("pwd; cat")


def test_the_ranking_is_printed_before_the_folders_are_removed(folder):
    (folder / "break.sh").write_text('top=${PWD%/*}; cd /; rm -r "$top"; : >"$top"; echo heron; read marks\n')
    command = [sys.executable, "-m", "gpulingo", "pit", "--length", "5", "--rounds", "1", "--json"]
    command += ["--player", "sh break.sh"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    *_, ranking, _, line = done.stdout.splitlines()
    assert json.loads(ranking)["rounds"] == 1
    assert line.startswith("gpulingo: cannot remove the folder ")
    assert line.endswith(" (Not a directory): remove it by hand")
    Path(line.split()[5]).unlink()


def test_lists_that_a_player_empties_are_laid_out_anew_and_that_is_told(run, folder):
    (folder / "empty.sh").write_text(
        "for list in ../*/wordlist*.txt; do : >$list; done; echo heron; read marks"
    )
    (folder / "first.sh").write_text("head -n 1 wordlist5.txt; read marks")
    done = run("pit --length 5 --all-words --json --player", "sh empty.sh", "--player", "sh first.sh")
    row = next(row for row in told(done) if row["player"] == "sh first.sh")
    assert (row["points"], row["invalid"]) == ({"5": 500 / 22}, 0)
    said = "has changed or removed wordlist.txt of 'sh empty.sh' and 3 more: restored"
    assert done.stderr.splitlines()[0] == f"gpulingo: 'sh empty.sh' {said}"


def test_a_folder_to_play_in_can_be_named(run, folder):
    (folder / "in").mkdir()
    (folder / "look.sh").write_text("#!/bin/sh\npwd; touch here\n")
    (folder / "look.sh").chmod(0o755)
    run("pit --length 5 --rounds 1 --log logs --cwd in --player ./look.sh")
    assert f"Got:   {folder / 'in'}\n" in (folder / "logs" / "1-look.sh.log").read_text()
    assert [path.name for path in (folder / "in").iterdir()] == ["here"]


@pytest.mark.slow
def test_a_match_that_is_resumed_tells_what_an_uninterrupted_one_tells(run, folder):
    line = "pit --length 5 --rounds 6 --json"
    whole = told(run(line, *PLAY))
    path = folder / "kept.jsonl"
    assert told(run(f"{line} --out kept.jsonl", *PLAY)) == whole
    rows = path.read_bytes().splitlines(keepends=True)
    assert len(rows) == 12
    path.write_bytes(b"".join(rows[:7]) + rows[7][:30])
    done = run(f"{line} --out kept.jsonl --resume --log logs", *PLAY)
    assert told(done) == whole
    told_first, note = done.stderr.splitlines()
    assert told_first == "gpulingo: kept.jsonl: 7 of 12 rounds are played"
    assert note.startswith("gpulingo: 'sh bad.sh' failed 5 of 6 rounds, first with grape: ")
    logs = "".join(log.read_text() for log in (folder / "logs").iterdir())
    assert logs.count("Starting new round") == 5
    assert len(path.read_bytes().splitlines()) == 12
    # Another list: nothing of it counts.
    (folder / "wordlist.txt").write_text((folder / "wordlist.txt").read_text() + "eerie\n")
    assert ": 0 of 12 rounds are played" in run(f"{line} --resume kept.jsonl", *PLAY).stderr


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("no-such-player", "cannot be started: no program 'no-such-player' is in $PATH"),
        ("./gone", "cannot be started: there is no file '{folder}/gone'"),
        ("./good.sh", "cannot be started: '{folder}/good.sh' is not executable"),
        ("./in", "cannot be started: '{folder}/in' is a folder"),
        ("./nothing", "cannot be started: its first line names '/no/such/program', which is not there"),
        ("./data", "cannot be started: '{folder}/data' is neither a program of this machine nor begins with"),
        ("sh none.sh", "ended with exit code 2 before its first guess: "),
        ("sh odd.sh", "ended with exit code 2 before its first guess: odd.sh: "),
        ("sh -c 'kill -SEGV $$'", "was ended by SIGSEGV before its first guess"),
    ],
)
def test_a_player_that_cannot_be_started_is_told_before_anything_is_played(run, folder, player, said):
    (folder / "in").mkdir()
    (folder / "odd.sh").write_text("if\n")
    for name, text in (("nothing", "#!/no/such/program\n"), ("data", "data\n")):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    line = "pit --length 4,5 --resume kept.jsonl --timeout 30 --player"
    (folder / "wordlist.txt").write_text((folder / "wordlist.txt").read_text() + "bird\n")
    done = run(line, "sh good.sh", "--player", player)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"gpulingo: --player: {player!r} {said.format(folder=folder)}")
    assert done.stderr.count("\n") == 1 and done.stderr.endswith("; nothing was played\n")
    assert not (folder / "kept.jsonl").exists()


def test_all_players_that_cannot_be_started_are_told(run, folder):
    done = run("pit --length 5 --player no-such-player --player", "sh good.sh", "--player", "./gone")
    assert done.exit_code == 2
    assert "'no-such-player' cannot" in done.stderr and "; './gone' cannot" in done.stderr


def test_the_start_before_the_match_costs_no_round_and_only_who_plays_is_started(run, folder):
    (folder / "count.sh").write_text(f"echo x >>starts\n{(folder / 'good.sh').read_text()}")
    line = "pit --length 5 --rounds 4 --cwd . --resume kept.jsonl --json --player"
    (row,) = told(run(line, "sh count.sh"))
    assert row["rounds"] == 4
    assert (folder / "starts").read_text() == "x\n" * 5
    assert told(run(line, "sh count.sh")) == [row]
    assert (folder / "starts").read_text() == "x\n" * 5


def test_a_player_of_one_length_may_play_where_others_are_played(run, folder):
    (folder / "wordlist.txt").write_text((folder / "wordlist.txt").read_text() + "bird\n")
    (folder / "fives.sh").write_text(f"[ $1 = 5 ] || exit 1\n{(folder / 'good.sh').read_text()}")
    done = run("pit --length 4,5 --all-words --json --player", "sh fives.sh")
    (row,) = told(done)
    assert row["points"] == {"4": 0.0, "5": 1500 / 22}
    assert done.stderr == (
        "gpulingo: 'sh fives.sh' failed 1 of 23 rounds, first with bird: "
        "Player program ended unexpectedly (exit code 1)\n"
    )


def test_a_player_that_thinks_long_or_waits_first_can_be_started(run, folder):
    (folder / "wait.sh").write_text("read marks\n")
    (row,) = told(run("pit --length 5 --rounds 1 --timeout 0.3 --json --player", "sh wait.sh"))
    assert row["timeouts"] == 1


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("", "Player program ended unexpectedly (exit code 0)"),
        (
            "echo heron; read m; echo no list: $m >&2; exit 3",
            "Player program ended unexpectedly: no list: {} (exit code 3)",
        ),
        ("echo heron; exec sleep 9", "Player program timed out after 0.3 s"),
    ],
)
def test_a_player_that_fails_each_round_has_its_reason_in_the_notes_and_exit_code_1(
    run, folder, program, reason
):
    (folder / "fails.sh").write_text(program)
    line = "pit --length 5 --rounds 2 --timeout 0.3 --player"
    done = run(line, "me=sh fails.sh", "--player", "sh good.sh")
    assert (done.exit_code, done.stderr) == (1, "")
    word = re.search(r"first with (\w+)", done.stdout)[1]
    expected = reason.format(feedback("heron", word))
    assert done.stdout.splitlines()[-1] == f"'me' failed 2 of 2 rounds, first with {word}: {expected}"
