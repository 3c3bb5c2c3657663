"""Arguments of public functions and constructors: some 1,400 invalid calls."""

import inspect
import pickle
import re
import signal
from itertools import product

import numpy as np
import pytest
import torch

import gpulingo
from gpulingo.bounds.arrays import write_arrays
from gpulingo.bounds.certificate import certificate_arrays

SMALL = ["dents", "dozes", "reads"]
WRONG = [object(), 1j, [object()], (1j, None), {1j: "a"}, {1j}, b"\xff"]  # fit no annotation but bytes
NUMBERS = [-(1 << 63), -1, 0, 256, 1 << 31, 1 << 63, 1 << 70, 1.5, float("nan"), float("inf"), True, None]
TEXTS = ["", "\0", "é", "XXXXX", "crane:", "x" * 300, "no/such/file", "lingo999999999999", "٣", "\ud800"]
ROWS = [
    [], (), torch.ones(0), torch.ones(3), torch.ones(3).int(), torch.zeros(2, 3).long(),
    -torch.ones(3).int(), torch.full((3,), 1 << 30).int(), torch.tensor(5), torch.ones(1, 3).to("meta"),
]  # fmt: skip
CHECKED = [
    name
    for name, thing in ((name, getattr(gpulingo, name)) for name in gpulingo.HOMES)
    if not hasattr(thing, "_is_protocol") or not thing._is_protocol
    if name == "PlayerError" or not (inspect.isclass(thing) and issubclass(thing, Exception))
]


