"""Rounds that a user gives for review: read, reviewed and printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from gpulingo.advice import review_text
from gpulingo.advice.adviser import Adviser
from gpulingo.advice.notation import NotationError
from gpulingo.advice.round import (
    MOST_TEXT,
    PASS,
    Review,
    Round,
    RoundError,
    checked_round,
    line_round,
    read_round,
    tell_strange,
)
from gpulingo.cli.errors import FAILED, tell, wrong_usage
from gpulingo.cli.lists import list_text, lists_of, size_text
from gpulingo.cli.matches import Match, MatchOptions, found_players, play
from gpulingo.cli.options import RoundOptions, check_marks
from gpulingo.cli.request import given_letter
from gpulingo.cli.run import Run, device_for
from gpulingo.cli.tables import print_rows
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import ASKED
from gpulingo.games.game import Game
from gpulingo.match.referee import refereed_round, transcribed
from gpulingo.match.rounds import FORM, Planned, RoundResult, drawn_words
from gpulingo.match.sandbox import match_setup
from gpulingo.match.standings import failure_note
from gpulingo.player.question import Limits, ListNames, Question
from gpulingo.storage.faults import UsageError, refuse
from gpulingo.storage.files import text_bytes
from gpulingo.storage.printed import LineFile, line_of
from gpulingo.words.letters import enter, joined
from gpulingo.words.listing import WordList, WordListError
from gpulingo.words.shown import counted
from gpulingo.words.targets import ALL

MOST_LINES = 100_000  # of a file of rounds
TOLD = 20  # faulty lines that are reported
UNPROVEN = "*: a loss that is not proven: at least, at most, or about; a longer --exact proves more"
SECONDS = 60.0  # usual time to search the large sets of a player's rounds
BY_TURN = "after", "chosen"  # columns that make the marks of several boards too wide
T = TypeVar("T")


class Asked(Adviser):
    """The rounds that options ask for, over the words of a command, whose notes it prints once.

    For many rounds it also prints why some are not reviewed, by the number of each.
    """

    def __init__(self, args: RoundOptions, game: Game) -> None:
        names, limits = ListNames(same=args.same), Limits(device=args.device)
        question = Question(game=game, words=names, length=args.length or 0, limits=limits)
        super().__init__(question, lambda: None, cache(tell))
        self.own, self.lists = args, lists_of(args)
        self.letter = enter(args.letter, same=args.same)
        self.rounds, self.unread = list[Round](), dict[int, str]()

    def given(self, played: Sequence[str]) -> Round:
        target, words, text = self.own.target, self.own.words.replace(",", " ").split(), self.text(played)
        try:
            letter = "" if target else given_letter(self.letter, self.game, self.own.same)
            read = partial(read_round, text, self.game, words=words, target=target, letter=letter)
            round_ = read(entered=self.entering())
            if target and self.letter not in ("", round_.letter):
                raise RoundError(f"--letter {self.letter} and --target {target}: leave --letter out")
            return checked_round(self, round_)
        except RoundError as error:
            raise UsageError(worded(error)) from None

    def text(self, played: Sequence[str]) -> str:
        """The text of one round: the given guesses, or what stdin has, if it is needed."""
        if [*played] not in ([], ["-"]):
            return "\n".join(played)
        if (self.own.words and self.own.target) or sys.stdin is None or sys.stdin.isatty():
            return ""
        text = sys.stdin.buffer.read(4 * MOST_TEXT + 1).decode(errors="replace")
        most = f"more than {MOST_TEXT:,} characters on stdin"
        refuse({f"{most}, expected one round: use --file for many": len(text) > MOST_TEXT})
        return text

    def line(self, line: str) -> Round | None:
        """The round of a line of a file; None for an empty line or a comment (#)."""
        if not line.strip() or line.lstrip().startswith("#"):
            return None
        if not line.startswith(FORM.begins):
            return checked_round(self, line_round(line, self.game, self.letter, self.entering()))
        try:
            result = FORM.parsed(line)
        except ValueError as error:
            raise RoundError(f"{error}") from None
        if (code := result.round.game) != self.game.code:
            raise RoundError(f"a round of {code}: give --game {code}")
        return self.refereed(result.round.word, result.guesses, result.round.player)

    def refereed(self, target: str, guesses: Sequence[str], player: str = "") -> Round:
        """The round that a player of the pit played; its referee refuses a guess with capitals."""
        words = self.words(len(target))
        said = [words.enter(guess) if guess == guess.lower() else guess for guess in guesses]
        played = refereed_round(words.enter(target), said, words, self.game)
        played.player = player
        return played

    def words(self, length: int, wider: bool = False) -> WordList:
        """The words of a length, with the targets and weights that were asked for, or all as targets."""
        wider = wider and self.own.targets is None
        key = length, wider, ""
        if key not in self._words:
            lists = lists_of(self.own, silent=True, targets=ALL, without=None) if wider else self.lists
            (self._words[key],) = lists.words([length], self.game, ASKED)
        return self._words[key]

    def reviews(
        self, rounds: list[Round], seconds: float | None, *, every: bool = False
    ) -> tuple[list[Any], WordList]:
        """The reviews of rounds of one length, and the words that they refer to; `every`: or an error."""
        from gpulingo.positions.rounds import every_review, reviewed

        device_for(self.own.device, "review")
        run, done = Run("review", self.own.time), 0
        with run.bar(len(rounds), lines=len(rounds) > 1) as bar:

            def often(count: int) -> bool:
                nonlocal done
                if done and run.over:
                    so_far = f"after {done:,} of {len(rounds):,} rounds"
                    tell(f"the time is up {so_far}: --time was too short for all")
                    return False
                bar.reach(done)
                done = min(done + count, len(rounds))  # some rounds are reviewed twice
                return True

            return (every_review if every else reviewed)(self, rounds, often=often, seconds=seconds)

    def read_all(self, items: Iterable[tuple[int, T]], read: Callable[[T], Round | None]) -> None:
        """Add the rounds of some items; None for an item without one."""
        for number, item in items:
            try:
                played = read(item)
            except (RoundError, WordListError) as error:
                self.unread[number] = worded(error)
                continue
            if played is not None:
                played.line = number
                self.rounds.append(played)

    def show(self, name: str, given: int, seconds: float | None, **more: Any) -> int:
        """Review the rounds, print their means by player, with `more` as JSON; return the exit code. `name`
        says what a number counts of those `given`.
        """
        (reviewed, source), as_json = self._reviewed(seconds), self.own.as_json
        unread, players = sorted(self.unread), dict[str, list[Review]]()
        for line in unread[:TOLD]:
            tell(f"{name} {line}: {self.unread[line]}")
        for review in reviewed:
            players.setdefault(review.played.player, []).append(review)
        for place, (player, rounds) in enumerate(players.items()):
            if as_json:
                entry = review_text.summary_entry(rounds, unread) | ({"player": player} if player else {})
                print(line_of("review", entry | {"list": source, **more}))
            else:
                print("\n" if place else "", end="")
                print_means(rounds, source)
        if as_json and not reviewed:
            print(line_of("review", review_text.summary_entry([], unread) | more))
        if unread:
            tell(review_text.unread_text(unread, given))
        return 0 if reviewed else FAILED

    def _reviewed(self, seconds: float | None) -> tuple[list[Review], str]:
        """Return the reviews of the rounds in the order of their lines, and the origin of their words."""
        reviews, sources = list[Review](), dict[str, None]()
        for length in sorted({played.length for played in self.rounds}):
            rounds = [played for played in self.rounds if played.length == length]
            try:
                answers, words = self.reviews(rounds, seconds)
            except WordListError as error:
                self.unread |= {played.line: worded(error) for played in rounds}
                continue
            tell_strange(self, rounds, words, many=True)
            sources[list_text(words)] = None
            for played, answer in zip(rounds, answers, strict=True):
                if isinstance(answer, Review):
                    reviews.append(answer)
                elif answer is not None:
                    self.unread[played.line] = worded(answer)
        return sorted(reviews, key=lambda review: review.played.line), ", ".join(sources)


def print_round(adviser: Asked, played: Sequence[str]) -> None:
    args, several = adviser.own, adviser.game.boards > 1
    if several:
        from gpulingo.positions.boards import SEARCH, reviewed

        given, targets = (text.replace(",", " ").split() for text in (args.words, args.target))
        text = adviser.text(played)
        device_for(args.device, "review")
        try:
            review = reviewed(adviser, text, given, targets, SEARCH if args.exact is None else args.exact)
        except (RoundError, NotationError) as error:
            raise UsageError(worded(error)) from None
        words = adviser.words(len(review.turns[0].guess))
    else:
        (review,), words = adviser.reviews([adviser.given(played)], args.exact, every=True)
    if args.as_json:
        print(line_of("review", review_text.judged_entry(review, words)))
        return
    print(f"{review.game.code}, {size_text(words.length, review.game)}, {list_text(words)}")
    rows = review_text.turn_rows(review)
    names = [name for name in rows[0] if not (several and name in BY_TURN)]
    print_rows([{name: row[name] for name in names} for row in rows], left=review_text.TURN_TEXTS)
    sentences = review_text.review_sentences(review)
    if not several:
        judged = review_text.verdict(review, words.targets)
        sentences += ["", *review_text.verdict_lines(review, judged)]
    print("", *sentences, sep="\n")


def print_file(adviser: Asked, path: Path) -> int:
    """Review the rounds of a file, print their means; return the exit code, 1 if none could be read."""
    with wrong_usage("--file"):
        text = text_bytes(path, remedy="give a file with one round per line").decode()
    lines, name = text.splitlines(), adviser.own.player_name
    refuse({
        f"--file {path} has {len(lines):,} lines, expected at most {MOST_LINES:,}: split it":
            len(lines) > MOST_LINES,
        f"--file {path} is empty: give a file with one round per line": not lines,
    })  # fmt: skip
    if rounds := transcribed([*map(joined, lines)], adviser.game):
        items = ((line, (target, guesses)) for line, target, guesses in rounds)
        adviser.read_all(items, lambda row: adviser.refereed(*row))
    else:
        adviser.read_all(enumerate(lines, 1), adviser.line)
    if name is not None:
        named = ", ".join(dict.fromkeys(one.player for one in adviser.rounds if one.player)) or "none"
        adviser.rounds = [played for played in adviser.rounds if played.player == name]
        refuse({f"--player-name {name}: {path} has no round by it; players: {named}": not adviser.rounds})
    return adviser.show(f"{path} line", len(lines), adviser.own.exact)


def print_player(adviser: Asked) -> int:
    """Let a program play, review its rounds and print their means; return the exit code."""
    args, run, ends = adviser.own, Run("review", adviser.own.time), dict[Planned, RoundResult]()
    check_marks(adviser.game, "--player")
    players, listed = found_players([str(args.player)], None), adviser.words(args.length or 5)
    most = listed.target_count if args.all_words else args.rounds or 100
    words = drawn_words(listed, most, args.seed)
    match = Match(players, [listed], [words], adviser.game, drawn=True, listings=adviser.lists.read)
    with match_setup(match, cwd=None, timeout=args.timeout, logged=False, tell=tell) as setup:
        play(match, ends, LineFile(None, FORM), setup, MatchOptions(jobs=args.jobs), run)
    run.finish(f"after {len(ends):,} of {counted(len(words), 'round')}")
    results = match.ordered(ends)
    if note := failure_note(results):
        tell(f"{note}; the turns that it did not use are passes")
    failed, seconds = sum(bool(end.fault) for end in results), SECONDS if args.exact is None else args.exact
    items = ((n, (end.round.word, end.guesses, end.round.player)) for n, end in enumerate(results, 1))
    adviser.read_all(items, lambda row: adviser.refereed(*row))
    code = adviser.show("round", len(results), seconds, failed=failed)
    return FAILED if failed == len(results) else code


def print_means(reviewed: Sequence[Review], source: str) -> None:
    entry, player = review_text.summary(reviewed), reviewed[0].played.player
    open_, kinds = entry["states"]["open"], review_text.exact_text(entry["known"])
    more = f"; {open_:,} not over, which count as what was expected then" if open_ else ""
    by = f" by {player}" if player else ""
    print(f"{counted(len(reviewed), 'round')} of {reviewed[0].game.code}{by}, {source}{more}")
    print_rows(review_text.mean_rows(entry), left=["value"])
    if rows := review_text.opening_rows(entry):
        print()
        print_rows(rows, left=["opening"])
    print(f"\n{counted(sum(entry['known'].values()), 'guess')}: {kinds}")
    print_rows(review_text.worst_rows(entry["worst"]), left=["guess", "best", "after"])
    if kinds != "all exact":
        print(UNPROVEN)
    passes = [sum(turn.guess.startswith(PASS) for turn in review.turns) for review in reviewed]
    if rounds := sum(map(bool, passes)):
        what = "guesses that the referee refused, or turns that the player did not use"
        print(f"{PASS}: {sum(passes):,} {what}, in {counted(rounds, 'round')}")
