"""A list that is missing, is none or lacks the words: one exit code and one line in every command."""

import pytest
import typer

from gpulingo.cli import app

LINES = {
    "play": "play 5",
    "suggest": "suggest --length 5",
    "review": "review tares:XXXXX",
    "words": "words",
    "show": "show middle.npz",
    "simulate": "simulate --length 5",
    "compare": "compare --length 5",
    "solve": "solve --length 5",
    "prove": "prove middle.npz",
    "openings": "openings --length 5",
    "tiles": "tiles --seed 1",
    "tune": "tune --length 5",
    "pit": "pit --player true --length 5",
}
EVERY_LENGTH = ("words", "tiles")  # commands that look at words of any length
SERVING = ("web",)  # commands that go on until they are stopped; see tests/cli/commands/test_web.py
LIGHT = ("play", "suggest")  # commands that read their arguments themselves
MISSING = {
    "none.txt": "no word list at none.txt: give a file with one word a line",
    "none/list.txt": "no word list at none/list.txt: give a file with one word a line",
    "list.txt/a": "no word list at list.txt/a: give a file with one word a line",
    ".": ". is a folder: give a file with one word a line",
    "/dev/zero": "/dev/zero is not a plain file: give a file with one word a line",
}
BAD = {
    b"": "bad.txt holds no words: give a file with one word a line",
    b"\xff\xfe": "bad.txt is not UTF-8 text but UTF-16: save it as UTF-8",
    b"bird\n": "no words of 5 letters in bad.txt: it holds words of 4 letters; use another list or length",
    b"bird\nbluebird\n": (
        "no words of 5 letters in bad.txt: it holds words of 4, 8 letters; use another list or length"
    ),
}


def test_every_command_that_reads_a_list_is_tried():
    commands = typer.main.get_command(app).commands
    reading = {name for name in commands if any("--wordlist" in one.opts for one in commands[name].params)}
    assert {*LINES, *SERVING} == reading


@pytest.mark.parametrize("path", MISSING)
@pytest.mark.parametrize("command", [name for name in LINES if name not in LIGHT])
def test_a_list_that_is_not_there_is_wrong_usage(run, middle, command, path):
    done = run(f"{LINES[command]} --wordlist {path}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"gpulingo: --wordlist: {MISSING[path]}\n"


@pytest.mark.parametrize("text", BAD)
@pytest.mark.parametrize("command", [name for name in LINES if name not in (*LIGHT, *EVERY_LENGTH)])
def test_a_list_that_cannot_be_used_is_a_failed_run(run, middle, command, text):
    (middle.parent / "bad.txt").write_bytes(text)
    done = run(f"{LINES[command]} --wordlist bad.txt")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"gpulingo: {BAD[text]}\n"


@pytest.mark.parametrize("command", EVERY_LENGTH)
@pytest.mark.parametrize("text", list(BAD)[:2])
def test_a_list_without_any_word_is_a_failed_run(refused, middle, command, text):
    (middle.parent / "bad.txt").write_bytes(text)
    refused(f"{LINES[command]} --wordlist bad.txt", f"{BAD[text]}\n", code=1)


@pytest.mark.parametrize("line", ["play 5 --wordlist", "play --wordlist", "suggest --length 5 --wordlist"])
def test_light_commands_say_the_same(process, middle, line):
    after = " 5" * line.startswith("play -")
    for path, said in MISSING.items():
        done = process(f"{line} {path}{after}")
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"gpulingo: --wordlist: {said}\n")
    for text, said in BAD.items():
        (middle.parent / "bad.txt").write_bytes(text)
        done = process(f"{line} bad.txt{after}")
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"gpulingo: {said}\n")


def test_a_list_that_the_folder_should_have_is_no_fault_of_the_command(process, run, middle):
    (middle.parent / "wordlist5.txt").symlink_to("none")
    said = "gpulingo: no word list at wordlist5.txt: give a file with one word a line\n"
    for line in LINES.values():
        if line.split()[0] in LIGHT:
            done = process(line)
            assert (done.returncode, done.stderr) == (1, said)
        elif line.split()[0] not in EVERY_LENGTH:
            done = run(line)
            assert (done.exit_code, done.stderr) == (1, said)


def test_a_link_to_a_device_is_not_read(process, middle):
    (middle.parent / "wordlist.txt").symlink_to("/dev/zero")
    done = process("play 5")
    said = "gpulingo: wordlist.txt is not a plain file: give a file with one word a line\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize(
    "line",
    [
        "pit --player true --players",
        "pit --player true --words",
        "simulate 5 --targets",
        "simulate 5 --weights",
        "review tares:XXXXX --without",
        "review --file",
        "tiles --bag",
    ],
)
def test_every_text_that_a_user_names_is_a_file_of_utf_8(run, list22, line):
    option = line.split()[-1]
    (list22.parent / "latin.txt").write_bytes(b"# caf\xe9\n")
    for path, said in {
        "latin.txt": "latin.txt is not UTF-8 text (byte 0xe9 at 5): save it as UTF-8",
        "/dev/zero": "/dev/zero is not a plain file: ",
    }.items():
        done = run(f"{line} {path}")
        assert (done.exit_code in (1, 2), done.stdout, done.stderr.count("\n")) == (True, "", 1)
        assert done.stderr.removeprefix("gpulingo: ").removeprefix(f"{option}: ").startswith(said)


@pytest.mark.parametrize("option", ["--words", "--players"])
def test_other_files_of_a_match_that_are_not_there_are_wrong_usage(refused, list22, option):
    done = refused(f"pit --player true --wordlist list.txt {option} none.txt", "")
    assert done.stderr.startswith(f"gpulingo: {option}: no ") and "none.txt: give" in done.stderr


def test_the_work_of_another_list_is_wrong_usage(run, refused, list22):
    line = "tune --length 5 --device cpu --out a.json --resume w.json --iterations 1 --pools none"
    assert run(f"{line} --wordlist list.txt").exit_code == 0
    (list22.parent / "a.json").unlink()  # which is told first, where it is kept
    (list22.parent / "other.txt").write_text("heron\nraven\nrobin\n")
    refused(f"{line} --wordlist other.txt", "--resume: ")
