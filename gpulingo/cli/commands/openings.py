"""`gpulingo openings`: first guesses in the order of their scores by rollout.

Against a host that keeps the largest class: those that end a round with fewest guesses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, tell, tell_skipped, wrong_usage
from gpulingo.cli.games import check_words_guessed, chosen_game
from gpulingo.cli.lists import count_text, found_sources, list_entry, list_text, read_files
from gpulingo.cli.options import option, refuse
from gpulingo.cli.parse import between, parsed_widths, widths_text
from gpulingo.cli.run import Run, device_for, kept_lines, make_folder, reached
from gpulingo.cli.tables import print_rows, print_table
from gpulingo.cli.wording import options_of
from gpulingo.games.catalogue import HOSTED
from gpulingo.optimise.kept import ranking_order
from gpulingo.storage.faults import reported
from gpulingo.storage.files import BOOK, file_name, locked
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.trees.book import new_book, write_book
from gpulingo.trees.stored import stored_counts, stored_openings, stored_starts, stored_trees
from gpulingo.trees.text import fixed_guesses
from gpulingo.trees.values import Values
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.optimise.openings import Opening
    from gpulingo.optimise.state import Problem
    from gpulingo.positions.lines import FirstGuesses, LineSolver
    from gpulingo.words.listing import WordList

Entry = dict[str, Any]  # a rolled-out opening
Counts = dict[int, tuple[str, list[int]]]  # by opening: path, and targets found on turn 1, 2, ..
WORDLE = "wordle"  # what evil Wordle is played by
ADVERSARY = "adversary"
VALUED, VALUING = 48, 0.25  # sets of fixed guesses with exact values, at least; share of --time for these
AT_ONCE = 0.5  # seconds of a search for a named opening without --time
OPPONENTS = ("chance", "largest", ADVERSARY)


@options.group
class OpeningOptions(options.Timed):
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

    def words(self, words: WordList) -> list[int]:
        """Return the indices of the named first guesses."""
        with wrong_usage("--opening"):
            return [words.index(words.enter(word)) for word in self.named.split(",") if word]


def hosted_game(name: str, opponent: str | None) -> Game | None:
    """Return the game whose host is searched, if `--game` or `--opponent` names a host; otherwise None."""
    if opponent is not None and opponent not in OPPONENTS:
        raise WrongUsage(f"--opponent {opponent[:40]}: use {' or '.join(OPPONENTS)}")
    game = HOSTED[name]() if name in HOSTED else None
    if game is not None and opponent not in (None, game.opponent):
        raise WrongUsage(f"--opponent {opponent}: --game {name} has a host of its own: leave one out")
    if game is not None or opponent != "largest":
        return game
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

        table, memory = table_of(words, game), search.memory
        with wrong_usage("--memory"):
            solver = FirstGuesses(table, game, memory, turns) if enough else LineSolver(table, memory)
        try:
            solver.run(often)
        except TimeIsUp:
            tell(f"the time is up before all first guesses were {done}: --time was too short")
    if solver is None:
        raise KeyboardInterrupt
    entry, said, rows = solver.summary(words, None if search.every else search.top)
    if as_json:
        head = {"game": game.name, **list_entry(words), "length": words.length, "words": words.target_count}
        _show(words, game, [head | {"fingerprint": words.fingerprint} | entry, *rows], [], as_json)
    else:
        print(f"list: {list_text(words)}; {count_text(words, game)}")
        print(f"{game.name}{' against an adversary' * enough}: {said}")
        if enough:
            print("".join(f"{row['opening']}\n" for row in rows), end="")
        elif rows:
            cells = [(row["opening"], f"{row['lines']:,}", f"{row['kept']:,}") for row in rows]
            print_table(["opening", "lines", "words kept"], cells, left=["opening"])
    run.finish(f"before all first guesses were {done}")


def _print_named(words: WordList, game: Game, search: OpeningOptions, run: Run, as_json: bool) -> None:
    """Print how many guesses each named opening needs against a host, or bounds of that, after AT_ONCE."""
    from gpulingo.optimise.openings import opening_of
    from gpulingo.positions.lines import FirstGuesses, LineSolver
    from gpulingo.positions.outlooks import most_guesses
    from gpulingo.tensors.wordtable import table_of

    table, rows = table_of(words, game), list[dict[str, str]]()
    for word in search.words(words):
        ends = clock() + AT_ONCE if search.time is None else run.ends

        def often(*done: int, ends: float = ends) -> None:
            run.check()
            if clock() > ends:
                raise TimeIsUp

        solver: LineSolver | FirstGuesses
        by_lines = game.opponent == "largest"
        solver = LineSolver(table, search.memory) if by_lines else FirstGuesses(table, game, search.memory)
        with run.working(), contextlib.suppress(TimeIsUp):
            solver.run(often, only=word)
        least, most = solver.at_least, solver.at_least
        if not solver.openings:
            most = solver.at_most if isinstance(solver, LineSolver) else most_guesses(words, game, word)
        entry = {"opening": words[word], "at_least": least, "at_most": most}
        entry |= opening_of(table, [word], 0, 0).figures()
        if as_json:
            print(line_of("openings", entry))
        guesses = f"{least}" if least == most else f"{least} to {most}"
        rows.append({"opening": words[word], "guesses": guesses} | figure_cells(entry))
    if not as_json:
        _show(words, game, [], rows, as_json)
    run.finish("before the last opening")


def openings(
    length: options.Length,
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
    run = Run("openings", search.time)
    lengths = [length.of(rules.game, "openings")]
    hosted = hosted_game(rules.game, search.opponent)
    refused: dict[str, object] = {"--width": search.width, "--out": out, "--resume": resume}
    refused |= {"--weights": words.weights, "--save": search.save}
    if hosted is not None or search.opponent == ADVERSARY:
        _against_host(lengths, words, rules, turns, search, hosted, refused, run, as_json)
        return
    if search.every:
        raise WrongUsage("--all is for --opponent largest or adversary: use --top")
    game = rules.chosen(turns, least=3, instead="with fewer the number of classes says it all")
    check_words_guessed(game, "use `gpulingo solve`")
    source = found_sources(lengths, words, game)[0]
    wordlist, named, size = source.wordlist, search.words(source.wordlist), search.together
    if wordlist.weights is not None:
        fault = f"weights of {wordlist.weights_source}: openings are ranked without weights"
        raise WrongUsage(f"{fault}, use `gpulingo simulate --opening` for one")
    if size is not None:
        device = search.device not in ("auto", "cpu")
        refused |= {"--search": search.again, "--device": device, "--opening": len(named) > size}
        refuse({f"{name}: not with --together {size}: leave it out": refused[name] for name in refused})
        with wrong_usage("--together"):
            fixed_guesses([wordlist[word] for word in named], wordlist, game, size)
        _print_sets(wordlist, game, search, size, run, as_json)
        return
    count = len(named) or min(search.top, len(wordlist))
    if search.save is not None:
        refuse({f"{name}: --save searches every guess, each opening once: leave it out": refused[name]
                for name in ("--width", "--out", "--resume")})  # fmt: skip
        path, stored = make_book(search.save, wordlist, game, run, named=named, count=count)
        if stored:
            print_book(stored, wordlist, game, as_json)
        has = f"{path} has them, the same command continues" if stored else "run it again"
        run.finish(f"after {counted(len(stored), 'opening')}; {has}")
        return
    if not (named or search.again or search.width or out or resume):
        counts, faults = stored_counts(wordlist, game)
        if counts:
            trees = reported(stored_trees(wordlist, game), tell_skipped)
            reported((counts, faults), tell_skipped)
            for path, tree in [*trees.items()][:1]:
                if tree.optimal:
                    counts.setdefault(tree.guess[0], (path, tree.turn_counts()))
            print_book(counts, wordlist, game, as_json, search.top)
            return
    starts = reported(stored_starts(wordlist, game), tell_skipped)
    with wrong_usage("--width"):  # turns left -> guesses tried for each set
        widths = parsed_widths(search.width, game.turns) if search.width else {}
    from gpulingo.report.results import OPENINGS

    results = list[Entry]()  # also what was found before an interrupt
    with kept_lines(out, resume, OPENINGS, read_files([source])) as lines, run.working(count) as bar:

        def report(pairs: int) -> None:
            run.check()
            bar.advance(0, f"{bar.done + count - (bar.total or count):,.0f} of {count:,}")

        def rolled() -> Iterator[Entry]:
            """The openings, those that the file holds first; each of the others goes to the file at once."""
            from gpulingo.optimise.openings import improved
            from gpulingo.optimise.openings import openings as rolled_out
            from gpulingo.report.results import known_opening, line_text, opening_entry
            from gpulingo.strategies.objectives import points

            problem = _problem(wordlist, game, search, search.device)
            by = "points" if problem.order is points else "tuned"
            settings = {"width": widths_text(widths), "order": by}
            ours = {"fingerprint": wordlist.fingerprint, "game": game.name, "turns": game.turns} | settings
            kept = [old for old in (lines.kept if lines and resume else ()) if old.items() >= ours.items()]
            written = dict(known_opening(entry, wordlist) for entry in kept)
            if resume:
                tell(f"{lines and lines.path}: {len(written)} openings are there")
            bar.begin(count)
            exact = {tree.guess[0]: (tree.value, tree.value) for _, tree in starts if tree.optimal}
            trees = [tree for _, tree in starts]
            known = written | exact
            for opening in rolled_out(problem, count, widths, named=named, progress=report, known=known):
                better = improved(opening, trees)
                if named and search.time is not None and better.value < better.bound:
                    better = searched(problem, better, report)
                result = opening_entry(better, wordlist, game, **settings, device=str(problem.table.device))
                if opening.words[0] in written:
                    bar.skip(1)
                else:
                    bar.advance()
                    if lines:
                        lines.append(line_text(result))
                yield result
                (run.noted if named else run.check)()

        results.extend(run.results(rolled(), "openings", count))
    if results or not run.interrupted:
        _print(wordlist, game, results, as_json)
    run.finish(reached(out, len(results), count, "openings"))


def _against_host(
    lengths: Sequence[int], words: options.WordOptions, rules: options.Rules, turns: int | None,
    search: OpeningOptions, hosted: Game | None, refused: dict[str, object], run: Run, as_json: bool,
) -> None:  # fmt: skip
    adversary, hint = ADVERSARY in (search.opponent, hosted and hosted.opponent), rules.hints.rule
    refused |= {"--together": search.together}
    refused |= {} if adversary else {"--turns": turns, options_of(hint): hint}
    opponent = "an adversary" if adversary else "a host"
    refuse({f"{name}: openings against {opponent} have none: leave it out": value
            for name, value in refused.items()})  # fmt: skip
    game = hosted
    if adversary or game is None:
        game = (rules if hosted is None else replace(rules, game=WORDLE)).chosen()
        check_words_guessed(game, "use `gpulingo solve`")
    wordlist = found_sources(lengths, words, game)[0].wordlist
    if search.named:
        _print_named(wordlist, game, search, run, as_json)
    else:
        _print_forced(wordlist, game, search, run, turns if adversary else None, as_json)


def _print_sets(
    words: WordList, game: Game, search: OpeningOptions, size: int, run: Run, as_json: bool
) -> None:
    """Print the sets of words, always guessed first, that make most classes, with their values."""
    count, results = max(search.top, VALUED), list[Entry]()
    with run.working(2 * count) as bar:

        def report(pairs: int) -> None:
            run.check()
            bar.advance(0, f"{bar.done - count:,.0f} of {count:,}")

        def searching(done: int, total: int, words: int) -> None:
            run.check()
            bar.reach(count * done / total, f"{done:,} of {total:,} sets for {words} words")
            if clock() > run.ends - VALUING * (search.time or 0.0):
                bar.reach(count)
                raise TimeIsUp

        def valued() -> Iterator[Entry]:
            from gpulingo.optimise.openings import together
            from gpulingo.report.results import opening_entry
            from gpulingo.solvers.words.fixed import FixedGuesses

            problem = _problem(words, game, search, "cpu")
            sets = FixedGuesses(problem.table, size, tuple(search.words(words)), count, searching)
            bar.begin(2 * count)
            for opening in together(problem, sets, report):
                bar.advance()
                entry = opening_entry(opening, words, game, width="all", order="classes", device="cpu")
                yield entry | {"complete": sets.complete}
                run.check()

        results.extend(run.results(valued(), "openings", count))
    if results or not run.interrupted:
        _print(words, game, results, as_json, search.top)
    if len(results) > 1 and not as_json:
        proof = "most, proven" if results[0]["complete"] else "most known, not proven"
        print(f"{counted(len(results), 'set')} of most classes; {results[0]['opening']} makes {proof}")
    run.finish(reached(None, len(results), count, "openings"))


def _problem(words: WordList, game: Game, search: OpeningOptions, device: str) -> Problem:
    from gpulingo.optimise.state import Problem
    from gpulingo.tensors.wordtable import table_of

    table = table_of(words, game).to(device_for(device, "openings"))
    return Problem(words, game, table, ranking_order(words, game, tell), memory=search.memory)


def figure_cells(entry: Entry) -> dict[str, str]:
    """Return the cells of the classes of an opening."""
    cells = {"bits": f"{entry['bits']:.3f}", "expected size": f"{entry['expected_size']:.2f}"}
    whole = {"classes": "classes", "largest": "largest_class", "single": "single_words"}
    return cells | {name: f"{entry[key]:,}" for name, key in whole.items()}


def searched(problem: Problem, opening: Opening, often: Callable[[int], None]) -> Opening:
    """Return an opening with its exact value, if it is found in time."""
    from gpulingo.optimise.openings import exact_value

    try:
        value = exact_value(problem, opening.words, often)
    except (TimeIsUp, ValueError) as error:
        why = "the time is up" if isinstance(error, TimeIsUp) else error
        tell(f"{problem.wordlist[opening.words[0]]} has bounds, not its exact value: {why}")
        return opening
    return replace(opening, value=value, bound=value)


def _print(words: WordList, game: Game, results: list[Entry], as_json: bool, top: int | None = None) -> None:
    """Print a row for each opening, the best first, then in list order; or a JSON object."""
    results = sorted(results, key=lambda entry: words.index(entry["opening"].split(",")[0]))
    results.sort(key=lambda entry: -entry["mean_points"])
    values, entries, rows = Values(game, words.total_weight), list[Entry](), list[dict[str, str]]()
    for result in results[:top]:
        value, bound = values.of_mean(result["mean_points"]), values.of_mean(result["bound"])
        entries.append(result | _derived(values, len(words), value, bound))
        row = {"opening": result["opening"]} | values.cells(value) | {"bound": values.bound(bound)}
        rows.append(row | figure_cells(result))
    devices = ", ".join(dict.fromkeys(result["device"] for result in results))
    _show(words, game, entries, rows, as_json, f"; device: {devices}")


def _show(
    words: WordList, game: Game, entries: Sequence[Entry], rows: Sequence[dict[str, str]], as_json: bool,
    more: str = "",
) -> None:  # fmt: skip
    """Print a row for each opening, below the list, or a JSON object."""
    if as_json:
        for entry in entries:
            print(line_of("openings", entry))
        return
    print(f"list: {list_text(words)}; {count_text(words, game)}{more}")
    print_rows(rows, left=["opening"])


def _derived(values: Values, pool: int, value: int, bound: int) -> Entry:
    """Return the JSON fields of an opening's value; its bound is only for strategies that begin with it."""
    return {name: of for name, of in values.entry(pool, value, bound).items() if name != "optimal"}


