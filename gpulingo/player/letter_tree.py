"""Letters by a decision tree: what it guesses of a word that is shown in part."""

from __future__ import annotations

from gpulingo.games import positions
from gpulingo.trees.kept import kept_trees
from gpulingo.trees.text import guess_names

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpulingo.games.game import Game
    from gpulingo.player.guesser import Choose
    from gpulingo.trees.tree import Tree
    from gpulingo.words.wordlist import WordList


def kept_choice(words: WordList, game: Game, complain: Callable[[str], None]) -> Choose | None:
    """What the best tree that is kept for a list and a game chooses; None where there is none.

    Args:
        complain: takes a line on each that cannot be used.
    """
    trees, faults = kept_trees(words, game, thorough=False)
    for fault in faults:
        complain(fault)
    best = next(iter(trees.values()), None)
    if best is None:
        return None
    names = guess_names(game, words.words)
    return lambda shown, missed: letter_of(best, names, shown, missed)


def letter_of(tree: Tree, names: Sequence[str], shown: str, missed: str) -> str:
    """The letter that a tree guesses; nothing where it leads no further.

    Where one word is left, which the tree names, it is the first of its letters that is not shown.

    Args:
        names: the text of every guess, as `guess_names`.
        shown: the word as far as it is shown, as `_i__`. missed: letters that it does not hold.
    """
    node: int | None = 0
    while node is not None:
        number = tree.guess[node]
        if number >= len(names):
            return ""
        if number < tree.words:
            return next((letter for letter in names[number] if letter not in shown + missed), "")
        letter = names[number]
        if letter not in shown and letter not in missed:
            return letter
        node = tree.child(node, positions.pattern(positions.feedback(letter, shown)))
    return ""
