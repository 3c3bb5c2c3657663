"""`gpulingo openings`: first guesses in the order of their scores by rollout.

Against a host who keeps the largest class: those that lead to the end with fewest guesses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import ranking_order
from gpulingo.cli.errors import Interrupted, WrongUsage, tell, wrong_usage
from gpulingo.cli.games import check_words_guessed, chosen_game
from gpulingo.cli.limits import end_of, in_time, interrupted_by_sigterm, late_interrupt, until
from gpulingo.cli.lists import check_unweighted, list_entry, list_text, read_files
from gpulingo.cli.machines import device_for
from gpulingo.cli.options import option
from gpulingo.cli.outputs import interrupted, kept_lines
from gpulingo.cli.parse import between, parsed_widths, widths_text
from gpulingo.cli.progress import total_bar
from gpulingo.games.catalogue import HOSTED
from gpulingo.games.rules import options_of
from gpulingo.report.values import Values
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.optimise.openings import Opening
    from gpulingo.positions.lines import FirstGuesses, LineSolver
    from gpulingo.report.openings import PlayedOpening
    from gpulingo.storage.printed import LineFile
    from gpulingo.words.listing import WordList


WORDLE = "wordle"  # what evil Wordle is played by
ADVERSARY = "adversary"
OPPONENTS = ("chance", "largest", ADVERSARY)


@options.group
class Search(options.Limits):
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
    """The game whose host is searched, if `--game` or `--opponent` names one that keeps the largest class."""
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


def search_lines(words: WordList, game: Game, search: Search, as_json: bool) -> None:
    """Search for the shortest lines against a host that keeps the largest class, and print what is known."""

    def begin() -> LineSolver:
        from gpulingo.positions.lines import LineSolver
        from gpulingo.tensors.wordtable import table_of

        with wrong_usage("--memory"):
            return LineSolver(table_of(words, game), search.memory)

    def show(solver: LineSolver) -> None:
        _print_lines(solver, words, game, top=search.shown, as_json=as_json)

    _searched(begin, show, search.time, what="lines of {} guesses", done="searched")


def search_first_guesses(
    words: WordList, game: Game, search: Search, turns: int | None, as_json: bool
) -> None:
    """Search for the first guesses that suffice against an adversary, in `turns` or the fewest."""

    def begin() -> FirstGuesses:
        from gpulingo.positions.lines import FirstGuesses
        from gpulingo.tensors.wordtable import table_of

        return FirstGuesses(table_of(words, game), game, search.memory, turns)

    def show(found: FirstGuesses) -> None:
        _print_enough(found, words, top=search.shown, as_json=as_json)

    _searched(begin, show, search.time, what="within {} guesses", done="asked")


def _searched(
    begin: Callable[[], Any], show: Callable[[Any], None], time: float | None, *, what: str, done: str
) -> None:
    """Search, and show what is known in the end, after Ctrl-C too."""
    search: Any = None
    ends = end_of(time)
    try:
        with interrupted_by_sigterm(), late_interrupt() as noted:
            check = until(ends, noted)
            from gpulingo.tensors.clock import TimeIsUp

            with total_bar("openings", None, ends=ends) as bar:
                search = begin()

                def often(count: int, total: int, guesses: int) -> None:
                    if count < bar.done or bar.total is None:
                        bar.begin(total)
                    bar.reach(count, what.format(guesses))
                    check()

                try:
                    search.run(often)
                except TimeIsUp:
                    tell(f"the time is up before all first guesses were {done}: --time was too short")
    except KeyboardInterrupt:
        if search is None:
            raise
        show(search)
        raise Interrupted(f"interrupted before all first guesses were {done}") from None
    show(search)


def _print_lines(solver: LineSolver, words: WordList, game: Game, *, top: int | None, as_json: bool) -> None:
    """Print the results of the list, then a row for each first guess, that of most lines first."""
    from gpulingo.cli.tables import print_rows

    least, openings = solver.at_least, solver.openings
    order = sorted(openings, key=lambda opening: (-openings[opening], opening))
    line = [words[guess] for guess in solver.line(order[0])] if order else []
    if as_json:
        entry = {"game": game.name, **list_entry(words), "length": words.length, "words": words.target_count}
        entry |= {
            "fingerprint": words.fingerprint,
            "at_least": least,
            "at_most": solver.at_most,
            "line": line,
        }
        entry |= {"openings": len(openings), "lines": sum(openings.values()), "complete": solver.done}
        print(line_of("openings", entry))
        for opening in order[:top]:
            row = {"opening": words[opening], "lines": openings[opening], "kept": solver.kept[opening]}
            print(line_of("openings", row))
        return
    print(f"list: {list_text(words)}; {words.target_count:,} words of {words.length} letters")
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


def _print_enough(search: FirstGuesses, words: WordList, *, top: int | None, as_json: bool) -> None:
    openings, game = search.openings, search.game
    if as_json:
        entry = {"game": game.name, **list_entry(words), "length": words.length, "words": words.target_count}
        entry |= {"fingerprint": words.fingerprint, "opponent": "adversary"}
        entry |= {"at_least": search.at_least, "at_most": search.at_least if openings else None}
        entry |= {"openings": len(openings), "complete": search.done}
        print(line_of("openings", entry))
        for opening in openings[:top]:
            print(line_of("openings", {"opening": words[opening]}))
        return
    seen = "" if search.done else "at least "
    print(f"list: {list_text(words)}; {words.target_count:,} words of {words.length} letters")
    enough = f"{seen}{len(openings):,} of {len(words):,} first guesses are enough"
    print(f"{game.name} against an adversary: within {search.at_least} guesses {enough}")
    for opening in openings[:top]:
        print(words[opening])


def openings(
    length: int = options.LENGTH,
    *,
    words: options.Words,
    rules: options.Rules,
    turns: int | None = options.TURNS,
    search: Search,
    out: Path | None = options.OUT,
    resume: bool = options.RESUME,
    as_json: bool = options.JSON,
) -> None:
    """Rank first guesses by their value after full play."""
    hosted, of_host = hosted_game(rules.game, search.opponent), rules.hints.rule
    refused: dict[str, object] = {
        "--width": search.width,
        "--out": out,
        "--resume": resume,
        "--weights": words.weights,
    }
    if search.opponent == ADVERSARY or (hosted is not None and hosted.opponent == ADVERSARY):
        _refuse(refused, "an adversary")
        game = (rules if hosted is None else replace(rules, game=WORDLE)).chosen()
        check_words_guessed(game, "use `gpulingo solve`")
        search_first_guesses(words.sources([length], game)[0].wordlist, game, search, turns, as_json)
        return
    if hosted is not None:
        _refuse(refused | {"--turns": turns, options_of(of_host): of_host}, "a host")
        search_lines(words.sources([length], hosted)[0].wordlist, hosted, search, as_json)
        return
    if search.every:
        raise WrongUsage("--all is for --opponent largest or adversary: use --top")
    game = rules.chosen(turns, least=3, instead="with fewer the number of classes says it all")
    check_words_guessed(game, "use `gpulingo solve`")
    source = words.sources([length], game)[0]
    check_unweighted(source.wordlist)
    with late_interrupt():
        from gpulingo.report.openings import FORM

    trial = _Trial(source.wordlist, game, search)
    results: list[PlayedOpening] = []
    with kept_lines(out, resume, FORM, read_files([source])) as lines:
        try:
            playing = _played(trial, lines, resume)
            with contextlib.closing(playing):  # and with it the bar
                for result in in_time(playing, trial.ends, "openings", trial.count):
                    results.append(result)
        except KeyboardInterrupt:
            if results:
                _print(trial, results, as_json)
            raise interrupted(out, len(results), trial.count, "openings") from None
    _print(trial, results, as_json)


def _refuse(given: Mapping[str, object], opponent: str) -> None:
    if name := next((name for name, value in given.items() if value), ""):
        raise WrongUsage(f"{name}: openings against {opponent} have none: leave it out")


class _Trial:
    def __init__(self, words: WordList, game: Game, search: Search) -> None:
        self.words, self.game, self.search = words, game, search
        self.ends, self.count = end_of(search.time), min(search.top, len(words))
        with wrong_usage("--width"):  # turns left -> guesses tried for each set
            self.widths = parsed_widths(search.width, game.turns) if search.width else {}

    def known(self, results: Iterable[PlayedOpening], order: str) -> dict[int, Opening]:
        """Word -> opening, of those results that this trial would come to again."""
        ours = (self.words.fingerprint, self.game.name, self.game.turns, widths_text(self.widths), order)
        words = {
            self.words.index(result.opening): result
            for result in results
            if (result.fingerprint, result.game, result.turns, result.width, result.order) == ours
        }
        return {word: result.in_credits(word) for word, result in words.items()}


def _played(trial: _Trial, lines: LineFile[PlayedOpening] | None, resume: bool) -> Generator[PlayedOpening]:
    """The openings, those that the file holds first; each of the others goes to the file at once."""
    with interrupted_by_sigterm(), late_interrupt() as noted:
        check = until(trial.ends, noted)
        from gpulingo.optimise.openings import openings as search
        from gpulingo.optimise.state import Problem
        from gpulingo.report.openings import opening_text, played_opening
        from gpulingo.strategies.objectives import points
        from gpulingo.tensors.wordtable import table_of

        table = table_of(trial.words, trial.game).to(device_for(trial.search.device, "openings"))
        objective = ranking_order(trial.words, trial.game)
        width, order = widths_text(trial.widths), "points" if objective is points else "tuned"
        known = trial.known(lines.kept if lines and resume else (), order)
        if resume:
            tell(f"{lines and lines.path}: {len(known)} openings are there")
        done = 0
        with total_bar("openings", trial.count, ends=trial.ends) as bar:

            def report(pairs: int) -> None:
                check()
                bar.advance(0, f"{done:,} of {trial.count:,}")

            problem = Problem(trial.words, trial.game, table, objective, memory=trial.search.memory)
            for opening in search(problem, trial.count, trial.widths, progress=report, known=known):
                result = played_opening(
                    opening, trial.words, trial.game, width=width, order=order, device=str(table.device)
                )
                if opening.word in known:
                    bar.skip(1)
                else:
                    bar.advance()
                    if lines:
                        lines.append(opening_text(result))
                done += 1
                yield result
                check()


def _print(trial: _Trial, results: list[PlayedOpening], as_json: bool) -> None:
    """Print a row for each opening, the best first, then in list order; or a JSON object."""
    from gpulingo.cli.tables import print_rows
    from gpulingo.report.openings import entry_of

    words = trial.words
    results = sorted(results, key=lambda result: (-result.mean_points, words.index(result.opening)))
    values = Values(trial.game, words.total_weight)
    if as_json:
        for result in results:
            value, bound = values.of_mean(result.mean_points), values.of_mean(result.bound)
            derived = values.entry(len(words), value, bound)
            derived.pop("optimal", None)  # an opening's bound is of what begins with it
            print(line_of("openings", entry_of(result) | derived))
        return
    devices = ", ".join(dict.fromkeys(result.device for result in results))
    count = f"{words.target_count:,} words of {words.length} letters"
    print(f"list: {list_text(words)}; {count}; device: {devices}")
    rows = []
    for result in results:
        row = {"opening": result.opening} | values.cells(values.of_mean(result.mean_points))
        row |= {"bound": values.bound(values.of_mean(result.bound)), "classes": f"{result.classes:,}"}
        rows.append(row | {"largest class": f"{result.largest_class:,}"})
    print_rows(rows, left=["opening"])
