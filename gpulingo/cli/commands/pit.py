"""`gpulingo pit`: a match between programs, and who is best."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import Interrupted, WrongUsage, tell
from gpulingo.cli.games import check_marks, chosen_game
from gpulingo.cli.limits import end_of, in_time
from gpulingo.cli.outputs import make_folder
from gpulingo.cli.parse import between
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm
from gpulingo.games.catalogue import LINGO
from gpulingo.match.timeout import USUAL
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.cli.matches import Match
    from gpulingo.match.rounds import Result, Results
    from gpulingo.match.sandbox import MatchSetup

Players = Annotated[
    list[str] | None,
    typer.Option(
        "--player", "-P", metavar="COMMAND", help="A player; the word length is appended. Repeatable."
    ),
]
PlayersFile = Annotated[
    Path | None,
    typer.Option("--players", metavar="FILE", help="A file of players, one command per line."),
]
Lengths = Annotated[str | None, options.lengths_option("Word lengths: 5 or 4,6-8.", show_default="4-13")]
Rounds = Annotated[
    int, typer.Option(parser=between(1, 10**6), metavar="NUMBER", help="Words drawn per length.")
]
AllWords = Annotated[bool, typer.Option("--all-words", help="Play every word of the lengths.")]
Words = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Play the words of this file, one per line.")
]
Jobs = Annotated[int, typer.Option(parser=between(1, 1024), metavar="NUMBER", help="Rounds at a time.")]
Log = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write transcripts here, one file per player.")
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep results in this file, and continue from it."),
]
Cwd = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Run the players here, not in temporary folders."),
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
    targets: options.Targets = None,
    jobs: Jobs = 1,
    timeout: options.Timeout = USUAL,
    time: options.Time = None,
    log: Log = None,
    resume: Resume = None,
    cwd: Cwd = None,
    game: options.Game = LINGO,
    rule: options.HintRule = "",
    lives: options.Lives = None,
    as_json: options.Json = False,
) -> None:
    """Run a match between player programs.

    In hangman a player reads each word as far as its letters are known, for example _ i _ _, and answers in
    words: I guess the letter 'e'. Its command gets no length. It plays word after word in one process if it
    continues after "I guessed your word" or "I'm out of guesses".

    """
    from gpulingo.cli import matches
    from gpulingo.match.sandbox import match_setup

    rules = chosen_game(game, rule=rule, lives=lives)
    if not rules.guesses_letters:
        check_marks(rules, "the pit")
    drawn = None if all_words else rounds
    commands = matches.found_players(player or [], players)
    if words and all_words:
        raise WrongUsage("--words and --all-words: give one of them")
    if words and targets:
        raise WrongUsage("--words and --targets: give one of them")
    if words:
        match = matches.given_match(commands, wordlist, lengths, rules, path=words)
    else:
        match = matches.drawn_match(
            commands, wordlist, lengths, rules, targets=targets, rounds=drawn, seed=seed
        )
    if log:
        make_folder(log)
    with matches.results_file(resume) as file, interrupted_by_sigterm():
        results = matches.results_of(match, file)
        matches.check_cwd(cwd)
        place, logged = str(cwd) if cwd else None, log is not None
        played = match.players, match.sources, match.game
        # The ranking is printed before the folders are removed: nothing that players put there can hinder it.
        with match_setup(*played, cwd=place, timeout=timeout, logged=logged, tell=tell) as setup:
            try:
                play(match, results, file, setup, jobs=jobs, ends=end_of(time), log=log)
            except KeyboardInterrupt:
                if results:
                    _print(match, results, as_json)
                done = f"interrupted after {len(results)} of {len(match.rounds)} rounds"
                remedy = (
                    f"run it again, {resume} has them" if resume else "with --resume FILE they can be kept"
                )
                raise Interrupted(f"{done}; {remedy}") from None
            _print(match, results, as_json)


def play(
    match: Match,
    results: list[Result],
    file: Results | None,
    setup: MatchSetup,
    *,
    jobs: int,
    ends: float,
    log: Path | None,
) -> None:
    """Play the rounds of a match that have no result yet, and add their results.

    Raises:
        WrongUsage: a player cannot be started; nothing was played.
    """
    from gpulingo.cli.matches import log_writer
    from gpulingo.match.lists import Lists
    from gpulingo.match.trial import trials_of
    from gpulingo.match.workers import StartError, played_rounds

    done, total = {result.round for result in results}, len(match.rounds)
    missing = [planned for planned in match.rounds if planned not in done]
    first = {result.round.player: result for result in reversed(results)}
    spoiled: list[str] = []
    lists = Lists(setup, spoiled.append, alone=jobs == 1)
    rounds, trials = lists.before(missing), lists.before(trials_of(missing))
    write_log = log_writer(match, log)
    try:
        with (
            total_bar("pit", total, ends=ends) as bar,
            contextlib.closing(played_rounds(rounds, setup, jobs, trials)) as playing,
        ):
            bar.skip(len(results))
            for played in in_time(playing, ends, "rounds", len(missing)):
                if file is not None:
                    file.append(played.result)
                results.append(played.result)
                write_log(played)
                if first.setdefault(played.result.round.player, played.result) is played.result:
                    bar.begin(total, len(results))  # in its first round a player may compile
                bar.reach(len(results), f"{len(results):,} of {total:,} rounds")
    except StartError as error:
        raise WrongUsage(f"--player: {error}; nothing was played") from None
    finally:
        lists.restore()
        for line in spoiled:
            tell(line)
        for result in first.values():
            _tell_silence(result)


def _tell_silence(first: Result) -> None:
    """Say that a player has ended its first round without a guess."""
    if first.fault == "crash" and not first.guesses:
        code = "" if first.exit is None else f", with exit code {first.exit}"
        tell(f"{first.round.player!r} made no guess in its first round{code}: {first.error}")


def _print(match: Match, results: list[Result], as_json: bool) -> None:
    """Print the pit's table and the figures that the original lacks; or one JSON object per player."""
    from gpulingo.cli.lists import sources_text
    from gpulingo.cli.standings import print_standings, standing_entry
    from gpulingo.match.standings import standings

    # In the order of the match, so that the order in which rounds came to their end changes no sum.
    by_round = {result.round: result for result in results}
    ordered = [by_round[planned] for planned in match.rounds if planned in by_round]
    ranking = standings(ordered, match.players, match.whole, match.game)
    if as_json:
        for row in enumerate(ranking, 1):
            print(line_of("pit", standing_entry(*row)))
        sys.stdout.flush()
        return
    rounds = [str(len(row)) for row in match.words]
    counts = rounds[0] if len(set(rounds)) == 1 else ", ".join(rounds)
    print(f"list: {sources_text(match.sources)}; words of each length: {counts}")
    print_standings(ranking, match.game)
    sys.stdout.flush()
