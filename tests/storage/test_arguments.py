"""Arguments of public functions and constructors: some 1,400 invalid calls, and valid ones as before."""

import inspect
import pickle
import re
import signal
from fractions import Fraction
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
    """A valid call of each public function and class: its arguments."""
    folder = tmp_path_factory.mktemp("arguments")
    (folder / "words.txt").write_text("dents\ndozes\nreads\n")
    words = gpulingo.parse("dents\ndozes\nreads\n").of_length(5)
    done = gpulingo.simulate(words, "parts")
    gpulingo.write_checkpoint(done.tree, folder / "tree.npz")
    solved = gpulingo.solve(words)
    write_arrays(folder / "certificate.npz", certificate_arrays(solved.certificate))
    table, game = gpulingo.encode(SMALL), gpulingo.lingo()
    front, objective = gpulingo.whole(table), gpulingo.parts(3, turns_left=2)
    ids = np.ones(9, np.int32)
    splits = gpulingo.Partition(ids, ids)
    racks = gpulingo.rack_table(["quiz", "zax", "ax"], "scrabble", 3)
    seen, row = gpulingo.SetValue(400, 1, 1, "exact"), torch.ones(3).int()
    turn = {
        "guess": "dozes",
        "marks": "?XX?O",
        "before": seen,
        "chosen": 400,
        "lives": 0,
        "after": seen,
        "game": game,
        "proven": True,
    }
    played = gpulingo.Round([("dozes", "OOOOO")])
    tree = {name: getattr(done.tree, name) for name in gpulingo.Tree.__slots__}
    return {
        "Game": {"name": "lingo", "turns": 2, "payoff": [0, 1, 2], "feedback": "marks", "costs": "guess",
                 "opponent": "chance", "legal": "any", "shown": "points", "given": "", "since": 1},
        "find_game": {"code": "lingo", "turns": 6},
        "lingo": {"turns": 5}, "feedback": {"guess": "dozes", "target": "dents"},
        "marks": {"pattern": 189, "length": 5}, "pattern": {"text": "O?XXX"},
        "WordList": {"source": "a list", "words": SMALL},
        "Listing": {"source": "x", "data": b"dents\n", "kind": "", "targets": "", "counts": (), "own": True},
        "leave": {"text": "dents"},
        "embedded": {}, "find": {"length": 5, "path": folder / "words.txt", "folder": str(folder)},
        "parse": {"text": "dents", "source": "text", "same": ""},
        "read": {"path": str(folder / "words.txt"), "same": "e=d", "names": ()},
        "find_words": {
            "length": 5, "wordlist": folder / "words.txt", "targets": None, "weights": None, "same": "e=d",
        },
        "level_targets": {"name": "common", "pool": gpulingo.find_words(3)},
            "levels_of": {"wordlist": words, "unknown": 3},
        "words_up_to": {"level": 10, "length": 5}, "Tree": tree,
        "read_checkpoint": {"path": folder / "tree.npz", "thorough": True, "remedy": "make it"},
        "write_checkpoint": {"tree": done.tree, "path": folder / "other.npz", "form": b"PK"},
        "tree_lines": {"tree": done.tree, "words": words, "history": [], "letter": "", "turns": 2,
            "limit": 9},
        "verify": {"tree": done.tree, "wordlist": words},
        "GuessStats": {"guess": "dozes", "turns": [1], "total": 1, "classes": 1, "largest": 1, "bits": 0.0,
                       "target": True, "exact": True, "by": "", "alike": 1},
        "Round": {"guesses": [("dozes", "OOOOO")], "letter": "", "target": "dozes"},
        "Review": {"played": played, "game": game, "turns": [gpulingo.Turn(**turn)], "state": "won"},
        "SetValue": {"credits": 400, "weight": 1, "words": 1, "how": "exact", "best": "", "proven": True,
                     "lives": 0},
        "Turn": turn,
        "PlayerError": {"text": "it fell", "fault": "crash"},
        "WordTable": {"letters": table.letters, "alphabet": table.alphabet, "targets": table.pool,
                      "pool": table.pool, "weights": row, "feedback": "marks", "guesses": 3},
        "encode": {"words": SMALL}, "Frontier": {"members": front.members, "offsets": front.offsets},
        "frontier": {"sets": [front.members]}, "whole": {"table": table},
        "Objective": {"table": objective.table, "bonus": 1, "largest": False, "heaviest": False,
            "rows": None},
        "Ranked": {"guesses": row, "ranks": row, "pairs": 1},
        "Split": {"frontier": front, "parents": row, "patterns": row, "hits": row},
        "patterns": {"guesses": table.letters, "targets": table.letters},
        "rank": {"table": table, "frontier": front, "pool": table.pool, "objective": objective, "width": 1,
                 "backend": None, "progress": None},
        "split": {"table": table, "frontier": front, "guesses": front.firsts, "backend": None},
        "Bag": {"name": "two", "letters": ("a", "b"), "counts": (1, 2), "values": (3, 4)},
        "find_bag": {"name": "scrabble"},
        "Spelling": {"bag": racks.bag, "words": racks.spelling.words, "letters": racks.spelling.letters},
        "RackNumbers": {"limits": racks.numbers.limits, "below": racks.numbers.below},
        "BestWords": {"rack": "axz", "points": 9, "words": ("zax",)},
        "best_words": {"racks": ["axz"], "words": ["zax"], "bag": "scrabble", "device": "cpu"},
        "RackTable": {"spelling": racks.spelling, "tiles": 3, "numbers": racks.numbers,
            "points": racks.points,
                      "ranks": racks.ranks},
        "rack_table": {"words": ["zax"], "bag": "scrabble", "tiles": 3, "device": "cpu"},
        "Draws": {"by_points": {3: 4}, "without": 5}, "draw_summary": {"table": racks},
        "TileGain": {"letter": "a", "share": Fraction(1, 2), "given": Fraction(1, 2), "less": None},
        "DrawSummary": {"tiles": 3, "racks": 1, "draws": gpulingo.draw_summary(racks).draws, "held": ()},
        "Choice": {"guesses": front.firsts, "pairs": 1}, "History": {"guesses": row[None],
            "patterns": row[None]},
        "Position": {"table": table, "frontier": front, "turns_left": 5, "turn": 1, "game": game,
            "pool": None,
                     "history": None, "hinted": None, "lives": None, "rows": None},
        "parts": {"largest": 3, "turns_left": 2, "payoff": range(6)},
        "named": {"name": "parts", "seed": 0, "wordlist": words, "game": game, "report": print},
        "Searcher": {"words": words, "device": "cpu", "strategy": None, "game": "lingo", "letter": ""},
        "position_after": {"history": [("dozes", "?XX?O")], "words": words, "game": game, "table": table,
                           "letter": ""},
        "Build": {"tree": done.tree, "pairs": 1, "seconds": 1.0, "kernel_seconds": 1.0, "processor": None,
                  "fixed": ()},
        "Simulation": {"wordlist": words, "build": done.build, "device": "cpu", "strategy": "parts"},
        "build": {"words": words, "strategy": gpulingo.named("parts"), "game": game, "opening": "dozes",
                  "device": "cpu", "report": None},
        "simulate": {"words": SMALL, "strategy": "parts", "game": "lingo", "opening": "dozes",
            "device": "cpu",
                     "report": None, "progress": None},
        "Rounds": {"words": SMALL, "game": "lingo", "count": 3, "targets": None, "seed": 0, "device": "cpu"},
        "Partition": {"ids": ids, "sizes": ids}, "Evaluated": {"partition": splits, "two": ids, "three": ids},
        "Evidence": {name: getattr(solved.certificate.evidence, name)
                     for name in inspect.signature(gpulingo.Evidence).parameters},
        "Certificate": {"fingerprint": "f", "game": game, "evidence": solved.certificate.evidence,
                        "fault": ""},
        "read_certificate": {"path": folder / "certificate.npz", "wordlist": words, "game": game},
        "Checked": {"openings": set(), "supersets": {}, "all_openings": {}, "two": {}, "three": {},
                    "searched": {}, "three_turns": {}},
        "prove": {"table": table, "certificate": solved.certificate, "progress": None,
                  "part": (1, 1)},
        "Stage": {"openings": 3, "widths": {5: 3}},
        "Solver": {"wordlist": words, "game": game, "plan": None, "order": gpulingo.parts, "device": "cpu",
                   "seed": 0, "memory": 1 << 24, "least": 0},
        "Solution": {"tree": done.tree, "bound": 400.0, "certificate": None, "reached": True,
            "opening": "dozes"},
        "solve": {"words": SMALL, "game": "lingo", "seconds": 1.0, "gap": 0.0, "tree": None,
            "certificate": None,
                  "check": None, "progress": None, "plan": None, "order": gpulingo.parts, "device": "cpu",
                  "seed": 0, "memory": 1 << 24},
        "Suggestions": {"game": game, "guesses": [], "candidates": SMALL, "exact": True, "source": "x"},
        "review": {"guesses": ["dozes", "reads"], "words": SMALL, "game": "lingo", "target": "reads",
                   "letter": "", "device": "cpu"},
        "Scores": {"reviews": [gpulingo.review("dozes", SMALL, target="dozes")]},
        "score": {"rounds": ["dozes dozes"], "words": SMALL, "game": "lingo", "seconds": 0.1,
                  "device": "cpu"},
        "suggest": {"history": ["dozes:?XX?O"], "words": SMALL, "game": "lingo", "letter": "", "top": 3,
                    "seconds": 0.1, "device": "cpu"},
    }  # fmt: skip


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


