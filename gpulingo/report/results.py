"""Results of strategies over lists, alone and side by side, and of openings, as lines of files and rows."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, replace
from dataclasses import fields as fields_of
from datetime import date
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gpulingo.games.catalogue import LINGO, MOST_TURNS, fault_of_name, find_game
from gpulingo.games.game import CREDIT, Game
from gpulingo.storage import fields
from gpulingo.storage.faults import OPENINGS_FILE, RESULTS_FILE, Complain, Fault
from gpulingo.storage.files import FOLDERS, parsed_file
from gpulingo.storage.printed import MOST_BYTES, Form, version
from gpulingo.trees.checkpoint import BEST
from gpulingo.trees.stored import stored_trees
from gpulingo.trees.text import opening_text
from gpulingo.trees.values import Values
from gpulingo.words.letters import joined, leave
from gpulingo.words.listing import WordList, WordListError, find

if TYPE_CHECKING:
    from gpulingo.optimise.openings import Opening
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.trees.tree import Tree

# Fingerprint of the list; name of the strategy, with a seed if it draws; game; opening that was asked for.
Key = tuple[str, str, str, str]
Entry = dict[str, Any]  # the fields of an opening
Row = tuple[Entry, dict[str, str]]  # and its cells by column


@dataclass(frozen=True)
class Result:
    """One strategy over the words of one length. Older rows lack date, version and processor."""

    length: int
    words: int  # number of words played, each a target once
    list: str  # origin of the list
    fingerprint: str  # of the list, 64 hex digits
    strategy: str
    device: str
    opening: str  # the first guess
    turns: tuple[int, ...]  # words found on turn 1, 2, ..
    lost: int
    mean_points: float  # over the list, 0 to 100 x turns
    seconds: float  # wall time of the turns
    kernel_seconds: float  # the part of it inside `rank` and `split`
    pairs: int  # of guess and candidate evaluated
    bound: float | None = None  # proven upper limit of the mean points of any strategy
    date: str | None = None  # such as 2026-11-22
    version: str | None = None
    processor: str | None = None
    opening_given: bool = False  # whether the first guess was requested, not the strategy's own
    game: str = LINGO  # name of the game, without turns
    pool: int | None = None  # number of words that may be guessed; None: those played
    targets: str | None = None  # origin of the words played; None: the whole list
    weights: str | None = None  # origin of their weights, in every count or sum over them
    weight: int | None = None  # sum of the weights; None: the number of words

    @property
    def total_weight(self) -> int:
        """Number of words that were played, or the sum of their weights."""
        return self.words if self.weight is None else self.weight

    @property
    def rules(self) -> Game:
        return find_game(self.game, len(self.turns))

    @property
    def values(self) -> Values:
        return Values(self.rules, self.total_weight)

    @property
    def value(self) -> int:
        """Credits, summed over the words."""
        return self.rules.value_of(self.mean_points, self.total_weight)

    @property
    def bound_value(self) -> int | None:
        """The bound in credits, summed over the words; None without one."""
        return None if self.bound is None else self.rules.value_of(self.bound, self.total_weight)

    @property
    def cells(self) -> dict[str, str]:
        """Column -> cell of the opening, the value and what follows from the words found on each turn."""
        cells = {"opening": self.opening} | self.values.cells(self.value, self.lost)
        return cells | self.values.counted_cells(self.turns)

    @property
    def derived(self) -> dict[str, Any]:
        """The fields of a JSON object that follow from the others."""
        return self.values.entry(self.pool or self.words, self.value, self.bound_value)

    @property
    def compared(self) -> dict[str, Any]:
        """The fields of a JSON object that `compare` prints."""
        turns = {"found_by": self.found_by, "worst_turn": self.worst_turn}
        return entry_of(self) | self.derived | turns

    @property
    def key(self) -> Key:
        """Key of the play; results with one key differ only in when and where they were played."""
        opening = self.opening if self.opening_given else ""
        return key_of(self.fingerprint, self.strategy, self.rules, opening)

    @property
    def found_by(self) -> tuple[float, ...]:
        """Share of the words, 0 to 1, found by turn 1, 2, .."""
        return tuple(count / self.total_weight for count in accumulate(self.turns))

    @property
    def worst_turn(self) -> int | None:
        """The turn by which every word is found; None if some are lost."""
        return None if self.lost else max(turn for turn, count in enumerate(self.turns, 1) if count)


FIELDS: dict[str, Any] = {
    **dict.fromkeys(("length", "words", "lost", "pairs"), fields.whole()),
    **dict.fromkeys(("list", "fingerprint", "strategy", "device", "opening"), fields.text),
    **dict.fromkeys(("mean_points", "seconds", "kernel_seconds"), fields.number()),
    **dict.fromkeys(("date", "version", "processor", "targets", "weights"), fields.or_none(fields.text)),
    "turns": fields.list_of(fields.whole()),
    "bound": fields.or_none(fields.number()),
    "opening_given": fields.flag,
    "game": fault_of_name,
    "pool": fields.or_none(fields.whole(1)),
    "weight": fields.or_none(fields.whole(1)),
}
FIELDS |= {
    attr.name: (FIELDS[attr.name], attr.default) for attr in fields_of(Result) if attr.default is not MISSING
}


def processor(device: str) -> str:
    """Return the name of the GPU or processor of the device cpu, cuda or cuda:1."""
    if device.startswith("cuda"):
        import torch

        return torch.cuda.get_device_name(device)
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def key_of(fingerprint: str, strategy: str, game: Game, opening: str = "") -> Key:
    """Return the key of a result; the opening only if it was requested."""
    return fingerprint, strategy, game.code, opening


def kept_result(tree: Tree, source: str, opening: str) -> Result:
    """Return the result of a stored tree; `opening` is empty if the list is not available."""
    return Result(
        length=tree.length, words=tree.targets, list=source, fingerprint=tree.fingerprint, strategy=BEST,
        device="", opening=opening, turns=tuple(tree.turn_counts()), lost=tree.lost,
        mean_points=tree.mean_points, seconds=0.0, kernel_seconds=0.0, pairs=0, bound=tree.bound,
        game=tree.game.name, pool=None if tree.words == tree.targets else tree.words,
        weight=None if tree.weights is None else tree.total_weight,
    )  # fmt: skip


def result_of(simulation: Simulation, *, opening_given: bool = False) -> Result:
    words, build, device = simulation.wordlist, simulation.build, str(simulation.device)
    return replace(
        kept_result(simulation.tree, words.source, simulation.opening),
        strategy=simulation.strategy, device=device, seconds=build.seconds,
        kernel_seconds=build.kernel_seconds, pairs=build.pairs, opening_given=opening_given,
        targets=words.targets_source or None, weights=words.weights_source or None,
        date=date.today().isoformat(), version=version(), processor=build.processor or processor(device),
    )  # fmt: skip


def entry_of(result: Result) -> dict[str, Any]:
    """Return a result as a JSON object; game, pool, targets and weights only if not the defaults."""
    usual = (("game", LINGO), *((name, None) for name in ("pool", "targets", "weights", "weight")))
    return {name: value for name, value in asdict(result).items() if (name, value) not in usual}


def line_text(entry: dict[str, Any]) -> str:
    return leave(json.dumps(entry, ensure_ascii=False))


def parsed_result(text: str) -> Result:
    """Return the result of a JSON object; the inverse of `entry_of`. Unknown keys are ignored."""
    entry = fields.checked(fields.parsed_json(joined(text)), FIELDS, others=True)
    turns = tuple(entry["turns"])
    if len(turns) > MOST_TURNS:
        raise ValueError(f"has {len(turns)} turns, expected 1 to {MOST_TURNS}")
    result = Result(**entry | {"turns": turns})
    if sum(turns) + result.lost != result.total_weight or not turns or not result.words:
        raise ValueError("has found and lost words that do not make up its words")
    return result


FORM = Form(parsed_result, '{"length": ', RESULTS_FILE)


def read_results(*paths: str | os.PathLike[str]) -> list[Result]:
    """Read files of results. The last of a key counts; a last line that was cut short is ignored."""
    results: list[Result] = []
    for path in paths:
        data = parsed_file(path, MOST_BYTES, bytes, "results", FORM.remedy)
        entries, _ = FORM.entries(data, os.fspath(path))
        if not entries:
            raise Fault(f"{path} holds no results", FORM.remedy)
        results += entries
    return list({result.key: result for result in results}.values())  # in the order of the first of a key


OPENING: fields.Shape = {
    **dict.fromkeys(("opening", "list", "fingerprint", "width", "order", "device"), fields.text),
    **dict.fromkeys(("classes", "largest_class", "length", "words", "turns"), fields.whole()),
    **dict.fromkeys(("mean_points", "bound"), fields.number()),
    **dict.fromkeys(("bits", "expected_size", "single_words"), (fields.or_none(fields.number()), None)),
    "game": (fault_of_name, LINGO),
}


def opening_entry(opening: Opening, words: WordList, game: Game, **how: str) -> Entry:
    """Return a rolled-out opening as a JSON object; `how` are its width, order and device, see OPENING."""
    points = [game.points_of(value, words.total_weight) for value in (opening.value, opening.bound)]
    entry: Entry = {"opening": ",".join(words[word] for word in opening.words)}
    entry |= {"mean_points": points[0], "bound": points[1], **opening.figures()}
    entry |= {"length": words.length, "words": words.target_count, "list": words.source}
    entry |= {"fingerprint": words.fingerprint, "turns": game.turns, **how}
    return entry if game.name == LINGO else entry | {"game": game.name}


def known_opening(entry: Entry, words: WordList) -> tuple[int, tuple[int, int]]:
    """Return the index of an entry's opening, and its value and bound, in credits as the search counts."""
    value, bound = (round(entry[name] * entry["words"] / CREDIT) for name in ("mean_points", "bound"))
    return words.index(entry["opening"]), (value, bound)


