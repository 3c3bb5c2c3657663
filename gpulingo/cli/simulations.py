"""Lists that a plan names, played: by this process, or as tasks of a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gpulingo.cli.devices import device_for
from gpulingo.cli.errors import wrong_usage
from gpulingo.cli.limits import until
from gpulingo.cli.machines import cluster_at
from gpulingo.cli.plan import Plan, Play
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt

if TYPE_CHECKING:
    import torch

    from gpulingo.games.game import Game
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.words.listing import WordList


def simulations(command: str, plan: Plan, plays: Sequence[Play] | None = None) -> Iterator[Simulation]:
    """Play lists, with one bar over all of them; those that a cluster plays come in any order.

    Args:
        command: name of it. plan: how to play.
        plays: what to play; all of the plan when None.
    Raises:
        WrongUsage: there is no such strategy or device. ValueError: a user's objective failed.
        ClusterError: no cluster can play.
        TimeIsUp: the time is over. KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP.
    """
    with interrupted_by_sigterm(), late_interrupt() as check:
        if plays is None:
            plays = plan.plays()
        if not plays:
            return
        if plan.ray is not None:
            yield from _on_ray(command, plan, plays, check)
            return
        device = _device(plan.device, plays, plan.game)
        check()  # torch is in, if it is needed
        total = sum(work(play.source.wordlist) for play in plays)
        with total_bar(command, total, ends=plan.ends) as bar:
            for play in plays:
                simulation = _played(plan, play, device, bar, check=until(plan.ends, check))
                with bar.hidden():
                    yield simulation
                check()


def work(wordlist: WordList) -> float:
    """The work of a list, for a bar: its pairs of words, because the first turn looks at all of them."""
    return float(len(wordlist)) * wordlist.target_count


def _device(name: str, plays: Sequence[Play], game: Game) -> torch.device | str:
    """The device of strategies that search; stored trees need no torch."""
    from gpulingo.strategies.simulation import TreeReplay

    if name in ("auto", "cpu") and all(isinstance(play.strategy, TreeReplay) for play in plays):
        return "cpu"
    searched = [play for play in plays if not isinstance(play.strategy, TreeReplay)]
    weighed = any(play.source.wordlist.weights is not None for play in searched)
    work = "hangman" if game.guesses_letters else "weights" if weighed else None
    return device_for(name, work if searched else None)


def _stored(plan: Plan, play: Play, device: torch.device | str) -> Simulation:
    """The simulation of the stored tree that a play follows, without a device."""
    from gpulingo.strategies.simulation import TreeReplay, stored_simulation

    assert isinstance(play.strategy, TreeReplay)
    return replace(stored_simulation(play.source.wordlist, play.strategy.tree, plan.game), device=device)


def _played(
    plan: Plan, play: Play, device: torch.device | str, bar: Bar, *, check: Callable[[], None]
) -> Simulation:
    """Play one list; Ctrl-C is looked for whenever progress is reported."""
    from gpulingo.strategies.simulation import TreeReplay

    strategy, words = play.strategy, play.source.wordlist
    before, whole, pairs = bar.done, work(words), Counter[int]()
    if isinstance(strategy, TreeReplay):
        simulation = _stored(plan, play, device)
        bar.reach(before + whole)
        return simulation
    from gpulingo.strategies.build import simulate

    def report(turn: int, more: int, most: int) -> None:
        check()
        pairs[turn] += more
        # A turn takes half as long as the one before, as a rule: fewer words are left.
        share = 1 - 0.5 ** (turn - 1) * (1 - 0.5 * min(1.0, pairs[turn] / max(1, most)))
        bar.reach(before + share * whole, f"{strategy.name}, {words.length} letters, turn {turn}")

    simulation = simulate(words, strategy, plan.game, opening=plan.opening, device=device, report=report)
    bar.reach(before + whole)
    return simulation


def _on_ray(
    command: str, plan: Plan, plays: Sequence[Play], check: Callable[[], None]
) -> Iterator[Simulation]:
    """Play lists as tasks of a cluster, stored trees here; in the order in which they are done.

    Args:
        command, plan, plays: see `simulations`. check: looks for Ctrl-C.
    Raises:
        as `simulations`, and as `cluster_at`.
    """
    from gpulingo.machines import plays as tasks
    from gpulingo.strategies.simulation import TreeReplay

    assert plan.ray is not None
    total = sum(work(play.source.wordlist) for play in plays)
    looked = until(plan.ends, check)
    with cluster_at(plan.ray) as cluster, total_bar(command, total, ends=plan.ends) as bar:
        with wrong_usage("--device"):
            place = tasks.place_of(plan.device, cluster)

        def often() -> None:
            looked()
            bar.advance(0)

        searched = []
        for play in plays:
            if isinstance(play.strategy, TreeReplay):
                bar.advance(work(play.source.wordlist))
                with bar.hidden():
                    yield _stored(plan, play, place.device)
            else:
                searched.append(play)
        pairs = [(play.source.wordlist, play.strategy) for play in searched]
        for number, simulation in tasks.simulations(
            cluster, pairs, plan.game, plan.opening, place=place, check=often
        ):
            wordlist = searched[number].source.wordlist
            bar.advance(work(wordlist), f"{simulation.strategy}, {wordlist.length} letters")
            with bar.hidden():
                yield simulation
