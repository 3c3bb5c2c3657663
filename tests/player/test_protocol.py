"""The pit player as the pit starts it: a process, two pipes, a folder with a list."""

import signal
import subprocess
import sys

import pytest

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.marks import feedback, pattern
from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import play_round
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.trees.checkpoint import tree_bytes, write_checkpoint

PLAY = [sys.executable, "-m", "gpulingo", "play"]
PLAYER = "import sys; sys.argv = ['gpulingo', 'play', *sys.argv[1:]]\nfrom gpulingo.__main__ import run\n"
MODULES = "import sys; print('modules', *sys.modules, file=sys.stderr)"


@pytest.fixture
def folder(tmp_path, words22, grown):
    """A pit's folder with a list of 22 words and its checkpoint."""
    tree = grown(words22)
    (tmp_path / "wordlist.txt").write_text("\n".join(words22.words) + "\nable\n")
    (tmp_path / "checkpoints").mkdir()
    write_checkpoint(tree, tmp_path / "checkpoints" / file_name("lingo5", 5, tree.fingerprint))
    return tmp_path


def played(folder, *words, text=b""):
    """Exit code, guesses and complaints of a player that is sent `text` and the end of input."""
    done = subprocess.run([*PLAY, *words], cwd=folder, input=text, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode().split(), done.stderr.decode().splitlines()


def checkpoint_of(folder):
    return next((folder / "checkpoints").iterdir())


@pytest.mark.slow
def test_every_word_gets_the_points_of_the_tree(folder, words22, grown):
    tree = grown(words22)
    for target, turn in zip(words22.words, tree.found_turns(), strict=True):
        with ProcessPlayer([*PLAY, "5"], folder) as player:
            played = play_round(player, target, words22.words, lingo(), hear=player.hear)
            assert played.points == lingo().points(turn)


def test_the_light_path_loads_the_standard_library_alone(folder):
    code = f"{PLAYER}try:\n    run(sys.argv[1:])\nfinally:\n    {MODULES}"
    done = subprocess.run(
        [sys.executable, "-c", code, "5"], cwd=folder, input=b"XXXXX\n", capture_output=True, timeout=60
    )
    loaded = set(done.stderr.decode().split())
    assert done.returncode == 0 and len(done.stdout.split()) >= 1 and "modules" in loaded
    assert {"torch", "numba", "numpy", "typer", "click", "rich"} & loaded == set()


def test_levels_are_not_needed_to_play_the_words_of_a_length(tmp_path):
    command = [sys.executable, "-c", f"{PLAYER}run(['play', '5'])\n{MODULES}"]
    done = subprocess.run(command, cwd=tmp_path, input=b"OOOOO\n", capture_output=True, timeout=60)
    loaded = set(done.stderr.decode().split())
    assert (done.stdout, "gpulingo.words.levels" in loaded) == (b"tares\n", False)


@pytest.mark.parametrize(
    "text", [b"", b"X", b"XXXXX", b"XXXXX\n", b"\n" * 9, b"XXXXX\r\n" * 3, b"\xff\xfe\n" * 5]
)
def test_any_input_that_ends_early_is_a_quiet_end(folder, words22, text):
    code, guesses, _ = played(folder, "5", text=text)
    assert code == 0
    assert 1 <= len(guesses) <= 5
    assert set(guesses) <= set(words22.words)


def test_after_all_placed_there_is_no_other_guess(folder):
    code, guesses, complaints = played(folder, "5", text=b"OOOOO\nXXXXX\n")
    assert (code, len(guesses), complaints) == (0, 1, [])


def test_a_referee_that_leaves_is_no_error(folder):
    with subprocess.Popen(
        [*PLAY, "5"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"XXXXX\n" * 3)
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


def test_an_interrupt_ends_without_a_traceback(folder):
    with subprocess.Popen(
        [*PLAY, "5"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == b"gpulingo: interrupted\n"


@pytest.mark.slow  # the search loads torch
@pytest.mark.parametrize("damage", ["changed", "other list", "other turns", "named and missing"])
def test_a_checkpoint_that_cannot_be_followed_leaves_the_search(folder, words22, grown, damage):
    path = checkpoint_of(folder)
    data, words = path.read_bytes(), ["5"]
    if damage == "changed":
        path.write_bytes(data[:300] + bytes([data[300] ^ 1]) + data[301:])
    elif damage == "other list":
        path.write_bytes(tree_bytes(grown(words22, fingerprint="0" * 64)))
    elif damage == "other turns":
        path.write_bytes(tree_bytes(grown(words22, turns=6)))
    else:
        words = ["--checkpoint", "none.npz", "5"]
    code, guesses, complaints = played(folder, *words, text=b"zz\n" * 5)
    assert code == 0
    assert len(guesses) == 5 and set(guesses) <= set(words22.words)
    assert "checkpoint" in complaints[0] and "searching instead" in complaints[0]


@pytest.mark.slow  # the search loads torch
def test_without_a_checkpoint_the_words_are_searched(folder, words22):
    checkpoint_of(folder).unlink()
    code, guesses, complaints = played(folder, "5", text=b"zz\n" * 5)
    assert code == 0
    assert len(guesses) == 5 and set(guesses) <= set(words22.words)
    assert complaints[0].startswith("gpulingo: no checkpoint fits list ")


@pytest.mark.slow  # the search loads torch
@pytest.mark.parametrize("name", ["entropy", "letters"])
def test_a_strategy_that_is_named_chooses_the_guesses(folder, words22, name):
    tree = build(words22, named(name)).tree
    for target in (words22[20],):
        expected, marks, node = [], [], 0
        while not expected or expected[-1] != target:
            expected.append(words22[tree.guess[node]])
            marks.append(feedback(expected[-1], target))
            node = tree.child(node, pattern(marks[-1]))
        code, guesses, complaints = played(folder, "--strategy", name, "5", text="\n".join(marks).encode())
        assert (code, guesses, complaints) == (0, expected, [])


@pytest.mark.slow  # the search loads torch
def test_a_strategy_that_is_none_exits_2_with_one_line(folder):
    code, guesses, complaints = played(folder, "--strategy", "nosuch", "5")
    assert (code, guesses, len(complaints)) == (2, [], 1)
    assert complaints[0].startswith("gpulingo: --strategy: no strategy 'nosuch': use parts, ")


def test_the_tree_of_the_game_that_is_named_is_followed(folder, words22, grown):
    tree = grown(words22, turns=1, opening=3)
    write_checkpoint(tree, folder / "checkpoints" / file_name("lingo1", 5, tree.fingerprint))
    for words in (["--game", "lingo1", "5"], ["--game=lingo1", "5"]):
        assert played(folder, *words, text=b"XXXXX\n" * 5) == (0, [words22[3]], [])


def test_the_tree_of_the_rule_that_is_asked_for_is_followed(folder, words22):
    tree = build(words22, named("parts"), find_game("lingo-hard")).tree
    write_checkpoint(tree, folder / "checkpoints" / file_name("lingo-hard5", 5, words22.fingerprint))
    assert played(folder, "--hard", "5")[1] == [words22[tree.guess[0]]]
    assert played(folder, "--hard", "--consistent", "5")[0] == 2


@pytest.mark.parametrize("name", ["lingo-letter", "lingo-start"])
def test_the_tree_of_the_letter_that_is_given_is_followed_on_the_light_path(folder, words22, name):
    game = find_game(name)
    tree = build(words22, named("parts"), game).tree
    write_checkpoint(tree, folder / "checkpoints" / file_name(game.code, 5, words22.fingerprint))
    options = ["--first-letter", *(["--must-start"] if name == "lingo-start" else []), "5"]
    for target, turn in zip(words22.words[:5], tree.found_turns(), strict=False):
        given = ["--letter", target[0].upper()]
        with ProcessPlayer([*PLAY, *given, *options], folder) as player:
            assert play_round(player, target, words22.words, game, hear=player.hear).points == game.points(
                turn
            )
    code = f"{PLAYER}try:\n    run(sys.argv[1:])\nfinally:\n    {MODULES}"
    done = subprocess.run(
        [sys.executable, "-c", code, "--letter=r", *options], cwd=folder, input=b"",
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.decode().split() == [words22[tree.guess[tree.root("r")]]]
    assert not {"torch", "numba", "numpy", "typer", "json", "pathlib"} & set(done.stderr.decode().split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "--first-letter 5",
            "no --letter in lingo-letter: give the first letter of the word, as in --letter s",
        ),
        ("--first-letter --letter x 5", "--letter x: no target begins with it: give the first letter of one"),
        ("--first-letter --hard --letter r 5", "--hard and --first-letter: give one of them"),
    ],
)
def test_a_letter_that_is_missing_or_not_wanted_exits_2_with_one_line(folder, line, said):
    code, guesses, complaints = played(folder, *line.split())
    assert (code, guesses) == (2, [])
    assert complaints[-1].startswith(f"gpulingo: {said}")


@pytest.mark.slow  # the search loads torch
def test_a_round_whose_letter_is_given_is_searched(folder, words22):
    tree = build(words22, named("parts"), find_game("lingo-start")).tree
    code, guesses, _ = played(
        folder, *"--first-letter --must-start --letter r --search --device cpu 5".split()
    )
    assert (code, guesses) == (0, [words22[tree.guess[tree.root("r")]]])


def standing_twice(folder, words22, grown, worse):
    """A worse tree, or other bytes, where the player looks first; the opening of the better one."""
    better = build(words22, named("parts")).tree
    path = checkpoint_of(folder)
    write_checkpoint(better, path)
    first = folder / path.name
    first.write_bytes(tree_bytes(grown(words22)) if worse is None else worse)
    assert better.mean_points > grown(words22).mean_points
    return words22[better.guess[0]]


@pytest.mark.parametrize("words", [["5"], ["--strategy", "best", "5"]])
def test_a_worse_tree_that_lies_nearer_is_not_followed(folder, words22, grown, words):
    opening = standing_twice(folder, words22, grown, None)
    assert played(folder, *words) == (0, [opening], [])


def test_a_damaged_tree_is_told_in_one_line_and_another_followed(folder, words22, grown):
    opening = standing_twice(folder, words22, grown, tree_bytes(grown(words22))[:-9])
    code, guesses, complaints = played(folder, "5")
    path = checkpoint_of(folder)
    assert (code, guesses) == (0, [opening])
    assert complaints == [
        f"gpulingo: checkpoint {path.name} has a damaged end; replace it with `gpulingo simulate --length 5 "
        f"--save .`; following checkpoints/{path.name} instead"
    ]


@pytest.mark.slow  # the search loads torch
def test_without_a_tree_best_is_a_search(folder, words22):
    checkpoint_of(folder).unlink()
    code, guesses, complaints = played(folder, "--strategy", "best", "5", text=b"zz\n" * 5)
    assert (code, len(guesses)) == (0, 5)
    assert complaints[0].startswith("gpulingo: no checkpoint fits list ")
