"""`gpulingo solve`: search for the best strategy of a list, with a bound on what any strategy can have.

A search begins with what is stored, shows how far it is, and writes its tree and its certificate.
"""

from __future__ import annotations

from typing import Any

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.games import MOST_TURNS
from gpulingo.cli.lists import found_sources, list_entry, list_text
from gpulingo.cli.options import refuse
from gpulingo.cli.run import Run, device_for
from gpulingo.cli.signals import late_interrupt
from gpulingo.cli.solving import (
    Opponent,
    Outcome,
    SearchOptions,
    SolveObjective,
    SolveSetting,
    forced,
    most_found,
    solved_for,
)
from gpulingo.cli.tables import print_rows
from gpulingo.games.catalogue import find_game
from gpulingo.storage.files import HOST
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.trees.text import opening_text
from gpulingo.trees.values import MANY, of_tree
from gpulingo.words.shown import counted


def check_letters(setting: SolveSetting) -> None:
    aim, where = setting.objective, "where letters are guessed"
    given = {"--width": setting.width, "--openings": setting.openings, "--gap": setting.gap or None}
    refuse(
        {f"{name} {where}: leave it out, all letters are compared": value is not None
         for name, value in given.items()}
        | {f"--resume {where}, which begins with the stored tree: leave it out": setting.resume,
           f"--ray {where}: such searches have no units; leave it out": setting.ray is not None,
           f"--objective {aim} {where}: use mean (words won) or misses":
               aim in (SolveObjective.WORST, SolveObjective.LOST)}
    )  # fmt: skip


def print_adversary(setting: SolveSetting, lives: int | None, began: float, as_json: bool) -> None:
    """Print what an adversary can force, and who wins."""
    sides, words = forced(setting), setting.source.wordlist
    lower, upper, host = sides.misses.lower, sides.enough, sides.path.with_suffix(HOST)
    seconds, wins = clock() - began, ""
    if lives is not None:
        wins = "host" if lower >= lives else "guesser" if upper < lives else "not known"
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint, "ended": sides.ended, "misses": lower, "enough": upper}
        entry |= {"optimal": lower == upper, "seconds": seconds, "positions": sides.positions}
        entry |= {"lives": lives, "wins": wins} if lives is not None else {}
        entry |= {"guesser": str(sides.path), "host": str(host) if sides.proof else None}
        print(line_of("solve", entry))
        return
    print(f"list: {list_text(words)}; {sides.ended}; {sides.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}"}
    row |= {"misses": f"{lower}" if lower == upper else f"{lower}..{upper}"}
    row |= {"positions": f"{sides.positions:,}", "seconds": f"{seconds:.1f}", "nodes": f"{len(sides.tree):,}"}
    print_rows([row | {"host's nodes": f"{sides.proof:,}"}])
    known = " and no more: proven" if lower == upper else f", and {upper} are enough for the guesser"
    winner = f"; with {lives} lives: {wins}" if wins else ""
    print(f"\nthe host can force {counted(lower, 'miss')}{known}{winner}")


def solve(
    length: options.Length,
    *,
    words: options.WordOptions,
    rules: options.Rules,
    turns: int | None = options.TURNS,
    search: SearchOptions,
    as_json: bool = options.JSON,
) -> None:
    """Search for the best strategy and a proven bound."""
    lengths = [length.of(rules.game, "solve")]
    began, run, opponent, objective = clock(), Run("solve", search.time), search.opponent, search.objective
    against = opponent == Opponent.ADVERSARY
    if against and objective != SolveObjective.MEAN:
        seen = f"--objective {objective} with an adversary, who makes every round the worst"
        raise WrongUsage(f"{seen}: leave it out")
    unlimited = against and turns is None and not rules.game[-1:].isdigit()
    few = "`gpulingo simulate` is exact for fewer"
    game = rules.chosen(MOST_TURNS if unlimited else turns, least=3, instead=few)
    if objective == SolveObjective.MISSES and not game.counts_misses:
        raise WrongUsage(f"--objective misses in {game.code}: it is for --game hangman")
    if objective == SolveObjective.MISSES:
        game = find_game("hangman-misses", game.turns)
    aim = "found" if against else str(objective)
    source = found_sources(lengths, words, game)[0]
    with late_interrupt() as run.noted:
        work = "hangman" if game.guesses_letters else "solve"
        place = device_for(search.device if search.ray is None else "cpu", work)  # where results are merged
        run.noted()  # a GPU's torch is imported
        setting = SolveSetting(**vars(search), source=source, place=place, run=run)
        if game.counts_misses:
            check_letters(setting)
        if game.counts_misses and against:
            print_adversary(setting, None if unlimited else game.turns, began, as_json)
            return
        outcome = most_found(setting, game) if game.counts_misses else solved_for(setting, game, aim)
    _print(outcome, began, as_json)


def _print(outcome: Outcome, began: float, as_json: bool) -> None:
    setting, tree, worst, game = outcome.setting, outcome.tree, outcome.worst, outcome.tree.game
    words, device = setting.source.wordlist, "cpu" if game.counts_misses else str(setting.place)
    value, bound, opening = tree.value, tree.bound_value, opening_text(tree, words.words)
    values, turns = of_tree(tree, MANY), tree.turn_counts()
    assert tree.bound is not None and bound is not None
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint} | ({"lives": game.turns} if game.counts_misses else {})
        entry |= {"opening": opening, "mean_points": tree.mean_points}
        entry |= {"bound": tree.bound, "gap": tree.bound - tree.mean_points}
        entry |= values.entry(len(words), value, bound) | values.counted_entry(turns)
        entry |= {"ended": outcome.ended, "checkpoint": str(outcome.path)}
        entry |= {"turns": turns, "lost": tree.lost} if values.unit.whole else {}
        entry |= {"worst_guesses": worst.turns, "worst_proven": worst.proven} if worst else {}
        if outcome.optimal:
            entry["optimal_openings"], entry["possible_openings"] = outcome.optimal
        entry |= {"seconds": clock() - began, "device": device}
        print(line_of("solve", entry))
        return
    where = f"game: {game.code}" if game.counts_misses else f"device: {device}"
    known, possible = outcome.optimal or (0, 0)
    least = "" if known == possible else f"{known:,} to "
    optimal = f", {least}{counted(possible, 'opening')} optimal" if outcome.optimal else ""
    print(f"list: {list_text(words)}; {where}; {outcome.ended}{optimal}; {outcome.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}", "opening": opening}
    row |= {"worst guesses": f"{worst.turns}"} if worst else {}
    row |= values.cells(value, tree.lost) | values.counted_cells(turns)
    row |= {"bound": values.bound(bound), "gap": values.gap(value, bound)}
    print_rows([row | {"seconds": f"{clock() - began:.0f}"}], left=["opening"])
    if values.unit.whole:
        print(f"\n{values.turns_name}")
        print_rows([values.game.turn_cells(turns, tree.lost)])
    if worst:
        lost, which = (f" with {tree.lost:,} lost", "that loses as few ") if tree.lost else ("", "")
        sure = f"no strategy {which}needs fewer{': proven' if value == bound else ''}"
        unsure = "it is not known whether fewer " + ("suffice" if worst.fewest else "can be lost")
        print(f"\nat most {worst.turns} guesses{lost}; {sure if worst.proven else unsure}")
