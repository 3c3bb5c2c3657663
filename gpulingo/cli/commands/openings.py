"""`gpulingo openings`: first guesses in the order of their scores by rollout.

Against a host who keeps the largest class: those that lead to the end with fewest guesses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import ranking_order
from gpulingo.cli.devices import device_for
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.first_guesses import (
    ADVERSARY,
    OPPONENTS,
    WORDLE,
    hosted_game,
    search_first_guesses,
    search_lines,
)
from gpulingo.cli.games import check_words_guessed, chosen_game
from gpulingo.cli.limits import end_of, in_time, until
from gpulingo.cli.lists import check_unweighted, found_sources, list_text, read_files
from gpulingo.cli.outputs import Out, Resume, interrupted, kept_lines
from gpulingo.cli.parse import between, parsed_widths, widths_text
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.games.catalogue import LINGO
from gpulingo.games.rules import options_of
from gpulingo.report.values import shown
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.report.openings import PlayedOpening
    from gpulingo.search.openings import Opening
    from gpulingo.storage.linefile import LineFile
    from gpulingo.words.listing import WordList

Top = Annotated[
    int,
    typer.Option(parser=between(1, 10**9), metavar="NUMBER", help="Number of openings."),
]
All = Annotated[bool, typer.Option("--all", help="Print every opening that needs the fewest guesses.")]
Opponent = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=options.one_of(*OPPONENTS),
        show_default="chance",
        help="largest: keeps the largest class, as absurdle; or adversary.",
    ),
]
Width = Annotated[
    str,
    typer.Option(metavar="TURN:N,..", help="Guesses per set by turns left, for example 4:4,3:4."),
]


def openings(
    length: options.Length,
    top: Top = 20,
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    colours: options.Colours = None,
    weights: options.Weights = None,
    width: Width = "",
    game: options.Game = LINGO,
    rule: options.HintRule = "",
    turns: options.Turns = None,
    opponent: Opponent = None,
    every: All = False,
    device: options.Device = "auto",
    time: options.Time = None,
    memory: options.Memory = options.MEMORY,
    out: Out = None,
    resume: Resume = False,
    as_json: options.Json = False,
) -> None:
    """Rank first guesses by their value after full play."""
    hosted = hosted_game(game, opponent)
    first = None if every else top
    if opponent == ADVERSARY or (hosted is not None and hosted.opponent == ADVERSARY):
        _refuse({"--width": width, "--out": out, "--resume": resume, "--weights": weights}, "an adversary")
        rules = chosen_game(game if hosted is None else WORDLE, rule=rule)
        check_words_guessed(rules, "use `gpulingo solve`")
        words = found_sources([length], wordlist, targets, rules, colours=colours)[0].wordlist
        search_first_guesses(words, rules, turns=turns, top=first, time=time, memory=memory, as_json=as_json)
        return
    if hosted is not None:
        given = {"--width": width, "--turns": turns, options_of(rule): rule}
        _refuse(given | {"--out": out, "--resume": resume}, "a host")
        words = found_sources([length], wordlist, targets, hosted, colours=colours)[0].wordlist
        search_lines(words, hosted, top=first, time=time, memory=memory, as_json=as_json)
        return
    if every:
        raise WrongUsage("--all is for --opponent largest or adversary: use --top")
    instead = "with fewer the number of classes says it all"
    rules = chosen_game(game, turns, rule=rule, least=3, instead=instead)
    check_words_guessed(rules, "use `gpulingo solve`")
    source = found_sources([length], wordlist, targets, rules, weights, colours=colours)[0]
    check_unweighted(source.wordlist)
    with wrong_usage("--width"):
        widths = parsed_widths(width, rules.turns) if width else {}
    with late_interrupt():
        from gpulingo.report.openings import FORM

    words, ends = source.wordlist, end_of(time)
    trial = _Trial(words, rules, min(top, len(words)), widths, device, memory)
    results: list[PlayedOpening] = []
    with kept_lines(out, resume, FORM, read_files([source])) as lines:
        try:
            playing = _played(trial, lines, resume, ends)
            with contextlib.closing(playing):  # and with it the bar
                for result in in_time(playing, ends, "openings", trial.count):
                    results.append(result)
        except KeyboardInterrupt:
            if results:
                _print(trial, results, as_json)
            raise interrupted(out, len(results), trial.count, "openings") from None
    _print(trial, results, as_json)


def _refuse(given: dict[str, object], opponent: str) -> None:
    """Refuse options that openings against some opponent have no use for.

    Raises:
        WrongUsage: one of them was given.
    """
    if name := next((name for name, value in given.items() if value), ""):
        raise WrongUsage(f"{name}: openings against {opponent} have none: leave it out")


@dataclass(frozen=True)
class _Trial:
    """A number of openings to roll out, and how.

    Attributes:
        words: the list. game: that is played. count: openings.
        widths: turns left -> guesses tried for each set.
        device: as the user wrote it. memory: bytes that remembered sets may take.
    """

    words: WordList
    game: Game
    count: int
    widths: dict[int, int]
    device: str
    memory: int

    def known(self, results: Iterable[PlayedOpening], order: str) -> dict[int, Opening]:
        """Word -> opening, of those results that this trial would come to again."""
        ours = (self.words.fingerprint, self.game.name, self.game.turns, widths_text(self.widths), order)
        words = {
            self.words.index(result.opening): result
            for result in results
            if (result.fingerprint, result.game, result.turns, result.width, result.order) == ours
        }
        return {word: result.in_credits(word) for word, result in words.items()}


def _played(
    trial: _Trial, lines: LineFile[PlayedOpening] | None, resume: bool, ends: float
) -> Generator[PlayedOpening]:
    """The openings, those that the file holds first; each of the others goes to the file at once.

    Raises:
        WrongUsage: there is no such device.
    """
    with interrupted_by_sigterm(), late_interrupt() as noted:
        check = until(ends, noted)
        from gpulingo.report.openings import opening_text, played_opening
        from gpulingo.search.openings import openings as search
        from gpulingo.search.state import Problem
        from gpulingo.strategies.objectives import points
        from gpulingo.tensors.wordtable import table_of

        table = table_of(trial.words, trial.game).to(device_for(trial.device, "openings"))
        objective = ranking_order(trial.words, trial.game)
        width, order = widths_text(trial.widths), "points" if objective is points else "tuned"
        known = trial.known(lines.kept if lines and resume else (), order)
        if resume:
            tell(f"{lines and lines.path}: {len(known)} openings are there")
        done = 0
        with total_bar("openings", trial.count, ends=ends) as bar:

            def report(pairs: int) -> None:
                check()
                bar.advance(0, f"{done:,} of {trial.count:,}")

            problem = Problem(trial.words, trial.game, table, objective, memory=trial.memory)
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
    values = shown(trial.game, words.total_weight)
    if as_json:
        for result in results:
            derived = values.entry(len(words), result.mean_points, result.bound)
            derived.pop("optimal", None)  # an opening's bound is of what begins with it
            print(line_of("openings", entry_of(result) | derived))
        return
    devices = ", ".join(dict.fromkeys(result.device for result in results))
    count = f"{words.target_count:,} words of {words.length} letters"
    print(f"list: {list_text(words)}; {count}; device: {devices}")
    rows = []
    for result in results:
        row = {"opening": result.opening} | values.cells(result.mean_points)
        row |= {"bound": values.bound(result.bound), "classes": f"{result.classes:,}"}
        rows.append(row | {"largest class": f"{result.largest_class:,}"})
    print_rows(rows, left=["opening"])
