"""`gpulingo pit`: a match between programs, and its ranking."""

from __future__ import annotations

import contextlib
import functools
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import FAILED, WrongUsage, tell, wrong_usage
from gpulingo.cli.games import MOST_TURNS, check_marks, check_words_guessed
from gpulingo.cli.lists import Source, found_sources, opened_listing, sources_text, tell_skipped
from gpulingo.cli.options import option
from gpulingo.cli.parse import between, parsed_lengths
from gpulingo.cli.run import Run, kept_lines, make_folder, reached
from gpulingo.cli.tables import print_rows
from gpulingo.games.game import Game
from gpulingo.match.process import ProcessPlayer, adopt_orphans
from gpulingo.match.referee import PlayerError, play_round, total_text
from gpulingo.match.rounds import (
    FORM,
    Planned,
    RoundResult,
    drawn_words,
    planned_rounds,
    result_text,
    trials_of,
)
from gpulingo.storage.files import append_file, text_bytes
from gpulingo.storage.printed import LineFile, line_of
from gpulingo.words.listing import parse
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.match.sandbox import MatchSetup
    from gpulingo.match.standings import Standing, Tally
    from gpulingo.match.workers import Played

    Cells = dict[str, str]  # of one row of a table, by column


LENGTHS, ROUNDS = "4-13", 100
FAULTS = {"crashes": "crash", "timeouts": "timeout"}
NAMED = re.compile(r"([\w.-]+)=(.*)", re.DOTALL)  # a player with a name: me="python me.py"


@options.group
class MatchOptions:
    player: list[str] | None = option(
        "COMMAND", "A player, or NAME=COMMAND; gets the word length. Repeatable.", "-P"
    )
    players: Path | None = option("FILE", "A file of players, one command per line.")
    lengths: str | None = options.lengths_option("Word lengths: 5 or 4,6-8.", shown="4-13")
    rounds: int | None = option(
        "NUMBER", "Words drawn per length.", shown="100; 1 with --word", parser=between(1, 10**6)
    )
    seed: int = options.SEED
    all_words: bool = option("", "Play every word of the lengths.")
    words: Path | None = option("FILE", "Play the words of this file, one per line.")
    word: str | None = option("WORD", "Play this word.")
    wordlist: Path | None = options.WORDLIST
    targets: str | None = options.TARGETS
    jobs: int = option("NUMBER", "Rounds at a time.", default=1, parser=between(1, 1024))
    timeout: float = options.TIMEOUT
    time: float | None = options.TIME
    log: Path | None = option("FOLDER", "Write transcripts here, one file per player.")
    transcript: bool = option("", "Print the rounds of one player as the original engine does.")
    debug: bool = option("", "With --transcript: show what the player writes to stderr.")
    out: Path | None = options.OUT
    resume: str | None = option("[FILE]", "Skip what the file of --out has, and continue.")
    cwd: Path | None = option("FOLDER", "Run the players here, not in temporary folders.")


@dataclass(frozen=True)
class Match:
    players: dict[str, str]  # name -> command, in the user's order; the default name is the command
    sources: list[Source]  # one per length
    words: list[list[str]]  # targets of the rounds, a row for each source
    game: Game
    drawn: bool  # whether the words were drawn from the sources, or are all of them

    @functools.cached_property
    def rounds(self) -> list[Planned]:
        wordlists = [source.wordlist for source in self.sources]
        return planned_rounds(self.players, zip(wordlists, self.words, strict=True), self.game)

    @property
    def whole(self) -> dict[int, int] | None:
        """Length -> number of words that the rounds were drawn from; None if they were not drawn."""
        sizes = {source.wordlist.length: source.wordlist.target_count for source in self.sources}
        return sizes if self.drawn else None


def found_players(commands: list[str], path: Path | None) -> dict[str, str]:
    """Return name -> command of the players of the options and of a file."""
    from gpulingo.match.sandbox import parsed_players, split_command

    texts, players = list(commands), dict[str, str]()
    if path:
        with wrong_usage("--players"):
            texts += parsed_players(text_bytes(path, remedy="give a file with one command per line").decode())
    if not texts:
        raise WrongUsage("no player: give --player COMMAND, or --players FILE with one command per line")
    for text in texts:
        named = NAMED.fullmatch(text)
        player, command = named.groups() if named else (text, text)
        if player in players:
            raise WrongUsage(f"player {player!r} is there twice: give each once")
        with wrong_usage("--player"):
            split_command(command)
        players[player] = command
    return players


