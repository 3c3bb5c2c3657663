"""What a conversation tells of a guess, of the words left and of a word that the list lacks."""

from __future__ import annotations

from gpulingo.advice.answer import SHOWN
from gpulingo.advice.outlook import measure, parted
from gpulingo.words.shown import counted

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from types import ModuleType

    from gpulingo.advice.proposals import Proposal
    from gpulingo.games.game import Game
    from gpulingo.words.wordlist import WordList


def expectation(proposal: Proposal, left: list[str], turn: int, *, game: Game, rule: ModuleType) -> list[str]:
    """What a guess is expected to lead to.

    Args:
        left: words that fit. turn: of the guess. rule: of what a guess shows.
    """
    guess, own = proposal.guess, proposal.outlook
    classes, largest = parted(rule, guess, left)
    made = f"{counted(classes, 'class')} of the {counted(len(left), 'word')} left"
    itself = "it can be the word itself" if guess in left else "it is not among them"
    lines = [f"{guess} makes {made}, the largest of {largest:,}; {itself}."]
    if own is not None:
        better = "; nothing is better" if own.exact else ", or better"
        lines.append(f"Expected: {own.expected(game):.3f} {measure(game)}{better}.")
        chances = list(enumerate(own.chances(), 1))[turn - 1 :]
        by_turn = ", ".join(f"{100 * chance:.1f} % by turn {at}" for at, chance in chances)
        lines.append(f"Chance to find the word: {by_turn}.")
    how = proposal.how.partition(": ")[0]
    return [*lines, f"Found {how}."] if how else lines


def words_line(left: list[str], most: int = SHOWN) -> str:
    """How many words are left, and the first of them.

    >>> words_line(["dents", "dozes", "reads"], 2)
    '3 words left: dents dozes .. and 1 more (words all)'
    """
    more = f" .. and {len(left) - most:,} more (words all)" if len(left) > most else ""
    return f"{counted(len(left), 'word')} left: {' '.join(left[:most])}{more}"


def lacking(word: str, words: WordList) -> list[str]:
    """How a word can be added that is none of the list, or no target."""
    if word not in words:
        what = f"{word} is not among the {len(words):,} words of {words.length} letters in {words.source}"
        return [f"{what}: to teach it, add it to a file of words and give that by --wordlist."]
    if word not in words.targets:
        return [f"{word} is not among the targets, {words.targets_source}: --targets all takes every word."]
    return []