def print_book(stored: Counts, words: WordList, game: Game, as_json: bool, top: int | None = None) -> None:
    """Print a row for each opening with a proven tree, the best first, at most `top`; or a JSON object."""
    means = {opening: game.mean_points(counts, words.target_count) for opening, (_, counts) in stored.items()}
    openings = {
        opening: stored[opening] for opening in sorted(means, key=lambda word: (-means[word], word))[:top]
    }
    values, total = Values(game, words.target_count), words.total_weight
    entries, rows, best = list[Entry](), list[dict[str, str]](), 0.0
    for opening, (path, counts) in openings.items():
        mean, lost = means[opening], total - sum(counts)
        value = values.of_mean(mean)
        best = best if rows else values.figure(value)
        cost = abs(values.figure(value) - best)
        entry = {"opening": words[opening], "mean_points": mean, "bound": mean, "cost": cost}
        entry |= {"found": counts, "lost": lost, "book": path, **list_entry(words)}
        entry |= {"length": words.length, "words": total, "fingerprint": words.fingerprint}
        entries.append(entry | _derived(values, len(words), value, value) | {"game": game.name})
        row = {"opening": words[opening]} | values.cells(value, lost)
        row |= {"cost": values.figure_text(cost)} | values.game.turn_cells(counts, lost)
        rows.append(row)
    _show(words, game, entries, rows, as_json)
    if not as_json:
        paths = " and ".join(dict.fromkeys(path for path, _ in openings.values())) or "no book"
        print(f"{counted(len(rows), 'opening')} of {paths}, proven best after each; --search ranks others")