def found_match(own: MatchOptions, game: Game) -> Match:
    players = found_players(own.player or [], own.players)
    alone = {"--word": own.word is not None, "--words": own.words, "--all-words": own.all_words}
    given = [name for name, value in (alone | {"--targets": own.targets}).items() if value]
    if len(given) > 1 and given != ["--all-words", "--targets"]:
        raise WrongUsage(f"{given[0]} and {given[1]}: give one of them")
    if own.word is not None or own.words:
        return given_match(players, own, game)
    with wrong_usage("--lengths"):
        numbers = parsed_lengths(own.lengths or LENGTHS)
    sources = found_sources(numbers, own.wordlist, own.targets, game, silent=own.transcript)
    rounds, chance = own.rounds or ROUNDS, random.Random(own.seed)
    if own.transcript:  # drawn as in the original: a word may be repeated
        words = [[chance.choice(source.wordlist.targets) for _ in range(rounds)] for source in sources]
    else:
        most = [source.wordlist.target_count if own.all_words else rounds for source in sources]
        words = [drawn_words(source.wordlist, n, own.seed) for source, n in zip(sources, most, strict=True)]
    return Match(players, sources, words, game, drawn=True)


def given_match(players: dict[str, str], own: MatchOptions, game: Game) -> Match:
    """Return a match on a word or a file's words. They must be in the list, unless letters are guessed."""
    if own.words:
        option, targets = "--words", opened_listing(0, own.words, "words")
        targets = targets.with_signs() if game.guesses_letters else targets
        tell_skipped(targets)
    else:
        option, targets = "--word", parse(own.word or "")
        targets = targets.with_signs() if game.guesses_letters else targets
    if own.word is not None and sum(targets.lengths().values()) != 1:
        raise WrongUsage(f"--word {own.word!r} is not a word: give one of the list")
    numbers = list(targets.lengths())
    if own.lengths and not (own.word and own.transcript):  # the original needs no length for a word
        with wrong_usage("--lengths"):
            numbers = parsed_lengths(own.lengths)
    sources = found_sources(numbers, own.wordlist, silent=own.transcript)
    words = [list(targets.of_length(source.wordlist.length).words) for source in sources]
    for source, row in zip(sources, words, strict=True):
        if game.guesses_letters:
            continue  # letters are guessed
        legal = set(source.wordlist.words)
        with wrong_usage(option):
            for word in row:
                if word not in legal:
                    source.wordlist.index(word)  # raises
    if own.transcript and own.word:
        words = [row * (own.rounds or 1) for row in words]
    elif own.word and own.rounds:
        raise WrongUsage(f"--rounds {own.rounds} of one --word: leave it out, or add --transcript")
    return Match(players, sources, words, game, drawn=False)


def results_path(own: MatchOptions) -> Path | None:
    """Return the file of results, if any; `--resume FILE` names it too."""
    path = own.out or (Path(own.resume) if own.resume else None)
    if own.resume and path != Path(own.resume):
        raise WrongUsage(f"--out {path} and --resume {own.resume}: name one file of results")
    if path is None and own.resume is not None:
        raise WrongUsage("--resume without --out: name the file of results to continue")
    if path is not None and own.resume is None and path.is_file() and path.stat().st_size:
        raise WrongUsage(f"--out {path} has results: add --resume to continue, or name another file")
    return path


def results_of(match: Match, file: LineFile[RoundResult] | None) -> list[RoundResult]:
    if file is None or not file.kept:
        return []
    kept = {result.round: result for result in reversed(file.kept)}  # the first of repeated rounds
    results = [kept[planned] for planned in match.rounds if planned in kept]
    tell(f"{file.path}: {len(results)} of {len(match.rounds)} rounds are played")
    return results


def check_cwd(cwd: Path | None) -> None:
    if cwd and not cwd.is_dir():
        raise WrongUsage(f"--cwd: {cwd} is not a folder: name an existing one")


def log_writer(match: Match, folder: Path | None) -> Callable[[Played], None]:
    if folder is None:
        return lambda played: None
    paths = {}
    for number, player in enumerate(match.players, 1):
        plain = re.sub(r"[^\w.]+", "-", player, flags=re.ASCII).strip("-.")[:60]
        paths[player] = folder / f"{number}-{plain}.log"

    return lambda played: append_file(paths[played.result.round.player], played.log.encode())


