"""Points lost and time saved if only a pool of words is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.report.charts import STYLE, time_chart
from gpulingo.report.values import Values
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import RULES, Pool
from gpulingo.strategies.tuned import Tuned
from gpulingo.words.listing import WordList

ACROSS, DOWN = 64, 14  # characters of the picture
ALL = "all"


@dataclass(frozen=True)
class PoolTrial:
    """A whole list played with one pool."""

    pool: Pool  # which words were searched, and the candidates of each set
    words: int  # of the pool
    mean_points: float  # over the list
    seconds: float  # wall time of the turns, of choosing the pool too
    pairs: int  # of guess and candidate evaluated

    @property
    def rule(self) -> str:
        """Name of the rule; all where there is no need for one."""
        return ALL if self.pool.words is None else self.pool.rule


def pool_trials(
    wordlist: WordList,
    tuned: Tuned,
    sizes: Sequence[int],
    *,
    device: str | torch.device = "cpu",
    check: Callable[[], None] = lambda: None,
) -> Iterator[PoolTrial]:
    """Play a list with the whole list as pool, then by every rule with every size that is less.

    What `check`, which is called often, raises ends the trial.
    """
    pools = pools_of(tuned, sizes)
    pool_trial(wordlist, tuned, pools[-1], device, check)  # for the kernels to be compiled and loaded
    for pool in pools:
        yield pool_trial(wordlist, tuned, pool, device, check)


def pools_of(tuned: Tuned, sizes: Sequence[int]) -> list[Pool]:
    """The whole list as pool, then every rule with every size that is less."""
    pools = [Pool(rule, size, tuned.seed) for rule in RULES for size in sizes if size < tuned.words]
    return [Pool(seed=tuned.seed), *pools]


def pool_trial(
    wordlist: WordList,
    tuned: Tuned,
    pool: Pool,
    device: str | torch.device,
    check: Callable[[], None] = lambda: None,
) -> PoolTrial:
    """Play a list with one pool; for the arguments see `pool_trials`."""
    strategy = replace(tuned, pool=pool).strategy()
    play = build(wordlist, strategy, lingo(tuned.turns), device=device,
                 report=lambda turn, pairs, most: check())  # fmt: skip
    words = len(wordlist) if pool.words is None else pool.words
    return PoolTrial(pool, words, play.tree.mean_points, play.seconds, play.pairs)


def best_pool(tuned: Tuned, trials: Sequence[PoolTrial]) -> Tuned:
    """The values with the pool of most mean points; on ties the first, which is the whole list."""
    best = max(trials, key=lambda trial: trial.mean_points)
    return replace(tuned, pool=best.pool, mean_points=best.mean_points)


def picture(trials: Sequence[PoolTrial], values: Values) -> str:
    """Points or guesses against time as text: each trial is the first letter of its rule, * without one.

    Better trials stand higher.
    """
    low, high = (bound(trial.mean_points for trial in trials) for bound in (min, max))
    longest = max(trial.seconds for trial in trials)
    rows = [[" "] * ACROSS for _ in range(DOWN)]
    for trial in trials:
        x = round((ACROSS - 1) * trial.seconds / max(longest, 1e-9))
        y = round((DOWN - 1) * (high - trial.mean_points) / max(high - low, 1e-9))
        rows[y][x] = "*" if trial.rule == ALL else trial.rule[0]
    marks = {y: values.figure_text(values.figure(end)) for y, end in ((DOWN - 1, low), (0, high))}
    lines = [f"{marks.get(y, ''):>8} |{''.join(row)}".rstrip() for y, row in enumerate(rows)]
    end = f"{longest:.2f} s"
    lines += [f"{'':8} +{'-' * ACROSS}", f"{'':8}  0{end:>{ACROSS - 1}}"]
    names = ", ".join(f"{rule[0]} {rule}" for rule in RULES)
    return "\n".join([f"{values.name} against seconds", *lines, f"{'':8}  {names}, * the whole list"])


def picture_svg(tuned: Tuned, trials: Sequence[PoolTrial], values: Values) -> str:
    """Points or guesses against time as an SVG file that loads nothing else."""
    trials_by_rule = {rule: [trial for trial in trials if trial.rule == rule] for rule in (ALL, *RULES)}
    lines = {
        rule: [(trial.seconds, trial.mean_points) for trial in of_rule]
        for rule, of_rule in trials_by_rule.items()
        if of_rule
    }
    title = f"{tuned.length} letters, {tuned.words:,} words: {values.name} against seconds, by pool"
    head = f"<title>{title}</title><style>{STYLE.read_text(encoding='utf-8')}</style>"
    return time_chart(lines, values).replace(">", f">{head}", 1) + "\n"