def make_book(
    folder: Path, words: WordList, game: Game, run: Run, *, named: Sequence[int], count: int
) -> tuple[str, Counts]:
    """Search openings to the end, and write each to the book in a folder; those that it has are kept.

    Args:
        named: first guesses; []: the `count` that make most classes.
    """
    make_folder(folder)
    path = str(folder / file_name(game.code, words.length, words.fingerprint, BOOK))
    with run.working() as bar, wrong_usage("--save"):
        from gpulingo.positions.book import opening_trees, openings_of_most_classes

        def often(pairs: int) -> None:
            run.check()
            bar.advance(0, f"{bar.done:,.0f} of {len(firsts):,}")

        stored = reported(stored_openings(words, game, [str(folder)]), tell_skipped)
        firsts = [*named] or openings_of_most_classes(words, game, count)
        bar.begin(len(firsts))
        missing = [opening for opening in firsts if opening not in stored]
        bar.skip(len(firsts) - len(missing))
        for tree in run.results(opening_trees(words, game, missing, often), "openings", len(missing)):
            with locked(path):  # other searches may write to it too
                stored, _ = stored_openings(words, game, [str(folder)])
                trees = [*(old for _, old in stored.values()), tree]
                write_book(new_book(words, game).with_trees(trees), path)
            bar.advance()
            run.check()
    return path, stored_counts(words, game, [str(folder)])[0]
