"""The answers of `gpulingo suggest`, from a kept tree and from a search; what it refuses."""

import json
import random
import subprocess
import sys

import pytest

from gpulingo.games import marks
from gpulingo.games.catalogue import GAMES
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import parse

from .conftest import WORDS, asker


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """A function that asks of eleven words."""
    monkeypatch.chdir(tmp_path)
    return asker(tmp_path, WORDS, lambda: pytest.fail("the engine was loaded"))


@pytest.fixture
def engine():
    """What searches."""
    from gpulingo.positions import outlooks

    return outlooks


def test_a_kept_tree_answers_without_the_engine(ask, tmp_path):
    words = parse("\n".join(WORDS)).of_length(5)
    tree = simulate(words, "parts").tree
    write_checkpoint(tree, tmp_path / f"lingo5-5-{words.fingerprint[:12]}.npz")
    code, text, told = ask("--length 5 --json")
    answer = json.loads(text)
    assert (code, told, answer["left"]) == (0, [], len(WORDS))
    (own,) = answer["suggestions"]
    assert own["guess"] == words[tree.guess[0]] and own["expected"] == pytest.approx(tree.mean_points)
    assert own["found_by_turn"][-1] == 1.0
    target = "tones"
    row = marks.feedback(own["guess"], target)
    answer = json.loads(ask(f"{own['guess']}:{row} --json")[1])
    node = tree.child(0, marks.pattern(row))
    assert answer["suggestions"][0]["guess"] == words[tree.guess[node]]
    assert target in answer["candidates"] and answer["turn"] == 2


def test_another_first_guess_is_searched_and_says_so(ask, engine):
    code, text, _ = ask("bones:XOOOO --json --time 60", engine=engine)
    answer = json.loads(text)
    left = [word for word in WORDS if marks.feedback("bones", word) == "XOOOO"]
    assert (code, answer["candidates"]) == (0, left)
    assert "search" in answer["how"]
    best = answer["suggestions"][0]
    assert best["exact"] and best["classes"] >= 2
    values = [own["expected"] for own in answer["suggestions"]]
    assert values == sorted(values, reverse=True)


def test_a_guess_that_is_no_word_is_taken_with_a_note_and_never_suggested(ask, engine):
    code, text, told = ask("zzzzz:XXXXX --json", engine=engine)
    answer = json.loads(text)
    assert code == 0 and told == ["zzzzz is not among the words of wordlist.txt; its marks are taken"]
    told = ask("--game mastermind --colours 2 33:0,0 11:1,0", engine=engine)[2]
    assert told == ["33 is not among all codes of 2 pegs and 2 colours; its marks are taken"]
    assert answer["candidates"] == [word for word in WORDS if "z" not in word]
    assert all(own["guess"] in WORDS for own in answer["suggestions"])


def test_a_contradiction_names_the_guess_and_the_nearest_reading(ask):
    code, text, told = ask("bones:XOOOO tones:OOOOX")
    assert (code, text) == (1, "")
    assert told == [
        "no word fits: guess 2, tones GGGGB, rules out the 4 words that fit those before it; "
        "if the s of tones (place 5) were G instead of B, 1 would fit"
    ]
    assert "no single other mark would do" in ask("bones:OOOOX tones:XXXXX")[2][0]
    assert "rules out the word that fits those before it" in ask("tunes:OXOOO tones:XXXXX")[2][0]
    (line,) = ask("dozes:OXXXO")[2]
    assert "guess 1, dozes GBBBG, rules out every word" in line
    assert "if the e of dozes (place 4) were G instead of B, 1 would fit" in line


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("bones:XOOO", 2, "are 4, it has 5 letters"),
        ("bones:OOOOO", 1, "is the word"),
        ("bones", 2, "is not a guess with its marks"),
        ("--game chess bones:XOOOO", 2, "no game 'chess'"),
        ("--game hangman bones:XOOOO", 2, "expected one"),
        ("--length 9", 1, "no words of 9 letters"),
        ("--wordlist no.txt --length 5", 2, "no word list at no.txt"),
        ("--top many --length 5", 2, "--top 'many'"),
        ("--time soon --length 5", 2, "--time 'soon'"),
        ("--sarch --length 5", 2, "did you mean --search"),
        ("--length 5 dent:XXXX", 2, "marks of 4 letters"),
        ("--hard --consistent --length 5", 2, "give one of them"),
        ("--hard --hard-from 3 --length 5", 2, "--hard and --hard-from 3: give one of them"),
        ("--hard-from 6 --length 5", 2, "--hard-from 6 in a game of 5 turns: name one of these turns"),
        ("--game absurdle6 --length 5", 2, "absurdle has no limit of guesses: use absurdle"),
        ("--game evil-wordle --weights levels --length 5", 2, "--weights with --game evil-wordle"),
        ("--game absurdle --first-letter --letter d --length 5", 2, "whose host gives none"),
        (" ".join(["bones:XOOOO"] * 6), 1, "all that lingo5 allows"),
    ],
)
def test_bad_input_is_one_line(ask, line, code, told):
    done = ask(line)
    assert (done[0], done[1]) == (code, "")
    assert len(done[2]) == 1 and told in done[2][0]


