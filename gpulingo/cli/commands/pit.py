"""`gpulingo pit`: a match between programs, and who is best."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import FAILED, WrongUsage, tell
from gpulingo.cli.games import MOST_TURNS, check_marks
from gpulingo.cli.options import option
from gpulingo.cli.parse import between
from gpulingo.cli.run import Run, kept_lines, make_folder, reached
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.cli.matches import Match
    from gpulingo.match.rounds import Result
    from gpulingo.match.sandbox import MatchSetup
    from gpulingo.storage.printed import LineFile


def pit(
    own: options.MatchOptions,
    *,
    rules: options.Rules,
    lives: int | None = option(
        "NUMBER", f"In hangman, misses that lose a word, 1 to {MOST_TURNS}.", shown="6",
        parser=between(1, MOST_TURNS),
    ),
    as_json: bool = options.JSON,
) -> None:  # fmt: skip
    """Run a match between player programs.

    In hangman a player reads each word as far as its letters are known, for example _ i _ _, and answers in
    words: I guess the letter 'e'. Its command gets no length. It plays word after word in one process if it
    continues after "I guessed your word" or "I'm out of guesses".
    """
    from gpulingo.cli import matches
    from gpulingo.match.rounds import FORM
    from gpulingo.match.sandbox import match_setup

    game = rules.chosen(lives=lives)
    if not game.guesses_letters:
        check_marks(game, "the pit")
    match = matches.found_match(own, game)
    if own.transcript:
        matches.print_rounds(match, own, as_json)
        return
    if own.debug:
        raise WrongUsage("--debug without --transcript: leave it out, or add --transcript")
    if own.log:
        make_folder(own.log)
    path, run = matches.results_path(own), Run("pit", own.time)
    with kept_lines(path, False, FORM, ()) as file:
        results = matches.results_of(match, file)
        matches.check_cwd(own.cwd)
        # The ranking is printed before the folders are removed: nothing that players put there can hinder it.
        with match_setup(
            match.players, match.sources, match.game, cwd=str(own.cwd) if own.cwd else None,
            timeout=own.timeout, logged=own.log is not None, tell=tell,
        ) as setup:  # fmt: skip
            play(match, results, file, setup, own, run)
            failed = _print(match, results, as_json) if results or not run.interrupted else False
            run.finish(reached(path, len(results), len(match.rounds), "rounds"))
    if failed:
        raise typer.Exit(FAILED)


def play(
    match: Match,
    results: list[Result],
    file: LineFile[Result] | None,
    setup: MatchSetup,
    own: options.MatchOptions,
    run: Run,
) -> None:
    """Play the rounds of a match that have no result yet, and add their results."""
    from gpulingo.cli.matches import log_writer
    from gpulingo.match.rounds import result_text, trials_of
    from gpulingo.match.sandbox import Lists
    from gpulingo.match.workers import StartError, played_rounds

    done, total = {result.round for result in results}, len(match.rounds)
    missing = [planned for planned in match.rounds if planned not in done]
    seen = {planned.player for planned in done}
    spoiled: list[str] = []
    lists = Lists(setup, spoiled.append, alone=own.jobs == 1)
    rounds, trials = lists.before(missing), lists.before(trials_of(missing))
    write_log = log_writer(match, own.log)
    try:
        with (
            run.working(total, late=False) as bar,
            contextlib.closing(played_rounds(rounds, setup, own.jobs, trials)) as playing,
        ):
            bar.skip(len(results))
            for played in run.results(playing, "rounds", len(missing)):
                if file is not None:
                    file.append(result_text(played.result))
                results.append(played.result)
                write_log(played)
                if played.result.round.player not in seen:
                    seen.add(played.result.round.player)
                    bar.begin(total, len(results))  # in its first round a player may compile
                bar.reach(len(results), f"{len(results):,} of {total:,} rounds")
    except StartError as error:
        raise WrongUsage(f"--player: {error}; nothing was played") from None
    finally:
        lists.restore()
        for line in spoiled:
            tell(line)


def _print(match: Match, results: list[Result], as_json: bool) -> bool:
    """Print the pit's table and figures that the original lacks, or JSON; whether a player always failed."""
    from gpulingo.cli.lists import sources_text
    from gpulingo.cli.matches import failure_note, print_standings, standing_entry
    from gpulingo.match.standings import standings

    # In the order of the match, so that the order in which rounds came to their end changes no sum.
    by_round = {result.round: result for result in results}
    ordered = [by_round[planned] for planned in match.rounds if planned in by_round]
    ranking = standings(ordered, list(match.players), match.whole, match.game)
    notes = [note for note in map(failure_note, ranking) if note]
    if as_json:
        for row in enumerate(ranking, 1):
            print(line_of("pit", standing_entry(*row)))
        for note in notes:
            tell(note)
    else:
        rounds = [str(len(row)) for row in match.words]
        counts = rounds[0] if len(set(rounds)) == 1 else ", ".join(rounds)
        print(f"list: {sources_text(match.sources)}; words of each length: {counts}")
        print_standings(ranking, match.game)
        if notes:
            print("", *notes, sep="\n")
    sys.stdout.flush()
    return any(len(standing.failed) == len(standing.results) for standing in ranking)
