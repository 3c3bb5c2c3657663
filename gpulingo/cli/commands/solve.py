"""`gpulingo solve`: search for the best strategy of a list, with a bound on what any strategy can have."""

from __future__ import annotations

from typing import Any

from gpulingo.cli import options
from gpulingo.cli.aims import solved_for
from gpulingo.cli.devices import device_for
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.games import MOST_TURNS
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.options import Opponent
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.cli.solving import Objective, Outcome, SearchOptions, Setting
from gpulingo.games.catalogue import find_game
from gpulingo.report.values import MANY, of_tree
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.words.shown import counted

OPTIMAL = "optimal_openings", "possible_openings"  # fields of JSON


def solve(
    length: int = options.LENGTH,
    *,
    words: options.Words,
    rules: options.Rules,
    turns: int | None = options.TURNS,
    search: SearchOptions,
    as_json: bool = options.JSON,
) -> None:
    """Search for the best strategy and a proven bound."""
    began, ends, opponent, objective = clock(), end_of(search.time), search.opponent, search.objective
    if opponent == Opponent.ADVERSARY and objective != Objective.MEAN:
        seen = f"--objective {objective} with an adversary, who makes every round the worst"
        raise WrongUsage(f"{seen}: leave it out")
    unlimited = opponent == Opponent.ADVERSARY and turns is None and not rules.game[-1:].isdigit()
    few = "`gpulingo simulate` is exact for fewer"
    game = rules.chosen(MOST_TURNS if unlimited else turns, least=3, instead=few)
    if objective == Objective.MISSES:
        if not game.counts_misses:
            raise WrongUsage(f"--objective misses in {game.code}: it is for --game hangman")
        game = find_game("hangman-misses", game.turns)
    aim = "found" if opponent == Opponent.ADVERSARY else str(objective)
    source = words.sources([length], game)[0]
    with interrupted_by_sigterm(), late_interrupt() as check:
        work = "hangman" if game.guesses_letters else "solve"
        place = device_for(search.device if search.ray is None else "cpu", work)  # where results are merged
        check()  # torch is in
        setting = Setting(**vars(search), source=source, place=place, ends=ends, check=check)
        if game.counts_misses:
            from gpulingo.cli.misses import check_options, print_held

            check_options(setting, objective)
            if opponent == Opponent.ADVERSARY:
                print_held(setting, None if unlimited else game.turns, began, as_json)
                return
        _print(solved_for(setting, game, aim), began, as_json)


def _print(outcome: Outcome, began: float, as_json: bool) -> None:
    """Print the result of a search, and the time since it began, which `--time` counts too."""
    from gpulingo.trees.text import opening_text

    words, tree, worst, game = outcome.words, outcome.tree, outcome.worst, outcome.tree.game
    assert tree.bound is not None
    value, bound, opening = tree.mean_points, tree.bound, opening_text(tree, words.words)
    values, turns = of_tree(tree, MANY), tree.turn_counts()
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint} | ({"lives": game.turns} if game.counts_misses else {})
        entry |= {"opening": opening, "mean_points": value, "bound": bound, "gap": bound - value}
        entry |= values.entry(len(words), value, bound) | values.counted_entry(turns)
        entry |= {"ended": outcome.ended, "checkpoint": str(outcome.path)}
        entry |= {"turns": turns, "lost": tree.lost} if values.by_turn else {}
        entry |= {"worst_guesses": worst.turns, "worst_proven": worst.proven} if worst else {}
        entry |= dict(zip(OPTIMAL, outcome.optimal, strict=True)) if outcome.optimal else {}
        entry |= {"seconds": clock() - began, "device": outcome.device}
        print(line_of("solve", entry))
        return
    from gpulingo.cli.tables import print_rows

    where = f"game: {game.code}" if game.counts_misses else f"device: {outcome.device}"
    optimal = ""
    if outcome.optimal:
        known, possible = outcome.optimal
        least = "" if known == possible else f"{known:,} to "
        optimal = f", {least}{counted(possible, 'opening')} optimal"
    print(f"list: {list_text(words)}; {where}; {outcome.ended}{optimal}; {outcome.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}", "opening": opening}
    row |= {"worst guesses": f"{worst.turns}"} if worst else {}
    row |= values.cells(value, tree.lost) | values.counted_cells(turns)
    row |= {"bound": values.bound(bound), "gap": values.gap(value, bound)}
    print_rows([row | {"seconds": f"{clock() - began:.0f}"}], left=["opening"])
    if values.by_turn:
        print(f"\n{values.turns_name}")
        print_rows([values.turn_cells(turns, tree.lost)])
    if worst:
        lost = f" with {worst.lost:,} lost" if worst.lost else ""
        which = "that loses as few needs" if worst.lost else "needs"
        sure = (
            f"no strategy {which} fewer: proven" if worst.proven else "it is not known whether fewer suffice"
        )
        print(f"\nat most {worst.turns} guesses{lost}; {sure}")
