"""What a match of hangman says: words won, misses, by length, and what players cost and broke."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gpulingo.games.game import Game
from gpulingo.match.rounds import Result


@dataclass(frozen=True)
class Tally:
    """Some words of one player.

    Attributes:
        words: how many. misses: `misses[m]` of them were won with m misses. lives: misses that lose a word.
    """

    words: int
    misses: tuple[int, ...]
    lives: int

    @property
    def won(self) -> int:
        """Words that were won."""
        return sum(self.misses)

    @property
    def lost(self) -> int:
        """Words that were not."""
        return self.words - self.won

    @property
    def share(self) -> float:
        """Of the words that were won."""
        return self.won / self.words

    @property
    def mean_misses(self) -> float:
        """Misses of a word; a lost one, also by a player that gave up or broke, has all that lose it."""
        missed = sum(misses * count for misses, count in enumerate(self.misses))
        return (missed + self.lives * self.lost) / self.words


@dataclass(frozen=True)
class LetterStanding:
    """One player in a match of hangman.

    Attributes:
        player: its command. game: that was played.
        results: its rounds, one or more, each word once.
    """

    player: str
    game: Game
    results: tuple[Result, ...]

    @cached_property
    def total(self) -> Tally:
        """All words."""
        return tally(self.results, self.game)

    @cached_property
    def by_length(self) -> Mapping[int, Tally]:
        """Length -> the words of so many letters, by ascending length."""
        rows: dict[int, list[Result]] = {}
        for result in self.results:
            rows.setdefault(len(result.round.word), []).append(result)
        return {length: tally(rows[length], self.game) for length in sorted(rows)}

    @property
    def rate(self) -> float:
        """Words a second of the time that the player had, its starts included."""
        seconds = sum(result.wall for result in self.results)
        return len(self.results) / seconds if seconds else 0.0

    @property
    def cpu(self) -> float:
        """Seconds of CPU of all rounds."""
        return sum(result.cpu for result in self.results)

    @property
    def slowest(self) -> float:
        """Seconds of the longest round."""
        return max(result.wall for result in self.results)

    @property
    def median(self) -> float:
        """Seconds of a round, the median."""
        return statistics.median(result.wall for result in self.results)

    def count(self, fault: str) -> int:
        """Rounds with a fault."""
        return sum(result.fault == fault for result in self.results)

    @property
    def gave_up(self) -> int:
        """Rounds that the player ended itself before they were over."""
        return sum(bool(result.error) and not result.fault for result in self.results)

    @property
    def repeated(self) -> int:
        """Guesses of letters that were guessed before."""
        return sum(result.invalid for result in self.results)


def misses_of(result: Result) -> int:
    """Misses of a round: guesses of letters that the word does not hold, or that were guessed before."""
    guesses = result.guesses
    return sum(
        letter not in result.round.word or letter in guesses[:number] for number, letter in enumerate(guesses)
    )


def tally(results: Iterable[Result], game: Game) -> Tally:
    """The sums of some rounds of a player."""
    counts, words = [0] * game.turns, 0
    for result in results:
        words += 1
        if result.points:
            counts[misses_of(result)] += 1
    return Tally(words, tuple(counts), game.turns)


def letter_standings(results: Iterable[Result], players: Sequence[str], game: Game) -> list[LetterStanding]:
    """Sum up a match, the player of most words won first, of equal ones that of fewest misses.

    Args:
        results: of any rounds of these players, at most one for a player and a word.
        players: those that stand in it, in the order in which equal ones are told; without a result, a player
            is left out.
        game: that was played.
    """
    own: dict[str, list[Result]] = {player: [] for player in players}
    for result in results:
        own[result.round.player].append(result)
    standings = [LetterStanding(player, game, tuple(rows)) for player, rows in own.items() if rows]
    return sorted(standings, key=lambda standing: (-standing.total.share, standing.total.mean_misses))
