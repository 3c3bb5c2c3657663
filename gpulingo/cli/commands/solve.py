"""`gpulingo solve`: search for the best strategy of a list, with a bound on what any strategy can have."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.aims import solved_for
from gpulingo.cli.devices import device_for
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.games import MOST_TURNS, chosen_game
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import found_sources, list_entry, list_text
from gpulingo.cli.options import Opponent
from gpulingo.cli.parse import points_number
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.cli.solving import Outcome, Setting
from gpulingo.games.catalogue import LINGO, find_game
from gpulingo.report.points import MANY
from gpulingo.report.values import of_tree
from gpulingo.storage.printed import line_of

GAP = "Stop at this gap, in points or total guesses."
OBJECTIVE = "mean, worst (turn), lost (words) or misses."

Width = Annotated[
    str | None,
    typer.Option(
        metavar="TURN:N,..",
        help="Guesses per set by turns left, for example 5:50,4:20,3:10.",
    ),
]
Openings = Annotated[
    str | None,
    typer.Option(metavar="NUMBER|all", help="Openings of the first stage.", show_default="200"),
]
Gap = Annotated[float, typer.Option(parser=points_number, metavar="NUMBER", help=GAP)]
Out = Annotated[
    Path | None,
    typer.Option(
        "--save", "--out", metavar="FILE.npz", help="The checkpoint to write.", show_default="in checkpoints/"
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue from the work file beside the checkpoint.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Ignore stored trees, as the first search of a list does.")
]


class Objective(StrEnum):
    """The quantity that a strategy minimises."""

    MEAN = "mean"
    MISSES = "misses"
    WORST = "worst"
    LOST = "lost"


def solve(
    length: options.Length,
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    colours: options.Colours = None,
    weights: options.Weights = None,
    width: Width = None,
    openings: Openings = None,
    time: options.Time = None,
    gap: Gap = 0.0,
    memory: options.Memory = options.MEMORY,
    game: options.Game = LINGO,
    rule: options.HintRule = "",
    turns: options.Turns = None,
    objective: Annotated[Objective, typer.Option(metavar="NAME", help=OBJECTIVE)] = Objective.MEAN,
    opponent: options.OpponentOf = Opponent.CHANCE,
    out: Out = None,
    resume: Resume = False,
    fresh: Fresh = False,
    shared: options.Shared = None,
    ray: options.Ray = None,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Search for the best strategy and a proven bound."""
    ends = end_of(time)
    if opponent == Opponent.ADVERSARY and objective != Objective.MEAN:
        seen = f"--objective {objective} with an adversary, who makes every round the worst"
        raise WrongUsage(f"{seen}: leave it out")
    unlimited = opponent == Opponent.ADVERSARY and turns is None and not game[-1:].isdigit()
    rules = chosen_game(
        game, MOST_TURNS if unlimited else turns,
        rule=rule, least=3, instead="`gpulingo simulate` is exact for fewer",
    )  # fmt: skip
    if objective == Objective.MISSES:
        if not rules.counts_misses:
            raise WrongUsage(f"--objective misses in {rules.code}: it is for --game hangman")
        rules = find_game("hangman-misses", rules.turns)
    aim = "found" if opponent == Opponent.ADVERSARY else str(objective)
    source = found_sources([length], wordlist, targets, rules, weights, colours=colours)[0]
    with interrupted_by_sigterm(), late_interrupt() as check:
        work = "hangman" if rules.guesses_letters else "solve"
        place = device_for(device if ray is None else "cpu", work)  # where results are merged
        check()  # torch is in
        setting = Setting(
            source,
            place,
            seed,
            memory,
            width,
            openings,
            gap,
            ends,
            resume,
            fresh,
            out,
            check,
            shared,
            ray,
            device,
        )
        if rules.counts_misses:
            from gpulingo.cli.misses import check_options, print_held

            check_options(setting, objective)
            if opponent == Opponent.ADVERSARY:
                print_held(setting, None if unlimited else rules.turns, as_json)
                return
        _print(solved_for(setting, rules, aim), as_json)


def _print(outcome: Outcome, as_json: bool) -> None:
    """Print the result."""
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
        entry |= {"seconds": outcome.seconds, "device": outcome.device}
        print(line_of("solve", entry))
        return
    from gpulingo.cli.tables import print_rows

    where = f"game: {game.code}" if game.counts_misses else f"device: {outcome.device}"
    print(f"list: {list_text(words)}; {where}; {outcome.ended}; {outcome.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}", "opening": opening}
    row |= {"worst guesses": f"{worst.turns}"} if worst else {}
    row |= values.cells(value, tree.lost) | values.counted_cells(turns)
    row |= {"bound": values.bound(bound), "gap": values.gap(value, bound)}
    print_rows([row | {"seconds": f"{outcome.seconds:.0f}"}], left=["opening"])
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