def widths_text(widths: Mapping[int, int]) -> str:
    """Return guesses to expand by turns left as text, for example 4:4,3:4."""
    return ",".join(f"{left}:{widths[left]}" for left in sorted(widths, reverse=True))


OPENINGS: Form[Entry] = Form(
    lambda text: fields.checked(fields.parsed_json(joined(text)), OPENING, others=True),
    '{"opening": ', OPENINGS_FILE,
)  # fmt: skip


def opening_rows(entries: Iterable[Entry], words: WordList, game: Game) -> list[Row]:
    """Return rolled-out openings, the best first, on ties in list order."""
    values, rows = Values(game, words.total_weight), list[Row]()
    order = sorted(entries, key=lambda entry: words.index(entry["opening"].split(",")[0]))
    for entry in sorted(order, key=lambda entry: -entry["mean_points"]):
        value, bound = values.of_mean(entry["mean_points"]), values.of_mean(entry["bound"])
        cells = {"opening": entry["opening"]} | values.cells(value) | {"bound": values.bound(bound)}
        rows.append((entry | _derived(values, len(words), value, bound), cells | class_cells(entry)))
    return rows


def book_rows(
    stored: Mapping[int, tuple[str, list[int]]], words: WordList, game: Game, origin: Entry
) -> list[Row]:
    """Return openings with a proven tree, the best first, and what each costs beside the best; `stored` has
    the path and the targets found on turn 1, 2, .. of each, `origin` fields of the list.
    """
    means = {opening: game.mean_points(counts, words.target_count) for opening, (_, counts) in stored.items()}
    values, total, rows = Values(game, words.target_count), words.total_weight, list[Row]()
    best = values.figure(values.of_mean(max(means.values(), default=0.0)))
    for opening in sorted(means, key=lambda word: (-means[word], word)):
        (path, counts), mean = stored[opening], means[opening]
        value, lost = values.of_mean(mean), total - sum(counts)
        cost = abs(values.figure(value) - best)
        entry = {"opening": words[opening], "mean_points": mean, "bound": mean, "cost": cost}
        entry |= {"found": counts, "lost": lost, "book": path, **origin}
        entry |= {"length": words.length, "words": total, "fingerprint": words.fingerprint}
        entry |= _derived(values, len(words), value, value) | {"game": game.name}
        cells = {"opening": words[opening]} | values.cells(value, lost)
        rows.append((entry, cells | {"cost": values.figure_text(cost)} | game.turn_cells(counts, lost)))
    return rows


