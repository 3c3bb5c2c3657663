"""Which list serves which length."""

from pathlib import Path

import pytest
import typer

from gpulingo.cli import app
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.lists import all_sources, found_sources, list_entry, list_text, read_files, sources_text
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.words.levels import answers
from gpulingo.words.listing import WordListError, embedded


def test_lengths_of_one_file_share_its_listing(list22):
    list22.write_text("bird\nbard\nheron\n")
    four, five = found_sources([4, 5], Path("list.txt"))
    assert four.listing is five.listing
    assert (four.wordlist.words, five.wordlist.words) == (["bird", "bard"], ["heron"])
    assert sources_text([four, five]) == "list.txt"


def test_the_lists_of_the_folder_come_before_the_embedded_one(list22):
    Path("wordlist4.txt").write_text("bird\n")
    found = found_sources([4, 5, 6], None)
    assert sources_text(found) == "wordlist4.txt (4), embedded list (5-6)"
    list22.rename("wordlist.txt")
    assert sources_text(found_sources([4, 5], None)) == "wordlist4.txt (4), wordlist.txt (5)"
    assert [source.wordlist.length for source in all_sources(None, None, lingo())] == [4, 5]


def test_a_wrong_path_is_wrong_usage_and_a_bad_list_a_failed_run(list22):
    with pytest.raises(WrongUsage, match="no word list at none"):
        found_sources([5], Path("none"))
    with pytest.raises(WordListError, match="no words of 4 letters"):
        found_sources([4], Path("list.txt"))
    Path("wordlist5.txt").symlink_to("none")
    with pytest.raises(WordListError, match=r"no word list at wordlist5\.txt"):
        found_sources([5], None)


@pytest.mark.parametrize("game", ["wordle", "wordle-hard", "wordle-consistent4"])
def test_wordle_without_lists_has_answers_as_targets(list22, game):
    rules = find_game(game)
    (own,) = found_sources([6], None, None, rules)
    assert list_text(own.wordlist) == "embedded list; targets: answers"
    assert (own.wordlist.target_count, len(own.wordlist)) == (
        len(answers(6)),
        len(embedded().of_length(6)),
    )
    for path, targets, of in ((Path("list.txt"), None, rules), (None, "all", rules), (None, None, lingo())):
        (every,) = found_sources([5], path, targets, of)
        assert every.wordlist.target_ids is None
    list22.rename("wordlist5.txt")
    mine, common = found_sources([5, 6], None, None, rules)
    assert (mine.wordlist.target_ids, common.wordlist.targets) == (None, own.wordlist.targets)


def test_targets_are_of_every_length_and_named_beside_the_list(list22):
    list22.write_text("bird\nbard\nheron\nrobin\n")
    Path("t.txt").write_text("robin\nbard\n")
    four, five = found_sources([4, 5], Path("list.txt"), "t.txt")
    assert (four.wordlist.targets, five.wordlist.targets) == (["bard"], ["robin"])
    assert (four.wordlist.words, len(five.wordlist)) == (["bird", "bard"], 2)
    assert sources_text([four, five]) == list_text(five.wordlist) == "list.txt; targets: t.txt"
    assert list_entry(five.wordlist) == {"list": "list.txt", "targets": "t.txt", "pool": 2}
    assert read_files([four, five]) == [Path("list.txt"), Path("t.txt")]
    plain = found_sources([5], Path("list.txt"))
    assert (list_entry(plain[0].wordlist), read_files(plain)) == ({"list": "list.txt"}, [Path("list.txt")])


def test_a_file_of_targets_that_is_no_list_is_a_failed_run(list22):
    Path("t.txt").write_bytes(b"\xff\n")
    with pytest.raises(WordListError, match=r"t\.txt is not UTF-8 text"):
        found_sources([5], Path("list.txt"), "t.txt")


def test_what_a_file_of_targets_leaves_out_is_told_once(list22, capsys):
    Path("t.txt").write_text("heron\nheron\n\nco-op\n")
    found_sources([5], Path("list.txt"), "t.txt")
    said = "gpulingo: t.txt: skipped 1 blank line, 1 duplicate, 1 word with non-letters"
    said += ", more than a tenth of the list: 'co-op', ..\n"
    assert capsys.readouterr().err == said


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
