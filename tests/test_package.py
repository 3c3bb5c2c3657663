"""The package itself: what importing it loads, and its public names."""

import ast
import builtins
import doctest
import inspect
import re
import subprocess
import sys
import typing
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import gpulingo

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_importing_it_loads_none_of_its_modules():
    code = "import sys, gpulingo; print([name for name in sys.modules if name.startswith('gpulingo')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['gpulingo']\n"


def test_every_public_name_is_there_with_an_example_that_runs():
    for name, home in gpulingo.HOMES.items():
        thing = getattr(gpulingo, name)
        assert thing.__name__ == name and inspect.unwrap(thing).__name__ == name
        assert thing.__module__ == ("gpulingo" if inspect.isfunction(thing) else home)
        assert name in dir(gpulingo) and name in gpulingo.__all__
        assert doctest.DocTestFinder().find(thing, name)[0].examples, f"{name} has no example"


@pytest.mark.slow
def test_examples_of_public_modules_do_what_they_say():
    for module in ["gpulingo", *dict.fromkeys(gpulingo.HOMES.values())]:
        tried = doctest.testmod(import_module(module), optionflags=FLAGS)
        assert tried.failed == 0 and tried.attempted > 0, module


def test_the_version_is_that_of_the_package():
    assert gpulingo.__version__ == version("gpulingo")


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'gpulingo' has no attribute 'solver'"):
        _ = gpulingo.solver


ERRORS = {
    "WordListError", "MissingListError", "UnknownWordError", "UnknownGameError", "ContradictionError",
    "CheckpointError", "CertificateError", "PlayerError", "DeviceError",
}  # fmt: skip
LONG = "abcdefghijklmnopqrstuvwxyzabcdefghijklm"  # 39 letters


def test_nine_errors_are_public_and_subclasses_of_builtin_ones():
    errors = {name for name in gpulingo.HOMES if name.endswith("Error")}
    assert errors == ERRORS
    for name in errors:
        assert issubclass(getattr(gpulingo, name), (ValueError, LookupError, RuntimeError))


def types_in(hint: object) -> set[type]:
    """The types of the package in an annotation."""
    inside = [hint] if isinstance(hint, type) and not typing.get_args(hint) else []
    parts = hint if isinstance(hint, list) else typing.get_args(hint)
    own = {part for part in inside if part.__module__.startswith("gpulingo")}
    return own.union(*map(types_in, parts))


def names_of(module: str) -> dict[str, object]:
    """The names that annotations of a module may use, including its imports for type checkers."""
    found = dict(vars(import_module(module)))
    for node in ast.walk(ast.parse(Path(found["__file__"]).read_text())):  # type: ignore[arg-type]
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__":
            own = import_module(node.module)
            found |= {each.name: getattr(own, each.name, typing.Any) for each in node.names}
        elif isinstance(node, ast.Import):
            found |= {each.name: import_module(each.name) for each in node.names if "." not in each.name}
    return found


def named_types(thing: object) -> set[type]:
    """The types in the signature of a function, or of a class's constructor and fields."""
    own = [thing]
    if inspect.isclass(thing) and "__init__" in vars(thing):
        own.append(thing.__init__)
    names = names_of(gpulingo.HOMES[thing.__name__])
    hints = [hint for each in own for hint in typing.get_type_hints(each, names).values()]
    return set().union(*map(types_in, hints))


PUBLIC = {*gpulingo.HOMES, "Tensor"}  # an array of either kind


@pytest.mark.slow
def test_every_type_that_a_public_signature_names_is_public():
    named = {name: {own.__name__ for own in named_types(getattr(gpulingo, name))} for name in gpulingo.HOMES}
    assert {name: types - PUBLIC for name, types in named.items() if types - PUBLIC} == {}


KNOWN = {
    *"KW_ONLY Callable Sequence Iterable Iterator Mapping Set Any Array Tensor torch os Fraction np".split()
}


def test_a_public_signature_names_no_alias_that_only_the_source_explains():
    for name in gpulingo.HOMES:
        thing = getattr(gpulingo, name)
        functions = [thing] if inspect.isfunction(thing) else [getattr(thing, "__init__", None), thing]
        hints = [hint for own in functions for hint in getattr(own, "__annotations__", {}).values()]
        texts = [hint if isinstance(hint, str) else getattr(hint, "__forward_arg__", "") for hint in hints]
        words = {word for text in texts for word in re.findall(r"(?<![.\w])[A-Za-z_]\w*", text)}
        assert {own for own in words - KNOWN if not hasattr(builtins, own)} <= {*gpulingo.HOMES}, name