def host_row(opening: Opening, words: WordList, least: int, most: int) -> Row:
    """Return an opening against a host, and the guesses that it needs: at least and at most."""
    word = words[opening.words[0]]
    entry = {"opening": word, "at_least": least, "at_most": most, **opening.figures()}
    guesses = f"{least}" if least == most else f"{least} to {most}"
    return entry, {"opening": word, "guesses": guesses} | class_cells(entry)


def class_cells(entry: Entry) -> dict[str, str]:
    cells = {"bits": f"{entry['bits']:.3f}", "expected size": f"{entry['expected_size']:.2f}"}
    whole = {"classes": "classes", "largest": "largest_class", "single": "single_words"}
    return cells | {name: f"{entry[key]:,}" for name, key in whole.items()}


def _derived(values: Values, pool: int, value: int, bound: int) -> Entry:
    """Return the fields of an opening's value; its bound is only for strategies that begin with it."""
    return {name: of for name, of in values.entry(pool, value, bound).items() if name != "optimal"}


@dataclass(frozen=True)
class ListOfResults:
    """A list, as far as results tell of it and trees are found by it."""

    length: int
    fingerprint: str
    words: int
    target_count: int
    weights: ClassVar[None] = None  # what targets count is in the fingerprint

    def __len__(self) -> int:
        return self.words

    def weighed(self, weights: object, source: str) -> ListOfResults:
        """The same, as there are no words to tell another fingerprint by."""
        return self


