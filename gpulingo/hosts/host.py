"""A host of one round, who has no word in mind: after each guess some class of the candidates is kept.

Where the class that takes most guesses is to be kept, `worst_case` says which; who asks is left to `session`.
"""

from __future__ import annotations

from gpulingo.games.catalogue import feedback_of, forbidding

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from gpulingo.games.game import Game
    from gpulingo.words.wordlist import WordList

    Classes = dict[str, list[str]]
RULES = {"hard": "does not use every hint so far", "consistent": "does not fit all marks so far"}


def classes_of(rule: ModuleType, guess: str, candidates: list[str]) -> Classes:
    """Marks -> the candidates that a guess would show them of.

    >>> from gpulingo.games import marks
    >>> classes_of(marks, "dozes", ["dents", "reads", "zones"])
    {'OXX?O': ['dents'], '?XX?O': ['reads'], 'XO?OO': ['zones']}
    """
    classes: Classes = {}
    for candidate in candidates:
        classes.setdefault(rule.feedback(guess, candidate), []).append(candidate)
    return classes


def tie_key(rule: ModuleType, marks: str) -> tuple[int, int, int]:
    """What classes of as many words are kept by, the least first: placed, misplaced, pattern."""
    return marks.count("O"), marks.count("?"), rule.pattern(marks)


def largest(rule: ModuleType, classes: Classes) -> str:
    """The marks of the largest class; of equal ones those of fewest letters placed, then of fewest misplaced.

    >>> from gpulingo.games import marks
    >>> largest(marks, {"OXX": ["abc"], "XX?": ["xya"], "X?X": ["bxx"]})
    'XX?'
    """
    return min(classes, key=lambda marks: (-len(classes[marks]), *tie_key(rule, marks)))


class Host:
    """A round.

    Args:
        words: what may be guessed, and the targets among them.
        game: its rules.
        hardest: chooses where the game's opponent is an adversary: of the classes, and of the guesses and
            marks that led to them, the last with no marks yet.
    Attributes:
        left: the candidates. history: guesses and marks so far. found: whether the last guess was the word.
    """

    def __init__(
        self,
        words: WordList,
        game: Game,
        hardest: Callable[[Classes, list[tuple[str, str]]], str] | None = None,
    ) -> None:
        self.words, self.game, self.rule, self._hardest = words, game, feedback_of(game), hardest
        self.left = words.targets
        self.history: list[tuple[str, str]] = []
        self.found = False

    def fault(self, guess: str) -> str:
        """Why a word may not be guessed, in one line; empty where it may."""
        length = self.words.length
        if len(guess) != length:
            return f"{guess[:40]!r} has {len(guess)} letters, expected {length}"
        if guess not in self.words:
            return f"{guess!r} is not among the {len(self.words):,} words that may be guessed"
        if before := forbidding(self.game, self.history, guess):
            return f"{guess!r} {RULES[self.game.legal]}: {' showed '.join(before)}"
        return ""

    def answer(self, guess: str) -> str:
        """The marks of a guess that has no fault; the candidates that are left are those of its class."""
        classes = classes_of(self.rule, guess, self.left)
        if self._hardest is None or len(classes) == 1:
            marks = largest(self.rule, classes)
        else:
            marks = self._hardest(classes, [*self.history, (guess, "")])
        self.left, self.found = classes[marks], self.rule.pattern(marks) == self.rule.solved(len(guess))
        self.history.append((guess, marks))
        return marks
