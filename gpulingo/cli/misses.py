"""`gpulingo solve` where misses cost: words won, fewest misses, what a cheating host forces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import checkpoints
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.progress import Bar, News, total_bar
from gpulingo.cli.solving import PROVEN, Outcome, Setting
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.player.question import SOLVED
from gpulingo.report.values import MANY, Values
from gpulingo.storage.files import HOST
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.bounds.host_proof import HostProof
    from gpulingo.games.game import Game
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

    def __init__(self, setting: Setting, bar: Bar) -> None:
        super().__init__()
        self.setting, self.bar = setting, bar

    @property
    def over(self) -> bool:
        return clock() > self.setting.ends

    def often(self, line: Callable[[], str]) -> None:
        """Look at the limits, and show a line where it is a new one and some time has passed."""
        self.setting.check()
        self.show(line)
        if self.setting.ends < float("inf"):
            self.bar.total = self.setting.ends - self.started
            self.bar.reach(min(self.bar.total, clock() - self.started))


def most_found(setting: Setting, game: Game) -> Outcome:
    """Search for the guesser that finds most words or has fewest misses, and write its tree."""
    from gpulingo.positions.most_found import MostFound
    from gpulingo.strategies.build import tree_of_letters
    from gpulingo.tensors.wordtable import table_of

    words, path = setting.source.wordlist, setting.path(game)
    values = Values(game, words.total_weight, MANY)
    points = partial(game.points_of, words=words.total_weight)
    with total_bar("solve", None, lines=False) as bar:
        watch = _Watch(setting, bar)
        search = MostFound(table_of(words, game), game, setting.memory)

        def often(width: int) -> None:
            line = values.progress(search.value, search.bound)
            watch.often(lambda: f"{line}  {width} letters a set")

        ended = TIME_IS_UP
        try:
            search.run(max(0.0, setting.ends - clock()), often=often)
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


@dataclass(frozen=True)
class AdversaryResult:
    """The misses that an adversary forces of the best guesser."""

    misses: Misses  # that can be forced, and that are enough
    positions: int  # sets whose letters were tried
    tree: Tree  # a guesser's strategy that needs no more, of the game with a life more than the misses
    proof: HostProof | None  # the host's strategy; None where no miss can be forced
    seconds: float
    ended: str  # why, in words

    def entry(self) -> dict[str, Any]:
        lower, upper = self.misses.lower, self.misses.upper
        entry = {"misses": lower, "enough": upper, "optimal": lower == upper}
        return entry | {"seconds": self.seconds, "positions": self.positions}


def against_adversary(setting: Setting) -> AdversaryResult:
    """Search what can be forced with the words of a list."""
    from gpulingo.positions.adversary import guesser_tree, host_proof, least_misses
    from gpulingo.solvers.adversary_misses import adversary_misses
    from gpulingo.strategies.build import simulate, tree_of_letters
    from gpulingo.tensors.threads import shared
    from gpulingo.tensors.wordtable import table_of

    words = setting.source.wordlist
    with total_bar("solve", None, lines=False) as bar:
        watch, started = _Watch(setting, bar), clock()
        table = table_of(words, hangman())
        search, ended = adversary_misses(table, setting.memory), TIME_IS_UP
        members = table.targets.numpy()

        def waiting() -> None:
            watch.often(lambda: f"{search.positions:,} positions")
            if watch.over:
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
            ended = PROVEN if misses.lower == misses.upper else ended
        else:  # the search had no time for one
            played = simulate(words, "frequency", find_game("hangman", len(table.alphabet))).tree
            most = max(turn for turn, count in enumerate(played.turn_counts(), 1) if count)
            tree = simulate(words, "frequency", find_game("hangman", most)).tree
            misses = replace(misses, upper=most - 1)
        proof = host_proof(search, misses.nogood, words) if misses.lower else None
        return AdversaryResult(misses, search.positions, tree, proof, clock() - started, ended)


def print_adversary(setting: Setting, lives: int | None, began: float, as_json: bool) -> None:
    """Search what an adversary can force, write both sides' strategies, and print who wins."""
    from gpulingo.bounds.host_proof import write_host_proof

    found = against_adversary(setting)
    misses, words = found.misses, setting.source.wordlist
    path = setting.path(found.tree.game)
    tree = _written(found.tree.replaced(bound=found.tree.mean_points), path, setting)
    if found.proof is not None:
        write_host_proof(path.with_suffix(HOST), found.proof)
    found = replace(found, seconds=clock() - began)
    wins = "" if lives is None else _winner(misses, lives)
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint, "ended": found.ended} | found.entry()
        entry |= {"lives": lives, "wins": wins} if lives is not None else {}
        entry |= {"guesser": str(path), "host": str(path.with_suffix(HOST)) if found.proof else None}
        print(line_of("solve", entry))
        return
    from gpulingo.cli.tables import print_rows

    print(f"list: {list_text(words)}; {found.ended}; {path}")
    row = {
        "length": str(words.length),
        "words": f"{words.target_count:,}",
        "misses": bounds_text(misses.lower, misses.upper),
    }
    row |= {"positions": f"{found.positions:,}", "seconds": f"{found.seconds:.1f}", "nodes": f"{len(tree):,}"}
    print_rows([row | {"host's nodes": f"{len(found.proof) if found.proof else 0:,}"}])
    print(f"\n{_sentence(misses)}" + (f"; with {lives} lives: {wins}" if wins else ""))


def bounds_text(lower: int, upper: int) -> str:
    """Two bounds in a cell, one number where they meet."""
    return f"{lower}" if lower == upper else f"{lower}..{upper}"


def _sentence(misses: Misses) -> str:
    if misses.lower == misses.upper:
        return f"the host can force {counted(misses.lower, 'miss')} and no more: proven"
    return (
        f"the host can force {counted(misses.lower, 'miss')}, and {misses.upper} are enough for the guesser"
    )


def _winner(misses: Misses, lives: int) -> str:
    """The winner with a number of lives, if both play best."""
    return "host" if misses.lower >= lives else "guesser" if misses.upper < lives else "not known"
