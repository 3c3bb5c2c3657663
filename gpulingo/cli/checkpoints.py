"""The checkpoint that a user names, by its file or by the length of its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpulingo.cli.errors import WrongUsage, tell
from gpulingo.cli.lists import found_lists, list_text
from gpulingo.cli.options import WHERE_GIVEN, Stored, chosen_game
from gpulingo.cli.parse import parsed_lengths
from gpulingo.cli.wording import options_of, worded
from gpulingo.games.catalogue import LINGO, repeats_colours
from gpulingo.games.game import Game
from gpulingo.storage.faults import REPLACE_BOOK, Fault
from gpulingo.storage.files import BOOK, file_name
from gpulingo.trees.book import read_trees
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint
from gpulingo.trees.stored import none_stored, stored_trees
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList, colours_of

FOLDER = Path("checkpoints")  # default folder of files made for a list


def checkpoint_path(folder: Path, words: WordList, game: Game) -> Path:
    return folder / file_name(game.code, words.length, words.fingerprint)


def best_stored_tree(words: WordList, game: Game) -> tuple[Path, Tree] | None:
    """Return path and tree of the best stored tree of a list; damaged ones are reported."""
    trees, faults = stored_trees(words, game)
    best = next(iter(trees), None)
    for fault in faults:
        tell(Fault(fault, f"{best} is used instead" if best else "no other is stored for this list"))
    return None if best is None else (Path(best), trees[best])


def opened(stored: Stored, *, gives: bool = True) -> tuple[Path, Tree, WordList]:
    """A checkpoint, its tree and the words it is for; by a length, that of the best stored tree.

    A file whose name is a number is ./5. A book gives the tree of its best opening.
    """
    checkpoint, rule, weights = stored.checkpoint, stored.hints.rule, stored.weights
    if checkpoint.isascii() and checkpoint.isdigit():
        rules = chosen_game(stored.game or LINGO, rule=rule, gives=gives)
        numbers = parsed_lengths(checkpoint, "checkpoint")
        words = found_lists(numbers, stored, rules)[0]
        best = best_stored_tree(words, rules)
        if best is None:
            raise WrongUsage(none_stored(words, rules, instead="a file"))
        return *best, words
    path = Path(checkpoint)
    if not path.is_file():
        raise WrongUsage(f"no checkpoint at {path}: name a file that `gpulingo simulate --save` wrote")
    is_book = path.name.endswith(BOOK)
    tree = read_trees(path, among=(), thorough=False)[0] if is_book else read_checkpoint(path)
    if tree.game.given and not gives:
        raise WrongUsage(f"{checkpoint} is of {tree.game.code}, which gives the first letter: {WHERE_GIVEN}")
    if stored.game is not None or rule:
        wanted, game = chosen_game(stored.game or LINGO, rule=rule, gives=gives), tree.game
        fits, given = wanted.rule == game.rule, options_of(wanted.rule)
        if stored.game is not None:
            fits, given = wanted.name == game.name, f"--game {stored.game}"
            fits = fits and (wanted.turns == game.turns or not stored.game[-1].isdigit())
        if not fits:
            raise WrongUsage(f"{given}: {checkpoint} is of {game.code}: leave it out")
    colours, repeated = None, repeats_colours(tree.game)
    if repeated is not None and stored.wordlist is None:
        colours = colours_of(tree.words, tree.length, repeated=repeated)
    usual = None if repeated is None and tree.targets == tree.words else tree.game
    words = found_lists([tree.length], stored, usual, colours=colours)[0]
    try:
        check_fits(tree, words)
        if weights is not None and words.weights is None and tree.weights is not None:
            raise CheckpointError(f"checkpoint has other weights than those of {weights}, which are all 1")
        if words.weights is None:
            words = words.weighed(tree.weights, "the checkpoint")
    except CheckpointError as error:
        if is_book and error.remedy:
            place: dict[str, Any] = {"game": tree.game, "length": tree.length, "folder": path.parent}
            error = CheckpointError(error.seen, REPLACE_BOOK, **place)
        named = "--wordlist" if tree.targets == tree.words else "--wordlist and its targets with --targets"
        fault = f"{worded(error)}, or name its list with {named} (read: {list_text(words)})"
        raise CheckpointError(fault) from None
    return path, tree, words
