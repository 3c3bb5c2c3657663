"""`gpulingo compare`: play many strategies over whole lists and set them side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.destinations import check_destination
from gpulingo.cli.guard import tell, wrong_usage
from gpulingo.cli.interrupts import late_interrupt
from gpulingo.cli.numbers import numbers_text
from gpulingo.cli.runs import Plan, planned, simulations
from gpulingo.cli.sources import read_files, sources_text
from gpulingo.trees.kept import BEST

if TYPE_CHECKING:
    from gpulingo.lab.results import Result

Lengths = Annotated[
    str,
    typer.Option(
        "--lengths",
        "--length",
        metavar="N",
        help="Letters of the words: 5, 4-13 or 4,6-8.",
        show_default=False,
    ),
]
Strategies = Annotated[
    str, typer.Option(metavar="NAMES", help="Strategies, joined by commas; all for every one with a name.")
]
Both = Annotated[
    bool,
    typer.Option("--consistent", help="Play each a second time guessing candidates only: what it costs."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.jsonl", help="Write the results, one JSON object a line, for `gpulingo report`."
    ),
]


def compare(
    lengths: Lengths,
    strategies: Strategies = "all",
    wordlist: options.Wordlist = None,
    consistent: Both = False,
    turns: options.Turns = 5,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    out: Out = None,
    as_json: options.Json = False,
) -> None:
    """Set strategies side by side over whole lists."""
    plan = planned(
        lengths, wordlist, strategy="parts", consistent=False, seed=seed,
        opening=None, turns=turns, device=device,
    )  # fmt: skip
    plans = _plans(plan, strategies, consistent)
    if out:
        check_destination(out, read_files(plan.sources))
    found: list[Result] = []
    for result in _results(plans):
        found.append(result)
        if out:  # after each, so that an interruption loses one strategy of one length
            from gpulingo.lab.results import write_results

            write_results(out, found)
        if as_json:
            print(_json(result), flush=True)
    if strategies == "all" and (without := _without_best(plan)):
        tell(f"{BEST} is left out: no tree is kept for the words of {numbers_text(without)} letters")
    if not as_json:
        print(f"list: {sources_text(plan.sources)}; turns: {turns}; device: {found[0].device}")
        _print_tables(found)


def _plans(plan: Plan, text: str, both: bool) -> list[Plan]:
    """A plan for each strategy of a text; for `both`, also for each that can guess other words, without them.

    Raises:
        WrongUsage: there is no such strategy.
    """
    with late_interrupt():
        from gpulingo.strategies.registry import NAMES, named
    plans: list[Plan] = []
    names = text.split(",")
    if text == "all":
        names = [*NAMES] if _without_best(plan) else [BEST, *NAMES]
    for name in dict.fromkeys(names):
        plans.append(replace(plan, strategy=name))
        with wrong_usage("--strategies"):
            if name == BEST:
                for source in plan.sources:
                    plans[-1].made_strategy(source.wordlist)
                continue
            for source in plan.sources:  # what is there for one list need not be there for another
                free, alone = (
                    named(name, consistent=kind, wordlist=source.wordlist) for kind in (False, True)
                )
        if both and alone.name != free.name:
            plans.append(replace(plan, strategy=name, consistent=True))
    return plans


def _without_best(plan: Plan) -> list[int]:
    """The lengths for which no tree is kept."""
    return sorted(one.wordlist.length for one in plan.sources if plan.best(one.wordlist) is None)


def _results(plans: list[Plan]) -> Iterator[Result]:
    """The results, strategy by strategy."""
    for plan in plans:
        for simulation in simulations(plan):
            from gpulingo.lab.results import result_of

            yield result_of(simulation)


def _json(result: Result) -> str:
    """A result as a JSON object, with what the table derives from it."""
    from dataclasses import asdict

    derived = {"found_by": result.found_by, "worst_turn": result.worst_turn}
    return json.dumps(asdict(result) | derived, ensure_ascii=False)


def _print_tables(found: list[Result]) -> None:
    """A row for each length and strategy, the best first; the ranking; the cost of candidates only."""
    from gpulingo.cli.tables import points_text, print_table

    turns = len(found[0].turns)
    used = max((turn for one in found for turn, count in enumerate(one.turns, 1) if count), default=1)
    numbers = [f"by {turn}, %" for turn in range(1, used + 1)]
    rows = []
    for one in sorted(found, key=lambda one: (one.length, -one.mean_points)):
        shares = [f"{100 * share:.2f}" for share in one.found_by[:used]]
        worst = f"over {turns}" if one.worst_turn is None else str(one.worst_turn)
        rest = [f"{one.lost:,}", worst, f"{one.seconds:.2f}"]
        rows.append(
            [str(one.length), one.strategy, one.opening, points_text(one.mean_points), *shares, *rest]
        )
    columns = ["length", "strategy", "opening", "mean points", *numbers, "lost", "worst turn", "seconds"]
    print_table(columns, rows, left=["strategy", "opening"])
    means: dict[str, dict[int, float]] = {}
    for one in found:
        means.setdefault(one.strategy, {})[one.length] = one.mean_points
    lengths = sorted({one.length for one in found})
    ranking = sorted(means.items(), key=lambda item: -sum(item[1].values()))
    print("\nmean points")
    cells = [[name, *(f"{of[n]:.2f}" for n in lengths), f"{sum(of.values()):.2f}"] for name, of in ranking]
    print_table(["strategy", *map(str, lengths), "total"], cells, left=["strategy"])
    pairs = [(name, of, means[f"{name} consistent"]) for name, of in ranking if f"{name} consistent" in means]
    if pairs:
        print("\nmean points lost by guessing candidates only")
        cells = [[name, *(f"{of[n] - alone[n]:.2f}" for n in lengths),
                  f"{sum(of.values()) - sum(alone.values()):.2f}"] for name, of, alone in pairs]  # fmt: skip
        print_table(["strategy", *map(str, lengths), "total"], cells, left=["strategy"])
