"""`gpulingo pit --transcript`: what the original pit's engine prints, byte for byte, but with a clock."""

from __future__ import annotations

import subprocess
from contextlib import nullcontext
from pathlib import Path

from gpulingo.cli.errors import WrongUsage, tell
from gpulingo.cli.games import check_words_guessed
from gpulingo.cli.matches import Match, check_cwd
from gpulingo.cli.options import MatchOptions
from gpulingo.cli.signals import interrupted_by_sigterm


def print_rounds(match: Match, own: MatchOptions) -> None:
    """Play the rounds of one player until one fails, and print them.

    Raises:
        WrongUsage: there are more players, letters are guessed, or an option is of a ranking.
    """
    from gpulingo.match.sandbox import player_folders, split_command

    check_words_guessed(match.game, "leave out --transcript")
    if len(match.players) > 1:
        raise WrongUsage(f"--transcript of {len(match.players)} players: name one")
    for name in ("log", "resume", "time", "players"):
        if getattr(own, name):
            raise WrongUsage(f"--transcript with --{name}: leave it out, the rounds of --player are printed")
    check_cwd(own.cwd)
    lists = [f"wordlist{source.wordlist.length}.txt" for source in match.sources]
    here = any(Path(name).is_file() for name in (*lists, "wordlist.txt"))
    here = here and own.wordlist is None and own.cwd is None
    place = player_folders(match.sources, 1, str(own.cwd) if own.cwd else None, tell)
    with interrupted_by_sigterm(), nullcontext([None]) if here else place as (folder,):
        argv = split_command(match.players[0], None if here else str(Path.cwd()))
        _print_rounds(match, argv, folder, own)


def _print_rounds(match: Match, argv: tuple[str, ...], folder: str | None, own: MatchOptions) -> None:
    """Print rounds, whose player is started in a folder; None: in the current one."""
    from gpulingo.match.orphans import adopt_orphans
    from gpulingo.match.process import ProcessPlayer
    from gpulingo.match.referee import PlayerError, play_round, total_text
    from gpulingo.match.trial import silence

    adopt_orphans()
    points, stderr, done = 0, None if own.debug else subprocess.PIPE, 0
    for source, targets in zip(match.sources, match.words, strict=True):
        words = source.wordlist
        for target in targets:
            command = [*argv, str(words.length)]
            with ProcessPlayer(command, folder, timeout=own.timeout, alone=True, stderr=stderr) as player:
                played = play_round(player, target, words, match.game, hear=player.hear, tell=_print_line)
            if played.error:
                reason = "" if done or played.guesses else silence(player, PlayerError(played.error))
                if reason:
                    tell(f"--player: {argv[0]!r} {reason}")
                return  # the original leaves with 0 too; its last line has no points
            points, done = points + played.points, done + 1
    _print_line(total_text(points, done, match.game))  # before the folder is removed


def _print_line(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)
