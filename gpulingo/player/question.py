"""A question about a round: the words, the game, what was played, and the limits of an answer; who plays it.

The command line parses to it; Python callers and the page construct it. Names allowed in it are here too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gpulingo.games import marks
from gpulingo.games.catalogue import COMPUTED, DRAWN, lingo, repeats_colours, usual_targets
from gpulingo.games.game import Game
from gpulingo.player.player import WordPlayer
from gpulingo.storage.faults import Complain, Fault, FieldError, UsageError, meant, reported
from gpulingo.storage.files import SHORT
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint
from gpulingo.trees.stored import stored_trees
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import Listing, MissingListError, WordList, WordListError, find_listing, read

if TYPE_CHECKING:  # a round of the pit needs none of them
    from random import Random

    from gpulingo.hosts.host import Host, MakeKeep
    from gpulingo.player.guesser import Followed, Guesser, QuizRule
    from gpulingo.words.targets import Weights

OBJECTIVES = ("parts", "entropy", "expected_size", "largest_class", "points")
NAMES = (*OBJECTIVES, "plain_parts", "histogram", "statistician", "distinct", "letters", "random")
OF_LETTERS = ("quiz", "frequency", "rollout")
WITH_LETTERS = (*OF_LETTERS, *OBJECTIVES[:-1])  # strategies that guess letters, which score no points
SOLVED = "solve"  # strategy in the header of a tree of `gpulingo solve`; as a name it means the best tree
TUNED = "tuned"  # not in NAMES, because it exists only for a tuned list
DEVICES = ("auto", "cpu", "cuda")
MOST_TOP, MOST_SECONDS = 1000, 86400.0
USUAL_LENGTH, USUAL_PEGS = 5, 4
LONGEST = 99  # letters of a word that is guessed letter by letter
PLAIN = lingo()  # a game of words, any of which may be the target


class DeviceError(Fault):
    """A device that does not exist.

    >>> from gpulingo.tensors.device import find_device
    >>> find_device("gpu")
    Traceback (most recent call last):
    gpulingo.player.question.DeviceError: ...
    """


def unknown_device(name: str) -> str:
    near = meant(name, DEVICES, least=0.7)  # 0.7, so that gpu does not suggest cpu
    return f"device {name!r} is unknown: {near}use {', '.join(DEVICES)} or cuda:1"


@dataclass(frozen=True, slots=True)
class ListNames:
    """Origin of words: paths, levels, or listings; None: the default."""

    wordlist: str | Listing | None = None
    targets: str | Listing | None = None
    without: str | Listing | None = None
    weights: str | Weights | None = None
    same: str = ""
    colours: int | None = None

    def listing(self, length: int, game: Game) -> Listing:
        """Return the list that has the words of a length."""
        repeated, field = repeats_colours(game), "wordlist"
        kind: Any = () if self.wordlist is None else MissingListError  # others should be in the folder
        if self.wordlist is None and repeated is not None:
            field, kind = "colours" if self.colours else "length", WordListError
        with at_fault(field, kind), at_fault("same", UsageError):
            return find_listing(length, self.wordlist, repeated, self.colours, self.same)

    def opened(self) -> ListNames:
        """Return the same lists, the named files read."""
        from gpulingo.words.targets import Targets, Weights  # here: other rounds do not need it

        readers: dict[str, tuple[type[Exception], Callable[[str], Any]]] = {
            "wordlist": (MissingListError, read),
            "targets": (MissingListError, lambda name: Targets(name).listing or name),
            "without": (WordListError, read),
            "weights": (WordListError, Weights),
        }
        made = dict[str, Any]()
        for names, (kind, reader) in readers.items():
            if isinstance(name := getattr(self, names), str):
                with at_fault(names, kind):
                    made[names] = reader(name)
        return replace(self, **made)

    def limited(self, words: WordList, listing: Listing, game: Game, purpose: str = COMPUTED) -> WordList:
        """Return words of a listing with the named targets, or a game's usual ones, without past answers."""
        usual = None if listing.data else usual_targets(game, purpose)
        targets = usual if self.targets is None else self.targets
        if targets is not None:
            from gpulingo.words.targets import Targets  # here: other rounds do not need it

            with at_fault("targets", MissingListError):  # other errors name the file themselves
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
            weights = Weights(self.weights) if isinstance(self.weights, str) else self.weights
            return weights.of(words)


