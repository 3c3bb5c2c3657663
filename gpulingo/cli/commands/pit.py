"""`gpulingo pit`: a match between programs, and its ranking."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer

from gpulingo.cli.errors import FAILED, tell
from gpulingo.cli.lists import sources_text
from gpulingo.cli.matches import Match, MatchOptions, found_match, play, results_of, results_path
from gpulingo.cli.options import check_marks, check_words_guessed
from gpulingo.cli.run import Run, kept_lines, reached_text
from gpulingo.cli.tables import print_rows
from gpulingo.match.rounds import FORM, Planned, RoundResult
from gpulingo.match.sandbox import match_setup, player_folders
from gpulingo.match.seat import show_rounds
from gpulingo.match.standings import by_player, failure_note, standing_cells, standings
from gpulingo.storage.faults import refuse
from gpulingo.storage.files import make_folder


def print_rounds(match: Match, args: MatchOptions) -> None:
    """Print the rounds of one player as the original engine does."""
    check_words_guessed(match.game, "leave out --transcript")
    refuse({f"--transcript of {len(match.players)} players: name one": len(match.players) > 1})
    others = "leave it out, the rounds of --player are printed"
    refuse({
        f"--transcript with --{name.removeprefix('as_').replace('_', '-')}: {others}":
            getattr(args, name) != getattr(MatchOptions, name)
        for name in ("all_words", "jobs", "log", "out", "resume", "time", "players", "as_json")
    })  # fmt: skip
    lists = ["wordlist.txt", *(f"wordlist{words.length}.txt" for words in match.lists)]
    in_place = args.wordlist is None and args.cwd is None and any(Path(name).is_file() for name in lists)
    with (
        contextlib.nullcontext([None]) if in_place else player_folders(match, args.folder, tell) as (folder,)
    ):
        if reason := show_rounds(match, folder, args.timeout, partial(print, flush=True), debug=args.debug):
            tell(f"--player: {reason}")


def print_standings(ranking: Sequence[dict[str, Any]]) -> None:
    lengths = {length for row in ranking for length in row.get("points") or row["by_length"]}
    columns = sorted(lengths, key=int)
    ranked = [
        [{"rank": f"{rank}", "player": row["player"]} | cells for cells in standing_cells(row, columns)]
        for rank, row in enumerate(ranking, 1)
    ]
    for number, rows in enumerate(zip(*ranked, strict=True)):
        print(end="\n" * bool(number))
        print_rows(rows, left=["player"], shorten=["player"], keys=2)


def pit(args: MatchOptions) -> None:
    """Run a match between player programs.

    In hangman a player reads each word as far as its letters are known, for example _ i _ _, and answers in
    words: I guess the letter 'e'. Its command gets no length. It plays word after word in one process if it
    continues after "I guessed your word" or "I'm out of guesses".
    """
    game = args.chosen()
    check_marks(game, "the pit")
    match = found_match(args, game)
    if args.transcript:
        print_rounds(match, args)
        return
    refuse({"--debug without --transcript: leave it out, or add --transcript": args.debug})
    if args.log:
        make_folder(args.log)
    path, run = results_path(args), Run("pit", args.time, as_json=args.as_json)
    file = kept_lines(path, args.resume is not None, FORM, ())
    results = results_of(match, file)
    # The ranking is printed before the folders are removed: nothing that players put there can hinder it.
    logged = args.log is not None
    with match_setup(match, cwd=args.folder, timeout=args.timeout, logged=logged, tell=tell) as setup:
        play(match, results, file, setup, args, run)
        played = _printed(match, results, run) if results or not run.interrupted else {}
        run.finish(reached_text(path, len(results), len(match.rounds), "rounds"))
    if any(all(result.fault for result in of_player) for of_player in played.values()):
        raise typer.Exit(FAILED)


def _printed(match: Match, results: dict[Planned, RoundResult], run: Run) -> dict[str, list[RoundResult]]:
    """Print the pit's table and figures that the original lacks, or JSON; return the results by player."""
    played = by_player(match.ordered(results), match.players)
    ranking = standings(played, match.whole, match.game)
    notes = [note for row in ranking if (note := failure_note(played[row["player"]]))]
    for rank, row in enumerate(ranking, 1):
        run.entry({"rank": rank, **row})
    if run.as_json:
        for note in notes:
            tell(note)
    else:
        rounds = [str(len(row)) for row in match.words]
        counts = rounds[0] if len(set(rounds)) == 1 else ", ".join(rounds)
        print(f"list: {sources_text(match.lists)}; words of each length: {counts}")
        print_standings(ranking)
        if notes:
            print("", *notes, sep="\n")
    sys.stdout.flush()
    return played
