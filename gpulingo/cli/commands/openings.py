"""`gpulingo openings`: first guesses in the order of their scores by rollout.

Against a host that keeps the largest class: those that end a round with fewest guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import ranking_order
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.games import check_words_guessed, chosen_game
from gpulingo.cli.lists import list_entry, list_text, read_files
from gpulingo.cli.options import option
from gpulingo.cli.parse import between, parsed_widths, widths_text
from gpulingo.cli.plan import device_for
from gpulingo.cli.run import Bar, Run, kept_lines, reached
from gpulingo.cli.wording import options_of
from gpulingo.games.catalogue import HOSTED
from gpulingo.report.values import Values
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import TimeIsUp

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.optimise.openings import Opening
    from gpulingo.positions.lines import FirstGuesses, LineSolver
    from gpulingo.storage.printed import LineFile
    from gpulingo.words.listing import WordList

Entry = dict[str, Any]  # a rolled-out opening

WORDLE = "wordle"  # the game that evil Wordle is searched as
ADVERSARY = "adversary"
OPPONENTS = ("chance", "largest", ADVERSARY)


@options.group
class OpeningOptions(options.Timed):
    """Options of `gpulingo openings`: which first guesses are searched, and how."""

    memory: int = options.MEMORY
    top: int = option("NUMBER", "Number of openings.", default=20, parser=between(1, 10**9))
    width: str = option("TURN:N,..", "Guesses per set by turns left, for example 4:4,3:4.", default="")
    opponent: str | None = option(
        "NAME", "largest: keeps the largest class, as absurdle; or adversary.", shown="chance",
        among=options.one_of(*OPPONENTS),
    )  # fmt: skip
    every: bool = option("", "Print every opening that needs the fewest guesses.", "--all")

    @property
    def shown(self) -> int | None:
        """First guesses to print; None: all."""
        return None if self.every else self.top


def hosted_game(name: str, opponent: str | None) -> Game | None:
    """Return the game whose host is searched, if `--game` or `--opponent` names a host; otherwise None."""
    if opponent is not None and opponent not in OPPONENTS:
        raise WrongUsage(f"--opponent {opponent[:40]}: use {' or '.join(OPPONENTS)}")
    if name in HOSTED:
        game = HOSTED[name]()
        if game.opponent != (opponent or game.opponent):
            raise WrongUsage(f"--opponent {opponent}: --game {name} has a host of its own: leave one out")
        return game
    if opponent != "largest":
        return None
    chosen_game(name)
    return next(make() for make in HOSTED.values() if make().opponent == opponent)


def _print_forced(
    words: WordList, game: Game, search: OpeningOptions, run: Run, turns: int | None, as_json: bool
) -> None:
    """Search what a host cannot prevent, in `turns` or the fewest, and print the result."""
    enough = game.opponent != "largest"
    what, done = ("within {} guesses", "asked") if enough else ("lines of {} guesses", "searched")
    solver: LineSolver | FirstGuesses | None = None
    with run.working() as bar:
        from gpulingo.positions.lines import FirstGuesses, LineSolver
        from gpulingo.tensors.wordtable import table_of

        def often(count: int, total: int, guesses: int) -> None:
            if count < bar.done or bar.total is None:
                bar.begin(total)
            bar.reach(count, what.format(guesses))
            run.check()

        table = table_of(words, game)
        with wrong_usage("--memory"):
            solver = (
                FirstGuesses(table, game, search.memory, turns)
                if enough
                else LineSolver(table, search.memory)
            )
        try:
            solver.run(often)
        except TimeIsUp:
            tell(f"the time is up before all first guesses were {done}: --time was too short")
    if solver is None:
        raise KeyboardInterrupt
    entry = {"game": game.name, **list_entry(words), "length": words.length, "words": words.target_count}
    entry["fingerprint"] = words.fingerprint
    if not as_json:
        print(f"list: {list_text(words)}; {words.target_count:,} words of {words.length} letters")
    if isinstance(solver, LineSolver):
        _print_lines(solver, words, game, search.shown, entry if as_json else None)
    else:
        _print_enough(solver, words, search.shown, entry if as_json else None)
    run.finish(f"before all first guesses were {done}")


def _print_lines(
    solver: LineSolver, words: WordList, game: Game, top: int | None, entry: dict[str, Any] | None
) -> None:
    """Print the results of the list, then a row for each first guess, most lines first.

    Args:
        entry: the head of a JSON object, for JSON output.
    """
    from gpulingo.cli.tables import print_rows

    least, openings = solver.at_least, solver.openings
    order = sorted(openings, key=lambda opening: (-openings[opening], opening))
    line = [words[guess] for guess in solver.line(order[0])] if order else []
    if entry is not None:
        entry |= {"at_least": least, "at_most": solver.at_most, "line": line}
        entry |= {"openings": len(openings), "lines": sum(openings.values()), "complete": solver.done}
        print(line_of("openings", entry))
        for opening in order[:top]:
            row = {"opening": words[opening], "lines": openings[opening], "kept": solver.kept[opening]}
            print(line_of("openings", row))
        return
    if not openings:
        bounds = f"at least {least}, at most {solver.at_most}" if least < solver.at_most else str(least)
        print(f"{game.name}: {bounds} guesses; no first guess that leads there is known yet")
        return
    seen = "" if solver.done else "at least "
    print(
        f"{game.name}: {least} guesses; {seen}{len(openings):,} of {len(words):,} first guesses lead there, "
        f"by {seen}{sum(openings.values()):,} lines; one is {', '.join(line)}"
    )
    rows = []
    for opening in order[:top]:
        row = {"opening": words[opening], "lines": f"{openings[opening]:,}"}
        rows.append(row | {"words kept": f"{solver.kept[opening]:,}"})
    print_rows(rows, left=["opening"])


def _print_enough(
    search: FirstGuesses, words: WordList, top: int | None, entry: dict[str, Any] | None
) -> None:
    """Print how many first guesses are enough, and which; for `entry` see `_print_lines`."""
    openings, game = search.openings, search.game
    if entry is not None:
        entry |= {"opponent": "adversary", "at_least": search.at_least}
        entry |= {"at_most": search.at_least if openings else None}
        entry |= {"openings": len(openings), "complete": search.done}
        print(line_of("openings", entry))
    else:
        seen = "" if search.done else "at least "
        enough = f"{seen}{len(openings):,} of {len(words):,} first guesses are enough"
        print(f"{game.name} against an adversary: within {search.at_least} guesses {enough}")
    for opening in openings[:top]:
        print(words[opening] if entry is None else line_of("openings", {"opening": words[opening]}))


def openings(
    length: int = options.LENGTH,
    *,
    words: options.WordOptions,
    rules: options.Rules,
    turns: int | None = options.TURNS,
    search: OpeningOptions,
    out: Path | None = options.OUT,
    resume: bool = options.RESUME,
    as_json: bool = options.JSON,
) -> None:
    """Rank first guesses by their value after full play."""
    run, of_host = Run("openings", search.time), rules.hints.rule
    hosted = hosted_game(rules.game, search.opponent)
    refused = {"--width": search.width, "--out": out, "--resume": resume, "--weights": words.weights}
    if search.opponent == ADVERSARY or (hosted is not None and hosted.opponent == ADVERSARY):
        _refuse(refused, "an adversary")
        game = (rules if hosted is None else replace(rules, game=WORDLE)).chosen()
        check_words_guessed(game, "use `gpulingo solve`")
        _print_forced(words.sources([length], game)[0].wordlist, game, search, run, turns, as_json)
        return
    if hosted is not None:
        _refuse(refused | {"--turns": turns, options_of(of_host): of_host}, "a host")
        _print_forced(words.sources([length], hosted)[0].wordlist, hosted, search, run, None, as_json)
        return
    if search.every:
        raise WrongUsage("--all is for --opponent largest or adversary: use --top")
    game = rules.chosen(turns, least=3, instead="with fewer the number of classes says it all")
    check_words_guessed(game, "use `gpulingo solve`")
    source = words.sources([length], game)[0]
    if source.wordlist.weights is not None:
        seen = f"weights of {source.wordlist.weights_source}: openings are ranked without weights"
        raise WrongUsage(f"{seen}, use `gpulingo simulate --opening` for one")
    from gpulingo.report.results import OPENINGS

    trial = _Trial(source.wordlist, game, search)
    results: list[Entry] = []
    with kept_lines(out, resume, OPENINGS, read_files([source])) as lines, run.working(trial.count) as bar:
        for result in run.results(trial.played(lines, resume, run, bar), "openings", trial.count):
            results.append(result)
    if results or not run.interrupted:
        _print(trial, results, as_json)
    run.finish(reached(out, len(results), trial.count, "openings"))


def _refuse(given: Mapping[str, object], opponent: str) -> None:
    if name := next((name for name, value in given.items() if value), ""):
        raise WrongUsage(f"{name}: openings against {opponent} have none: leave it out")


class _Trial:
    def __init__(self, words: WordList, game: Game, search: OpeningOptions) -> None:
        self.words, self.game, self.search = words, game, search
        self.count = min(search.top, len(words))
        with wrong_usage("--width"):  # turns left -> guesses expanded for each set
            self.widths = parsed_widths(search.width, game.turns) if search.width else {}

    def played(self, lines: LineFile[Entry] | None, resume: bool, run: Run, bar: Bar) -> Iterator[Entry]:
        """Yield the openings, first those in the file; each of the others is written to it at once."""
        from gpulingo.optimise.openings import openings as search
        from gpulingo.optimise.state import Problem
        from gpulingo.report.results import line_text, opening_entry, opening_of
        from gpulingo.strategies.objectives import points
        from gpulingo.tensors.wordtable import table_of

        table = table_of(self.words, self.game).to(device_for(self.search.device, "openings"))
        objective = ranking_order(self.words, self.game)
        width, order = widths_text(self.widths), "points" if objective is points else "tuned"
        ours = {"fingerprint": self.words.fingerprint, "game": self.game.name, "turns": self.game.turns}
        ours |= {"width": width, "order": order}
        known: dict[int, Opening] = {}  # with the same settings as this trial
        for old in lines.kept if lines and resume else ():
            if old.items() >= ours.items():
                opening = opening_of(old, self.words)
                known[opening.word] = opening
        if resume:
            tell(f"{lines and lines.path}: {len(known)} openings are there")

        def report(pairs: int) -> None:
            run.check()
            bar.advance(0, f"{bar.done:,.0f} of {self.count:,}")

        problem = Problem(self.words, self.game, table, objective, memory=self.search.memory)
        bar.begin(self.count)
        for opening in search(problem, self.count, self.widths, progress=report, known=known):
            result = opening_entry(
                opening, self.words, self.game, width=width, order=order, device=str(table.device)
            )
            if opening.word in known:
                bar.skip(1)
            else:
                bar.advance()
                if lines:
                    lines.append(line_text(result))
            yield result
            run.check()


def _print(trial: _Trial, results: list[Entry], as_json: bool) -> None:
    """Print a row for each opening, the best first, then in list order; or a JSON object."""
    from gpulingo.cli.tables import print_rows

    words = trial.words
    results = sorted(results, key=lambda result: (-result["mean_points"], words.index(result["opening"])))
    values = Values(trial.game, words.total_weight)
    if as_json:
        for result in results:
            value, bound = values.of_mean(result["mean_points"]), values.of_mean(result["bound"])
            derived = values.entry(len(words), value, bound)
            derived.pop("optimal", None)  # an opening's bound is only for strategies that begin with it
            print(line_of("openings", result | derived))
        return
    devices = ", ".join(dict.fromkeys(result["device"] for result in results))
    count = f"{words.target_count:,} words of {words.length} letters"
    print(f"list: {list_text(words)}; {count}; device: {devices}")
    rows = []
    for result in results:
        row = {"opening": result["opening"]} | values.cells(values.of_mean(result["mean_points"]))
        row |= {"bound": values.bound(values.of_mean(result["bound"])), "classes": f"{result['classes']:,}"}
        rows.append(row | {"largest class": f"{result['largest_class']:,}"})
    print_rows(rows, left=["opening"])