class Lists:
    """The lists that are named, each read once.

    Args:
        told: called with each list that is read, and with its only length that is needed, or None.
    Attributes:
        read: by their source.
    """

    def __init__(
        self, names: ListNames, told: Callable[[Listing, int | None], object] = lambda listing, only: None
    ) -> None:
        self.names, self._told = names, told
        self.read = dict[str, Listing]()
        self._of_length = dict[int, WordList]()

    def listing(self, length: int, game: Game = PLAIN, *, alone: bool = False) -> Listing:
        """Return the list for a length, one object for each file; `alone`: no other length is needed."""
        names, is_of_words = self.names, repeats_colours(game) is None
        if names.colours is not None and (is_of_words or names.wordlist is not None):
            what = "a game of words" if is_of_words else f"the list {names.wordlist}"
            raise FieldError(f"{names.colours} with {what}: leave it out", "colours")
        listing = self.read.get(str(names.wordlist)) or names.listing(length, game)
        if listing.source not in self.read:
            self.read[listing.source] = listing
            self._told(listing, length if alone else None)
        return self.read[listing.source]

    @cached_property
    def opened(self) -> ListNames:
        """The same without a list of words; files of targets and of weights are read once for all lengths."""
        names = replace(self.names, wordlist=None).opened()
        if isinstance(names.targets, Listing):
            self._told(names.targets, None)
        return names

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths that have words, ascending."""
        numbers = range(1, marks.LONGEST + 1) if self.names.wordlist is None else ()
        alone = [length for length in numbers if os.path.lexists(f"wordlist{length}.txt")]
        shared = self.listing(next(length for length in range(1, marks.LONGEST + 2) if length not in alone))
        lengths = sorted({*alone, *(length for length in shared.lengths() if length <= marks.LONGEST)})
        if not lengths:
            fault = f"no words of 1 to {marks.LONGEST} letters in {shared.source}"
            raise WordListError(f"{fault}: use another list")
        return lengths

    def of_length(self, length: int) -> WordList:
        """Return the words of a length, with the targets that the file names."""
        if length not in self._of_length:
            self._of_length[length] = self.listing(length).of_length(length)
        return self._of_length[length]

    def of_game(self, length: int, game: Game) -> WordList:
        """Return the words of a length with the named targets, or a game's usual ones."""
        return self.opened.limited(self.of_length(length), self.listing(length), game)

    def every(self, game: Game = PLAIN) -> list[WordList]:
        """Return `of_game` for every length that has targets, ascending."""
        from gpulingo.words.targets import Targets, usual_of

        every = list[WordList]()
        for length in self.lengths:
            targets = self.opened.targets or usual_of(self.listing(length), game, COMPUTED)
            if targets is None or Targets(targets).has(self.of_length(length)):
                every.append(self.of_game(length, game))
        return every

    def words(self, lengths: Collection[int], game: Game = PLAIN, purpose: str = COMPUTED) -> list[WordList]:
        """Return the words of every length, with the usual targets of a game if none are named."""
        listings = {length: self.listing(length, game, alone=len(lengths) == 1) for length in lengths}
        whole = [(listing.of_length(length), listing) for length, listing in listings.items()]
        limited = [self.opened.limited(words, listing, game, purpose) for words, listing in whole]
        return [self.opened.weighed(words) for words in limited]

    def drawn(self, length: int, game: Game) -> WordList:
        """Return the words of a length with the targets from which a host draws one."""
        self.of_length(length)  # a missing length is not a fault of the targets
        return self.names.drawn(self.listing(length), length, game)


@contextmanager
def at_fault(field: str, kind: type[Exception] | tuple[()] = WordListError) -> Iterator[None]:
    """Report errors of a kind inside as the fault of a field of a question."""
    try:
        yield
    except kind as error:
        raise FieldError(error, field) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of an answer."""

    seconds: float = 2.0  # of a search
    device: str = "auto"
    top: int | None = None  # number of guesses; None: 10, or one from a stored tree
    trees: bool = True  # whether stored trees are followed
    unfit: bool = False  # whether vulgar words are among the guesses
    listed: bool = False  # whether an object in JSON has all possible answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a round."""

    game: Game
    words: ListNames = ListNames()
    length: int = 0  # letters of the word; 0: from the history, or the default
    letter: str = ""  # first letter of the word, in games that give it; empty until it is known
    parts: tuple[str, ...] = ()  # guesses with their marks, as they are written
    limits: Limits = Limits()


