"""`gpulingo compare`: play many strategies over whole lists and set them side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import completion, options
from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.kept_lines import Out, Resume, interrupted, kept_lines
from gpulingo.cli.limits import in_time
from gpulingo.cli.lists import read_files, sources_text
from gpulingo.cli.parse import numbers_text
from gpulingo.cli.plan import Plan, planned, simulations
from gpulingo.cli.signals import late_interrupt
from gpulingo.trees.kept import BEST

if TYPE_CHECKING:
    from gpulingo.report.results import Key, Result
    from gpulingo.storage.linefile import LineFile

Strategies = Annotated[
    str,
    typer.Option(
        metavar="NAMES",
        autocompletion=completion.strategies,
        help="Strategies, joined by commas; all for every one with a name.",
    ),
]
Both = Annotated[
    bool,
    typer.Option("--consistent", help="Play each a second time guessing candidates only: what it costs."),
]


def compare(
    lengths: options.Lengths,
    strategies: Strategies = "all",
    wordlist: options.Wordlist = None,
    consistent: Both = False,
    turns: options.Turns = 5,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    time: options.Time = None,
    out: Out = None,
    resume: Resume = False,
    as_json: options.Json = False,
) -> None:
    """Set strategies side by side over whole lists."""
    plan = planned(
        lengths, wordlist, strategy="parts", consistent=False, seed=seed,
        opening=None, turns=turns, device=device, time=time,
    )  # fmt: skip
    plans = _plans(plan, strategies, consistent)
    from gpulingo.report.results import FORM

    with kept_lines(out, resume, FORM, read_files(plan.sources)) as lines:
        games = _games(plans)
        kept = lines.kept if lines and resume else []
        found = {one.key: one for one in kept if one.key in games and _stands(one, games[one.key])}
        if resume:
            tell(f"{out}: {len(found)} of {len(games)} results are there")
        try:
            for result in in_time(_results(games, found, lines), plan.ends, "results", len(games)):
                found[result.key] = result
                if as_json:
                    print(_json(result), flush=True)
        except KeyboardInterrupt:
            if found and not as_json:
                _print_tables(plan, [found[key] for key in games if key in found])
            raise interrupted(out, len(found), len(games), "results") from None
    if strategies == "all" and (without := _without_best(plan)):
        tell(f"{BEST} is left out: no tree is kept for the words of {numbers_text(without)} letters")
    if not as_json:
        _print_tables(plan, [found[key] for key in games if key in found])


def _plans(plan: Plan, text: str, both: bool) -> list[Plan]:
    """A plan for each strategy of a text; for `both`, also for each that can guess other words, without them.

    Raises:
        WrongUsage: there is no such strategy.
    """
    with late_interrupt():
        from gpulingo.strategies.registry import NAMES
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
                    replace(plans[-1], consistent=kind).made_strategy(source.wordlist)
                    for kind in (False, True)
                )
        if both and alone.name != free.name:
            plans.append(replace(plan, strategy=name, consistent=True))
    return plans


def _without_best(plan: Plan) -> list[int]:
    """The lengths for which no tree is kept."""
    return sorted(one.wordlist.length for one in plan.sources if plan.best(one.wordlist) is None)


def _games(plans: list[Plan]) -> dict[Key, Plan]:
    """What there will be a result of -> a plan for it alone."""
    games = {}
    for plan in plans:
        for source in plan.sources:
            name = plan.made_strategy(source.wordlist).name
            key = (source.wordlist.fingerprint, name, plan.turns, "")
            games[key] = replace(plan, sources=[source])
    return games


def _stands(result: Result, plan: Plan) -> bool:
    """Whether the strategy is what it was: the tree that is kept for a list may be better by now."""
    from gpulingo.strategies.replay import Followed

    strategy = plan.made_strategy(plan.sources[0].wordlist)
    return not isinstance(strategy, Followed) or strategy.tree.mean_points == result.mean_points


def _results(
    games: dict[Key, Plan], known: Mapping[Key, Result], lines: LineFile[Result] | None
) -> Iterator[Result]:
    """The results that are known, then those of the other games, each of which is kept at once."""
    from gpulingo.report.results import result_of, result_text

    yield from list(known.values())
    rest = [plan for key, plan in games.items() if key not in known]
    for simulation in simulations("compare", *rest):
        result = result_of(simulation)
        if lines:
            lines.append(result_text(result))
        yield result


def _json(result: Result) -> str:
    """A result as a JSON object, with what the table derives from it."""
    from dataclasses import asdict

    derived = {
        "mean_guesses": result.mean_guesses,
        "found_by": result.found_by,
        "worst_turn": result.worst_turn,
    }
    return json.dumps(asdict(result) | derived, ensure_ascii=False)


def _print_tables(plan: Plan, found: list[Result]) -> None:
    """A row for each length and strategy, the best first; the ranking; the cost of candidates only."""
    from gpulingo.cli.tables import guesses_text, points_text, print_table

    devices = ", ".join(dict.fromkeys(one.device for one in found))
    print(f"list: {sources_text(plan.sources)}; turns: {plan.turns}; device: {devices}")
    used = max((turn for one in found for turn, count in enumerate(one.turns, 1) if count), default=1)
    rows, shares = [], []
    for one in sorted(found, key=lambda one: (one.length, -one.mean_points)):
        keys = [str(one.length), one.strategy]
        worst = f"over {plan.turns}" if one.worst_turn is None else str(one.worst_turn)
        yields = [points_text(one.mean_points), guesses_text(one.mean_guesses)]
        rows.append([*keys, one.opening, *yields, f"{one.lost:,}", worst, f"{one.seconds:.2f}"])
        shares.append([*keys, *(f"{100 * share:.2f}" for share in one.found_by[:used])])
    columns = ["length", "strategy", "opening", "mean points", "mean guesses", "lost", "worst turn"]
    print_table([*columns, "seconds"], rows, left=["strategy", "opening"], keys=2)
    print("\nwords found by a turn, %")
    numbers = [f"by {turn}" for turn in range(1, used + 1)]
    print_table(["length", "strategy", *numbers], shares, left=["strategy"], keys=2)
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