def test_a_device_that_is_not_there_is_wrong_usage(ask, engine):
    code, text, told = ask("bones:XOOOO --device abacus", engine=engine)
    assert (code, text) == (2, "") and told[0].startswith("--device: device 'abacus' is unknown: use auto")


@pytest.mark.parametrize(
    ("rule", "history"),
    [
        ("--hard", "zzzes:XXXOO"),
        ("--consistent", "zzzes:XXXOO"),
        ("--hard", "zzzes:XXXOO bones:XOOOO"),
        ("--first-letter --must-start --letter t", "tzzzz:OXXXX"),
    ],
)
def test_a_guess_outside_the_list_is_taken_in_hard_mode_too(ask, engine, rule, history):
    code, text, told = ask(f"{rule} {history} --search --json", engine=engine)
    assert code == 0 and "is not among the words" in told[0]
    answer = json.loads(text)
    last = history.split(":")[-2].split()[-1]
    assert not any(marks.missing_hint(own["guess"], last, history[-5:]) for own in answer["suggestions"])
    assert answer["suggestions"][0]["exact"]


def test_an_error_of_the_engine_is_not_taken_for_bad_input(ask, engine, monkeypatch):
    def broken(*arguments, **options):
        raise ValueError("a fault of the program")

    monkeypatch.setattr(engine, "outlooks", broken)
    with pytest.raises(ValueError, match="a fault of the program"):
        ask("bones:XOOOO", engine=engine)


@pytest.mark.parametrize(
    ("line", "guess", "hint"),
    [
        (
            "--hard bones:XOOOO dents:XXXXX",
            "guess 2, dents,",
            ": dents has no o at place 2, where it was shown",
        ),
        ("--hard roses:XX?XO dents:XXXXX", "guess 2, dents,", ": dents has one s, two were shown"),
        (
            "--consistent bones:XOOOO dents:XXXXX",
            "guess 2, dents,",
            ": dents does not fit all marks so far: bones showed XOOOO",
        ),
        (
            "--first-letter --must-start --letter t bones:XOOOO",
            "guess 1, bones,",
            ": bones does not begin with t",
        ),
        (
            "--hard-from 3 bones:XOOOO dents:XXXXX dozes:XXXXX",
            "guess 3, dozes,",
            ": dozes has no n at place 3, where it was shown",
        ),
        (
            "--game absurdle --hard bones:XOOOO dents:XXXXX",
            "guess 2, dents,",
            ": dents has no o at place 2, where it was shown",
        ),
    ],
)
def test_a_guess_that_the_game_does_not_allow_is_told_without_the_engine(ask, line, guess, hint):
    code, text, told = ask(line)
    assert (code, text) == (1, "") and len(told) == 1
    assert f"{guess} is not allowed in" in told[0] and told[0].endswith(hint)


def test_targets_and_weights_are_those_that_are_named(ask, tmp_path, engine):
    (tmp_path / "t.txt").write_text("dents\nreads\n")
    (tmp_path / "w.tsv").write_text("dents\t1\nreads\t9\n")
    code, text, _ = ask("--length 5 --targets t.txt --weights w.tsv --json", engine=engine)
    answer = json.loads(text)
    assert (code, answer["candidates"]) == (0, ["dents", "reads"])
    best = answer["suggestions"][0]
    assert (best["guess"], best["found_by_turn"][:2]) == ("reads", [0.9, 1.0])
    for option, told in (
        ("--targets no.txt", "--targets: no word list"),
        ("--weights no.tsv", "--weights: no"),
    ):
        done = ask(f"--length 5 {option}")
        assert (done[0], done[1]) == (2, "") and done[2][0].startswith(told)


def test_past_answers_are_left_out_until_no_other_word_fits(ask, tmp_path, engine):
    (tmp_path / "past.txt").write_text("bones\ncones\n")
    line = "--length 5 --without past.txt --top 1"
    code, text, _ = ask(f"bones:XOOOO {line}", engine=engine)
    seen = "3 words without past.txt, 4 words left of wordlist.txt: zones tones lones"
    assert (code, text.splitlines()[0]) == (0, seen)
    assert " ".join(text.split()).endswith("hold if the word is one of the words without past.txt")
    code, text, _ = ask(f"bones:XOOOO tones:XOOOO zones:XOOOO lones:XOOOO {line}", engine=engine)
    seen = "no answer fits; of all 11 words of wordlist.txt 1 does: cones"
    assert (code, text.splitlines()[0]) == (0, seen)
    code, _, told = ask("--length 5 --without none.txt")
    assert (code, told[0][:21]) == (2, "--without: no word li")


