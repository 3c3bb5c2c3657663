"""Plays of strategies over lists: what options ask for, simulations with one bar over all, a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import best_stored_tree, lists_of
from gpulingo.cli.options import PlayOptions
from gpulingo.cli.run import Bar, Run, device_for, executor_at
from gpulingo.cli.tables import print_rows
from gpulingo.games.game import Game
from gpulingo.report.results import Result
from gpulingo.storage.faults import UsageError
from gpulingo.trees.checkpoint import BEST
from gpulingo.trees.stored import none_stored
from gpulingo.trees.text import fixed_guesses
from gpulingo.trees.tree import Tree
from gpulingo.trees.values import NONE
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.strategies.strategy import Strategy


class Play(NamedTuple):
    """One list and the strategy that plays it; no other list shares the strategy object."""

    wordlist: WordList
    strategy: Strategy


@dataclass(frozen=True)
class Plan:
    lists: list[WordList]  # one per length
    strategy: str | None  # its name; None: `best`, or `usual` if no tree is stored for the list
    opening: list[str] | None  # the first guess, or more, made whatever the marks
    game: Game
    own: PlayOptions
    run: Run

    @cached_property
    def stored(self) -> dict[int, Tree]:
        """The best stored trees by the length of their words."""
        best = {words.length: best_stored_tree(words, self.game) for words in self.lists}
        return {length: path_and_tree[1] for length, path_and_tree in best.items() if path_and_tree}

    def takes_stored(self, name: str | None) -> bool:
        """Return True if by the strategy of a name stored trees are played for lists that have one."""
        return name in (None, BEST) and self.opening is None

    def plays(self, names: Iterable[str] = (), option: str = "--strategy") -> list[Play]:
        """Return the strategy of the plan, or each of some names, for each list: no length uses the random
        numbers of another.
        """
        with wrong_usage(option):
            named: list[str | None] = [*names] or [self.strategy]
            return [Play(words, self._strategy(name, words)) for name in named for words in self.lists]

    def _strategy(self, name: str | None, wordlist: WordList) -> Strategy:
        from gpulingo.strategies.simulation import TreeReplay

        takes_stored = self.takes_stored(name)
        if takes_stored and wordlist.length in self.stored:
            return TreeReplay(self.stored[wordlist.length])
        if name == BEST:
            stored = none_stored(wordlist, self.game)
            raise stored if takes_stored else ValueError("best is a whole tree: leave out --opening")
        from gpulingo.strategies.registry import named, usual_name

        name = usual_name(self.game) if name is None else name
        return named(name, seed=self.own.seed, wordlist=wordlist, game=self.game, report=tell)


def planned(command: str, args: PlayOptions, strategy: str | None = None, opening: str | None = None) -> Plan:
    run = Run(command, args.time, as_json=args.as_json)
    game, numbers = args.chosen(gives=True), args.lengths_for(args.game, command)
    if opening is not None and len(numbers) > 1:
        fault = f"--opening {opening} with {len(numbers)} lengths"
        raise UsageError(f"{fault}: give one length, as in --length {len(opening.partition(',')[0])}")
    lists, fixed = lists_of(args).words(numbers, game), None
    if opening is not None:
        fixed = [lists[0].enter(word) for word in opening.split(",")]
        with wrong_usage("--opening"):
            fixed_guesses(fixed, lists[0], game)
    return Plan(lists, strategy, fixed, game, args, run)


def simulations(plan: Plan, bar: Bar, plays: Sequence[Play] | None = None) -> Iterator[Simulation]:
    """Play lists, with one bar over all of them; those that a cluster plays come in any order."""
    run, plays, device = plan.run, plan.plays() if plays is None else plays, plan.own.device
    if not plays:
        return
    from gpulingo.machines import plays as tasks
    from gpulingo.strategies.simulation import TreeReplay

    searched = [play for play in plays if not isinstance(play.strategy, TreeReplay)]
    if plan.own.ray is None and not searched and device in ("auto", "cpu"):
        device = "cpu"  # stored trees need no torch
    elif plan.own.ray is None:
        weighed = any(play.wordlist.weights is not None for play in searched)
        kind = "hangman" if plan.game.guesses_letters else "weights" if weighed else None
        device = str(device_for(device, kind if searched else None))
    done: list[float] = []  # the work of each finished play

    def progress(share: float, turn: str) -> None:
        run.check()
        words, strategy = plays[len(done)]
        text = f"{strategy.name}, {words.length} letters, {turn}"
        bar.reach(sum(done) + share * tasks.work(words), text)

    with executor_at(plan.own.ray, device, progress) as (executor, device):
        run.noted()  # torch is in, if it is needed
        bar.begin(sum(tasks.work(words) for words, _ in plays))
        for simulation in tasks.simulations(
            executor, plays, plan.game, plan.opening, device=device, check=bar.looking()
        ):
            words = simulation.wordlist
            done.append(tasks.work(words))
            bar.reach(sum(done), f"{simulation.strategy}, {words.length} letters" if plan.own.ray else None)
            with bar.hidden():
                yield simulation
            run.noted()


def print_ranking(results: Sequence[tuple[str, Result]]) -> None:
    """Print a row per strategy, the best first: its figure for each length (if any), and for all."""
    sizes, values = {result.length: result.total_weight for _, result in results}, results[0][1].values
    rows = []
    for name in dict.fromkeys(name for name, _ in results):
        of_name = [result for label, result in results if label == name]
        figures = {result.length: result.values.figure(result.value) for result in of_name}
        total = values.over_lists(figures.values(), [sizes[length] for length in figures])
        cells = {"strategy": name}
        cells |= {f"{n}": values.figure_text(figures[n]) if n in figures else NONE for n in sizes}
        cells["mean" if values.unit.over == "mean" else "total"] = values.figure_text(total)
        rows.append((-total if values.unit.rises else total, cells))
    print_rows([cells for _, cells in sorted(rows, key=lambda row: row[0])], left=["strategy"])
