"""Players and hosts for a question: a player of words, a guesser of letters, a host."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpulingo.games.catalogue import usual_targets
from gpulingo.games.game import Game
from gpulingo.player.player import GuessSearch, WordPlayer
from gpulingo.player.question import Question, at_fault
from gpulingo.storage.faults import Complain, Fault, UsageError
from gpulingo.storage.files import SHORT
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint, stored_trees
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList, WordListError

if TYPE_CHECKING:  # a round of the pit needs none of them
    from random import Random

    from gpulingo.hosts.host import Host, MakeKeep
    from gpulingo.player.guesser import Followed, Guesser, QuizRule


def seated(
    question: Question,
    load_engine: Callable[[], Any],
    complain: Complain,
    strategy: str | None = None,  # to search every turn
    checkpoint: str | None = None,  # to follow instead of the best stored tree
) -> WordPlayer:
    """Return the player of words for a question."""
    game, letter, lists = question.game, question.letter, question.words
    listing = lists.listing(question.length, game)
    if listing.loss:
        complain(listing.loss)
    words = lists.limited(listing.of_length(question.length), None if listing.data else usual_targets(game))
    searcher = None if strategy is None else named_strategy(strategy, words, game, load_engine(), complain)
    searching = strategy is not None or not question.limits.trees
    tree = None if searching else fitting_tree(words, game, checkpoint, complain)

    def search(wordlist: WordList) -> GuessSearch:
        found: GuessSearch = load_engine().Searcher(wordlist, question.limits.device, searcher, game, letter)
        return found

    player = WordPlayer(words, complain, game, tree=tree, search=search, letter=letter)
    if letter and player.node is None:
        check_letter(letter, words.targets)
    return player


def check_letter(letter: str, targets: list[str]) -> None:
    """Check that a target begins with the given letter."""
    if letter and not any(word[0] == letter for word in targets):
        seen = "no target begins with it: give the first letter of one"
        raise UsageError(seen, kind="field", field=f"letter {letter}")


def named_strategy(name: str, wordlist: WordList, game: Game, engine: Any, complain: Complain) -> Any:
    """Return the strategy of a name; errors are reported as usage errors."""
    with at_fault("strategy", ValueError):
        return engine.named(name, wordlist=wordlist, game=game, report=complain)


def fitting_tree(words: WordList, game: Game, checkpoint: str | None, complain: Complain) -> Tree | None:
    """Return the tree of the named checkpoint, or the best stored one of the list; None if no tree fits."""
    if checkpoint:
        return named_tree(words, game, checkpoint, complain)
    trees, faults = stored_trees(words, game, thorough=False)
    best = next(iter(trees), None)
    instead = f"following {best} instead" if best else "searching instead"
    for fault in faults:
        complain(Fault(fault, instead))
    if not trees and not faults:
        seen = f"list {words.fingerprint[:SHORT]} and {game.code}"
        complain(f"no checkpoint fits {seen}; searching on every turn")
    return trees[best] if best else None


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


def seated_guesser(question: Question, complain: Complain, *, loop: bool = False) -> Guesser:
    """Return the guesser of letters for a question: it follows a stored tree, or the rule."""
    from gpulingo.player.guesser import Guesser, QuizRule

    game, lists = question.game, question.words
    if lists.wordlist is not None:
        lists.listing(0, game)  # one that cannot be read is told at once

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
        trees, faults = stored_trees(words, game, thorough=False)
        for fault in faults:
            complain(fault)
        return next(iter(trees.values()), None), guess_names(game, words.words)

    return Guesser(rule_of, game, complain, tree_of, lists.same, loop)


def seated_host(
    question: Question,
    complain: Complain,
    name: str,  # one of KEEPS, if the game leaves a choice
    *,
    exact: MakeKeep | None = None,  # maker of the perfect cheating host, if requested
    seed: int = 0,
    draw: Random | None = None,
) -> Host:
    """Return the host for a question."""
    from random import Random

    from gpulingo.hosts.host import KEEPS, Host, WorstCase, largest

    game, lists = question.game, question.words
    listing = lists.listing(question.length, game)
    if game.guesses_letters and name == "honest":
        listing = listing.with_signs()
    listing.of_length(question.length)  # a missing length is not a fault of the targets
    if listing.loss:
        complain(listing.loss)
    words = lists.drawn(listing, question.length, game)
    if game.opponent == "largest":
        return Host(words, game, largest)
    if game.opponent == "adversary":
        return Host(words, game, WorstCase(words, game, seed).hardest)
    return Host(words, game, exact(words) if exact else KEEPS[name], draw or Random(seed))
