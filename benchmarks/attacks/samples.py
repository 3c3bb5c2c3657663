"""Small lists, a file of every kind for each, and their optimum by plain recursion."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from gpulingo.bounds.arrays import write_arrays
from gpulingo.bounds.certificate import certificate_arrays, certificate_of
from gpulingo.bounds.host_proof import write_host_proof
from gpulingo.games.catalogue import hangman, lingo
from gpulingo.match import rounds as match
from gpulingo.optimise import adversary
from gpulingo.optimise.solver import Solver
from gpulingo.report import results
from gpulingo.solvers.hosts.misses import AdversaryMisses
from gpulingo.strategies import tuned
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import Pool
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.tuning import tuner as tuning

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = (0, 1, -1, 2, 127, 255, 256, 1 << 20, (1 << 31) - 1, -(1 << 31), 1 << 40, (1 << 63) - 1, -(1 << 63))


class Sample:
    """A small list, its files, and the value of the best strategy."""

    def __init__(self, seed: int, folder: Path) -> None:
        sys.path.append(str(ROOT / "tests"))
        from exhaustive import best_value, random_list  # the plain recursion that the tests use too

        self.words, self.turns = random_list(seed)
        self.best: int = best_value(self.words.words, self.turns)
        self.table = encode(self.words.words)
        self.folder = folder
        folder.mkdir()
        self.list = folder / "list.txt"
        self.list.write_bytes("".join(f"{word}\n" for word in self.words.words).encode())
        whole = Solver(self.words, lingo(self.turns))
        whole.run(lambda: None)
        assert whole.tree is not None and whole.state.bounds is not None and whole.bound == self.best
        self.tree = whole.tree.replaced(bound=whole.tree.mean_points)
        self.checkpoint, self.certificate = folder / "tree.npz", folder / "tree.bounds.npz"
        write_checkpoint(self.tree, self.checkpoint)
        certificate = certificate_of(self.words, whole.problem.game, whole.state.bounds.evidence)
        write_arrays(self.certificate, certificate_arrays(certificate))
        self.texts()
        self.hosts()

    def hosts(self) -> None:
        """Write both strategies of hangman against a perfect host."""
        members = np.arange(len(self.words))
        search = AdversaryMisses(table_of(self.words, hangman()), 1 << 26)
        found = adversary.least_misses(search, members)
        self.misses = found.upper
        self.host, self.guesser = self.folder / "guesser.host.npz", self.folder / "guesser.npz"
        write_host_proof(self.host, adversary.host_proof(search, found.nogood, self.words))
        guesser = adversary.FewestMisses(search)
        write_checkpoint(build(self.words, guesser, hangman(found.upper + 1)).tree, self.guesser)

    def texts(self) -> None:
        """Write targets, weights, values, a tuning, results and rounds."""
        some = self.words.words[::2]
        self.targets, self.weights = self.folder / "targets.txt", self.folder / "weights.tsv"
        self.targets.write_text("".join(f"{word}\n" for word in some))
        self.weights.write_text(
            "".join(f"{word}\t{number}\n" for number, word in enumerate(self.words.words))
        )
        knots = dict.fromkeys(range(2, self.turns), ((5, 9 << 20), (20, 19 << 20)))
        words = self.words
        values = tuned.Tuned(words.length, len(words), words.fingerprint, self.turns, knots, 7, 1,
                           Pool("letters", 9), 3, 123.5)  # fmt: skip
        trial = tuning.Trial(0, "start", self.words[0], 123.5, True, 0.25)
        self.values, self.tuning = self.folder / "a.values.json", self.folder / "a.tuning.json"
        tuned.write_tuned(values, self.values)
        self.tuning.write_text(tuning.tuning_text(tuning.Tuning(values, values, 0.5, (trial,))))
        self.results, self.rounds = self.folder / "a.jsonl", self.folder / "b.jsonl"
        row = results.Result(5, 4, "a list", "f" * 64, "parts", "cpu", "able", (1, 2), 1, 10.5, 0.5, 0.25, 99)
        self.results.write_text(f"{results.line_text(results.entry_of(row))}\n" * 2, encoding="utf-8")
        rounds = [match.Planned("a player", "f" * 12, word) for word in self.words.words[:3]]
        played = [
            match.RoundResult(own, 300, ("able", own.word), 0, "", "", 0, False, 0.25, 0.5) for own in rounds
        ]
        self.rounds.write_text("".join(f"{match.result_text(own)}\n" for own in played))
