"""A question about a round: the words, the game, what was played, and the limits of an answer.

The command line parses to it; Python callers and the page construct it. Names allowed in it are here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gpulingo.games.catalogue import DRAWN, repeats_colours, usual_targets
from gpulingo.games.game import Game
from gpulingo.storage.faults import UsageError, meant
from gpulingo.words.listing import Listing, MissingListError, WordList, WordListError, find_listing

OBJECTIVES = ("parts", "entropy", "expected_size", "largest_class", "points")
RIVALS = ("edc65", "confusion", "confusion_full", "histogram", "statistician", "distinct")
NAMES = (*OBJECTIVES, "plain_parts", *RIVALS, "letters", "random")
OF_LETTERS = ("quiz", "frequency", "rollout")
WITH_LETTERS = (  # strategies that guess letters
    *OF_LETTERS,
    "parts",
    "entropy",
    "expected_size",
    "largest_class",
)
SOLVED = "solve"  # strategy in the header of a tree of `gpulingo solve`; as a name it means the best tree
TUNED = "tuned"  # not in NAMES, because it exists only for a tuned list
DEVICES = ("auto", "cpu", "cuda")
MOST_TOP, MOST_SECONDS = 1000, 86400.0
USUAL_LENGTH, USUAL_PEGS = 5, 4
LONGEST = 99  # letters of a word that is guessed letter by letter


def unknown_device(name: str) -> str:
    """Return the message for an unknown device."""
    near = meant(name, DEVICES, least=0.7)  # 0.7, so that gpu does not suggest cpu
    return f"device {name!r} is unknown: {near}use {', '.join(DEVICES)} or cuda:1"


@dataclass(frozen=True, slots=True)
class ListNames:
    """Origin of words: paths, levels, or listings; None: the default."""

    wordlist: str | Listing | None = None
    targets: str | Listing | None = None
    without: str | Listing | None = None
    weights: str | None = None
    same: str = ""
    colours: int | None = None

    def listing(self, length: int, game: Game) -> Listing:
        """Return the list that has the words of a length."""
        named = MissingListError if self.wordlist is not None else ()  # others should be in the folder
        with at_fault("wordlist", named):
            return find_listing(length, self.wordlist, repeats_colours(game), self.colours, self.same)

    def limited(self, words: WordList, usual: str | None) -> WordList:
        """Return the same words with the named targets, or the usual ones, without past answers."""
        targets = usual if self.targets is None else self.targets
        if targets is not None:
            from gpulingo.words.targets import Targets  # here: other rounds do not need it

            with at_fault("targets", MissingListError):  # a list that is damaged says so itself
                named = Targets(targets)
            with at_fault("targets"):
                words = named.of(words)
        return self.unanswered(words)

    def unanswered(self, words: WordList) -> WordList:
        """Return the same words without past answers as targets."""
        if self.without is None:
            return words
        from gpulingo.words.targets import left_out  # here: other rounds do not need it

        with at_fault("without"):
            return left_out(words, self.without)

    def drawn(self, listing: Listing, length: int, game: Game) -> WordList:
        """Return the words of a length with the targets from which a host draws one."""
        from gpulingo.words.targets import drawn

        with at_fault("targets"):
            words = drawn(listing, length, self.targets, usual_targets(game, DRAWN))
        return self.unanswered(words)

    def weighed(self, words: WordList) -> WordList:
        """Return the same words with the named weights."""
        if self.weights is None:
            return words
        from gpulingo.words.targets import Weights  # here: others do not need it

        with at_fault("weights"):
            return Weights(self.weights).of(words)


@contextmanager
def at_fault(field: str, kind: type[Exception] | tuple[()] = WordListError) -> Iterator[None]:
    """Report errors of a kind inside as the fault of a field of a question."""
    try:
        yield
    except kind as error:
        raise UsageError(error, kind="field", field=field) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of an answer."""

    seconds: float = 2.0  # of a search
    device: str = "auto"
    top: int | None = None  # number of guesses; None: 10, or one from a stored tree
    trees: bool = True  # whether stored trees are followed
    unfit: bool = False  # whether vulgar words are among the guesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a round."""

    game: Game
    words: ListNames = ListNames()
    length: int = 0  # letters of the word; 0: from the history, or the default
    letter: str = ""  # first letter of the word, in games that give it; empty until it is known
    history: Sequence[str] = ()  # guesses with their marks as written, crane:BYBBG
    limits: Limits = Limits()
