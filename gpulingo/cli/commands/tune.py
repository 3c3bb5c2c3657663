"""`gpulingo tune`: fit values to a list, measure guess pools, write the values of `--strategy tuned`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.errors import need_report, tell, tell_skipped, wrong_usage
from gpulingo.cli.lists import FOLDER, files_of, lists_of
from gpulingo.cli.options import option
from gpulingo.cli.run import Run, device_for, executor_at
from gpulingo.games.game import Game
from gpulingo.optimise.kept import check_same, report_best
from gpulingo.storage.faults import UsageError, refuse, reported
from gpulingo.storage.files import check_destination, locked, make_folder, put_aside, replace_file
from gpulingo.trees.values import Values

if TYPE_CHECKING:
    from gpulingo.machines.plays import TuningTask
    from gpulingo.tuning.tuner import PoolTrial, Trial, Tuning
    from gpulingo.words.listing import WordList


WORK = ".work.json"  # beside the values, while there is work
TUNED = rb'\{\s*"format": "gpulingo values"'


@options.group
class TuneOptions(options.Lengths, options.Listed, options.Timed, options.Printed):
    game: str = options.GAME
    turns: int | None = options.turns_option(3)
    iterations: int = option(
        "NUMBER", "Changes to try, with those of --resume.", default=100, parser=options.between(0, 10**6)
    )
    memory: int = options.MEMORY
    seed: int = options.SEED
    pools: str = option(
        "SIZES", "Sizes of guess pools to measure, for example 100,300; or none.",
        default="100,300,1000,3000,10000",
    )  # fmt: skip
    resume: str | None = option("[FILE]", "Continue from the work file beside the values.")
    out: Path | None = option("FILE.json", "Write the values here, not into checkpoints/.")
    picture: Path | None = option("FILE.svg", "Draw the scores of guess pools over their time.")
    ray: str | None = options.RAY


class TunedFiles:
    """A list to tune to, its values, and the files that are written."""

    def __init__(self, asked: TuneOptions, words: WordList, game: Game) -> None:
        from gpulingo.strategies.tuned import tuned_name

        self.asked, self.words, self.game = asked, words, game
        self.values = Values(self.game, self.words.target_count)
        name = tuned_name(self.words.length, self.words.fingerprint, self.game.turns)
        self.target = self.asked.out or FOLDER / name
        beside = self.target.parent / f"{self.target.stem}{WORK}"
        self.work = Path(self.asked.resume) if self.asked.resume else beside

    def check(self) -> None:
        from gpulingo.strategies.tuned import tuned_at

        out, picture, target = self.asked.out, self.asked.picture, self.target
        if picture:
            need_report()
        if out is None:
            make_folder(target.parent)
        written = [path for path in (target, self.work, picture) if path]
        twice = "--resume, --out and --picture name one file twice: name different files"
        refuse({twice: len(set(written)) < len(written)})
        for path, form in ((target, TUNED if out else b""), (self.work, b""), (picture, b"<svg ")):
            if path:
                check_destination(path, files_of([self.words]), form)
        check_same(target, tuned_at(target), self.words, self.game, change="name another with --out")

    def task(self, device: str) -> TuningTask:
        """Return the task of an executor, begun where the work file ends that was named."""
        from gpulingo.machines.plays import TuningTask
        from gpulingo.tuning.tuner import TunedList

        words, turns, args = self.words, self.game.turns, self.asked
        of = TunedList(words, words.fingerprint, turns, args.seed, device, args.memory)
        with wrong_usage("--resume"):
            return TuningTask(of, None if args.resume is None else of.continued(self.work))

    def finish(self, task: TuningTask, run: Run) -> None:
        """Write the best values, unless better ones stand there, and the picture; print what was tried."""
        from gpulingo.strategies.tuned import stored_tuned, write_better
        from gpulingo.tuning.tuner import best_pool, picture_svg

        work, values, target = task.work, self.values, self.target
        trials = [task.pools[number] for number in sorted(task.pools)]
        assert work is not None
        best = best_pool(work.best, trials) if trials else work.best
        if self.asked.picture and trials:
            replace_file(str(self.asked.picture), picture_svg(best, trials, values).encode())
        best = write_better(best, target, values, tell)
        kept = reported(stored_tuned(self.words, turns=best.turns), tell_skipped)
        report_best(target, kept, best.mean_points, values, tell)
        for change in work.trials:
            run.entry(asdict(change))
        for trial in trials:
            run.entry(asdict(trial) | {"pool": trial.rule})
        pool = {"rule": None if best.pool.words is None else best.pool.rule, "words": best.pool.words}
        entry = {"file": str(target), "mean_points": best.mean_points}
        run.entry(entry | {"opening": self.words[best.opening]} | pool)
        _print_tables(work, trials, values, run)
        run.text(f"{target}: {values.text(values.of_mean(best.mean_points))}")


def work_at(lists: Sequence[TunedFiles], sizes: Sequence[int], run: Run) -> list[TuningTask]:
    """Tune to lists as far as Ctrl-C lets it come, keeping the work in its files."""
    tasks: list[TuningTask] = []
    with run.working() as bar:  # torch comes in here
        bar.check, bar.ends = run.noted, math.inf  # pools are measured after the time is over
        from gpulingo.machines.plays import amounts, tunings
        from gpulingo.tuning.tuner import tuning_text

        args = lists[0].asked
        device = args.device if args.ray is not None else str(device_for(args.device, None))
        often = bar.looking()
        with executor_at(args.ray, device, often) as (executor, device):
            run.noted()
            tasks += [files.task(device) for files in lists]
            limits = args.iterations, sizes, run.ends
            done, total = amounts(tasks, *limits)
            bar.begin(total, done)
            for number, text in tunings(executor, tasks, *limits, check=often):
                work = tasks[number].work
                if work is not None and not tasks[number].pools:
                    replace_file(str(lists[number].work), tuning_text(work).encode())
                done, bar.total = amounts(tasks, *limits)
                bar.reach(done, text)
    return tasks


def tune(args: TuneOptions) -> None:
    """Fit a strategy's parameters to a word list."""
    run, numbers = Run("tune", args.time, as_json=args.as_json), args.lengths_for(args.game, "tune")
    with wrong_usage("--pools"):
        sizes = [] if args.pools == "none" else options.parsed_numbers(args.pools, "size", 1 << 26)
    rules = options.chosen_game(args.game, args.turns, fewer="with fewer `parts` is exact")
    options.check_words_guessed(rules, "nothing is tuned there, use `gpulingo solve`")
    options.check_marks(rules, "`tune`")
    if len(numbers) > 1:
        fault = f"with {len(numbers)} lengths, but it names one file: give one length"
        refuse({f"--{name} {fault}": getattr(args, name) for name in ("resume", "out", "picture")})
    lists = [TunedFiles(args, words, rules) for words in lists_of(args).words(numbers, rules)]
    with ExitStack() as locks:
        for files in lists:
            files.check()
            try:
                locks.enter_context(locked(files.work, wait=False))
            except BlockingIOError:
                fault = f"{files.work} is of a tuning that still runs"
                raise UsageError(f"{fault}: wait for its end, or name another --out") from None
            if args.resume is None and (aside := put_aside(files.work, WORK)):
                tell(f"{files.work} of an earlier tuning is now {aside}: --resume would have continued it")
        # On a cluster all at once.
        for some in [[files] for files in lists] if args.ray is None else [lists]:
            tasks = work_at(some, sizes, run)
            done = [(files, task) for files, task in zip(some, tasks, strict=False) if task.work is not None]
            if not done:
                raise KeyboardInterrupt
            for files, task in done:
                files.finish(task, run)
                if not (run.interrupted or args.resume):
                    files.work.unlink(missing_ok=True)
            paths = ", ".join(str(files.work) for files, _ in done)
            has = f"{paths} {'has' if len(done) == 1 else 'have'} them"
            again = f"--resume {args.resume or ''}".rstrip()
            run.finish(f"after {sum(task.tried - 1 for _, task in done)} changes; {has}, {again} continues")


def _print_tables(work: Tuning, trials: list[PoolTrial], values: Values, run: Run) -> None:
    from gpulingo.tuning.tuner import picture

    def cells(trial: Trial | PoolTrial) -> dict[str, str]:
        return values.brief_cells(values.of_mean(trial.mean_points)) | {"seconds": f"{trial.seconds:.2f}"}

    run.text(f"{len(work.trials) - 1} changes tried; those that were better:")
    better = [
        {"number": f"{trial.number}", "change": trial.change, "opening": trial.opening, **cells(trial)}
        for trial in work.trials
        if trial.kept
    ]
    run.table(better, left=["change", "opening"])
    measured = [
        {"rule": pool.rule, "words": f"{pool.words:,}", **cells(pool)}
        | {"million pairs": f"{pool.pairs / 1e6:,.1f}"}
        for pool in trials
    ]
    run.table(measured, "pools: words that are searched, beside the candidates of each set", left=["rule"])
    if trials:
        run.text(f"\n{picture(trials, values)}\n")
