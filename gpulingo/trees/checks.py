"""Whether the arrays of a tree belong together: levels, counts, ranges, order.

What needs the words, that the children of a node are the marks its words really give, is verify's business.
"""

from __future__ import annotations

from itertools import compress, islice
from operator import le

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from gpulingo.trees.tree import Tree


def check_counts(tree: Tree) -> None:
    """Check that the levels hold all nodes and that the header tells what they give.

    Args:
        tree: its arrays have the documented types and sizes, its header fields are in range.
    Raises:
        ValueError: what is wrong, to be read after the name of the tree.
    """
    counts = tree.turn_counts()
    if sum(counts) > tree.words:
        raise ValueError(f"finds {sum(counts)} words in a list of {tree.words}")
    if tree.mean_points != tree.counted_points():
        raise ValueError(f"says {tree.mean_points} mean points, its nodes give {tree.counted_points()}")


def check_nodes(tree: Tree) -> None:
    """Check ranges and order of every node, as far as that needs no words.

    Args:
        tree: one that `check_counts` passes.
    Raises:
        ValueError: what is wrong, to be read after the name of the tree.
    """
    sizes = [len(tree.guess), len(tree.pattern), len(tree.first) - 1, len(tree.hit)]
    if min(sizes) < 1 or min(sizes) < max(sizes):
        raise ValueError(f"has {sizes} guesses, patterns, children and hits, expected as many of each")
    guess, first, pattern = list(tree.guess), list(tree.first), list(tree.pattern)
    if min(guess) < 0 or max(guess) >= tree.words:
        raise ValueError(f"has guesses outside a list of {tree.words} words")
    if first != sorted(first):
        raise ValueError("has children out of order")
    if pattern[0] != -1 or min(pattern[1:], default=0) < 0 or max(pattern) > 3**tree.length - 2:
        raise ValueError(f"has patterns that {tree.length} letters do not have")
    # Falling patterns are allowed only where another node's children begin.
    falls = compress(range(2, len(pattern)), map(le, islice(pattern, 2, None), islice(pattern, 1, None)))
    if not set(falls).issubset(first):
        raise ValueError("has children of one node out of order")
    hits = list(compress(guess, tree.hit))
    if len(set(hits)) != len(hits):
        raise ValueError("finds a word twice")
    if not set(tree.hit) <= {0, 1}:
        raise ValueError("has hits that are not 0 or 1")