def stored_results(results: Iterable[Result], folder: Path | None, report: Complain) -> list[Result]:
    """Return results of the trees that are stored for the lists of results, in a folder, where all must be
    sound, or in those that every command searches, whose damaged trees are reported.
    """
    stored = []
    lists = dict.fromkeys(
        (ListOfResults(row.length, row.fingerprint, row.pool or row.words, row.words), row.list, row.rules)
        for row in results
    )
    for words, name, game in lists:
        trees, faults = stored_trees(words, game, [str(folder)] if folder else FOLDERS, thorough=False)
        if folder and faults:
            raise faults[0]
        for fault in faults:
            report(Fault(fault, "skipped"))
        for tree in trees.values():
            opening = ""  # where its list is not at hand
            with suppress(WordListError):
                listed = find(tree.length).of_length(tree.length)
                opening = opening_text(tree, listed.words) if listed.fingerprint == tree.fingerprint else ""
            stored.append(kept_result(tree, name, opening))
    return stored


YARDSTICK = "edc65"  # the best program of the pit, as a strategy
PROMINENT = 5  # prominent strategies; the bound is the sixth

# First 12 digits of the fingerprint of the pit's words of each length; the figures are for these lists only.
PIT_LIST = {
    4: "caf0ae2cc7e5", 5: "1eea75f98a44", 6: "95ffd268643d", 7: "262f3fa5f390", 8: "7f483d903f62",
    9: "a8e966b0e73d", 10: "0fb73720cb71", 11: "a85f58bb92d4", 12: "71b2f72aaf2f", 13: "8145537c951b",
}  # fmt: skip

# Mean points of edc65's C++ program (cpp_entries/edc65.cpp of noirotm/lingo). Exact: its tree, walked for
# every word of the list. Published: its author's figures, from about 100 hours of playing.
EDC65_EXACT = {
    4: 102.33, 5: 167.19, 6: 215.19, 7: 252.31, 8: 278.27,
    9: 298.24, 10: 312.56, 11: 332.76, 12: 337.92, 13: 348.02,
}  # fmt: skip
EDC65_PUBLISHED = {
    4: 100.98, 5: 164.44, 6: 212.27, 7: 246.16, 8: 273.23,
    9: 289.00, 10: 302.13, 11: 323.62, 12: 330.19, 13: 339.60,
}  # fmt: skip


