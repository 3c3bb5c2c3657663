"""Words become tensors: a strategy evaluator and optimiser for word-guessing games.

Importing it loads nothing else: a public name loads its module when it is first used.
"""

PUBLIC = {
    "Game": "gpulingo.games.game",
    "Searcher": "gpulingo.strategies.history",
    "Tree": "gpulingo.trees.tree",
    "build": "gpulingo.strategies.build",
    "embedded": "gpulingo.words.listing",
    "encode": "gpulingo.tensors.wordtable",
    "feedback": "gpulingo.games.marks",
    "find_game": "gpulingo.games.catalogue",
    "lingo": "gpulingo.games.catalogue",
    "find": "gpulingo.words.listing",
    "marks": "gpulingo.games.marks",
    "named": "gpulingo.strategies.registry",
    "parse": "gpulingo.words.listing",
    "pattern": "gpulingo.games.marks",
    "patterns": "gpulingo.tensors.feedback",
    "read": "gpulingo.words.listing",
    "read_checkpoint": "gpulingo.trees.checkpoint",
    "simulate": "gpulingo.strategies.build",
    "tree_lines": "gpulingo.trees.text",
    "verify": "gpulingo.trees.verify",
    "write_checkpoint": "gpulingo.trees.checkpoint",
}

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:  # the same names for type checkers, which cannot follow the table
    from gpulingo.games.catalogue import find_game as find_game
    from gpulingo.games.catalogue import lingo as lingo
    from gpulingo.games.game import Game as Game
    from gpulingo.games.marks import feedback as feedback
    from gpulingo.games.marks import marks as marks
    from gpulingo.games.marks import pattern as pattern
    from gpulingo.strategies.build import build as build
    from gpulingo.strategies.build import simulate as simulate
    from gpulingo.strategies.history import Searcher as Searcher
    from gpulingo.strategies.registry import named as named
    from gpulingo.tensors.feedback import patterns as patterns
    from gpulingo.tensors.wordtable import encode as encode
    from gpulingo.trees.checkpoint import read_checkpoint as read_checkpoint
    from gpulingo.trees.checkpoint import write_checkpoint as write_checkpoint
    from gpulingo.trees.text import tree_lines as tree_lines
    from gpulingo.trees.tree import Tree as Tree
    from gpulingo.trees.verify import verify as verify
    from gpulingo.words.listing import embedded as embedded
    from gpulingo.words.listing import find as find
    from gpulingo.words.listing import parse as parse
    from gpulingo.words.listing import read as read
else:

    def __getattr__(name: str) -> object:
        """Load a public name from its module."""
        if name not in PUBLIC:
            raise AttributeError(f"module 'gpulingo' has no attribute {name!r}: it has {', '.join(PUBLIC)}")
        from importlib import import_module

        return getattr(import_module(PUBLIC[name]), name)


def __dir__() -> list[str]:
    """The public names beside the module's own."""
    return sorted([*globals(), *PUBLIC])