def word_player(
    question: Question,
    load_engine: Callable[[], Any],
    complain: Complain,
    strategy: str | None = None,  # to search every turn
    checkpoint: str | None = None,  # to follow instead of the best stored tree
) -> WordPlayer:
    """Return the player of words for a question."""
    game, letter, lists = question.game, question.letter, question.words
    listing = lists.listing(question.length, game)
    if listing.remark:
        complain(listing.remark)
    words = lists.limited(listing.of_length(question.length), listing, game)
    searcher = None if strategy is None else named_strategy(strategy, words, game, load_engine(), complain)
    tree = None
    if strategy is None and question.limits.trees and checkpoint:
        tree = named_tree(words, game, checkpoint, complain)
    elif strategy is None and question.limits.trees:
        trees, faults = stored_trees(words, game, thorough=False)
        best = next(iter(trees), None)
        for fault in faults:
            complain(Fault(fault, f"following {best} instead" if best else "searching instead"))
        if not trees and not faults:
            what = f"list {words.fingerprint[:SHORT]} and {game.code}"
            complain(f"no checkpoint fits {what}; searching on every turn")
        tree = trees[best] if best else None

    def search(words: WordList) -> Any:
        return load_engine().Searcher(words, question.limits.device, searcher, game, letter)

    player = WordPlayer(words, complain, game, tree=tree, search=search, letter=letter)
    if letter and player.node is None:
        check_letter(letter, words.targets)
    return player


def check_letter(letter: str, targets: list[str]) -> None:
    """Check that a target begins with the given letter."""
    if letter and not any(word[0] == letter for word in targets):
        what = "no target begins with it: give the first letter of one"
        raise FieldError(what, f"letter {letter}")


def named_strategy(name: str, wordlist: WordList, game: Game, engine: Any, complain: Complain) -> Any:
    """Return the strategy of a name; errors are reported as usage errors."""
    with at_fault("strategy", ValueError):
        return engine.named(name, wordlist=wordlist, game=game, report=complain)


def named_tree(words: WordList, game: Game, path: str, complain: Complain) -> Tree | None:
    """Return the tree of a checkpoint, if it is sound and fits."""
    try:
        tree = read_checkpoint(path, thorough=False)
        check_fits(tree, words)
    except CheckpointError as error:
        complain(Fault(error, "searching instead"))
        return None
    if tree.game != game:
        complain(f"checkpoint {path} is for {tree.game.code}, not {game.code}; searching instead")
        return None
    return tree


def letter_player(question: Question, complain: Complain, *, loop: bool = False) -> Guesser:
    """Return the guesser of letters for a question: it follows a stored tree, or the rule."""
    from gpulingo.player.guesser import Guesser, QuizRule

    game, lists = question.game, question.words
    if lists.wordlist is not None:
        lists.listing(0, game)  # reports an unreadable list at once

    def rule_of(form: str) -> QuizRule:
        listing = lists.listing(len(form), game)
        try:
            return QuizRule(listing.of_outline(form).words)
        except WordListError:  # no word of that outline
            text = "".join(filter(str.isalpha, "".join(listing.with_signs().words)))
        return QuizRule([], "".join(sorted({*text}, key=lambda letter: (-text.count(letter), letter))))

    def tree_of(form: str) -> Followed | None:
        try:
            words = lists.listing(len(form), game).of_outline(form)
        except WordListError:  # no word of that length
            return None
        trees = reported(stored_trees(words, game, thorough=False), complain)
        return next(iter(trees.values()), None), guess_names(game, words.words)

    return Guesser(rule_of, game, complain, tree_of, lists.same, loop)


def host_of(
    question: Question,
    complain: Complain,
    name: str,  # one of KEEPS, or exact, if the game leaves a choice
    exact: MakeKeep,  # maker of the perfect cheating host
    seed: int = 0,
    draw: Random | None = None,
) -> Host:
    """Return the host for a question."""
    from random import Random

    from gpulingo.hosts.host import KEEPS, BoardsHost, Host, WorstCase, check_boards, largest

    game, lists = question.game, question.words
    listing = lists.listing(question.length, game)
    if game.guesses_letters and name == "honest":
        listing = listing.with_signs()
    listing.of_length(question.length)  # a missing length is not a fault of the targets
    if listing.remark:
        complain(listing.remark)
    words = lists.drawn(listing, question.length, game)
    if game.boards > 1:
        check_boards(game, words)
        return BoardsHost(words, game, draw or Random(seed))
    cheats = {"largest": largest, "adversary": WorstCase(words, game, seed).hardest}
    if game.opponent in cheats:
        return Host(words, game, cheats[game.opponent])
    return Host(words, game, exact(words) if name == "exact" else KEEPS[name], draw or Random(seed))
