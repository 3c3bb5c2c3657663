"""Proof that a tree does what it claims: every word of the list is played by the reference rule alone.

It uses no kernel and no tensor, so that errors in these cannot hide.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpulingo.games.catalogue import feedback_of, forbidding
from gpulingo.storage.faults import MAKE_AGAIN
from gpulingo.trees.checkpoint import CheckpointError, check_fits
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree, check_nodes
from gpulingo.words.listing import WordList


def verify(tree: Tree, wordlist: WordList) -> list[int]:
    r"""Replay a tree against every word of its list.

    Returns:
        For every word of the list the turn on which it is found, 0 = lost.
    Raises:
        CheckpointError: the tree is of another list; it has no guess for some marks, or a word is not found
            on its turn (the first such word is named); its game does not allow a guess after the
            others; or the header has other mean points.

    >>> from gpulingo import parse, simulate
    >>> words = parse("dents\ndozes\nreads").of_length(5)
    >>> verify(simulate(words).tree, words)
    [1, 2, 2]
    """
    check_fits(tree, wordlist)
    try:
        check_nodes(tree)
    except ValueError as broken:
        raise CheckpointError(f"this tree {broken}", MAKE_AGAIN) from None
    words, known = wordlist.words, set[int]()
    said, names = tree.found_turns(), guess_names(tree.game, words)
    if max(tree.guess) >= len(names):
        raise CheckpointError(f"this tree has guesses outside a list of {tree.words} words", MAKE_AGAIN)
    played, counts = list[int](), [0] * (tree.turns + 1)
    for index in range(len(words)) if wordlist.target_ids is None else wordlist.target_ids:
        target = words[index]
        turn = found_turn(tree, names, target, known)
        if turn != said[index]:
            ends = [f"found on turn {number}" if number else "lost" for number in (turn, said[index])]
            raise CheckpointError(f"{target} is {ends[0]}, the tree says {ends[1]}", MAKE_AGAIN)
        played.append(turn)
        counts[turn] += 1 if tree.weights is None else tree.weights[index]
    points = tree.game.mean_points(counts[1:], sum(counts))
    if points != tree.mean_points:
        what = f"the rounds played give {points} mean points, the header says {tree.mean_points}"
        raise CheckpointError(what, MAKE_AGAIN)
    return played


def found_turn(tree: Tree, names: Sequence[str], target: str, known: set[int]) -> int:
    """Return the turn on which the tree finds a word, 0 = lost. Each guess on the way must be legal; that of
    a node among the known ones is, and the others become known.
    """
    node, rule, left, history = tree.root(target), feedback_of(tree.game), tree.turns, list[tuple[str, str]]()
    if node is None:
        raise CheckpointError(f"{target}: no first guess where {target[0]} is given", MAKE_AGAIN)
    while True:
        guess, turn = names[tree.guess[node]], tree.turns + 1 - left
        before = None if node in known else forbidding(tree.game, history, guess)
        if before:
            what = f"{guess} on turn {turn} is not allowed in {tree.game.code} after {' '.join(before)}"
            raise CheckpointError(what, MAKE_AGAIN)
        known.add(node)
        if guess == target:
            return turn
        marks = rule.feedback(guess, target)
        history.append((guess, marks))
        pattern = rule.pattern(marks)
        left = tree.game.left_after(left, pattern)
        if not left:
            return 0
        child = tree.child(node, pattern)
        if child is None:
            raise CheckpointError(f"{target}: no guess follows {guess} {marks} on turn {turn}", MAKE_AGAIN)
        node = child