def print_rounds(match: Match, own: MatchOptions, as_json: bool) -> None:
    from gpulingo.match.sandbox import player_folders, split_command
    from gpulingo.match.worker_process import silence

    check_words_guessed(match.game, "leave out --transcript")
    if len(match.players) > 1:
        raise WrongUsage(f"--transcript of {len(match.players)} players: name one")
    given, usual = vars(own) | {"json": as_json}, vars(MatchOptions()) | {"json": False}
    for name in ("all_words", "jobs", "log", "out", "resume", "time", "players", "json"):
        if given[name] != usual[name]:
            seen = f"--transcript with --{name.replace('_', '-')}"
            raise WrongUsage(f"{seen}: leave it out, the rounds of --player are printed")
    check_cwd(own.cwd)
    lists = [f"wordlist{source.wordlist.length}.txt" for source in match.sources]
    here = any(Path(name).is_file() for name in (*lists, "wordlist.txt"))
    here = here and own.wordlist is None and own.cwd is None
    place = player_folders(match.sources, 1, str(own.cwd) if own.cwd else None, tell)
    show = functools.partial(print, flush=True)
    adopt_orphans()
    points, stderr, done = 0, None if own.debug else subprocess.PIPE, 0
    with contextlib.nullcontext([None]) if here else place as (folder,):
        argv = split_command(next(iter(match.players.values())), None if here else str(Path.cwd()))
        for source, targets in zip(match.sources, match.words, strict=True):
            words = source.wordlist
            for target in targets:
                command = [*argv, str(words.length)]
                with ProcessPlayer(command, folder, timeout=own.timeout, alone=True, stderr=stderr) as player:
                    played = play_round(player, target, words, match.game, hear=player.hear, tell=show)
                if played.error:
                    reason = "" if done or played.guesses else silence(player, PlayerError(played.error))
                    if reason:
                        tell(f"--player: {argv[0]!r} {reason}")
                    return  # the original exits with 0 too; its last line has no points
                points, done = points + played.points, done + 1
        show(total_text(points, done, match.game))  # before the folder is removed


def print_standings(standings: Sequence[Standing], game: Game) -> None:
    of = _of_misses if game.counts_misses else _of_guesses
    lengths = sorted({length for standing in standings for length in standing.means})
    for number, rows in enumerate(zip(*(of(standing, lengths) for standing in standings), strict=True)):
        if number:
            print()
        ranked = [
            {"rank": str(rank), "player": standing.player} | row
            for rank, (standing, row) in enumerate(zip(standings, rows, strict=True), 1)
        ]
        print_rows(ranked, left=["player"], shorten=["player"], keys=2)


def failure_note(standing: Standing) -> str:
    """Return the number of rounds that a player failed, and the reason of the first; empty without one."""
    failed = standing.failed
    if not failed:
        return ""
    first = failed[0]
    code = "" if first.exit is None or first.fault == "timeout" else f" (exit code {first.exit})"
    seen = f"{standing.player!r} failed {len(failed):,} of {counted(len(standing.results), 'round')}"
    return f"{seen}, first with {first.round.word}: {first.error}{code}"


def _median(seconds: Sequence[float]) -> float:
    from statistics import median  # here: not every command needs it

    return median(seconds)


def standing_entry(rank: int, standing: Standing) -> dict[str, Any]:
    """Return a standing as a JSON object; times in seconds."""
    entry: dict[str, Any] = {"rank": rank, "player": standing.player}
    wall = {"wall": {"median": _median(standing.wall), "max": max(standing.wall)}}
    broken = {name: standing.count(fault) for name, fault in FAULTS.items()}
    if standing.game.counts_misses:
        lengths = {str(length): _tally_entry(tally) for length, tally in standing.tallies.items()}
        entry |= {"game": standing.game.code, **_tally_entry(standing.tally), "by_length": lengths}
        entry |= {"words_per_second": standing.rate, "cpu": sum(standing.cpu), **wall, **broken}
        return entry | {"gave_up": standing.gave_up, "repeated": standing.invalid}
    entry |= {"points": {str(length): mean.points for length, mean in standing.means.items()}}
    entry |= {"total": standing.total.points, "mean_guesses": standing.mean_guesses}
    entry |= {"standard_error": standing.total.error, "to_leader": standing.to_leader.points}
    entry |= {"interval": standing.interval, "rounds": len(standing.results), "lost": standing.lost}
    entry |= {"cpu": {"median": _median(standing.cpu), "max": max(standing.cpu)}}
    return entry | wall | broken | {"lingered": standing.lingered, "invalid": standing.invalid}


