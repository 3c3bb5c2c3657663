"""`gpulingo tune`: fit values to a list, measure guess pools, write what `--strategy tuned` uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import check_same, tell_better_values
from gpulingo.cli.errors import Interrupted, WrongUsage, need_report, tell, wrong_usage
from gpulingo.cli.games import check_marks, check_words_guessed, chosen_game
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import found_sources, read_files
from gpulingo.cli.outputs import check_destination, make_folder, put_work_aside
from gpulingo.cli.parse import parsed_lengths, parsed_numbers
from gpulingo.cli.tunings import WORK, Outcome, Task, TuneOptions, worked, worked_on_ray
from gpulingo.report.values import Values, shown
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.strategies.tuned import Tuned
    from gpulingo.tuning.pool_cost import PoolTrial
    from gpulingo.tuning.tuner import Tuning

TUNED = rb'\{\s*"format": "gpulingo values"'


def tune(
    lengths: str = options.LENGTHS,
    *,
    listed: options.Listed,
    game: str = options.GAME,
    turns: int | None = options.turns_option(3),
    asked: TuneOptions,
    as_json: bool = options.JSON,
) -> None:
    """Fit a strategy's parameters to a word list."""
    ends = end_of(asked.time)
    with wrong_usage("--pools"):
        sizes = [] if asked.pools == "none" else parsed_numbers(asked.pools, "size", 1, 1 << 26)
    rules = chosen_game(game, turns, least=3, instead="with fewer `parts` is exact")
    check_words_guessed(rules, "nothing is tuned there, use `gpulingo solve`")
    check_marks(rules, "`tune`")
    if not rules.rises_by_one:
        raise WrongUsage(f"--game {game} cannot be tuned: values of the game without its rule serve it too")
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    for name in ("resume", "out", "picture"):
        if getattr(asked, name) and len(numbers) > 1:
            raise WrongUsage(f"--{name} with {len(numbers)} lengths, but it names one file: give one length")
    sources = found_sources(numbers, listed.wordlist, listed.targets, rules)
    tasks = [Task(**vars(asked), source=source, game=rules, sizes=sizes, ends=ends) for source in sources]
    for task in tasks:
        _check_files(task)
        if task.resume is None:
            put_work_aside(task.file, WORK, "tuning")
    cut: list[tuple[Path, Outcome]] = []
    for task, outcome in zip(tasks, _outcomes(tasks, asked.ray), strict=False):
        if outcome is None:
            continue
        _finish(task, outcome, as_json=as_json)
        if not outcome.whole:
            cut.append((task.file, outcome))
            if asked.ray is None:
                break
        elif not asked.resume:
            task.file.unlink(missing_ok=True)
    if cut:
        changes = sum(len(outcome.work.trials) - 1 for _, outcome in cut)
        files = ", ".join(str(file) for file, _ in cut)
        has = f"{files} {'has' if len(cut) == 1 else 'have'} them"
        again = f"--resume {asked.resume or ''}".rstrip()
        raise Interrupted(f"interrupted after {changes} changes; {has}, {again} continues")


def _outcomes(tasks: Sequence[Task], ray: str | None) -> Iterator[Outcome | None]:
    """The outcomes of the lists, one after the other, or from a cluster."""
    if ray is None:
        yield from map(worked, tasks)
        return
    found = worked_on_ray(tasks, ray)
    if not any(found):
        raise KeyboardInterrupt
    yield from found


def _finish(task: Task, outcome: Outcome, *, as_json: bool) -> None:
    """Write and print what came of a tuning."""
    work, trials, words, target = outcome.work, outcome.trials, task.source.wordlist, task.target
    values = shown(task.game, words.target_count)
    best = _written(work, trials, target, task.picture, values=values)
    tell_better_values(target, best, words, values)
    if as_json:
        _print_json(work, trials, best, {"file": str(target), "opening": words[best.opening]})
    else:
        _print_tables(work, trials, values)
        print(f"{target}: {values.text(best.mean_points)}")


def _check_files(task: Task) -> None:
    """Check the files to be written.

    Raises:
        WrongUsage: something would be lost. OSError: a file cannot be written.
        RuntimeError: nothing is there to draw the picture with.
    """
    target, picture, words = task.target, task.picture, task.source.wordlist
    if picture:
        need_report()
    if task.out is None:
        make_folder(target.parent)
    written = [path for path in (target, task.file, picture) if path]
    if len(set(written)) < len(written):
        raise WrongUsage("--resume, --out and --picture name one file twice: name different files")
    for path, form in ((target, TUNED if task.out else b""), (task.file, b""), (picture, b"<svg ")):
        if path:
            check_destination(path, read_files([task.source]), form)
    check_same(target, _standing_values(target), words, task.game, change="name another with --out")


def _standing_values(path: Path) -> Tuned | None:
    """The tuned values that stand there, if there are whole ones."""
    from gpulingo.strategies.tuned import TunedError, read_tuned

    try:
        return read_tuned(path) if path.exists() else None
    except TunedError:
        return None


def _written(
    work: Tuning, trials: list[PoolTrial], target: Path, picture: Path | None, *, values: Values
) -> Tuned:
    """Write the best values, unless better ones stand there, and the picture; the values that stand now."""
    from gpulingo.storage.files import replace_file
    from gpulingo.strategies.tuned import write_tuned
    from gpulingo.tuning.pool_cost import best_pool, picture_svg

    best = best_pool(work.best, trials) if trials else work.best
    if picture and trials:
        replace_file(str(picture), picture_svg(best, trials, values).encode())
    before = _standing_values(target)
    if before is not None and before.mean_points > best.mean_points:
        less = f"{values.better} than the {values.beside(best.mean_points)} that were found"
        tell(f"{target} has {values.text(before.mean_points)}, {less}: its values stay")
        return before
    write_tuned(best, target)
    return best


def _print_json(work: Tuning, trials: list[PoolTrial], best: Tuned, result: dict[str, Any]) -> None:
    """A JSON object for each change, each pool and the result."""
    for change in work.trials:
        print(line_of("tune", asdict(change)))
    for trial in trials:
        print(line_of("tune", asdict(trial) | {"pool": trial.rule}))
    rule = None if best.pool.words is None else best.pool.rule
    values = {"mean_points": best.mean_points, "opening": result["opening"], "rule": rule}
    print(line_of("tune", {"file": result["file"], **values, "words": best.pool.words}))


def _print_tables(work: Tuning, trials: list[PoolTrial], values: Values) -> None:
    """Tables of the changes that were better and of the pools, and a picture of these."""
    from gpulingo.cli.tables import print_table
    from gpulingo.tuning.pool_cost import picture

    print(f"{len(work.trials) - 1} changes tried; those that were better:")
    rows = [[str(trial.number), trial.change, trial.opening, *values.brief_cells(trial.mean_points).values(),
             f"{trial.seconds:.2f}"] for trial in work.trials if trial.kept]  # fmt: skip
    print_table(["number", "change", "opening", *values.brief, "seconds"], rows, left=["change", "opening"])
    if trials:
        print("\npools: words that are searched, beside the candidates of each set")
        rows = [[pool.rule, f"{pool.words:,}", *values.brief_cells(pool.mean_points).values(),
                 f"{pool.seconds:.2f}", f"{pool.pairs / 1e6:,.1f}"] for pool in trials]  # fmt: skip
        print_table(["rule", "words", *values.brief, "seconds", "million pairs"], rows, left=["rule"])
        print(f"\n{picture(trials, values)}\n")
