"""Searches with files: each begins with what is stored, writes what it finds, and says why it ended."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from gpulingo.bounds.host_proof import write_host_proof
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.game import Game
from gpulingo.optimise.adversary import FewestMisses, host_proof, least_misses
from gpulingo.optimise.kept import begin_with_stored, ranking_order, sound_tree, write_alone, write_solved
from gpulingo.optimise.most_found import MostFound
from gpulingo.optimise.solver import FEWEST_TURNS, Solver
from gpulingo.optimise.state import Stage
from gpulingo.player.question import SOLVED
from gpulingo.solvers.hosts.misses import AdversaryMisses
from gpulingo.storage.faults import SIMULATE, Complain, Fault, UsageError
from gpulingo.storage.files import CERTIFICATE, HOST
from gpulingo.strategies.build import build, simulate, tree_of_letters
from gpulingo.tensors.arrays import Device
from gpulingo.tensors.clock import OutOfTime, clock
from gpulingo.tensors.outcomes import Misses
from gpulingo.tensors.threads import alone
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.tree import Tree
from gpulingo.trees.values import MANY, Values
from gpulingo.words.wordlist import WordList

# How a search ended.
PROVEN, INTERRUPTED, TIME_IS_UP = "proven", "interrupted", "time is up"
REACHED, ENOUGH, NONE_SO_GOOD = "gap reached", "as good as asked", "no strategy is as good as asked"
SAVED = 30.0  # seconds between two writings of tree and certificate
MEAN_FIRST = 600.0  # most seconds of a search for the mean alone
Amounts = Callable[[], tuple[float, float] | None]
# The best tree known of a game in which found words count, with a bound; the words to find, by weight if any.
Ask = Callable[[Game, int], Tree]


class Watch(Protocol):
    """Shows how far a search is, and ends it: `ends` by `clock`, `check` by TimeIsUp or KeyboardInterrupt."""

    @property
    def ends(self) -> float: ...
    def check(self) -> None: ...
    def look(self, line: Callable[[], str], amounts: Amounts = ...) -> bool:
        """Show a new line and the amounts, done and total, now and then; True if it was. May raise."""

    def reminded(self, work: Callable[[], str]) -> AbstractContextManager[None]:
        """Show what is done where the block shows nothing else for a while."""


@dataclass(frozen=True)
class WorstTurn:
    """The last turn that a strategy needs."""

    tree: Tree  # finds all its words by that turn
    turns: int
    lost: int  # words that the tree does not find, by weight if they have any
    proven: bool  # whether no strategy finds as many words in fewer turns
    fewest: bool = True  # whether no strategy loses fewer words


def last_turn(tree: Tree) -> int:
    """Return the turn, 1-based, by which a tree has found all words that it finds."""
    return max((turn for turn, count in enumerate(tree.turn_counts(), 1) if count), default=tree.turns)


def worst_turn(tree: Tree, ask: Ask) -> WorstTurn:
    """Lower the last turn of a strategy while it loses no more words; `ask` searches games of fewer turns."""
    most, base = tree.total_weight - tree.lost, tree.game.name.rpartition("-")[0]
    while (turns := last_turn(tree)) > 1:
        answer = ask(find_game(f"{base}-found", turns - 1), most)
        if answer.value < most:
            bound = answer.bound_value
            assert bound is not None
            return WorstTurn(tree, turns, tree.total_weight - most, proven=bound < most)
        tree = answer
    return WorstTurn(tree, 1, tree.total_weight - most, proven=True)


@dataclass(frozen=True)
class Outcome:
    """A search that has ended, with its files.

    Attributes:
        path: of the tree; a certificate is beside it. worst: the last turn, if that was minimised.
        optimal: openings known to have the best value, and those that may have it; None if it is not proven.
    """

    tree: Tree
    path: Path
    ended: str
    worst: WorstTurn | None = field(default=None, kw_only=True)
    optimal: tuple[int, int] | None = field(default=None, kw_only=True)

    @property
    def proven(self) -> bool:
        """Return True if no strategy is better."""
        return self.ended == PROVEN

    def moved(self, path: Path) -> Outcome:
        """Return the same, its files renamed."""
        for ending in (path.suffix, CERTIFICATE):
            if path != self.path and (written := self.path.with_suffix(ending)).exists():
                written.replace(path.with_suffix(ending))
        return replace(self, path=path)


@dataclass(frozen=True)
class StoredSearch:
    """The list, limits and files that the searches of a command share.

    Attributes:
        device: where results are merged. executor: works out the units; None: this process does.
        place: the checked path of a game's checkpoint; keywords: `last`, whether its files are those of the
            answer, and `begins`, whether a search may begin with them.
        watching: opens a watch, of at most some seconds. stages: the plan of a game's rollouts, if any.
        gap: that is allowed, in points or total guesses; None: none, and the search goes in rounds.
        resume, fresh: whether stored files must be there, and whether they are ignored.
    """

    words: WordList
    device: Device
    report: Complain
    place: Callable[..., Path]
    watching: Callable[[float | None], AbstractContextManager[Watch]]
    executor: Callable[[Solver], None] | None
    stages: Callable[[Game], list[Stage] | None]
    gap: float | None
    memory: int
    seed: int
    resume: bool
    fresh: bool

    def best(self, game: Game, aim: str, ends: float) -> Outcome:
        """Search a game for the tree that minimises an objective: the `mean`, or as `_least_worst` says."""
        if aim == "mean":
            return self.search(game)
        outcome = self._least_worst(game, aim, ends)
        if outcome is None:
            seen = f"no strategy is known that loses none of {self.words.total_weight:,} words"
            self.report(f"{seen} in {game.turns} turns: the mean decides")
        return outcome or self.search(game)

    def _least_worst(self, game: Game, aim: str, ends: float) -> Outcome | None:
        """Search games for the tree of the least worst turn; None if `worst` is asked and words are lost.

        How the answer ended is no surer than what it rests on.

        Args:
            aim: `worst` turn, then mean; `lost` words, then worst turn, then mean; `found`: worst turn alone.
            ends: when the time is up, by `clock`.
        """
        words, search, place = self.words, self.search, self.place
        weight, done = words.total_weight, list[Outcome]()

        def ask(question: Game, least: int) -> Tree:
            if question.turns < FEWEST_TURNS:  # for which a ranking is exact
                tree = simulate(words, "parts", question).tree
                return tree.replaced(bound=tree.mean_points)
            done.append(search(question, last=False, least=least, any_will_do=True))
            return done[-1].tree

        # A strategy to begin with: it loses as few words as any, unless the time is up.
        if aim == "lost":
            done.append(search(game.seeking("lost")))
            tree = done[0].tree
        else:
            sought = game.seeking("found")
            tree = simulate(words, "largest_class", sought).tree
            tree = ask(sought, weight) if tree.lost else tree
        if aim == "worst" and tree.lost:
            return None
        worst = worst_turn(tree, ask)
        mean_game = find_game(game.name, worst.turns)
        final = mean_game.seeking("found" if aim == "found" else "lost")
        if worst.turns < FEWEST_TURNS:
            raise UsageError(f"{worst.turns} turns are enough for {weight:,} words", SIMULATE)
        begin, answer = worst.tree, done[0] if aim == "lost" and worst.turns == game.turns else None
        if aim == "worst" and not worst.lost and game.legal == "any" and not self.resume:
            # A tree of the best mean that loses no word is best of all that lose none. A search in which no
            # word may be lost takes far longer, so this one gets half of the time, 10 minutes at most. Where
            # guesses have to obey hints its bounds take as long as those of the question itself.
            begun = begin.replaced(game=mean_game, mean_points=None, bound=None)
            seconds = min(MEAN_FIRST, (ends - clock()) / 2)
            by_mean = search(mean_game, last=False, begin=begun, seconds=seconds)
            begin = begin if by_mean.tree.lost else by_mean.tree
            if by_mean.proven and not by_mean.tree.lost:
                answer = by_mean.moved(place(by_mean.tree.game))
            else:
                done.insert(0, by_mean)
        if answer is None:
            if aim == "lost":  # the name is for the game of fewer turns
                done[0] = done[0].moved(place(done[0].tree.game, last=False))
            begin = begin.replaced(game=final, mean_points=None, bound=None)
            least = final.bonus * (weight - worst.lost)
            answer = search(final, least=least, any_will_do=aim == "found", begin=begin)
        # Where the time was up, less may be lost than was known.
        lost, known = answer.tree.lost, [past.tree for past in (*done, answer)]
        fewest = not lost or any(
            tree.game.bonus and tree.bound_value is not None
            and tree.bound_value // tree.game.bonus <= weight - lost
            for tree in known if tree.turns == game.turns
        )  # fmt: skip
        worst = replace(worst, fewest=fewest, proven=worst.proven and fewest and lost == worst.lost)
        unproven = [past.ended for past in done[:1] if aim == "lost" and not past.proven]
        unproven += [past.ended for past in done[-1:] if not worst.proven]
        ended = unproven[0] if unproven and answer.proven else answer.ended
        return replace(answer, worst=worst, ended=ended, optimal=answer.optimal if ended == PROVEN else None)

    def search(
        self, game: Game, *, last: bool = True, least: int = 0, any_will_do: bool = False,
        begin: Tree | None = None, seconds: float | None = None,
    ) -> Outcome:  # fmt: skip
        """Search a game, and write what was found.

        Args:
            last: whether its files are those of the answer.
            least: credits below which a strategy is of no interest.
            any_will_do: whether any strategy that has them is enough.
            begin: a tree to begin with. seconds: its limit.
        """
        plan = self.stages(game)  # a fault of it before a folder is made
        words, path, report = self.words, self.place(game, last=last, begins=True), self.report
        solver = Solver(
            words, game, plan=plan, order=ranking_order(words, game, report), least=least,
            device=self.device, seed=self.seed, memory=self.memory,
        )  # fmt: skip
        if begin is not None:
            solver.begin_with(begin, None)
        if not self.fresh:
            begin_with_stored(solver, path, report)
        gap = Values(game, words.total_weight).credits(self.gap or 0.0)
        with self.watching(seconds) as watch:
            straight = any_will_do or self.gap is not None or watch.ends == math.inf
            enough = game.turns * words.total_weight if any_will_do else gap
            search = Search(solver, path, watch, report, enough, gap, straight, self.executor)
            try:
                ended = search.run(all_optimal=self.gap == 0)
            except (RuntimeError, Fault):  # a cluster is gone, two sets have one hash ..
                search.save()
                raise
        optimal = solver.optimal_openings if ended == PROVEN else None
        return Outcome(write_solved(solver, path, report), path, ended, optimal=optimal)

    def most_found(self, game: Game) -> Outcome:
        """Search the guesser of letters that finds most words, and write it."""
        words, path = self.words, self.place(game)
        values, ended = Values(game, words.total_weight, MANY), TIME_IS_UP
        with self.watching(None) as watch:
            search = MostFound(table_of(words, game), game, self.memory)
            name, stored = (path, None) if self.fresh else sound_tree(words, game, path, self.report)
            if stored is not None:
                self.report(f"begins with {name}: {values.text(stored.value)}")
                search.begin_with(stored)

            def often(width: int) -> None:
                line = values.progress(search.value, search.bound)
                watch.look(lambda: f"{line}  {width} letters a set")

            try:
                search.run(max(0.0, watch.ends - clock()), often=often)
            except KeyboardInterrupt:
                ended = INTERRUPTED
            tree = tree_of_letters(search.tree(), words, SOLVED, game)
        bound = game.points_of(search.bound, words.total_weight)
        tree = write_alone(tree.replaced(bound=max(bound, tree.mean_points)), path, words, self.report)
        return Outcome(tree, path, PROVEN if search.optimal else ended)

    def forced(self) -> Forced:
        """Search what an adversary can force in hangman, and write both sides' strategies."""
        words, ended, misses, tree = self.words, TIME_IS_UP, None, None
        with self.watching(None) as watch:
            table = table_of(words, hangman())
            search = AdversaryMisses(table, self.memory)

            def waiting(pairs: int) -> None:
                watch.look(lambda: f"{search.positions:,} positions")
                if clock() > watch.ends:
                    search.stop()

            try:
                misses = alone(partial(least_misses, search, table.targets), search.stop, waiting)
                guesser = partial(build, words, FewestMisses(search), find_game("hangman", misses.upper + 1))
                with suppress(OutOfTime):
                    tree = alone(guesser, search.stop, waiting).tree
            except KeyboardInterrupt:
                ended = INTERRUPTED
            if misses is None:
                raise KeyboardInterrupt
            if tree is not None:
                ended = PROVEN if misses.lower == misses.upper else ended
            else:  # there was no time for one
                most = last_turn(simulate(words, "frequency", find_game("hangman", len(table.alphabet))).tree)
                tree = simulate(words, "frequency", find_game("hangman", most)).tree
        proof = host_proof(search, misses.nogood, words) if misses.lower else None
        path = self.place(tree.game)
        tree = write_alone(tree.replaced(bound=tree.mean_points), path, words, self.report)
        if proof is not None:
            write_host_proof(path.with_suffix(HOST), proof)
        return Forced(tree, path, ended, misses, len(proof) if proof else 0, search.positions)


