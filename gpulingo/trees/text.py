"""A decision tree as lines of text; the caller decides how many lines to show, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gpulingo.games.catalogue import feedback_of, lettered
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.storage.faults import refuse
from gpulingo.trees.tree import Tree, check_counts, check_nodes
from gpulingo.words.letters import in_order, leave
from gpulingo.words.wordlist import UnknownWordError, WordList


def guess_names(game: Game, words: Sequence[str]) -> Sequence[str]:
    """Return the text of every guess of a game over a list: its words, then letters if these are guessed.

    >>> from gpulingo.games.catalogue import hangman
    >>> guess_names(hangman(), ["cab"])
    ['cab', 'a', 'b', 'c']
    """
    return words if not game.guesses_letters else [*words, *in_order(set().union(*words))]


def guess_index(guess: str, words: WordList, game: Game) -> int:
    """Return the index of a guess among `guess_names`."""
    if not game.guesses_letters:
        return words.index(guess)
    letters, guess = guess_names(game, words.words)[len(words) :], words.enter(guess)
    if guess not in letters:
        raise UnknownWordError(f"{guess[:40]!r} is not a letter of the list: use one of {''.join(letters)}")
    return len(words) + letters.index(guess)


def fixed_guesses(texts: Sequence[str], words: WordList, game: Game, count: int = 1) -> list[int]:
    """Return the indices of the first guesses of every round; ValueError: the game has no `count` of them."""
    guesses, count = [guess_index(text, words, game) for text in texts], max(count, len(texts))
    fixed = game.legal == "any" or game.since > count  # whether marks do not restrict them
    most = game.turns - 1 if fixed and not (game.given or game.guesses_letters) else 1
    refuse({
        f"{', '.join(texts)}: a guess comes twice, name another": len({*guesses}) < len(guesses),
        f"{count} fixed guesses, {game.code} allows {most}: name fewer": count > max(1, most),
    }, ValueError)  # fmt: skip
    return guesses


def opening_text(tree: Tree, words: Sequence[str]) -> str:
    """Return the first guess of a tree; `by letter` if it differs by the given letter."""
    names = guess_names(tree.game, words)
    (opening, *others) = {names[guess] for guess in tree.guess[: tree.roots]}
    return "by letter" if others else opening


def found_roots(tree: Tree, letter: str = "") -> Sequence[int]:
    """Return the nodes at which a round may begin: all roots, or that of the given first letter."""
    if not letter:
        return range(tree.roots)
    if not tree.game.given:
        raise ValueError(f"no letter is given in {tree.game.code}: leave it out")
    root = tree.root(letter) if len(letter) == 1 else None
    if root is None:
        raise ValueError(f"no target begins with {letter!r}: use the first letter of one")
    return [root]


def found_node(tree: Tree, words: Sequence[str], history: Sequence[tuple[str, str]], letter: str = "") -> int:
    node, *others = found_roots(tree, letter)
    if others:
        raise ValueError(f"{tree.game.code} has first guesses by letter: name the letter too")
    rule, names, turns = feedback_of(tree.game), guess_names(tree.game, words), tree.node_turns()
    for turn, (guess, row) in enumerate(history, 1):
        ours = names[tree.guess[node]]
        if guess != ours:
            what = f"the guess of turn {turn} is {ours} in this tree"
            raise ValueError(f"{what}, the history has {guess}: use {ours}")
        if wrong := rule.fault(row, tree.length):
            raise ValueError(wrong)
        pattern = rule.pattern(row)
        if not tree.game.left_after(tree.turns + 1 - turns[node], pattern):
            what = f"history has {len(history)} rounds"
            raise ValueError(f"{what}, no guess follows turn {tree.turns}: use fewer")
        child = tree.child(node, pattern)
        if child is None:
            if pattern == rule.solved(tree.length):
                raise ValueError(f"turn {turn} finds {guess}: no guess follows")
            what = f"no word fits the marks {lettered(tree.game, row)} of {guess}"
            raise ContradictionError(f"{what} on turn {turn}: check the history")
        node = child
    return node


def words_below(tree: Tree) -> list[int]:
    """Return [M]: for every node the words found there and below, or their weight."""
    counts = [int(hit) for hit in tree.hit]
    if tree.weights is not None:
        counts = [hit * tree.weights[word] for hit, word in zip(counts, tree.guess, strict=True)]
    first = tree.first
    for node in range(len(tree) - 1, -1, -1):
        counts[node] += sum(counts[first[node] : first[node + 1]])
    return counts


def tree_nodes(
    tree: Tree, words: Sequence[str], history: Sequence[tuple[str, str]] = (), letter: str = "",
    turns: int | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the nodes of a tree or branch for JSON, each before those below it; see `tree_lines`."""
    check_counts(tree)  # because nodes that lead to each other's children would have no end
    check_nodes(tree)
    starts = [found_node(tree, words, history, letter)] if history else found_roots(tree, letter)
    below, marks, names = words_below(tree), feedback_of(tree.game).marks, guess_names(tree.game, words)

    def branch(node: int, path: list[str], left: int) -> Iterator[dict[str, Any]]:
        guess = leave(names[tree.guess[node]])
        yield {"history": path, "guess": guess, "words": below[node]}
        for child in range(tree.first[node], tree.first[node + 1]) if left > 1 else ():
            row = lettered(tree.game, marks(int(tree.pattern[child]), tree.length))
            yield from branch(child, [*path, f"{guess}:{row}"], left - 1)

    path = [f"{leave(guess)}:{lettered(tree.game, row)}" for guess, row in history]
    deep = len(tree) if turns is None else turns
    rows = list[dict[str, Any]]()
    for start in starts:
        first = {"letter": leave(tree.letter(start))} if tree.game.given else {}
        rows += [first | row for row in branch(start, path, deep)]
    return rows


def tree_lines(
    tree: Tree,
    words: Sequence[str],
    *,
    history: Sequence[tuple[str, str]] = (),
    letter: str = "",
    turns: int | None = None,
    limit: int | None = None,
) -> list[str]:
    r"""Return the tree, or the branch after a history, as lines of text.

    The first line is the guess; below it, indented by two spaces, a line per child: marks, guess,
    and in brackets the number of words found there and below, or their weight. If the first letter
    is given, each letter has such a first line, which begins with it.

    Args:
        tree: to show.
        words: of its list.
        history: guesses with marks that lead to the branch. letter: first letter, in games that give it.
        turns: how many turns of the branch to show; None: all.
        limit: most lines; one more line counts those left out.
    Raises:
        ValueError: not a tree, or not one with that history. ContradictionError: no word fits its marks.

    >>> from gpulingo import parse, simulate
    >>> words = parse("dents\ndozes\nreads").of_length(5)
    >>> print(*tree_lines(simulate(words).tree, words), sep="\n")
    dents (3)
      YGBBG reads (1)
      GYBBG dozes (1)
    """
    nodes, lines = tree_nodes(tree, words, history, letter, turns), list[str]()
    for node in nodes[:limit]:
        depth = len(node["history"]) - len(history)
        first = "" if history or "letter" not in node else f"{node['letter']}: "
        head = node["history"][-1].rpartition(":")[2] + " " if depth else first
        lines.append(f"{'  ' * depth}{head}{node['guess']} ({node['words']})")
    if len(lines) < len(nodes):
        lines.append(f"... {len(nodes) - len(lines)} more lines")
    return lines
