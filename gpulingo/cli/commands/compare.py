"""`gpulingo compare`: play many strategies over whole lists and compare them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gpulingo.cli.errors import tell
from gpulingo.cli.lists import files_of, sources_text
from gpulingo.cli.options import OUT, RESUME, PlayOptions, group, option, several_of
from gpulingo.cli.plays import Plan, planned, print_ranking, simulations
from gpulingo.cli.run import Bar, kept_lines, reached_text
from gpulingo.cli.signals import late_interrupt
from gpulingo.player.question import NAMES, TUNED, WITH_LETTERS
from gpulingo.report.results import FORM, Result, entry_of, key_of, line_text, result_of
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.listing import numbers_text


@group
class CompareOptions(PlayOptions):
    strategies: str = option(
        "NAMES", "Strategies, joined by commas, or all.", default="all",
        among=several_of("all", *NAMES, TUNED, BEST),
    )  # fmt: skip
    out: Path | None = OUT
    resume: bool = RESUME


def compare(args: CompareOptions) -> None:
    """Compare strategies over whole word lists."""
    plan, every = planned("compare", args), args.strategies == "all"
    with late_interrupt():
        import gpulingo.strategies.registry  # noqa: F401  # and numba with it
        from gpulingo.strategies.simulation import TreeReplay
    game, run, names = plan.game, plan.run, args.strategies.split(",")
    without = sorted({words.length for words in plan.lists} - plan.stored.keys()) if every else []
    if every:
        searched = WITH_LETTERS if game.guesses_letters else NAMES
        names = [*searched] if without else [BEST, *searched]
    every_play = plan.plays(dict.fromkeys(names), "--strategies")
    plays = {key_of(play.wordlist.fingerprint, play.strategy.name, game): play for play in every_play}
    lines = kept_lines(args.out, args.resume, FORM, files_of(plan.lists))
    # A better tree may have been stored since.
    replayed = {key: of.tree.mean_points for key, (_, of) in plays.items() if isinstance(of, TreeReplay)}
    stand = [old for old in lines.kept if replayed.get(old.key, old.mean_points) == old.mean_points]
    known = {old.key: old for old in stand if old.key in plays}
    if args.resume:
        tell(f"{args.out}: {len(known)} of {len(plays)} results are there")
    missing = {key: play for key, play in plays.items() if key not in known}

    def played(bar: Bar) -> Iterator[Result]:
        """Yield the known results, then those of the other plays, each stored at once."""
        with bar.hidden():
            yield from known.values()
        for result in map(result_of, simulations(plan, bar, [*missing.values()])):
            lines.append(line_text(entry_of(result)))
            yield result

    order = [*known, *missing]
    results = run.in_order(
        played, "results", order, lambda result: result.key, lambda result: run.entry(result.compared)
    )
    if without and not run.interrupted:
        tell(f"{BEST} is left out: no tree is stored for the words of {numbers_text(without)} letters")
    if results and not args.as_json:
        _print_tables(plan, [results[key] for key in plays if key in results])
    run.finish(reached_text(args.out, len(results), len(plays), "results"))


def _print_tables(plan: Plan, results: list[Result]) -> None:
    run, devices = plan.run, ", ".join(dict.fromkeys(result.device for result in results))
    run.text(f"list: {sources_text(plan.lists)}; game: {plan.game.code}; device: {devices}")
    used = max((turn for result in results for turn, n in enumerate(result.turns, 1) if n), default=1)
    rows, shares, misses = [], [], plan.game.counts_misses
    for result in sorted(results, key=lambda result: (result.length, -result.mean_points)):
        keys = {"length": str(result.length), "strategy": result.strategy}
        last, turns = result.worst_turn, plan.game.turns
        worst = {"worst turn": f"over {turns}" if last is None else f"{last}"}
        if misses:  # turn t is that of t - 1 misses
            worst = {"most misses": f"{turns if last is None else last - 1}"}
        row = keys | result.cells | {"lost": f"{result.lost:,}"} | worst
        rows.append(row | {"seconds": f"{result.seconds:.2f}"})
        by_turn = enumerate(result.found_by[:used], 1)
        shares.append(
            keys | {f"{n - 1}" if misses else f"by {n}": f"{100 * share:.2f}" for n, share in by_turn}
        )
    run.table(rows, left=["strategy", "opening"], keys=2)
    caption = "words won by number of misses at most, %" if misses else "words found by a turn, %"
    run.table(shares, caption, left=["strategy"], keys=2)
    run.text("", results[0].values.unit.name)
    by_length = sorted(results, key=lambda result: result.length)
    print_ranking([(result.strategy, result) for result in by_length])