def on_pit_list(figures: dict[int, float], length: int, fingerprint: str) -> float | None:
    """Return the figure of a length if the list is the pit's, or None."""
    return figures.get(length) if fingerprint.startswith(PIT_LIST.get(length, "no such list")) else None


@dataclass(frozen=True)
class Comparison:
    """Results of strategies over the words of one list, in one game."""

    source: str  # origin of the list
    targets: str | None  # origin of its targets; None: all its words
    weights: str | None  # origin of its weights; None: each target counts 1
    game: Game
    ranked: dict[int, list[Result]]  # length, ascending -> results, most mean points first
    bounds: dict[int, int]  # length -> proven upper bound in credits, if known

    @property
    def results(self) -> list[Result]:
        return [result for of_length in self.ranked.values() for result in of_length]

    @property
    def best(self) -> dict[int, Result]:
        """The result of most mean points of each length."""
        return {length: of_length[0] for length, of_length in self.ranked.items()}

    @property
    def values(self) -> Values:
        return self.results[0].values

    @cached_property
    def figures(self) -> dict[str, dict[int, float]]:
        """The compared figure of each strategy by length; least short of the best on average comes first."""
        best, figures, short = self.best, dict[str, dict[int, float]](), dict[str, list[float]]()
        for result in self.results:
            figures.setdefault(result.strategy, {})[result.length] = result.values.figure(result.value)
            less = best[result.length].mean_points - result.mean_points
            short.setdefault(result.strategy, []).append(less)
        order = sorted(figures, key=lambda name: sum(short[name]) / len(short[name]))
        return {name: figures[name] for name in order}

    @property
    def limits(self) -> dict[int, float]:
        """The bounds in the compared figure."""
        return {length: self.best[length].values.figure(bound) for length, bound in self.bounds.items()}

    @property
    def prominent(self) -> list[str]:
        """Strategies that stand out: the stored tree, edc65, of the others the first ones and the last."""
        order = list(self.figures)
        fixed = [name for name in (BEST, YARDSTICK) if name in order]
        others = [name for name in order if name not in fixed]
        kept = {*fixed, *others[: PROMINENT - 1 - len(fixed)], *others[-1:]}
        return [name for name in order if name in kept]


def comparisons(results: Sequence[Result], kept: Sequence[Result] = ()) -> list[Comparison]:
    """Compare results, at least one, by list and game; of several for a strategy and list the last counts.

    Results with one fingerprint are of one list, whatever their files call it; so are results with one name,
    the same targets and the same weights. `kept` are stored trees; those of others are left out.
    """
    names: dict[str, tuple[str, str | None, str | None]] = {}  # fingerprint -> list, targets, weights
    for result in results:
        names.setdefault(result.fingerprint, (result.list, result.targets, result.weights))
    last = {(result.fingerprint, result.rules, result.strategy): result for result in results}
    played = {(result.fingerprint, result.rules) for result in results}
    fitting = [tree for tree in kept if (tree.fingerprint, tree.rules) in played]
    for tree in fitting:
        key = (tree.fingerprint, tree.rules, tree.strategy)
        if key not in last or last[key].mean_points < tree.mean_points:
            last[key] = tree

    def side(result: Result) -> tuple[str, str | None, str | None, Game]:
        return *names[result.fingerprint], result.rules

    every = {beside: Comparison(*beside, {}, {}) for beside in dict.fromkeys(map(side, results))}
    for result in sorted(last.values(), key=lambda result: result.length):
        every[side(result)].ranked.setdefault(result.length, []).append(result)
    for result in sorted((*results, *fitting), key=lambda result: result.length):
        if (bound := result.bound_value) is not None:
            bounds = every[side(result)].bounds
            bounds[result.length] = min(bound, bounds.get(result.length, bound))
    for comparison in every.values():
        for length, of_length in comparison.ranked.items():
            if len({result.fingerprint for result in of_length}) > 1:
                what = f"results of two lists {comparison.source} of {length} letters"
                raise ValueError(f"{what}: report them apart")
            # On ties the stored tree, then the earlier in the file.
            of_length.sort(key=lambda result: (-result.mean_points, result.strategy != BEST))
    return [*every.values()]
