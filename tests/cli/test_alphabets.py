"""Other alphabets: lists of letters with marks, in every command of Wordle."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import gpulingo
from gpulingo.games.catalogue import find_game
from gpulingo.games.marks import ContradictionError
from gpulingo.strategies.build import simulate
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.letters import joined, leave
from gpulingo.words.listing import parse
from gpulingo.words.targets import find_words
from gpulingo.words.wordlist import WordListError

LETTERS = {
    "cyrillic": "абвгдежйкё",
    "marks": ["a", "b", "a\u0331", "b\u0331", "का", "ä", "o\u0308\u0323", "n"],
}
LISTS = "--wordlist слова.txt --targets цели.txt"
WORDLE = f"--length 5 {LISTS} --game wordle --device cpu"


@pytest.fixture(params=LETTERS)
def words(request, tmp_path, monkeypatch):
    """60 words of five letters, 30 of them targets; both in files of the current folder."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(5)
    drawn = list(dict.fromkeys("".join(draw.choices(LETTERS[request.param], k=5)) for _ in range(60)))
    targets = drawn[::2]
    Path("слова.txt").write_text("".join(f"{word}\n" for word in drawn), encoding="utf-8")
    Path("цели.txt").write_text("".join(f"{word}\n" for word in targets), encoding="utf-8")
    return parse("\n".join(drawn), "слова.txt").of_length(5).with_targets(targets, "цели.txt")


@pytest.mark.parametrize("rule", ["", "--hard", "--consistent"])
def test_it_is_played_kept_verified_shown_and_followed(run, words, rule):
    game = find_game("wordle" + rule.replace("--", "-"))
    told = simulate(words, "parts", game)
    entry = json.loads(run(f"simulate {WORDLE} {rule} --strategy parts --json").stdout)
    assert (entry["total_guesses"], entry["opening"]) == (told.tree.total_guesses, leave(told.opening))
    assert (entry["words"], entry["pool"], entry["targets"]) == (30, 60, "цели.txt")
    assert run(f"simulate {WORDLE} {rule} --strategy parts --save .").exit_code == 0
    (path,) = Path().glob("wordle*.npz")
    assert read_checkpoint(path) == told.tree and verify(told.tree, words)
    done = run(f"prove --tree-only 5 {LISTS} --game wordle {rule}")
    assert "right for all 30 words of 5 letters in слова.txt; targets: цели.txt\n" in done.stdout
    shown = run(f"show 5 {LISTS} --game wordle {rule}").stdout
    assert shown.startswith(f"{leave(told.opening)} (30)\n") and all(
        leave(target) in shown for target in words.targets
    )
    command = [sys.executable, "-m", "gpulingo", "play", *f"{LISTS} --game wordle {rule} 5".split()]
    played = subprocess.run(command, input=b"OOOOO\n", capture_output=True, timeout=60)
    assert (played.stdout.decode(), played.stderr) == (f"{leave(told.opening)}\n", b"")


def test_the_best_strategy_of_it_is_found_and_proven(run, words):
    entry = json.loads(run(f"solve {WORDLE} --json").stdout)
    parts = simulate(words, "parts", find_game("wordle")).tree
    assert entry["optimal"] and entry["total_guesses"] <= parts.total_guesses
    assert joined(entry["opening"]) in words
    assert run(f"prove 5 {LISTS} --game wordle --device cpu").stdout.endswith("optimal\n")


def test_python_takes_equal_letters_and_says_words_as_they_are_written(tmp_path):
    (tmp_path / "w.txt").write_text("noté\nmère\npère\nfête\ntête\n", encoding="utf-8")
    words = find_words(4, tmp_path / "w.txt", same="é=e,è=e,ê=e")
    suggested = gpulingo.suggest("NOTE:BBGG", words, "wordle", device="cpu")
    assert list(map(leave, suggested.candidates)) == ["fête", "tête"] and "fête 2.500" in repr(suggested)
    reviewed = gpulingo.review(["mere", "tete"], words, "wordle", target="TÊTE", device="cpu")
    assert (reviewed.result, len(gpulingo.simulate(words, "parts").found_turns())) == (2, 5)
    with pytest.raises(ContradictionError, match="no word fits: guess 1, noté BBBB"):
        gpulingo.suggest("NOTE:BBBB", words, "wordle", device="cpu")
    with pytest.raises(WordListError, match="'zero' first"):
        words.with_targets(["zéro"])


def test_python_lowers_and_composes_what_it_is_given():
    words = find_words(5)
    assert gpulingo.feedback("CRANE", "crate") == "OOOXO"
    assert gpulingo.encode(["KA\u0308SE"]).alphabet == "eksä"
    assert words.index("CRANE") == words.index("crane")
    assert words.with_targets(["CRANE"]).targets == ["crane"]
    assert gpulingo.simulate(["CRANE", "Crate"], "parts", opening="CRATE").opening == "crate"
    assert gpulingo.suggest([("CRANE", "OOOXO")], ["CRANE", "Crate"], device="cpu").candidates == ["crate"]
    assert gpulingo.position_after([("CRANE", "OOOXO")], ["crane", "crate"]).frontier.members.tolist() == [1]


def test_letters_of_words_with_signs_are_guessed_and_their_signs_are_not():
    listing = parse("x-ray\ndon\u2019t\nt-bar\ncrane\nplate\nslate\nstale\n")
    assert listing.of_length(5).words == ["crane", "plate", "slate", "stale"]
    words = listing.of_outline("_-_a_")
    table = table_of(words, find_game("hangman"))
    assert words.words == ["x-ray", "t-bar"] and "-" not in [
        table.alphabet[n - 2] for n in table.pool.tolist()
    ]
    assert listing.of_outline("___'_").words == ["don't"]


def test_texts_of_digits_are_words_as_in_a_file(tmp_path):
    codes = ["1234", "5678", "9012"]
    (tmp_path / "codes.txt").write_text("\n".join(codes))
    file = gpulingo.find_words(4, str(tmp_path / "codes.txt"))
    of_list, of_file = (gpulingo.simulate(own, "parts", "bulls-and-cows") for own in (codes, file))
    assert of_list.tree.fingerprint == of_file.tree.fingerprint and of_list.turns == of_file.turns == [
        1,
        2,
        *[0] * 10,
    ]
    with pytest.raises(gpulingo.WordListError, match="'12b4' is among the words, expected letters only"):
        gpulingo.simulate([*codes, "12b4"], "parts")