def public_things(path):
    """An instance of every public class, with long texts and many numbers."""
    words = gpulingo.WordList("/" + "a long path/" * 30 + "words.txt", [LONG, LONG[::-1], "b" * 39])
    words = words.with_targets(words.words[:2]).with_weights(dict.fromkeys(words.targets, 1 << 20))
    small = ["dents", "dozes", "reads"]
    done, solved = gpulingo.simulate(small, "parts"), gpulingo.solve(small)
    table = gpulingo.encode(gpulingo.find_words(5).words)
    front, objective = gpulingo.whole(table), gpulingo.parts(len(table), turns_left=3)
    ranked = gpulingo.rank(table, front, None, objective, 5)
    position = gpulingo.position_after([("crane", "X?XXO")], gpulingo.find_words(5), "wordle")
    rack_table = gpulingo.rack_table(["quiz", "zax", "ax"], "scrabble", 3)
    summary = gpulingo.draw_summary(rack_table)
    evaluated = gpulingo.Evaluated(gpulingo.Partition(*[np.ones(99)] * 2), np.ones(99))
    review = gpulingo.review(["dozes", "dents", "reads"], small, target="reads")
    long_round = gpulingo.Round([(LONG, "X" * 39)] * 20)
    guess = gpulingo.suggest((), small).guesses[0]
    boards = gpulingo.suggest_boards(words=[LONG, LONG[::-1], "b" * 39], game="3-wordle255", device="cpu")
    return [
        words, gpulingo.find_words(5), gpulingo.read(path), gpulingo.embedded(),
        gpulingo.find_game("wordle-from255-hard-lost"), gpulingo.find_game("lingo255"), done,
        replace(done, strategy="module:" + LONG * 4), done.build, done.tree,
        done.tree.replaced(strategy=LONG * 4), solved, replace(solved, bound=500.0, opening=LONG * 3),
        solved.certificate, solved.certificate.evidence, table, table.with_sets(table.targets[:9]), front,
        objective, ranked, position, position.history, gpulingo.split(table, front, front.firsts),
        gpulingo.Choice(front.firsts, 343_000_000), gpulingo.Searcher(words, "cpu", game="lingo255"),
        rack_table, rack_table.bag, rack_table.spelling, rack_table.numbers, summary, summary.draws,
        summary.held[0], gpulingo.BestWords("a" * 30, 7, tuple(small) * 50),
        gpulingo.Solver(words),
        gpulingo.Stage(200, dict.fromkeys(range(255), 99)), solved.certificate.evidence, evaluated,
        evaluated.partition, review, review.turns[0], review.turns[0].before, long_round,
        gpulingo.GuessStats(LONG, [9999] * 255, 1 << 24, classes=1, largest=1 << 24, target=True), guess,
        gpulingo.suggest((), [LONG, LONG[::-1], "b" * 39], "wordle255", device="cpu"),
        gpulingo.suggest(seconds=0.0, top=1), gpulingo.Scores([review] * 1000),
        gpulingo.Rounds(words, "wordle-from255-hard-lost", 9), boards, boards.guesses[0],
        gpulingo.simulate_boards([LONG, LONG[::-1]], game="2-wordle255", rounds=1),
    ]  # fmt: skip


def test_every_repr_is_one_line_of_at_most_100_characters_without_arrays_and_addresses(tmp_path):
    path = tmp_path / ("long" * 50)
    path.write_text("dents\n")
    things = public_things(path)
    for thing in things:
        text = repr(thing)
        assert len(text) <= 100 and "\n" not in text and "tensor(" not in text and " at 0x" not in text, text
        names = [kind.__name__ for kind in type(thing).__mro__]
        assert text.startswith((*(f"{name}(" for name in names), "<Game "))
    protocols = {"Strategy", "Backend", "ObjectiveOf"}
    classes = {name for name in gpulingo.HOMES if inspect.isclass(getattr(gpulingo, name))}
    assert classes - ERRORS - protocols <= {kind.__name__ for thing in things for kind in type(thing).__mro__}


COMMANDS = [
    "suggest --length 5",
    "suggest tares:XXXXX --game lingo",
    "suggest --game bulls-and-cows 0123:0,2",
    "suggest crane:BYBBG --game wordle",
    "words",
    "show 13",
    "prove 13 --tree-only",
    "simulate --help",
]
ON_ARRAYS = [
    "suggest fjord:BBBBY --game wordle --time 0.2",
    "suggest fjord:BBBBY --game wordle --hard --time 0.2",
    "suggest slate:XXXXX --game absurdle --time 0.2",
    "review --game wordle --target merge fjord shout verge merge",
    "simulate 4 --wordlist list.txt --strategy parts",
    "simulate 4 --wordlist list.txt --game hangman --strategy rollout-1-2",
    "compare 4 --wordlist list.txt --strategies entropy",
    "openings 4 --wordlist list.txt --top 3",
    "solve 4 --wordlist list.txt --turns 4 --out 4.npz",
    "tune 4 --wordlist list.txt --iterations 1 --pools 100",
    "tiles aeinrst",
    "prove 4.npz --wordlist list.txt",
]
RUN = """
import shlex, sys
from gpulingo.__main__ import run
for line in sys.argv[1:]:
    sys.argv[1:] = shlex.split(line)
    assert run(sys.argv[1:]) == 0, line
    light = line.startswith("suggest")
    assert not {"torch", "numba", "numpy", *(["typer"] * light)} & {*sys.modules}, line
"""
WITHOUT_TORCH = """
import shlex, sys
from gpulingo.__main__ import run
for line in sys.argv[1:]:
    sys.argv[1:] = shlex.split(line)
    assert run(sys.argv[1:]) == 0 and "torch" not in sys.modules, line
"""


@pytest.mark.slow
def test_light_commands_load_neither_torch_nor_what_it_needs():
    done = subprocess.run([sys.executable, "-c", RUN, *COMMANDS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_commands_on_the_cpu_load_no_torch(tmp_path, random_words):
    (tmp_path / "list.txt").write_text("".join(f"{word}\n" for word in random_words(3, 140, 4, "abcdefghij")))
    run = [sys.executable, "-c", WITHOUT_TORCH, *ON_ARRAYS]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