def outcome(name, arguments):
    """The result of a public function or class; an error must be one line and come within a minute."""

    def stop(*_):
        pytest.fail(f"{name} does not end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60)
    try:
        made = getattr(gpulingo, name)(**arguments)
        return list(made) if name == "prove" else made
    except (TypeError, ValueError, LookupError) as error:
        assert "\n" not in str(error)
        return error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """Valid arguments of each public function and class: those of a class from an object."""
    folder = tmp_path_factory.mktemp("arguments")
    (folder / "words.txt").write_text("dents\ndozes\nreads\n")
    words, game = gpulingo.parse("dents\ndozes\nreads\n").of_length(5), gpulingo.lingo()
    done, solved, table = gpulingo.simulate(words, "parts"), gpulingo.solve(words), gpulingo.encode(SMALL)
    gpulingo.write_checkpoint(done.tree, folder / "tree.npz")
    write_arrays(folder / "certificate.npz", certificate_arrays(solved.certificate))
    front, objective = gpulingo.whole(table), gpulingo.parts(3, turns_left=2)
    racks, ids = gpulingo.rack_table(["quiz", "zax", "ax"], "scrabble", 3), np.ones(9, np.int32)
    splits, summary = gpulingo.Partition(ids, ids), gpulingo.draw_summary(racks)
    own = gpulingo.review("dozes reads", SMALL, target="reads")
    found = gpulingo.suggest(["dozes:?XX?O"], SMALL)
    position = gpulingo.position_after([("dozes", "?XX?O")], words)
    boards = gpulingo.suggest_boards("dozes:?XX?O,OXX?O", SMALL, "dordle")
    things = [
        game, words, done, done.build, done.tree, table, front, objective, own, *own.turns[:1], own.played,
        own.turns[0].before, found, *found.guesses[:1], position, position.history, racks, racks.bag,
        racks.spelling, racks.numbers, summary, summary.draws, *summary.held[:1], solved, solved.certificate,
        solved.certificate.evidence, splits, gpulingo.Evaluated(splits, ids, ids),
        gpulingo.split(table, front, front.firsts), gpulingo.rank(table, front, table.pool, objective),
        boards, *boards.guesses[:1], gpulingo.simulate_boards(SMALL, "parts", "dordle", rounds=2),
        gpulingo.Choice(front.firsts, 1), *gpulingo.best_words(["axz"], ["zax"], "scrabble"),
    ]  # fmt: skip
    usual = {
        "words": SMALL, "wordlist": words, "game": game, "device": "cpu", "seed": 0, "letter": "",
        "same": "e=d", "strategy": None, "report": None, "progress": None, "path": folder / "words.txt",
        "length": 5, "table": table, "frontier": front, "pool": table.pool, "objective": objective,
        "backend": None, "tree": done.tree, "opening": "dozes", "seconds": 0.1,
        "history": [("dozes", "?XX?O")], "tiles": 3, "guess": "dozes", "target": "dents", "targets": None,
        "weights": None, "bag": "scrabble", "width": 1, "plan": None, "order": gpulingo.parts,
        "memory": 1 << 24, "certificate": None, "turns": 5, "source": "text", "turns_left": 2,
        "name": "scrabble", "text": "dents", "guesses": table.letters,
    }  # fmt: skip
    special = {
        "find_game": {"code": "lingo"}, "marks": {"pattern": 189}, "pattern": {"text": "O?XXX"},
        "Listing": {"data": b"dents\n", "kind": "", "targets": "", "counts": (), "own": True},
        "find": {"folder": str(folder)}, "read": {"names": ()},
        "find_words": {"wordlist": folder / "words.txt"},
        "level_targets": {"name": "common", "pool": gpulingo.find_words(3)}, "levels_of": {"unknown": 3},
        "words_up_to": {"level": 10}, "PlayerError": {"fault": "crash"},
        "frontier": {"sets": [front.members]},
        "read_checkpoint": {"path": folder / "tree.npz", "thorough": True, "remedy": "make it"},
        "write_checkpoint": {"path": folder / "other.npz", "form": b"PK"},
        "tree_lines": {"words": words, "history": [], "turns": 2, "limit": 9},
        "patterns": {"targets": table.letters}, "split": {"guesses": front.firsts},
        "best_words": {"racks": ["axz"], "words": ["zax"]}, "rack_table": {"words": ["zax"]},
        "draw_summary": {"table": racks}, "parts": {"largest": 3, "payoff": range(6)},
        "Searcher": {"words": words}, "named": {"name": "parts", "report": print},
        "position_after": {"words": words}, "build": {"words": words, "strategy": gpulingo.named("parts")},
        "simulate": {"strategy": "parts"}, "Rounds": {"count": 3},
        "read_certificate": {"path": folder / "certificate.npz"},
        "prove": {"certificate": solved.certificate, "part": (1, 1)},
        "Stage": {"openings": 3, "widths": {5: 3}}, "Solver": {"least": 0},
        "solve": {"tree": None, "gap": 0.0, "check": None, "game": "lingo"},
        "review": {"guesses": ["dozes", "reads"], "target": "reads"}, "Scores": {"reviews": [own]},
        "score": {"rounds": ["dozes dozes"]}, "suggest": {"top": 3},
        "simulate_boards": {"words": SMALL, "strategy": "parts", "game": "dordle", "rounds": 2},
        "suggest_boards": {"history": "dozes:?XX?O,OXX?O", "game": "dordle", "top": 1},
    }  # fmt: skip
    objects = {type(thing).__name__: thing for thing in things}
    return {
        name: {
            argument: getattr(objects[name], argument)
            if name in objects
            else (usual | special.get(name, {}))[argument]
            for argument in inspect.signature(getattr(gpulingo, name)).parameters
        }
        for name in CHECKED
    }


@pytest.mark.slow
def test_an_argument_of_another_type_is_named_with_its_type_and_what_fits(right):
    for name in CHECKED:
        assert not isinstance(outcome(name, right[name]), (TypeError, ValueError, LookupError))
        for argument, value in product(right[name], WRONG):
            if (argument, type(value)) not in [("data", bytes), ("form", bytes)]:
                error = outcome(name, right[name] | {argument: value})
                said = rf"{argument} is of type {type(value).__name__}(\[.+\])?, expected \S.*"
                assert type(error) is TypeError and re.fullmatch(said, str(error)), (name, argument, value)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
@pytest.mark.filterwarnings("ignore")
def test_values_out_of_range_end_in_an_answer_or_one_line(right, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in CHECKED[part::3]:
        for argument, value in product(right[name], [*NUMBERS, *TEXTS, *ROWS]):
            try:
                outcome(name, right[name] | {argument: value})
            except OSError:
                assert name == "write_checkpoint"  # as its docstring says


def test_a_checked_function_is_what_it_was_to_pickle_and_to_its_readers():
    for name in ("feedback", "simulate", "review", "Game"):
        thing = getattr(gpulingo, name)
        assert pickle.loads(pickle.dumps(thing)) is thing is getattr(gpulingo, name)
    from gpulingo.words.targets import feedback

    assert gpulingo.feedback.__doc__ == feedback.__doc__ and gpulingo.feedback is not feedback
    assert inspect.signature(gpulingo.feedback) == inspect.signature(feedback)
    assert inspect.getsource(gpulingo.feedback) == inspect.getsource(feedback)
