"""Matches between programs: what options ask for, their rounds, and the results that a file has."""

from __future__ import annotations

import contextlib
import random
import re
from pathlib import Path

from gpulingo.cli import options
from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import lists_of, tell_note
from gpulingo.cli.options import option
from gpulingo.cli.run import Run
from gpulingo.games.game import Game
from gpulingo.match.rounds import Planned, RoundResult, drawn_words, result_text, trials_of
from gpulingo.match.sandbox import ListGuard, Match, MatchSetup, parsed_players, split_command
from gpulingo.player.question import at_fault
from gpulingo.storage.faults import UsageError, refuse
from gpulingo.storage.files import append_file, text_bytes
from gpulingo.storage.printed import LineFile
from gpulingo.words.listing import Listing, MissingListError, read

LENGTHS, ROUNDS = "4-13", 100
NAMED = re.compile(r"([\w.-]+)=(.*)", re.DOTALL)  # a player, as me="python me.py"


@options.group
class MatchOptions(options.Lettered, options.Rules, options.Played, options.Printed):
    player: list[str] | None = option(
        "COMMAND", "A player, or NAME=COMMAND; gets the word length. Repeatable.", "-P"
    )
    players: Path | None = option("FILE", "A file of players, one command per line.")
    lengths: str | None = options.lengths_option("Word lengths: 5 or 4,6-8.", shown="4-13")
    words: Path | None = option("FILE", "Play the words of this file, one per line.")
    word: str | None = option("WORD", "Play this word, in one round.")
    log: Path | None = option("FOLDER", "Write transcripts here, one file per player.")
    transcript: bool = option("", "Print the rounds of one player as the original engine does.")
    debug: bool = option("", "With --transcript: show what the player writes to stderr.")
    out: Path | None = options.OUT
    resume: str | None = option("[FILE]", "Skip what the file of --out has, and continue.")
    cwd: Path | None = option("FOLDER", "Run the players here, not in temporary folders.")

    @property
    def folder(self) -> str | None:
        missing = self.cwd and not self.cwd.is_dir()
        refuse({f"--cwd: {self.cwd} is not a folder: name an existing one": missing})
        return str(self.cwd) if self.cwd else None


def found_players(commands: list[str], path: Path | None) -> dict[str, str]:
    """Return name -> command of the players of the options and of a file."""
    texts, players = list(commands), dict[str, str]()
    if path:
        with wrong_usage("--players"):
            texts += parsed_players(text_bytes(path, remedy="give a file with one command per line").decode())
    refuse({"no player: give --player COMMAND, or --players FILE with one command per line": not texts})
    for text in texts:
        named = NAMED.fullmatch(text)
        player, command = named.groups() if named else (text, text)
        refuse({f"player {player!r} is there twice: give each once": player in players})
        with wrong_usage("--player"):
            split_command(command)
        players[player] = command
    return players


def found_match(args: MatchOptions, game: Game) -> Match:
    players = found_players(args.player or [], args.players)
    alone = {"--word": args.word is not None, "--words": args.words, "--all-words": args.all_words}
    given = [name for name, value in (alone | {"--targets": args.targets}).items() if value]
    several = given[1:] and given != ["--all-words", "--targets"]
    refuse({f"{' and '.join(given[:2])}: give one of them": several})
    if args.word is not None or args.words:
        return given_match(players, args, game)
    numbers = options.parsed_lengths(args.lengths or LENGTHS, "--lengths")
    sources = lists_of(args, silent=args.transcript)
    lists = sources.words(numbers, game)
    rounds, chance = args.rounds or ROUNDS, random.Random(args.seed)
    if args.transcript:  # drawn as in the original: a word may be repeated
        words = [[chance.choice(listed.targets) for _ in range(rounds)] for listed in lists]
    else:
        most = [listed.target_count if args.all_words else rounds for listed in lists]
        words = [drawn_words(listed, n, args.seed) for listed, n in zip(lists, most, strict=True)]
    return Match(players, lists, words, game, drawn=True, listings=sources.read)


def given_match(players: dict[str, str], args: MatchOptions, game: Game) -> Match:
    """A match on a word or the words of a file. The list must have them, except where letters are guessed."""
    option = "--words" if args.words else "--word"
    spelled = Listing(f"--word {args.word}", (args.word or "").encode(errors="replace"))
    with at_fault("words", MissingListError):
        targets = read(args.words) if args.words else spelled
    with wrong_usage("--same"):
        targets = (targets.with_signs() if game.guesses_letters else targets).with_same(args.same)
    if args.words:
        tell_note(targets)
    strange = args.word is not None and sum(targets.lengths().values()) != 1
    refuse({f"--word {args.word!r} is not a word: give one of the list": strange})
    numbers = list(targets.lengths())
    if args.lengths and not (args.word and args.transcript):  # the original needs no length for a word
        numbers = options.parsed_lengths(args.lengths, "--lengths")
    sources = lists_of(args, silent=args.transcript)
    lists = sources.words(numbers)
    words = [list(targets.of_length(listed.length).words) for listed in lists]
    guessed = [] if game.guesses_letters else zip(lists, words, strict=True)
    with wrong_usage(option):
        for listed, row in guessed:
            legal = set(listed.words)
            for word in [word for word in row if word not in legal]:
                listed.index(word)  # raises
    if args.transcript and args.word:
        words = [row * (args.rounds or 1) for row in words]
    elif args.word and args.rounds:
        raise UsageError(f"--rounds {args.rounds} of one --word: leave it out, or add --transcript")
    return Match(players, lists, words, game, drawn=False, listings=sources.read)


def results_path(args: MatchOptions) -> Path | None:
    """Return the file of results, if any; `--resume FILE` names it too."""
    path = args.out or (Path(args.resume) if args.resume else None)
    has_results = args.resume is None and path is not None and path.is_file() and path.stat().st_size
    refuse({
        f"--out {path} and --resume {args.resume}: name one file of results":
            args.resume and path != Path(args.resume),
        f"--out {path} has results: add --resume to continue, or name another file": has_results,
    })  # fmt: skip
    return path


def results_of(match: Match, file: LineFile[RoundResult]) -> dict[Planned, RoundResult]:
    if not file.kept:
        return {}
    kept = {result.round: result for result in reversed(file.kept)}  # the first of repeated rounds
    results = {planned: kept[planned] for planned in match.rounds if planned in kept}
    tell(f"{file.path}: {len(results)} of {len(match.rounds)} rounds are played")
    return results


def play(
    match: Match, results: dict[Planned, RoundResult], file: LineFile[RoundResult],
    setup: MatchSetup, args: MatchOptions, run: Run,
) -> None:  # fmt: skip
    from gpulingo.match.workers import played_rounds

    total, begun = len(match.rounds), {planned.player for planned in results}
    missing = [planned for planned in match.rounds if planned not in results]
    lists = ListGuard(setup, tell, alone=args.jobs == 1)
    rounds, trials = lists.before(missing), lists.before(trials_of(missing))
    try:
        with (
            run.working(total, late=False) as bar,
            contextlib.closing(played_rounds(rounds, setup, args.jobs, trials)) as playing,
        ):
            bar.begin(total, len(results))
            for result, log in run.results(playing, "rounds", len(missing)):
                file.append(result_text(result))
                results[result.round], player = result, result.round.player
                if args.log:
                    append_file(match.log_path(args.log, player), log.encode())
                if player not in begun:
                    begun.add(player)
                    bar.begin(total, len(results))  # in its first round a player may compile
                bar.reach(len(results), f"{len(results):,} of {total:,} rounds")
    finally:
        lists.restore()
