"""Two programs check certificates: `gpulingo prove`, and scripts/second_check, which shares no code."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from recurrence import Recurrence

from gpulingo.bounds.arrays import write_arrays
from gpulingo.bounds.certificate import CertificateError, certificate_arrays, parsed_certificate
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import find_game
from gpulingo.optimise.solve import solve
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.tensors.cpu.compile import kernel_folder
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.wordlist import WordList

SCRIPT = Path(__file__).parent.parent / "scripts" / "second_check"
# Game, turns, letters, words, how many of them are targets.
LISTS = {
    "lingo": (5, 5, 24, 24),
    "wordle": (4, 4, 30, 14),
    "wordle-lost": (3, 4, 26, 26),
    "wordle-hard": (4, 4, 24, 20),
    "wordle-hard-lost": (4, 4, 24, 24),
    "mastermind": (5, 3, 27, 27),
}


def drawn(name, seed=0):
    """A list of a game, drawn by lot."""
    turns, letters, words, targets = LISTS[name]
    draw = random.Random(f"{name} {seed}")
    listed = sorted({"".join(draw.choices("abcdef", k=letters)) for _ in range(10 * words)})
    game = find_game(name, turns)
    if name == "mastermind":
        return WordList("all codes", ["".join(code) for code in product("123", repeat=3)]), game
    wordlist = WordList("a test", draw.sample(listed, words))
    return (wordlist if targets == words else wordlist.with_targets(wordlist.words[:targets])), game


def script():
    """The second checker beside the kernels, where numba keeps what it compiles of this text."""
    data = SCRIPT.read_bytes()
    copy = kernel_folder().parents[1] / "second_check" / sha256(data).hexdigest()[:16] / "second_check"
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        unfinished = copy.with_name(f"of {os.getpid()}")
        unfinished.write_bytes(data)
        unfinished.rename(copy)
    return copy


def second_check(folder, wordlist, *options):
    """Run the second checker on a folder's tree; return the lines that it printed."""
    (folder / "words.txt").write_text("".join(f"{word}\n" for word in wordlist.words))
    (folder / "targets.txt").write_text("".join(f"{word}\n" for word in wordlist.targets))
    lists = ["--wordlist", "words.txt"] + ["--targets", "targets.txt"] * (wordlist.target_ids is not None)
    lists = ["--colours", "3"] if wordlist.source == "all codes" else lists
    command = [sys.executable, script(), "tree.npz", *lists, *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    assert done.returncode == (0 if all("accepted" in line for line in lines[1:]) else 1)
    return lines


def forgeries(name, certificate, exact):
    """Arrays of certificates that claim too little, or a map that does not keep the list, by name."""
    arrays, words, draw = certificate_arrays(certificate), range(len(exact)), random.Random(name)

    def forged(**changes):
        return {**arrays, **changes}

    if "-" in name:  # of these `prove` shows the greatest bound alone
        for by in range(1, 9):
            yield f"lowered{by}", forged(bounds=np.minimum(arrays["bounds"], max(exact) - by))
        for opening in words:
            zero = np.where(np.arange(len(exact)) == opening, 0, arrays["bounds"])
            yield f"zero{opening}", forged(bounds=zero)
        return
    for opening in words:
        bounds = arrays["bounds"].copy()
        bounds[opening] = exact[opening] - draw.choice([1, 1, 2, 9])
        yield f"lowered{opening}", forged(bounds=bounds)
    for number in range(45):
        one, two = sorted(draw.sample(words, 2), key=lambda opening: exact[opening])
        bounds, looked = arrays["bounds"].copy(), arrays["looked"].copy()
        bounds[two] = min(bounds[one], exact[two] - 1)
        looked[[one, two]] = looked[[two, one]]
        other = {one: two, two: one}
        searched = np.array([other.get(each, each) for each in arrays["searched"].tolist()], int)
        order = np.argsort(searched)
        parts = np.split(arrays["searched_values"], np.cumsum(arrays["searched_sizes"])[:-1])
        swapped = forged(bounds=bounds, looked=looked, searched=searched[order])
        if len(searched):
            swapped["searched_sizes"] = arrays["searched_sizes"][order]
            swapped["searched_values"] = np.concatenate([parts[i] for i in order])
        yield f"swapped{number}", swapped
    for number in range(45):
        places, letters = list(range(4)), list(range(6))
        draw.shuffle(draw.choice([places, letters]))
        generator = np.array([places + letters])
        if name != "mastermind" and (generator != [*range(4), *range(6)]).any():
            yield f"mapped{number}", forged(automorphisms=generator)


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTS)
def test_both_checkers_accept_what_a_search_found_and_refuse_what_is_forged(name, tmp_path):
    wordlist, game = drawn(name)
    law = Recurrence(wordlist, game)
    exact = [law.value_after(opening) for opening in range(len(wordlist.words))]
    table, certificate = table_of(wordlist, game), solve(wordlist, game).certificate
    poor = build(wordlist, named("largest_class"), game, opening=wordlist.words[int(np.argmin(exact))]).tree
    write_checkpoint(replace(poor, bound=100 * max(exact) / len(wordlist.targets)), tmp_path / "tree.npz")
    write_arrays(tmp_path / "true.npz", certificate_arrays(certificate))
    best = np.full(len(exact), max(exact)) if "hard" in name else np.array(exact)
    write_arrays(tmp_path / "exact.npz", {**certificate_arrays(certificate), "bounds": best})
    assert list(prove(table, certificate))[-1] == len(exact)
    names = []
    for label, arrays in forgeries(name, certificate, exact):
        write_arrays(tmp_path / f"{label}.npz", arrays)
        names.append(f"{label}.npz")
        with pytest.raises(CertificateError):
            list(prove(table, parsed_certificate(arrays)))
    _, *lines = second_check(tmp_path, wordlist, "--certificate", "true.npz", "exact.npz", *names)
    refused = [line for line in lines if "accepted" not in line and "exceeds its bound" not in line]
    assert [line.split(":")[0] for line in lines if "accepted" in line] == ["true.npz", "exact.npz"]
    assert len(refused) == len(names) > 20


@pytest.mark.slow
def test_what_is_no_certificate_of_the_tree_is_refused_in_one_line(tmp_path):
    wordlist, game = drawn("wordle-hard")
    solution = solve(wordlist, game)
    arrays = certificate_arrays(solution.certificate)
    write_checkpoint(solution.tree, tmp_path / "tree.npz")
    bad = {
        "other": {**arrays, "fingerprint": np.frombuffer(b"0" * 64, np.uint8)},
        "newer": {**arrays, "format": arrays["format"] + [1, 0, 0]},
        "zero": {**arrays, "bounds": arrays["bounds"] * 0},
        "less": {name: array for name, array in arrays.items() if name != "near"},
    }
    for name, changed in bad.items():
        write_arrays(tmp_path / f"{name}.npz", changed)
    (tmp_path / "cut.npz").write_bytes((tmp_path / "zero.npz").read_bytes()[:300])
    names = [*bad, "cut", "missing"]
    _, *lines = second_check(tmp_path, wordlist, "--certificate", *(f"{name}.npz" for name in names))
    most = game.turns * len(wordlist.targets)
    assert lines == [
        "second_check: other.npz: it is of another list, game or number of turns",
        "second_check: newer.npz: format 9; this program reads format 8",
        f"second_check: zero.npz: bounds are not {len(wordlist.words)} numbers, 1 .. {most}",
        "second_check: less.npz: KeyError('near')",
        "second_check: cut.npz: BadZipFile('File is not a zip file')",
        "second_check: missing.npz: FileNotFoundError(2, 'No such file or directory')",
    ]
