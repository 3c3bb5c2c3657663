"""First guesses that are best against a host or an adversary, for `gpulingo openings --opponent`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.errors import Interrupted, WrongUsage, tell, wrong_usage
from gpulingo.cli.games import chosen_game
from gpulingo.cli.limits import end_of, until
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.options import option
from gpulingo.cli.parse import between
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.games.catalogue import HOSTED
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.search.first_guesses import FirstGuesses
    from gpulingo.search.lines import LineSolver
    from gpulingo.words.wordlist import WordList

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
    """The game whose host is searched, if `--game` or `--opponent` names one that keeps the largest class.

    Raises:
        WrongUsage: there is no such opponent, or it is not that of the game.
    """
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
    """Search for the shortest lines against a host that keeps the largest class, and print what is known.

    Args:
        game: of the host. search: see `Search`.
    Raises:
        Interrupted: Ctrl-C. WrongUsage: the memory is too small.
    """

    def begin() -> LineSolver:
        from gpulingo.search.lines import LineSolver
        from gpulingo.tensors.wordtable import table_of

        with wrong_usage("--memory"):
            return LineSolver(table_of(words, game), search.memory)

    def show(solver: LineSolver) -> None:
        _print_lines(solver, words, game, top=search.shown, as_json=as_json)

    _searched(begin, show, search.time, what="lines of {} guesses", done="searched")


def search_first_guesses(
    words: WordList, game: Game, search: Search, turns: int | None, as_json: bool
) -> None:
    """Search for the first guesses that are enough against an adversary, and print what is known.

    Args:
        game: of which only what is legal counts. search: see `Search`.
        turns: ask whether this number of guesses is enough; None: find the least, and its first guesses.
    Raises:
        Interrupted: Ctrl-C.
    """

    def begin() -> FirstGuesses:
        from gpulingo.search.first_guesses import FirstGuesses
        from gpulingo.tensors.wordtable import table_of

        return FirstGuesses(table_of(words, game), game, search.memory, turns)

    def show(found: FirstGuesses) -> None:
        _print_enough(found, words, top=search.shown, as_json=as_json)

    _searched(begin, show, search.time, what="within {} guesses", done="asked")


def _searched(
    begin: Callable[[], Any], show: Callable[[Any], None], time: float | None, *, what: str, done: str
) -> None:
    """Search, and show what is known in the end, after Ctrl-C too.

    Args:
        what: is searched now, with the number of guesses. done: what was done with each first guess.
    Raises:
        Interrupted: Ctrl-C.
    """
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
    """Results of the list, then the first guesses."""
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
