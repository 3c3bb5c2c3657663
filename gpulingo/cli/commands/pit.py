"""`gpulingo pit`: a match between programs, and who is best."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import Interrupted, WrongUsage, tell
from gpulingo.cli.limits import end_of, in_time
from gpulingo.cli.outputs import make_folder
from gpulingo.cli.parse import between
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm

if TYPE_CHECKING:
    from gpulingo.cli.matches import Match
    from gpulingo.match.rounds import Result, Results

Players = Annotated[
    list[str] | None,
    typer.Option(
        "--player", metavar="COMMAND", help="A player; the word length is appended. For more, repeat it."
    ),
]
PlayersFile = Annotated[
    Path | None,
    typer.Option("--players", metavar="FILE", help="Players, one command a line, as the original's file."),
]
Lengths = Annotated[
    str | None, options.lengths_option("Letters of the words: 5 or 4,6-8; 4-13 without --words.")
]
Rounds = Annotated[
    int, typer.Option(parser=between(1, 10**6), metavar="NUMBER", help="Words drawn of each length.")
]
AllWords = Annotated[bool, typer.Option("--all-words", help="Play every word of the lengths.")]
Words = Annotated[Path | None, typer.Option(metavar="FILE", help="Play the words of this file, one a line.")]
Jobs = Annotated[int, typer.Option(parser=between(1, 1024), metavar="NUMBER", help="Rounds at a time.")]
Log = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write the transcripts here, a file a player.")
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Keep the result of every round in this file; what it holds is not played again."
    ),
]
Cwd = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Run the players here, not in temporary folders with the lists in place.",
    ),
]


def pit(
    player: Players = None,
    players: PlayersFile = None,
    lengths: Lengths = None,
    rounds: Rounds = 100,
    seed: options.Seed = 0,
    all_words: AllWords = False,
    words: Words = None,
    wordlist: options.Wordlist = None,
    jobs: Jobs = 1,
    timeout: options.Timeout = 60,
    time: options.Time = None,
    log: Log = None,
    resume: Resume = None,
    cwd: Cwd = None,
    as_json: options.Json = False,
) -> None:
    """Let programs play the same words, and rank them."""
    from gpulingo.cli.matches import drawn_match, found_players, given_match, kept_of, kept_results

    found = found_players(player or [], players)
    if words and all_words:
        raise WrongUsage("--words and --all-words: give one of them")
    if words:
        match = given_match(found, wordlist, lengths, words)
    else:
        match = drawn_match(found, wordlist, lengths, None if all_words else rounds, seed)
    if log:
        make_folder(log)
    with kept_results(resume) as kept, interrupted_by_sigterm():
        results = kept_of(match, kept)
        total = len(match.rounds)
        try:
            ends = end_of(time)
            play(match, results, kept, jobs=jobs, timeout=timeout, ends=ends, log=log, cwd=cwd)
        except KeyboardInterrupt:
            if results:
                print_standings(match, results, as_json)
            on = f"run it again, {resume} has them" if resume else "with --resume FILE they can be kept"
            raise Interrupted(f"interrupted after {len(results)} of {total} rounds; {on}") from None
    print_standings(match, results, as_json)


def play(
    match: Match,
    results: list[Result],
    kept: Results | None,
    *,
    jobs: int,
    timeout: float,
    ends: float,
    log: Path | None,
    cwd: Path | None,
) -> None:
    """Play the rounds of a match that have no result yet, and add their results."""
    from gpulingo.cli.matches import check_cwd, log_writer
    from gpulingo.games.catalogue import lingo
    from gpulingo.match.sandbox import match_setup
    from gpulingo.match.trial import trials_of
    from gpulingo.match.workers import StartError, played_rounds

    done = {result.round for result in results}
    rounds = match.rounds
    missing = [one for one in rounds if one not in done]
    first = {result.round.player: result for result in reversed(results)}
    write_log = log_writer(match, log)
    check_cwd(cwd)
    place, logged = str(cwd) if cwd else None, log is not None
    try:
        with (
            match_setup(
                match.players, match.sources, lingo(), cwd=place, timeout=timeout, logged=logged
            ) as setup,
            total_bar("pit", len(rounds), ends=ends) as bar,
            contextlib.closing(played_rounds(missing, setup, jobs, trials_of(missing))) as playing,
        ):
            bar.skip(len(results))
            for played in in_time(playing, ends, "rounds", len(missing)):
                if kept is not None:
                    kept.append(played.result)
                results.append(played.result)
                first.setdefault(played.result.round.player, played.result)
                write_log(played)
                bar.reach(len(results), f"{len(results):,} of {len(rounds):,} rounds")
    except StartError as error:
        raise WrongUsage(f"--player: {error}; nothing was played") from None
    finally:
        for result in first.values():
            tell_silence(result)


def tell_silence(first: Result) -> None:
    """Tell of a player that has ended its first round without a guess."""
    if first.fault == "crash" and not first.guesses:
        how = "" if first.exit is None else f", with exit code {first.exit}"
        tell(f"{first.round.player!r} made no guess in its first round{how}: {first.error}")


def print_standings(match: Match, results: list[Result], as_json: bool) -> None:
    """The pit's table and what the original pit never told; or a JSON object a player."""
    from gpulingo.cli.lists import sources_text
    from gpulingo.cli.ranking import entry, print_ranking
    from gpulingo.match.standings import standings

    # In the order of the match, so that the order in which rounds came to their end changes no sum.
    known = {result.round: result for result in results}
    ordered = [known[one] for one in match.rounds if one in known]
    found = standings(ordered, match.players, match.whole)
    if as_json:
        for rank, one in enumerate(found, 1):
            print(json.dumps(entry(rank, one), ensure_ascii=False))
        return
    rounds = [str(len(row)) for row in match.words]
    counts = rounds[0] if len(set(rounds)) == 1 else ", ".join(rounds)
    print(f"list: {sources_text(match.sources)}; words of each length: {counts}")
    print_ranking(found)
