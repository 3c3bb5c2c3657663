"""A round against a host as a program sees it: a process, two pipes, a folder with lists."""

import os
import re
import signal
import subprocess
import sys

import pytest

from gpulingo.hosts.host import play_out
from gpulingo.player.arguments import parsed_arguments
from gpulingo.player.protocol import seated_host

PLAY = [sys.executable, "-m", "gpulingo", "play"]
MODULES = "import sys; print('modules', *sys.modules, file=sys.stderr)"


@pytest.fixture
def hosted(tmp_path, words22):
    """A function that hosts a round in a folder with two lists: exit code, answers, complaints."""
    (tmp_path / "list.txt").write_text("\n".join(words22.words))
    (tmp_path / "short.txt").write_text("fish dish wish iris hill moth bee".replace(" ", "\n"))
    (tmp_path / "few.txt").write_text("robin\ncrane\n")

    def play(line, text=""):
        command = [*PLAY, *line.split()]
        done = subprocess.run(command, input=text.encode(), capture_output=True, cwd=tmp_path, timeout=60)
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode().splitlines()

    return play


ABSURDLE = "--game absurdle --wordlist list.txt"
HANGMAN = "--game hangman --wordlist short.txt"


def test_each_guess_is_answered_by_marks_until_the_word_is_found(hosted):
    text = "robin\ncrane\nrobin\ngrape\n"
    found = "gpulingo: absurdle: found in 3 guesses"
    assert hosted(f"{ABSURDLE} --targets few.txt", text) == (0, ["?XXX?", "OOOOO"], [found.replace("3", "2")])
    assert hosted("--tell --game=absurdle --wordlist=list.txt --targets few.txt 5", "crane\nROBIN \r\n") == (
        0,
        ["X?X?X 1", "OOOOO 1"],
        [found.replace("3", "2")],
    )


def test_what_is_no_legal_guess_is_answered_by_dashes_and_told_and_counts_nothing(hosted):
    text = "zebra\nfish\n\n\xff\ncrane\nrobin\n"
    code, answers, complaints = hosted(f"{ABSURDLE} --targets few.txt", text)
    assert (code, answers) == (0, [*["-----"] * 4, "X?X?X", "OOOOO"])
    assert complaints[:2] == [
        "gpulingo: 'zebra' is not among the 22 words that may be guessed: guess again",
        "gpulingo: 'fish' has 4 letters, expected 5: guess again",
    ]
    assert len(complaints) == 5 and complaints[-1] == "gpulingo: absurdle: found in 2 guesses"


def test_hard_mode_is_obeyed(hosted):
    told = "gpulingo: melon has no r, one was shown: guess again"
    assert hosted(f"{ABSURDLE} --hard --targets few.txt", "robin\nmelon\nraven\ncrane\n") == (
        0,
        ["?XXX?", "-----", "??X??", "OOOOO"],
        [told, "gpulingo: absurdle-hard: found in 3 guesses"],
    )


def test_hard_mode_is_obeyed_from_its_turn_on(hosted):
    told = "gpulingo: melon has no r, one was shown: guess again"
    assert hosted(f"{ABSURDLE} --hard-from=3 --targets few.txt", "robin\nmelon\nmelon\ncrane\n") == (
        0,
        ["?XXX?", "X?XX?", "-----", "OOOOO"],
        [told, "gpulingo: absurdle-from3-hard: found in 3 guesses"],
    )


@pytest.mark.parametrize("text", ["", "robin", "robin\n", "x"])
def test_input_that_ends_is_told_and_the_word_was_not_found(hosted, text):
    code, answers, complaints = hosted(ABSURDLE, text)
    assert (code, len(answers)) == (1, bool(text))
    ended = f"after {text.count('robin')} guess{'' if 'robin' in text else 'es'} with "
    assert complaints[-1].startswith(f"gpulingo: absurdle: the input ended {ended}")
    assert complaints[-1].endswith(" words left: the word was not found")


def test_each_letter_is_answered_by_the_word_as_far_as_it_is_shown(hosted):
    assert hosted(f"{HANGMAN} --host largest --length 4 --tell", "i\ns\nh\nf\nd\nw\n") == (
        0,
        ["_ _ _ _ 0/6 6", "_ i _ _ 0/6 4", "_ i s _ 0/6 3", "_ i s h 0/6 3", "_ i s h 1/6 2", "_ i s h 2/6 1",
         "w i s h 2/6 1"],
        ["gpulingo: hangman: found with 2 misses: the word is wish"],
    )  # fmt: skip


@pytest.mark.slow
def test_the_seed_draws_the_word(hosted):
    line = f"{HANGMAN} --host honest 4"
    words = {hosted(f"{line} --lives 1 --seed {seed}", "z\n")[1][-1] for seed in range(6)}
    assert len(words) > 1
    assert hosted(f"{line} --seed 3", "")[2] == hosted(f"{line} --seed 3", "")[2]


def test_evil_wordle_is_hosted_and_answers_the_same_with_the_same_seed(hosted):
    text = "robin\ncrane\nmelon\n"
    first = hosted("--game evil-wordle --wordlist list.txt --seed 5 --length 5", text)
    assert first[:2] == hosted("--game evil-wordle --wordlist list.txt --seed 5 --length 5", text)[:2]
    assert len(first[1]) == 3