@dataclass(frozen=True)
class Forced(Outcome):
    """The misses that an adversary can force; the tree is the guesser's."""

    misses: Misses  # bounds
    proof: int  # nodes of the host's strategy, in a file beside the tree; 0: none was written
    positions: int

    @property
    def enough(self) -> int:
        """Misses that the guesser needs at most."""
        return self.tree.turns - 1


@dataclass
class Search:
    """A search until one of its limits, and what it writes and shows on the way."""

    solver: Solver
    path: Path  # of the checkpoint; the certificate is beside it
    watch: Watch
    report: Complain
    enough: int  # a gap, in credits summed over the words, that suffices
    gap: int = 0  # that the user asked for, in the same unit
    straight: bool = False  # lower each bound to the gap at once instead of in rounds
    executor: Callable[[Solver], None] | None = None  # works out the units; this process when None

    def __post_init__(self) -> None:
        self.saved, self.counted = clock(), 0  # when it was last written; classes, as last shown

    def save(self) -> None:
        if self.solver.state.bounds is None or self.solver.tree is None:
            return
        try:
            write_solved(self.solver, self.path, self.report)
        except OSError as error:
            self.report(f"{self.path} was not written: {error.filename}: {error.strerror}")

    def run(self, *, all_optimal: bool = False) -> str:
        """Search, and say why it ended; `all_optimal`: find every opening of the best value too."""
        solver, ended = self.solver, ""
        try:
            with self.watch.reminded(self.work):
                if not solver.run(self.often, self.enough, straight=self.straight, executor=self.executor):
                    return TIME_IS_UP if clock() > self.watch.ends else "nothing is left to try"
                ended = ENOUGH if solver.value >= solver.least else NONE_SO_GOOD
                if solver.bound - solver.value <= self.gap:
                    ended = PROVEN if solver.value == solver.bound else REACHED
                if all_optimal and ended == PROVEN:
                    solver.find_optimal(self.often)
        except KeyboardInterrupt:
            ended = ended or INTERRUPTED
        return ended

    def often(self) -> None:
        """Show how far it is, look at the limits, write the results so far."""
        if self.watch.look(self.line, self.within):
            self.counted = self.solver.counted
        self.watch.check()
        if clock() - self.saved > SAVED:
            self.save()
            self.saved = clock()

    def within(self) -> tuple[int, int] | None:
        """Return the openings with a bound within the gap, and all openings; None before there are bounds."""
        solver = self.solver
        if not self.enough or solver.state.bounds is None:
            return None
        return solver.problem.table.words - solver.above(solver.goal), solver.problem.table.words

    def work(self) -> str:
        """Return what is done now, and the classes counted, where their number is new."""
        counted = self.solver.counted
        classes = f"; classes counted of {counted:,}" if counted != self.counted else ""
        self.counted = counted
        return self.solver.work + classes

    def line(self) -> str:
        """Return the state in one line, or empty; openings left may be better by more than the gap."""
        solver, words = self.solver, self.solver.problem.wordlist
        if solver.tree is None:
            return ""
        values = Values(solver.problem.game, words.total_weight, MANY)
        progress = values.progress(solver.value, solver.bound, solver.tree.lost)
        left = f"openings left {solver.above(solver.goal):,}"
        return f"{words[int(solver.tree.guess[0])]}  {progress}  {left}"
