"""Lines of a conversation about a guess, the words left and a word that the list lacks."""

from __future__ import annotations

from types import ModuleType

from gpulingo.advice.answer import SHOWN
from gpulingo.advice.outlook import measure, parted
from gpulingo.advice.proposals import Proposal
from gpulingo.games.catalogue import guessed
from gpulingo.games.game import Game
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList


def expectation(proposal: Proposal, left: list[str], turn: int, *, game: Game, rule: ModuleType) -> list[str]:
    """The outlook of a guess, as lines.

    Args:
        left: words that fit. turn: of the guess. rule: of what a guess shows.
    """
    guess, own, noun = proposal.guess, proposal.outlook, guessed(game)[0]
    classes, largest = parted(rule, guess, left)
    made = f"{counted(classes, 'class')} of the {counted(len(left), noun)} left"
    itself = f"it can be the {noun} itself" if guess in left else "it is not among them"
    lines = [f"{guess} makes {made}, the largest of {largest:,}; {itself}."]
    if own is not None:
        better = "; proven best" if own.exact else ", or better"
        lines.append(f"Expected: {own.expected(game):.3f} {measure(game)}{better}.")
        chances = list(enumerate(own.chances(), 1))[turn - 1 :]
        by_turn = ", ".join(f"{100 * chance:.1f} % by turn {at}" for at, chance in chances)
        lines.append(f"Chance to find the {noun}: {by_turn}.")
    how = proposal.how.partition(": ")[0]
    return [*lines, f"Found {how}."] if how else lines


def words_line(left: list[str], most: int = SHOWN, noun: str = "word") -> str:
    """The number of words left, or of what a noun calls them, and the first of them.

    >>> words_line(["dents", "dozes", "reads"], 2)
    '3 words left: dents dozes .. and 1 more (words all)'
    """
    more = f" .. and {len(left) - most:,} more ({noun}s all)" if len(left) > most else ""
    return f"{counted(len(left), noun)} left: {' '.join(left[:most])}{more}"


def lacking(word: str, words: WordList, game: Game) -> list[str]:
    """The ways to add a word that the list or its targets lack."""
    if word not in words:
        noun, signs = guessed(game)
        what = f"{word} is not among the {len(words):,} {noun}s of {words.length} {signs} in {words.source}"
        return [f"{what}: to teach it, add it to a file of words and give that by --wordlist."]
    if word not in words.targets:
        return [f"{word} is not among the targets, {words.targets_source}: --targets all takes every word."]
    return []