def test_without_lists_the_common_words_are_the_targets(hosted):
    code, (answer,), _ = hosted("--game absurdle --tell 13", "uncomfortably\n")
    assert code == 1 and int(answer.split()[1]) < 400


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("--game absurdle 0", 2, "word length '0' is no whole number from 1: give the letters of a word"),
        ("--game absurdle 5 6", 2, "two word lengths, 5 and 6: give one"),
        ("--game absurdle --seed x", 2, "seed 'x' is no whole number from 0"),
        ("--game absurdle --hard --consistent", 2, "--hard and --consistent: give one of them"),
        (
            "--game absurdle --hard-from 300",
            2,
            "--hard-from 300 in a game of 255 turns: name one of these turns, or leave it out",
        ),
        (
            "--game absurdle --strategy parts",
            2,
            "argument '--strategy' is none of a host's: see `gpulingo play --help`",
        ),
        ("--game absurdle --wordlist", 2, "option --wordlist has no value: give one"),
        (
            "--game absurdle --wordlist no.txt",
            2,
            "--wordlist: no word list at no.txt: give a file with one word a line",
        ),
        (
            "--game absurdle --wordlist few.txt --targets list.txt",
            2,
            "--targets: 20 of 22 words of list.txt are not among the 2 of few.txt, "
            "'apple' first: each target must be a word that may be guessed",
        ),
        (
            "--game absurdle --wordlist list.txt 6",
            1,
            "no words of 6 letters in list.txt: it holds words of 5 letters; use another list or length",
        ),
        (f"{HANGMAN} --host honest --lives 0", 2, "lives '0' is no whole number from 1"),
        (
            f"{HANGMAN} --host honest --length 0",
            2,
            "word length '0' is no whole number from 1: give the letters of a word",
        ),
        (f"{HANGMAN} --host honest --seed -1", 2, "seed '-1' is no whole number from 0"),
        (f"{HANGMAN} --host honest 4 --length 4", 2, "two word lengths, 4 and 4: give one"),
    ],
)
def test_wrong_usage_is_one_line(hosted, line, code, said):
    assert hosted(line, "robin\n") == (code, [], [f"gpulingo: {said}"])


def test_an_exact_host_is_played_by_what_makes_it(tmp_path):
    (tmp_path / "list.txt").write_text("fish dish wish iris hill moth".replace(" ", "\n"))
    line = f"--game hangman --host exact --length 4 --lives 2 --tell --wordlist {tmp_path / 'list.txt'}"
    asked, answers, told, letters = [], [], [], iter("ie")

    def exact(words):
        asked.append(len(words))

        def keep(classes, history):
            asked.append((sorted(classes), history))
            return min(classes)  # the class that shows most

        return keep

    host = seated_host(parsed_arguments(line.split()), exact)
    code = play_out(host, lambda: next(letters, "x"), answers.append, told.append, tell=True)
    assert (code, answers) == (1, ["_ _ _ _ 0/2 6", "i _ i _ 0/2 1", "i _ i _ 1/2 1", "i r i s 2/2 1"])
    assert told == ["hangman: lost with 2 misses: the word is iris"]
    assert asked == [6, (["O_O_", "_O__", "____"], [("i", "")])]


def test_an_interrupt_ends_without_a_traceback(tmp_path):
    with subprocess.Popen(
        [*PLAY, "--game", "absurdle"], cwd=tmp_path, stdin=-1, stdout=-1, stderr=-1
    ) as process:
        process.stdin.write(b"crane\n")
        process.stdin.flush()
        assert len(process.stdout.readline()) == 6
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == b"gpulingo: interrupted\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--game absurdle 9", "absurdle: .* words of 9 letters: type a guess a line; Ctrl-D ends"),
        (f"{HANGMAN} --host honest 3",
         "hangman: 1 word of 3 letters, 6 lives: type a letter a line; Ctrl-D ends"),
    ],
)  # fmt: skip
def test_at_a_terminal_the_first_line_says_what_to_do(hosted, tmp_path, line, said):
    ours, theirs = os.openpty()
    command = [*PLAY, *line.split()]
    with subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=-1, stderr=-1) as process:
        told = process.stderr.readline().decode()
        os.write(ours, b"\x04")  # Ctrl-D
        assert process.wait(60) == 1
    os.close(ours), os.close(theirs)
    assert re.fullmatch(f"gpulingo: {said}\n", told)


@pytest.mark.parametrize(
    ("line", "text"), [("--game absurdle", b"crane\nsoily\n"), (f"{HANGMAN} --host honest 4", b"e\nz\n")]
)
def test_who_reads_no_more_ends_the_round(hosted, tmp_path, line, text):
    command = [*PLAY, *line.split()]
    with subprocess.Popen(command, cwd=tmp_path, stdin=-1, stdout=-1, stderr=-1) as process:
        process.stdout.close()
        process.stdin.write(text)
        process.stdin.close()
        assert process.wait(60) == 1
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize("game", ["absurdle", "evil-wordle"])
def test_a_host_takes_the_standard_library_alone(tmp_path, game):
    code = f"import sys; sys.argv[1:] = ['play', '--game', '{game}']\n"
    code += f"from gpulingo.__main__ import run\nrun(sys.argv[1:])\n{MODULES}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, input=b"crane\n", capture_output=True, timeout=60
    )
    loaded = set(done.stderr.decode().split())
    assert "gpulingo.hosts.host" in loaded
    assert not {"torch", "numba", "numpy", "typer", "click", "rich"} & loaded