def test_after_the_last_guess_the_words_left_are_told(ask):
    code, text, told = ask("--game lingo1 bones:XOOOO --json")
    answer = json.loads(text)
    assert (code, answer["suggestions"], answer["left"]) == (0, [], 4)
    assert told == ["lingo1 allows no more guesses"]


def test_histories_come_a_line_each_and_a_bad_one_is_told_and_passed_over(ask, engine):
    lines = ["bones:XOOOO", "nonsense", "-", "tones:OOOOX", "dents:????X"]
    code, text, told = ask("- --json", lines, engine)
    answers = [json.loads(line) for line in text.splitlines()]
    assert code == 2 and len(answers) == len(lines)
    assert answers[0]["left"] == 4 and answers[1] == {} and answers[2]["left"] == len(WORDS)
    assert len(told) == 3


def test_blank_lines_are_passed_over(ask):
    for line in ("", "  \t"):
        assert ask("- --json", [line, line]) == (0, "", [])
    code, text, _ = ask("--game lingo1 - --json", ["", "bones:XOOOO", ""])
    assert (code, len(text.splitlines())) == (0, 1)


def test_a_tree_answers_on_the_standard_library_alone():
    code = (
        "import sys; from gpulingo.__main__ import run; "
        "code = run(['suggest', '--length', '5']); "
        "heavy = {'torch', 'numpy', 'numba', 'typer'} & set(sys.modules); "
        "sys.exit(code or (f'loaded {heavy}' if heavy else 0))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "by the best stored tree" in done.stdout


@pytest.mark.slow
def test_no_history_leads_to_another_error(ask):
    class Nothing:
        """An engine that finds nothing."""

        DeviceError = LookupError

        @staticmethod
        def outlooks(words, game, history, **options):
            assert len(history) < game.turns or game.costs == "miss"
            return [], "by nothing"

    chance = random.Random(3)
    games = [*GAMES, *GAMES, "lingo2", "wordle1", "hangman1", "lingo-hard", "absurdle6", "chess", "5"]
    odd = ["zz", "sn", "ünes", "ß" * 5, "dents:", "\0" * 5, "-", "--"]
    guesses = [*WORDS, *WORDS, "e", "s", "d", "q", *odd]
    flags = ["--json", "--all", "--hard", "--top 3", "--search", "--consistent", "--first-letter"]
    flags += ["--letter d", "--length 5", "--weights levels", "--targets common", "--time 0", "--device no"]
    codes = {0: 0, 1: 0, 2: 0}
    for number in range(800):
        game, parts = chance.choice(games), []
        for _ in range(chance.randrange(5)):
            length = 5 if chance.random() < 0.9 else chance.randrange(7)
            marked = "".join(chance.choices("XO?_.-g🟩e", (4, 3, 2, 4, 1, 1, 1, 1, 1), k=length))
            parts.append(f"{chance.choice(guesses)}:{marked}")
        if chance.random() < 0.5:  # marks that some word gives
            guess, target = chance.choice(WORDS), chance.choice(WORDS)
            parts = [f"{guess}:{marks.feedback(guess, target)}"]
        options = chance.sample(flags, chance.randrange(3))
        line = f"--game {game} {' '.join(options)} {' '.join(parts) or '--length 5'}"
        code, text, told = ask(line, engine=Nothing)
        assert code in (0, 1, 2) and (bool(text) == (code == 0)), (number, line)
        assert all("\n" not in line for line in told) and (code == 0 or told), (number, line)
        codes[code] += 1
    assert min(codes.values()) > 40, codes


def test_a_letter_that_no_target_begins_with_is_told_after_guesses_too(ask):
    for history in ("--length 5", "bones:XOOOO"):
        code, text, told = ask(f"--first-letter --letter q {history}")
        assert (code, text) == (1, "")
        assert told == ["no target begins with the letter 'q': check it"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["absurdle", "evil-wordle"])
def test_a_host_has_no_limit_of_guesses_and_forces_so_many(ask, engine, game):
    code, text, told = ask(f"--game {game} {' '.join(['dozes:XOXOO'] * 9)} --json --time 60", engine=engine)
    answer = json.loads(text)
    left = [word for word in WORDS if marks.feedback("dozes", word) == "XOXOO"]
    assert (code, told, answer["game"], answer["turn"]) == (0, [], game, 10)
    assert answer["candidates"] == left
    best = answer["suggestions"][0]
    assert best["exact"] and best["expected"] > 10 and best["found_by_turn"] == []
    lines = ask(f"--game {game} dozes:XOXOO --time 60", engine=engine)[1].splitlines()
    assert lines[2].split() == ["guess", "total", "classes", "largest", "left"]
    assert lines[3].split()[1].isdigit() and "proven best" in lines[-1]
