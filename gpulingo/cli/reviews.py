"""Rounds that a user gives for review: read, reviewed and printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.advice.adviser import among, unlisted_text
from gpulingo.advice.round import (
    MOST_TEXT,
    Review,
    Round,
    RoundError,
    check_round,
    line_round,
    read_round,
    strange_guesses,
)
from gpulingo.advice.sentences import (
    TURN_TEXTS,
    entry,
    mean_rows,
    sentences,
    summary_entry,
    turn_rows,
    unread_text,
    verdict,
)
from gpulingo.cli.arguments import given_letter
from gpulingo.cli.errors import FAILED, WrongUsage, tell, wrong_usage
from gpulingo.cli.lists import found_sources, list_text
from gpulingo.cli.options import RoundOptions
from gpulingo.cli.run import Run, device_for
from gpulingo.cli.tables import print_rows
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import ASKED, guessed
from gpulingo.games.game import Game
from gpulingo.storage.faults import UsageError
from gpulingo.storage.files import replace_file, text_bytes
from gpulingo.storage.printed import line_of
from gpulingo.words.letters import CAPITALS, enter, leave
from gpulingo.words.listing import WordList, WordListError
from gpulingo.words.shown import counted
from gpulingo.words.targets import ALL

if TYPE_CHECKING:
    from gpulingo.positions.round_values import Answer
    from gpulingo.report.page import Making

MOST_LINES = 100_000  # of a file of rounds
TOLD = 20  # faulty lines that are reported


@dataclass(frozen=True)
class Asked:
    own: RoundOptions
    game: Game
    command: str = ""

    def write(self, text: Callable[[Making], str]) -> None:
        """Write the page of --out."""
        from gpulingo.report.page import Making
        from gpulingo.report.results import today
        from gpulingo.storage.printed import version

        page = text(Making(today().isoformat(), version(), self.command))
        replace_file(str(self.own.out), leave(page).encode())
        tell(f"{self.own.out} has the page")

    @property
    def letter(self) -> str:
        return enter(self.own.letter, same=self.own.same)

    def read(self, text: str, read: Callable[[Callable[[str], str]], Round]) -> Round:
        """The round that `read` takes from a text, by the capitals of the list if they are Turkish."""
        played = read(partial(enter, same=self.own.same))
        turkish = any(sign in text for sign in CAPITALS)
        played = read(self.words(played.length).enter) if turkish else played
        if self.game.given and not played.letter:
            try:
                given_letter("", self.game)
            except UsageError as error:
                raise RoundError(error) from None
        if self.own.length not in (None, played.length):
            signs = counted(played.length, guessed(self.game)[1].removesuffix("s"))
            raise RoundError(f"--length {self.own.length} and a round of {signs}: leave --length out")
        check_round(played, self.game)
        return played

    def given(self, played: Sequence[str]) -> Round:
        target, words = self.own.target, self.own.words.replace(",", " ").split()
        text = "\n".join(played) if [*played] not in ([], ["-"]) else _stdin(self.own.words, target)

        def read(entered: Callable[[str], str]) -> Round:
            letter = "" if target else given_letter(self.letter, self.game, self.own.same)
            own = read_round(text, self.game, words=words, target=target, letter=letter, entered=entered)
            if target and self.letter not in ("", own.letter):
                raise RoundError(f"--letter {self.letter} and --target {target}: leave --letter out")
            return own

        try:
            return self.read(f"{text} {self.own.words} {target}", read)
        except RoundError as error:
            raise WrongUsage(worded(error)) from None

    def words(self, length: int, wider: bool = False) -> WordList:
        """The words of a length, with the targets and weights that were asked for, or all as targets."""
        every: dict[str, Any] = {"targets": ALL, "without": None} if wider else {}
        return found_sources([length], self.own, self.game, ASKED, **every)[0].wordlist


def _stdin(words: str, target: str) -> str:
    if (words and target) or sys.stdin is None or sys.stdin.isatty():
        return ""
    text = sys.stdin.buffer.read(4 * MOST_TEXT + 1).decode(errors="replace")
    if len(text) > MOST_TEXT:
        raise WrongUsage(
            f"more than {MOST_TEXT:,} characters on stdin, expected one round: use --file for many"
        )
    return text


def answers(asked: Asked, rounds: Sequence[Round]) -> tuple[list[Answer | None], WordList]:
    from gpulingo.positions.rounds import reviewed

    device_for(asked.own.device, "review")
    length, run, done = rounds[0].length, Run("review", asked.own.time), 0
    wider = None if asked.own.targets is not None else lambda: asked.words(length, wider=True)
    with run.bar(len(rounds), lines=len(rounds) > 1) as bar:

        def often(count: int) -> bool:
            nonlocal done
            if done and run.over:
                tell(f"the time is up after {done:,} of {len(rounds):,} rounds: --time was too short for all")
                return False
            bar.reach(done)
            done = min(done + count, len(rounds))  # some rounds are reviewed twice
            return True

        return reviewed(
            rounds, asked.words(length), asked.game, wider, report=tell, device=asked.own.device, often=often
        )


def print_one(asked: Asked, played: Round, as_json: bool) -> None:
    (reviewed,), words = answers(asked, [played])
    for guess in strange_guesses(played, words, asked.game):
        tell(unlisted_text(guess, words, asked.game))
    if not isinstance(reviewed, Review):
        raise reviewed or RoundError("no review")
    if asked.own.out:
        from gpulingo.report.review_page import round_page

        asked.write(lambda making: round_page(reviewed, making, list_text(words)))
    judged = verdict(reviewed, words.targets)
    if as_json:
        print(line_of("review", {"list": words.source, **entry(reviewed), "verdict": judged.entry()}))
    else:
        print(f"{asked.game.code}, {words.length} letters, {list_text(words)}")
        print_rows(turn_rows(reviewed), left=TURN_TEXTS)
        print()
        print("\n".join(sentences(reviewed)))
        print("\n".join(["", *judged.lines(reviewed)]))


def print_many(asked: Asked, path: Path, as_json: bool) -> int:
    """Review the rounds of a file and print their means; return the exit code, 1 if none could be read."""
    lines = _lines(path)
    rounds, unread = _rounds(asked, lines)
    reviewed: list[Review] = []
    sources: list[str] = []
    for length in sorted({own.length for own in rounds}):
        own = [played for played in rounds if played.length == length]
        try:
            found, words = answers(asked, own)
        except WordListError as error:
            unread |= {played.line: worded(error) for played in own}
            continue
        strange = dict.fromkeys(
            guess for played in own for guess in strange_guesses(played, words, asked.game)
        )
        if strange:
            seen = f"guesses that are not among {among(words, asked.game)}: {len(strange):,}"
            tell(f"{seen}, {next(iter(strange))} first; their marks are taken")
        sources.append(list_text(words))
        for played, answer in zip(own, found, strict=True):
            if isinstance(answer, Review):
                reviewed.append(answer)
            elif answer is not None:
                unread[played.line] = worded(answer)
    for line in sorted(unread)[:TOLD]:
        tell(f"{path} line {line}: {unread[line]}")
    reviewed.sort(key=lambda own: own.played.line)
    if asked.own.out and reviewed:
        from gpulingo.report.review_page import rounds_page

        source = ", ".join(dict.fromkeys(sources))
        asked.write(lambda making: rounds_page(reviewed, making, source, sorted(unread), len(lines)))
    if as_json:
        print(line_of("review", summary_entry(reviewed, sorted(unread))))
    elif reviewed:
        open_ = sum(own.state == "open" for own in reviewed)
        more = f"; {open_:,} not over, which count as what was expected then" if open_ else ""
        print(f"{len(reviewed):,} rounds of {asked.game.code}{more}")
        print_rows(mean_rows(reviewed), left=["value"])
    if unread:
        tell(unread_text(sorted(unread), len(lines)))
    return 0 if reviewed else FAILED


def _rounds(asked: Asked, lines: Sequence[str]) -> tuple[list[Round], dict[int, str]]:
    """Return the rounds of some lines, and line number -> fault of each invalid line.

    Empty lines and comments (#) are skipped.
    """
    rounds, unread = list[Round](), dict[int, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            played = asked.read(line, partial(line_round, line, asked.game, asked.letter))
        except RoundError as error:  # others are of the whole file, such as a missing list
            unread[number] = worded(error)
            continue
        played.line = number
        rounds.append(played)
    return rounds, unread


def _lines(path: Path) -> list[str]:
    with wrong_usage("--file"):
        text = text_bytes(path, remedy="give a file with one round per line").decode()
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise WrongUsage(f"--file {path} has {len(lines):,} lines, expected at most {MOST_LINES:,}: split it")
    if not lines:
        raise WrongUsage(f"--file {path} is empty: give a file with one round per line")
    return lines
