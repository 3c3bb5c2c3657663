"""`gpulingo openings`: first guesses in the order of their scores by rollout.

Against a host that keeps the largest class: those that end a round with fewest guesses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.errors import tell, tell_skipped, wrong_usage
from gpulingo.cli.lists import count_text, files_of, list_entry, list_text, lists_of
from gpulingo.cli.options import between, check_words_guessed, chosen_game, option, parsed_widths
from gpulingo.cli.run import Bar, Run, device_for, kept_lines, reached_text
from gpulingo.cli.signals import late_interrupt
from gpulingo.cli.wording import options_of
from gpulingo.games.catalogue import HOSTED
from gpulingo.optimise.kept import ranking_order
from gpulingo.report import results as listed
from gpulingo.report.results import OPENINGS, Entry, Row
from gpulingo.storage.faults import refuse, reported
from gpulingo.storage.files import make_folder
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.trees.stored import stored_counts, stored_openings, stored_starts, stored_trees, write_opening
from gpulingo.trees.text import fixed_guesses
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.optimise.state import Problem
    from gpulingo.positions.lines import FirstGuesses, LineSolver
    from gpulingo.words.listing import WordList

WORDLE = "wordle"  # what evil Wordle is played by
ADVERSARY = "adversary"
VALUED, VALUING = 48, 0.25  # sets of fixed guesses with exact values, at least; share of --time for these
AT_ONCE = 0.5  # seconds of a search for a named opening without --time
OPPONENTS = ("chance", "largest", ADVERSARY)


@options.group
class OpeningOptions(options.Length, options.WordOptions, options.Rules, options.Timed, options.Printed):
    memory: int = options.MEMORY
    top: int = option("NUMBER", "Number of openings.", default=20, parser=between(1, 10**9))
    width: str = option("TURN:N,..", "Guesses per set by turns left, for example 4:4,3:4.", default="")
    opponent: str | None = option(
        "NAME", "largest: keeps the largest class, as absurdle; or adversary.", shown="chance",
        among=options.one_of(*OPPONENTS),
    )  # fmt: skip
    every: bool = option("", "Print every opening that needs the fewest guesses.", "--all")
    again: bool = option("", "Search, even if a book of openings is stored.", "--search")
    save: Path | None = option("FOLDER", "Store exact trees after the openings, as a book.")
    named: str = option(
        "WORD,..", "Rank or store these first guesses, not the best.", "--opening", default=""
    )
    together: int | None = option("2|3|4", "Rank sets of words always guessed first.", parser=between(2, 4))
    out: Path | None = options.OUT
    resume: bool = options.RESUME


def hosted_game(name: str, opponent: str | None) -> Game | None:
    """Return the game whose host is searched, if `--game` or `--opponent` names a host; otherwise None."""
    game = HOSTED[name]() if name in HOSTED else None
    refuse({
        f"--opponent {str(opponent)[:40]}: use {' or '.join(OPPONENTS)}": opponent not in (None, *OPPONENTS),
        f"--opponent {opponent}: --game {name} has a host of its own: leave one out":
            game and opponent not in (None, game.opponent),
    })  # fmt: skip
    if game is not None or opponent != "largest":
        return game
    chosen_game(name)
    return next(make() for make in HOSTED.values() if make().opponent == opponent)


@dataclass(frozen=True)
class Task:
    """The openings of a list and a game that are asked for."""

    words: WordList
    game: Game
    search: OpeningOptions
    run: Run

    @cached_property
    def named(self) -> list[int]:
        with wrong_usage("--opening"):
            return [self.words.index(self.words.enter(word)) for word in self.search.named.split(",") if word]

    def show(self, rows: Sequence[Row], more: str = "", *, entries: bool = True) -> None:
        """Print a row for each opening, below the list, or an object, unless these are printed."""
        for entry, _ in rows if entries else []:
            self.run.entry(entry)
        self.run.text(f"list: {list_text(self.words)}; {count_text(self.words, self.game)}{more}")
        self.run.table([cells for _, cells in rows], left=["opening"])

    def ranked(
        self, entries: Callable[[Bar], Iterator[Entry]], work: int, count: int, top: int | None = None
    ) -> list[Entry]:
        """Print `count` openings, or those until the end, the best first; `work`: units of the bar."""
        results, run = list[Entry](), self.run
        with run.working(work) as bar:
            results.extend(run.results(entries(bar), "openings", count))
        if results or not run.interrupted:
            rows = listed.opening_rows(results, self.words, self.game)[:top]
            devices = ", ".join(dict.fromkeys(entry["device"] for entry, _ in rows))
            self.show(rows, f"; device: {devices}")
        return results

    def show_book(self, stored: dict[int, tuple[str, list[int]]], top: int | None = None) -> None:
        rows = listed.book_rows(stored, self.words, self.game, list_entry(self.words))[:top]
        self.show(rows)
        paths = " and ".join(dict.fromkeys(entry["book"] for entry, _ in rows)) or "no book"
        many = counted(len(rows), "opening")
        self.run.text(f"{many} of {paths}, proven best after each; --search ranks others")

    def problem(self, device: str) -> Problem:
        from gpulingo.optimise.state import Problem
        from gpulingo.tensors.wordtable import table_of

        words, game = self.words, self.game
        table = table_of(words, game).to(device_for(device, "openings"))
        return Problem(words, game, table, ranking_order(words, game, tell), memory=self.search.memory)

    def counting(self, bar: Bar, before: int = 0) -> Callable[[int], None]:
        """Return a function that looks at the limits and shows the openings done; `before`: other units."""
        return bar.looking(lambda: f"{bar.done - before:,.0f} of {(bar.total or before) - before:,.0f}")

    def rank(self) -> None:
        """Rank openings by rollouts, print them and store them."""
        search, run, words, game = self.search, self.run, self.words, self.game
        count = len(self.named) or min(search.top, len(words))
        trees = [tree for _, tree in reported(stored_starts(words, game), tell_skipped)]
        with wrong_usage("--width"):  # turns left -> guesses tried for each set
            widths = parsed_widths(search.width, game.turns) if search.width else {}

        def rolled(bar: Bar) -> Iterator[Entry]:
            from gpulingo.optimise.openings import improved, proven
            from gpulingo.optimise.openings import openings as rolled_out
            from gpulingo.strategies.objectives import points

            report, problem = self.counting(bar), self.problem(search.device)
            settings = {"width": listed.widths_text(widths)}
            settings |= {"order": "points" if problem.order is points else "tuned"}
            ours = {"fingerprint": words.fingerprint, "game": game.name, "turns": game.turns} | settings
            kept = [old for old in lines.kept if old.items() >= ours.items()]
            there = dict(listed.known_opening(old, words) for old in kept)
            if search.resume:
                tell(f"{search.out}: {len(there)} openings are there")
            bar.begin(count)
            known = there | {tree.guess[0]: (tree.value, tree.value) for tree in trees if tree.optimal}
            for opening in rolled_out(problem, count, widths, named=self.named, progress=report, known=known):
                better = improved(opening, trees)
                if self.named and search.time is not None:
                    better = proven(problem, better, report, tell)
                entry = listed.opening_entry(
                    better, words, game, **settings, device=f"{problem.table.device}"
                )
                if opening.words[0] in there:
                    bar.begin(count, bar.done + 1)
                else:
                    bar.advance()
                    lines.append(listed.line_text(entry))
                yield entry
                (run.noted if self.named else run.check)()

        lines = kept_lines(search.out, search.resume, OPENINGS, files_of([words]))
        results = self.ranked(rolled, count, count)
        run.finish(reached_text(search.out, len(results), count, "openings"))

    def rank_sets(self, size: int) -> None:
        """Print the sets of words, always guessed first, that make most classes, with their values."""
        run, count = self.run, max(self.search.top, VALUED)

        def valued(bar: Bar) -> Iterator[Entry]:
            from gpulingo.optimise.openings import together
            from gpulingo.solvers.words.fixed import FixedGuesses

            def searching(done: int, total: int, words: int) -> None:
                run.check()
                bar.reach(count * done / total, f"{done:,} of {total:,} sets for {words} words")
                if clock() > run.ends - VALUING * (self.search.time or 0.0):
                    bar.reach(count)
                    raise TimeIsUp

            problem, how = self.problem("cpu"), {"width": "all", "order": "classes", "device": "cpu"}
            sets = FixedGuesses(problem.table, size, tuple(self.named), count, searching)
            bar.begin(2 * count)
            for opening in together(problem, sets, self.counting(bar, count)):
                bar.advance()
                entry = listed.opening_entry(opening, self.words, self.game, **how)
                yield entry | {"complete": sets.complete}
                run.check()

        results = self.ranked(valued, 2 * count, count, self.search.top)
        if len(results) > 1:
            proof = "most, proven" if results[0]["complete"] else "most known, not proven"
            most = f"{counted(len(results), 'set')} of most classes"
            run.text(f"{most}; {results[0]['opening']} makes {proof}")
        run.finish(reached_text(None, len(results), count, "openings"))

    def make_book(self, folder: Path) -> None:
        """Search openings to the end, and write each to the book in a folder; those that it has are kept."""
        words, game, run, where, path = self.words, self.game, self.run, [str(folder)], ""
        make_folder(folder)
        with run.working() as bar, wrong_usage("--save"):
            from gpulingo.positions.book import opening_trees, openings_of_most_classes

            often = self.counting(bar)
            stored = reported(stored_openings(words, game, where), tell_skipped)
            most = min(self.search.top, len(words))
            firsts = self.named or openings_of_most_classes(words, game, most)
            missing = [opening for opening in firsts if opening not in stored]
            bar.begin(len(firsts), len(firsts) - len(missing))
            for tree in run.results(opening_trees(words, game, missing, often), "openings", len(missing)):
                write_opening(tree, words, game, *where)
                bar.advance()
                run.check()
        if book := stored_counts(words, game, where)[0]:
            self.show_book(book)
            path = next(path for path, _ in book.values())
        has = f"{path} has them, the same command continues" if book else "run it again"
        run.finish(f"after {counted(len(book), 'opening')}; {has}")

    def show_stored(self) -> bool:
        """Print the openings of stored books and of the best tree; False if there is no book."""
        counts, faults = stored_counts(self.words, self.game)
        if not counts:
            return False
        trees = reported(stored_trees(self.words, self.game), tell_skipped)
        reported((counts, faults), tell_skipped)
        for path, tree in [*trees.items()][:1]:
            if tree.optimal:
                counts.setdefault(tree.guess[0], (path, tree.turn_counts()))
        self.show_book(counts, self.search.top)
        return True

    def host_search(self, turns: int | None = None) -> LineSolver | FirstGuesses:
        from gpulingo.positions.lines import FirstGuesses, LineSolver
        from gpulingo.tensors.wordtable import table_of

        table, memory = table_of(self.words, self.game), self.search.memory
        by_lines = self.game.opponent == "largest"
        return LineSolver(table, memory) if by_lines else FirstGuesses(table, self.game, memory, turns)

    def force(self, turns: int | None) -> None:
        """Print what a host cannot prevent, in `turns` or the fewest guesses."""
        words, game, run, enough = self.words, self.game, self.run, self.game.opponent != "largest"
        what, done = ("within {} guesses", "asked") if enough else ("lines of {} guesses", "searched")
        with late_interrupt(), wrong_usage("--memory"):
            solver = self.host_search(turns)
        with run.working() as bar:

            def often(count: int, total: int, guesses: int) -> None:
                if count < bar.done or bar.total is None:
                    bar.begin(total)
                bar.reach(count, what.format(guesses))
                run.check()

            try:
                solver.run(often)
            except TimeIsUp:
                tell(f"the time is up before all first guesses were {done}: --time was too short")
        entry, said, openings = solver.summary(words, None if self.search.every else self.search.top)
        head = {"game": game.name, **list_entry(words), "length": words.length, "words": words.target_count}
        for row in (head | {"fingerprint": words.fingerprint} | entry, *openings):
            self.run.entry(row)
        self.show([])
        self.run.text(f"{game.name}{' against an adversary' * enough}: {said}")
        if enough:
            self.run.text(*(row["opening"] for row in openings))
        else:
            rows = [
                {"opening": row["opening"], "lines": f"{row['lines']:,}", "words kept": f"{row['kept']:,}"}
                for row in openings
            ]
            self.run.table(rows, left=["opening"])
        run.finish(f"before all first guesses were {done}")

    def force_named(self) -> None:
        """Print the guesses that each named opening needs against a host, or bounds after AT_ONCE."""
        from gpulingo.optimise.openings import opening_of
        from gpulingo.positions.lines import LineSolver
        from gpulingo.positions.outlooks import most_guesses

        run, rows = self.run, list[Row]()
        for word in self.named:
            ends = clock() + AT_ONCE if self.search.time is None else run.ends

            def often(*done: int, ends: float = ends) -> None:
                run.check()
                if clock() > ends:
                    raise TimeIsUp

            solver = self.host_search()
            with run.working(), contextlib.suppress(TimeIsUp):
                solver.run(often, only=word)
            least = most = solver.at_least
            if not solver.openings:
                by_lines = isinstance(solver, LineSolver) and solver.at_most
                most = by_lines or most_guesses(self.words, self.game, word)
            rows.append(listed.host_row(opening_of(solver.table, [word], 0, 0), self.words, least, most))
            self.run.entry(rows[-1][0])
        self.show(rows, entries=False)
        run.finish("before the last opening")


def openings(search: OpeningOptions) -> None:
    """Rank first guesses by their value after full play."""
    run, size = Run("openings", search.time, as_json=search.as_json), search.together
    lengths = search.lengths_for(search.game, "openings")
    game = hosted_game(search.game, search.opponent)
    adversary = ADVERSARY in (search.opponent, game and game.opponent)
    against_host = adversary or game is not None
    refused: dict[str, object] = {"--width": search.width, "--out": search.out, "--resume": search.resume}
    if against_host:
        of_sets = {"--weights": search.weights, "--save": search.save, "--together": size}
        of_rules = {} if adversary else {"--turns": search.turns, options_of(search.rule): search.rule}
        opponent = "an adversary" if adversary else "a host"
        refuse_each(refused | of_sets | of_rules, f"openings against {opponent} have none")
    refuse({"--all is for --opponent largest or adversary: use --top": search.every and not against_host})
    if adversary:
        game = replace(search, game=WORDLE if game else search.game, turns=None).chosen()
    elif game is None:
        game = search.chosen(fewer="with fewer the number of classes says it all")
    check_words_guessed(game, "use `gpulingo solve`")
    task = Task(lists_of(search).words(lengths, game)[0], game, search, run)
    if against_host:
        if search.named:
            task.force_named()
        else:
            task.force(search.turns)
        return
    named, weights = task.named, task.words.weights
    fault = f"weights of {task.words.weights_source}: openings are ranked without weights"
    refuse({f"{fault}, use `gpulingo simulate --opening` for one": weights is not None})
    if size is not None:
        refused |= {"--weights": search.weights, "--save": search.save, "--search": search.again}
        refused |= {"--device": search.device not in ("auto", "cpu"), "--opening": len(named) > size}
        refuse_each(refused, f"not with --together {size}")
        with wrong_usage("--together"):
            fixed_guesses([task.words[word] for word in named], task.words, game, size)
        task.rank_sets(size)
    elif search.save is not None:
        refuse_each(refused, "--save searches every guess, each opening once")
        task.make_book(search.save)
    elif named or search.again or any(refused.values()) or not task.show_stored():
        task.rank()


def refuse_each(given: Mapping[str, object], why: str) -> None:
    refuse({f"{name}: {why}: leave it out": value for name, value in given.items()})