def test_every_argument_is_tried(right):
    for name in CHECKED:
        assert set(inspect.signature(getattr(gpulingo, name)).parameters) == set(right[name])


def test_right_calls_of_other_packages_types_are_taken():
    assert gpulingo.marks(np.int64(189), np.int8(5)) == "O?XXX"
    assert gpulingo.encode(np.array(SMALL)).words == len(gpulingo.encode(tuple(SMALL))) == 3
    assert gpulingo.simulate(np.array(SMALL), "parts").turns == gpulingo.simulate(SMALL, "parts").turns
    assert len(gpulingo.find_words(np.int64(5))) == len(gpulingo.find_words(5))
    racks = gpulingo.best_words((rack for rack in ["axz"]), (word for word in ["zax"]), "scrabble")
    assert racks[0].words == ("zax",)


def test_a_checked_function_is_what_it_was_to_pickle_and_to_its_readers():
    for name in ("feedback", "simulate", "review", "Game"):
        thing = getattr(gpulingo, name)
        assert pickle.loads(pickle.dumps(thing)) is thing is getattr(gpulingo, name)
    from gpulingo.words.choice import feedback

    assert gpulingo.feedback.__doc__ == feedback.__doc__ and gpulingo.feedback is not feedback
    assert inspect.signature(gpulingo.feedback) == inspect.signature(feedback)
    assert inspect.getsource(gpulingo.feedback) == inspect.getsource(feedback)


def test_a_text_is_no_list_of_letters_and_true_is_no_number():
    for call, said in {
        (lambda: gpulingo.encode("abc"), "words is of type str, expected Sequence[str]"),
        (lambda: gpulingo.find_words(True), "length is of type bool, expected int"),
        (lambda: gpulingo.best_words("axz", ["zax"]), "racks is of type str, expected Iterable[str]"),
        (
            lambda: gpulingo.position_after([("dozes", 3)], 5),
            "history is of type list[tuple[str, int]], expected Sequence[tuple[str, str]]",
        ),
    }:
        with pytest.raises(TypeError, match=f"^{re.escape(said)}$"):
            call()