def _of_guesses(standing: Standing, lengths: Sequence[int]) -> list[Cells]:
    means = {f"{length}": standing.means.get(length) for length in lengths} | {"total": standing.total}
    error, interval = standing.total.error, standing.interval
    return [
        {name: "-" if mean is None else f"{mean.points:.2f}" for name, mean in means.items()},
        {
            "rounds": f"{len(standing.results):,}",
            "lost": f"{standing.lost:,}",
            "mean guesses": f"{standing.mean_guesses:.3f}",
            "error": "-" if error is None else f"{error:.2f}",
            "to leader": f"{standing.to_leader.points:.2f}",
            "95 % interval": "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}",
        },
        {"CPU s": f"{_median(standing.cpu):.3f}", "CPU max": f"{max(standing.cpu):.3f}"}
        | _walls_and_faults(standing)
        | {"lingered": f"{standing.lingered:,}", "invalid": f"{standing.invalid:,}"},
    ]


def _of_misses(standing: Standing, lengths: Sequence[int]) -> list[Cells]:
    total, tallies = standing.tally, {length: standing.tallies.get(length) for length in lengths}
    counts = {f"{misses} missed": count for misses, count in enumerate(total.misses)} | {"lost": total.lost}
    return [
        {
            "words": f"{total.words:,}",
            "won": f"{total.won:,}",
            "won %": f"{100 * total.share:.3f}",
            "mean misses": f"{total.mean_misses:.3f}",
            "words/s": f"{standing.rate:,.1f}",
        },
        {name: f"{count:,}" for name, count in counts.items()},
        {
            f"{length} won %": "-" if tally is None else f"{100 * tally.share:.2f}"
            for length, tally in tallies.items()
        },
        {"CPU s": f"{sum(standing.cpu):.3f}"}
        | _walls_and_faults(standing)
        | {"gave up": f"{standing.gave_up:,}", "repeated": f"{standing.invalid:,}"},
    ]


def _walls_and_faults(standing: Standing) -> Cells:
    cells = {"wall s": f"{_median(standing.wall):.3f}", "wall max": f"{max(standing.wall):.3f}"}
    return cells | {name: f"{standing.count(fault):,}" for name, fault in FAULTS.items()}


def _tally_entry(tally: Tally) -> dict[str, Any]:
    """Return some words for a JSON object; `misses` counts the words won by their misses."""
    entry = {"words": tally.words, "won": tally.won, "lost": tally.lost, "share": tally.share}
    return entry | {"mean_misses": tally.mean_misses, "misses": list(tally.misses)}


def pit(
    own: MatchOptions,
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
    from gpulingo.match.sandbox import match_setup

    game = rules.chosen(lives=lives)
    if not game.guesses_letters:
        check_marks(game, "the pit")
    match = found_match(own, game)
    if own.transcript:
        print_rounds(match, own, as_json)
        return
    if own.debug:
        raise WrongUsage("--debug without --transcript: leave it out, or add --transcript")
    if own.log:
        make_folder(own.log)
    path, run = results_path(own), Run("pit", own.time)
    with kept_lines(path, False, FORM, ()) as file:
        results = results_of(match, file)
        check_cwd(own.cwd)
        # The ranking is printed before the folders are removed, so that no file of a player can prevent it.
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
    results: list[RoundResult],
    file: LineFile[RoundResult] | None,
    setup: MatchSetup,
    own: MatchOptions,
    run: Run,
) -> None:
    from gpulingo.match.sandbox import ListGuard
    from gpulingo.match.workers import played_rounds

    done, total = {result.round for result in results}, len(match.rounds)
    missing = [planned for planned in match.rounds if planned not in done]
    seen = {planned.player for planned in done}
    spoiled: list[str] = []
    lists = ListGuard(setup, spoiled.append, alone=own.jobs == 1)
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
                    bar.begin(total, len(results))  # a player may compile in its first round
                bar.reach(len(results), f"{len(results):,} of {total:,} rounds")
    finally:
        lists.restore()
        for line in spoiled:
            tell(line)


def _print(match: Match, results: list[RoundResult], as_json: bool) -> bool:
    """Print the pit's table and more figures, or JSON; return whether a player always failed."""
    from gpulingo.match.standings import standings

    # In the order of the match, so that sums do not depend on the order in which rounds ended.
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
