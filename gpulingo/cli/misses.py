"""`gpulingo solve` where misses cost: words won, fewest misses, what a cheating host forces."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import checkpoints
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.run import Bar, News, Run
from gpulingo.cli.solving import PROVEN, Outcome, Setting
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.player.arguments import SOLVED
from gpulingo.report.values import MANY, Values
from gpulingo.storage.files import HOST
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.solvers.adversary_misses import AdversaryMisses
    from gpulingo.tensors.outcomes import Misses
    from gpulingo.trees.tree import Tree


INTERRUPTED, TIME_IS_UP = "interrupted", "time is up"


def check_options(setting: Setting, aim: str) -> None:
    given = {"--width": setting.width, "--openings": setting.openings, "--gap": setting.gap or None}
    for option, value in given.items():
        if value is not None:
            raise WrongUsage(f"{option} where letters are guessed: leave it out, all letters are compared")
    if setting.resume:
        raise WrongUsage(
            "--resume where letters are guessed, which begins with the stored tree: leave it out"
        )
    if setting.ray is not None:
        raise WrongUsage("--ray where letters are guessed: such searches have no units; leave it out")
    if aim in ("worst", "lost"):
        raise WrongUsage(f"--objective {aim} where letters are guessed: use mean (words won) or misses")


class _Watch(News):
    """Looks at the limits of a search and shows how far it is."""

    def __init__(self, run: Run, bar: Bar) -> None:
        super().__init__()
        self.run, self.bar = run, bar

    def often(self, line: Callable[[], str]) -> None:
        """Look at the limits, and show a line where it is a new one and some time has passed."""
        self.run.noted()
        self.show(line)
        if self.run.ends < math.inf:
            self.bar.reach_time(self.started)


def most_found(setting: Setting, game: Game) -> Outcome:
    """Search for the guesser that finds most words or has fewest misses, and write its tree."""
    from gpulingo.positions.most_found import MostFound
    from gpulingo.strategies.build import tree_of_letters
    from gpulingo.tensors.wordtable import table_of

    words, path = setting.source.wordlist, setting.path(game)
    values = Values(game, words.total_weight, MANY)
    points = partial(game.points_of, words=words.total_weight)
    with setting.run.bar(None, lines=False) as bar:
        watch = _Watch(setting.run, bar)
        search = MostFound(table_of(words, game), game, setting.memory)

        def often(width: int) -> None:
            line = values.progress(search.value, search.bound)
            watch.often(lambda: f"{line}  {width} letters a set")

        ended = TIME_IS_UP
        try:
            search.run(max(0.0, setting.run.ends - clock()), often=often)
        except KeyboardInterrupt:
            ended = INTERRUPTED
        ended = PROVEN if search.optimal else ended
        tree = tree_of_letters(search.tree(), words, SOLVED, game)
    tree = _written(tree.replaced(bound=max(points(search.bound), tree.mean_points)), path, setting)
    return Outcome(words, tree, path, ended, "cpu")


def _written(tree: Tree, path: Path, setting: Setting) -> Tree:
    """Write a tree, unless a better one stands there, which stays with the lower bound of both."""
    from gpulingo.trees.verify import verify

    words, bound = setting.source.wordlist, tree.bound
    tree = checkpoints.better_tree(path, tree, words)
    if bound is not None:
        tree = tree.replaced(bound=max(tree.mean_points, bound))
    verify(tree, words)
    checkpoints.write_found(path, tree, words)
    return tree


def _against_adversary(setting: Setting) -> tuple[AdversaryMisses, Misses, Tree, str]:
    """Search what an adversary can force with the words of a list.

    Returns:
        The search; the misses that can be forced and that are enough; a guesser's strategy that needs no
            more, of the game with a life more than them; and why the search ended.
    """
    from gpulingo.positions.adversary import guesser_tree, least_misses
    from gpulingo.solvers.adversary_misses import adversary_misses
    from gpulingo.strategies.build import simulate, tree_of_letters
    from gpulingo.tensors.threads import shared
    from gpulingo.tensors.wordtable import table_of

    words = setting.source.wordlist
    with setting.run.bar(None, lines=False) as bar:
        watch, table = _Watch(setting.run, bar), table_of(words, hangman())
        search, ended = adversary_misses(table, setting.memory), TIME_IS_UP
        members = table.targets.numpy()

        def waiting() -> None:
            watch.often(lambda: f"{search.positions:,} positions")
            if setting.run.over:
                search.stop()

        found, misses = None, None
        try:
            misses = shared([partial(least_misses, search, members)], waiting=waiting, stop=search.stop)[0]
            item = partial(guesser_tree, search, members, misses.upper)
            found = shared([item], waiting=waiting, stop=search.stop)[0]
        except KeyboardInterrupt:
            ended = INTERRUPTED
        if misses is None:
            raise KeyboardInterrupt
        if found is not None:
            tree = tree_of_letters(found, words, SOLVED, find_game("hangman", misses.upper + 1))
            return search, misses, tree, PROVEN if misses.lower == misses.upper else ended
        # The search had no time for one.
        played = simulate(words, "frequency", find_game("hangman", len(table.alphabet))).tree
        most = max(turn for turn, count in enumerate(played.turn_counts(), 1) if count)
        tree = simulate(words, "frequency", find_game("hangman", most)).tree
        return search, replace(misses, upper=most - 1), tree, ended


def print_adversary(setting: Setting, lives: int | None, began: float, as_json: bool) -> None:
    """Search what an adversary can force, write both sides' strategies, and print who wins."""
    from gpulingo.bounds.host_proof import write_host_proof
    from gpulingo.positions.adversary import host_proof

    search, misses, tree, ended = _against_adversary(setting)
    words, path, lower, upper = setting.source.wordlist, setting.path(tree.game), misses.lower, misses.upper
    proof = host_proof(search, misses.nogood, words) if lower else None
    tree = _written(tree.replaced(bound=tree.mean_points), path, setting)
    if proof is not None:
        write_host_proof(path.with_suffix(HOST), proof)
    seconds, wins = clock() - began, ""
    if lives is not None:
        wins = "host" if lower >= lives else "guesser" if upper < lives else "not known"
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint, "ended": ended, "misses": lower, "enough": upper}
        entry |= {"optimal": lower == upper, "seconds": seconds, "positions": search.positions}
        entry |= {"lives": lives, "wins": wins} if lives is not None else {}
        entry |= {"guesser": str(path), "host": str(path.with_suffix(HOST)) if proof else None}
        print(line_of("solve", entry))
        return
    from gpulingo.cli.tables import print_rows

    print(f"list: {list_text(words)}; {ended}; {path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}"}
    row |= {"misses": f"{lower}" if lower == upper else f"{lower}..{upper}"}
    row |= {"positions": f"{search.positions:,}", "seconds": f"{seconds:.1f}", "nodes": f"{len(tree):,}"}
    print_rows([row | {"host's nodes": f"{len(proof) if proof else 0:,}"}])
    known = " and no more: proven" if lower == upper else f", and {upper} are enough for the guesser"
    winner = f"; with {lives} lives: {wins}" if wins else ""
    print(f"\nthe host can force {counted(lower, 'miss')}{known}{winner}")
