"""Plan of `simulate` and `compare` from their options; work runs on a device, or a cluster."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from gpulingo.cli.checkpoints import best_stored_tree, check_same, keep_solved, stored_tree
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.lists import Source
from gpulingo.cli.options import LetterRules, Playing, Seeded, WordOptions
from gpulingo.cli.parse import parsed_lengths
from gpulingo.cli.run import Bar, Run
from gpulingo.games.game import Game
from gpulingo.trees.checkpoint import BEST, none_stored
from gpulingo.trees.text import guess_index
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    import torch

    from gpulingo.machines.plays import Executor, Place
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.strategies.strategy import Strategy

T = TypeVar("T")


class Play(NamedTuple):
    """One list and the strategy that plays it; no other list shares the strategy object."""

    wordlist: WordList
    strategy: Strategy


@dataclass(frozen=True)
class Plan:
    sources: list[Source]  # one per length
    strategy: str | None  # its name; None: `best`, or `usual` if no tree is stored for the list
    seed: int
    opening: str | None
    game: Game
    device: str  # as given by the user
    run: Run
    ray: str | None = None  # address of the cluster that plays; None: this process does
    stored: dict[str, Tree | None] = field(default_factory=dict)  # fingerprint -> best tree, cached

    @property
    def takes_stored(self) -> bool:
        """Return True if stored trees are played for lists that have one."""
        return self.strategy in (None, BEST) and self.opening is None

    def best(self, wordlist: WordList) -> Tree | None:
        """Return the best stored tree of a list; cached."""
        if wordlist.fingerprint not in self.stored:
            path_and_tree = best_stored_tree(wordlist, self.game)
            self.stored[wordlist.fingerprint] = None if path_and_tree is None else path_and_tree[1]
        return self.stored[wordlist.fingerprint]

    def check_replaceable(self, path: Path, wordlist: WordList, change: str) -> None:
        """Check that the file at a path may be replaced by the result of a list."""
        standing = stored_tree(path)
        check_same(path, standing, wordlist, self.game, change=change)
        if not self.takes_stored:
            keep_solved(path, standing, change)

    def plays(self, option: str = "--strategy") -> list[Play]:
        """Return a strategy for each list, so that no length uses the random numbers of another."""
        with wrong_usage(option):
            return [Play(source.wordlist, self._strategy(source.wordlist)) for source in self.sources]

    def _strategy(self, wordlist: WordList) -> Strategy:
        from gpulingo.strategies.simulation import TreeReplay

        if self.takes_stored and (tree := self.best(wordlist)) is not None:
            return TreeReplay(tree)
        if self.strategy == BEST:
            if not self.takes_stored:
                raise ValueError("best is a whole tree: leave out --opening")
            raise none_stored(wordlist, self.game)
        from gpulingo.strategies.registry import named, usual_name

        name = usual_name(self.game) if self.strategy is None else self.strategy
        return named(name, seed=self.seed, wordlist=wordlist, game=self.game, report=tell)


def planned(
    command: str, lengths: str, words: WordOptions, rules: LetterRules, own: Seeded,
    playing: Playing | None = None, *, ray: str | None = None,
) -> Plan:  # fmt: skip
    run = Run(command, own.time)
    game, opening = rules.chosen(rules.turns, gives=True), playing.opening if playing else None
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    if opening is not None and len(numbers) > 1:
        raise WrongUsage(
            f"--opening {opening} with {len(numbers)} lengths: give one length, as in --length {len(opening)}"
        )
    sources = words.sources(numbers, game)
    first = None if opening is None else sources[0].wordlist.enter(opening)
    if first is not None:
        with wrong_usage("--opening"):
            guess_index(first, sources[0].wordlist, game)
    if game.guesses_letters and numbers[0] < 2:
        raise WrongUsage("--length 1 of hangman, expected 2 or more: there is nothing to show but the word")
    strategy = playing.strategy if playing else None
    return Plan(sources, strategy, own.seed, first, game, own.device, run, ray)


def simulations(plan: Plan, bar: Bar, plays: Sequence[Play] | None = None) -> Iterator[Simulation]:
    """Play lists, with one bar over all of them; results of a cluster come in any order."""
    run = plan.run
    if plays is None:
        plays = plan.plays()
    if not plays:
        return
    from gpulingo.machines import plays as tasks

    pairs = Counter[int]()
    done: list[float] = []  # the work of each finished play

    def report(turn: int, more: int, most: int) -> None:
        run.check()
        words, strategy = plays[len(done)]
        pairs[turn] += more
        # A turn usually takes half as long as the one before, because fewer words are left.
        share = 1 - 0.5 ** (turn - 1) * (1 - 0.5 * min(1.0, pairs[turn] / max(1, most)))
        text = f"{strategy.name}, {words.length} letters, turn {turn}"
        bar.reach(sum(done) + share * work(words), text)

    def often() -> None:
        run.check()
        bar.advance(0)

    with executor_at(plan.ray, _device(plan, plays), report) as (executor, place):
        run.noted()  # torch is imported, if needed
        bar.begin(sum(work(words) for words, _ in plays))
        for simulation in tasks.simulations(
            executor, plays, plan.game, plan.opening, place=place, check=often
        ):
            words = simulation.wordlist
            done.append(work(words))
            pairs.clear()
            bar.reach(sum(done), f"{simulation.strategy}, {words.length} letters" if plan.ray else None)
            with bar.hidden():
                yield simulation
            run.noted()


def work(wordlist: WordList) -> float:
    """Return the work of a list, for a bar: its pairs of words, because the first turn evaluates all."""
    return float(len(wordlist)) * wordlist.target_count


def _device(plan: Plan, plays: Sequence[Play]) -> str:
    """Return the device of strategies that search: as given for a cluster, otherwise one of this machine."""
    from gpulingo.strategies.simulation import TreeReplay

    searched = [play for play in plays if not isinstance(play.strategy, TreeReplay)]
    if plan.ray is not None:
        return plan.device
    if not searched and plan.device in ("auto", "cpu"):
        return "cpu"  # stored trees need no torch
    weighed = any(play.wordlist.weights is not None for play in searched)
    work = "hangman" if plan.game.guesses_letters else "weights" if weighed else None
    return str(device_for(plan.device, work if searched else None))


# By kind of work: its part on the CPU, and its part on the GPU, as in the table of docs/howto/gpu.md.
PARTS = {
    "hangman": ("hangman's words and letters are searched", "patterns of letters are made"),
    "openings": ("openings are bounded", "they are rolled out"),
    "prove": ("values of sets are searched", "classes are counted"),
    "review": ("every guess is searched", "guesses are ranked"),
    "solve": ("every guess and values of sets are searched", "openings are rolled out"),
    "weights": ("sets of words with weights are ranked", "sets are split"),
}


def device_for(name: str, work: str | None) -> torch.device:
    """Return the device of a name; for a GPU, report which part of the work (in PARTS) the CPU does."""
    from gpulingo.tensors.device import find_device, is_gpu

    with wrong_usage("--device"):
        place = find_device(name)
    named = f"{place.type}:{place.index or 0}"
    if is_gpu(place) and find_spec("triton") is None:
        tell(f"Triton is not installed, so {named} works in plain torch: install it, or use --device cpu")
    if work is not None and is_gpu(place):
        here, there = PARTS[work]
        tell(f"{here} on the CPU; {there} on {named}")
    return place


class InOrder(Generic[T]):
    """Shows results that come in any order in the order of keys, each once those before it are shown."""

    def __init__(self, keys: Sequence[Hashable], show: Callable[[T], None]) -> None:
        self._left, self._show = list(keys), show
        self._held: dict[Hashable, T] = {}

    def add(self, key: Hashable, thing: T) -> None:
        self._held[key] = thing
        while self._left and self._left[0] in self._held:
            self._show(self._held.pop(self._left.pop(0)))

    def end(self) -> None:
        """No more will come: show those that wait for others."""
        for key in self._left:
            if key in self._held:
                self._show(self._held.pop(key))


@contextlib.contextmanager
def executor_at(
    address: str | None, device: str, report: Callable[..., None]
) -> Iterator[tuple[Executor, Place]]:
    """Yield the executor of tasks and their place: a cluster, or without an address this process.

    Args:
        device: as given by the user; without an address one of this machine. report: see `LocalTasks`.
    """
    from gpulingo.machines.plays import LocalTasks, Place, place_of

    if address is None:
        yield LocalTasks(report), Place(device, 0)
        return
    from gpulingo.machines.ray_tasks import connected

    with contextlib.ExitStack() as stack:
        with wrong_usage("--ray"):
            cluster = stack.enter_context(connected(address))
        with wrong_usage("--device"):
            place = place_of(device, cluster)
        yield cluster, place
