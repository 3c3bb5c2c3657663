"""The answers of `gpulingo suggest`, from a stored tree and from a search; what it refuses."""

import json
import random
import signal

import pytest

from gpulingo.games import marks
from gpulingo.games.catalogue import BOARDED, GAMES
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import parse

from .conftest import WORDS, Engine, asker


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """A function that runs `suggest` on eleven words without an engine."""
    monkeypatch.chdir(tmp_path)
    return asker(tmp_path, WORDS, lambda: pytest.fail("the engine was loaded"))


@pytest.fixture
def engine():
    """The real engine."""
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


def test_a_signal_ends_a_search_with_the_best_so_far(ask, ending):
    class Signalled(Engine):
        def outlooks(self, *arguments, stop, **options):
            signal.raise_signal(ending)
            assert stop.is_set()
            return super().outlooks(*arguments, **options)

    written = []
    with pytest.raises(KeyboardInterrupt):
        ask("bones:XOOOO", engine=Signalled(), write=written.append)
    assert "zones" in written[0] and "by a script" in written[0]


@pytest.mark.parametrize(
    ("rule", "history"),
    [("--hard", "zzzes:XXXOO"), ("--consistent", "zzzes:XXXOO"), ("--hard", "zzzes:XXXOO bones:XOOOO")],
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


@pytest.mark.slow
def test_no_history_leads_to_another_error(ask):
    class Nothing:
        """An engine that finds nothing."""

        @staticmethod
        def outlooks(words, game, history, **options):
            assert len(history) < game.turns or game.costs == "miss"
            return [], "by nothing"

    chance = random.Random(3)
    games = [own for own in GAMES if own not in BOARDED] * 2 + [
        "lingo2",
        "wordle1",
        "hangman1",
        "lingo-hard",
        "absurdle6",
        "chess",
        "5",
    ]
    odd = ["zz", "sn", "ünes", "ß" * 5, "dents:", "\0" * 5, "-", "--"]
    guesses = [*WORDS, *WORDS, "e", "s", "d", "q", *odd]
    flags = ["--json", "--all", "--hard", "--top 3", "--search", "--consistent", "--first-letter"]
    flags += ["--letter d", "--length 5", "--weights levels", "--targets common", "--time 0", "--device no"]
    codes = {0: 0, 1: 0, 2: 0}
    for number in range(500):
        game, parts = chance.choice(games), []
        for _ in range(chance.randrange(5)):
            length = 5 if chance.random() < 0.9 else chance.randrange(7)
            absent = chance.choice("XX__.-")  # a row has one sign for it
            marked = "".join(chance.choices(f"{absent}O?g🟩e", (20, 6, 8, 2, 1, 1), k=length))
            parts.append(f"{chance.choice(guesses)}:{marked}")
        if chance.random() < 0.5:  # marks that occur for some word
            guess, target = chance.choice(WORDS), chance.choice(WORDS)
            parts = [f"{guess}:{marks.feedback(guess, target)}"]
        options = chance.sample(flags, chance.randrange(3))
        line = f"--game {game} {' '.join(options)} {' '.join(parts) or '--length 5'}"
        code, text, told = ask(line, engine=Nothing)
        assert code in (0, 1, 2) and (bool(text) == (code == 0)), (number, line)
        assert all("\n" not in line for line in told) and (code == 0 or told), (number, line)
        codes[code] += 1
    assert min(codes.values()) > 16, codes


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
    assert lines[2].split() == ["guess", "total", "classes", "largest", "bits", "left"]
    assert lines[3].split()[1].isdigit() and "proven best" in lines[-1]
