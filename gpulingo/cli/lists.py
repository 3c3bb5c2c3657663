"""The lists of a command, and the checkpoint that a user names by its file or by the length of its words.

Skipped words of a list are reported on stderr, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from gpulingo.cli.errors import tell
from gpulingo.cli.options import WHERE_GIVEN, Stored, chosen_game, parsed_lengths
from gpulingo.cli.wording import options_of, worded
from gpulingo.games.catalogue import LINGO, guessed, repeats_colours
from gpulingo.games.game import Game
from gpulingo.player.question import PLAIN, ListNames, Lists
from gpulingo.storage.faults import REPLACE_BOOK, Fault, UsageError, refuse
from gpulingo.storage.files import BOOK, file_name
from gpulingo.trees.book import read_trees
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint
from gpulingo.trees.stored import none_stored, stored_trees
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import EMBEDDED_NAME, EMBEDDED_VERSION, Listing, colours_of, numbers_text
from gpulingo.words.shown import counted
from gpulingo.words.targets import BY_LEVEL, NAMES
from gpulingo.words.wordlist import WordList


def lists_of(args: object, *, silent: bool = False, **instead: Any) -> Lists:
    """Return the lists of a group of options; what they leave out is reported; `instead`: of options."""

    def told(listing: Listing, only: int | None) -> None:
        listing.scanned(only)
        tell_note(listing)

    names = replace(names_of(args), **instead)
    return Lists(names) if silent else Lists(names, told)


def names_of(args: object) -> ListNames:
    """The lists that options name; one that the command lacks is as usual."""
    given: dict[str, Any] = {attr.name: getattr(args, attr.name, attr.default) for attr in fields(ListNames)}
    given |= {name: str(value) for name, value in given.items() if isinstance(value, Path)}
    return ListNames(**given)


def tell_note(listing: Listing) -> None:
    if listing.note:
        tell(f"{listing.source}: {listing.note}")


def files_of(lists: Sequence[WordList]) -> list[Path]:
    named = {words.targets_source for words in lists} - {*NAMES}
    named |= {words.weights_source for words in lists} - {BY_LEVEL} | {words.source for words in lists}
    return [path for path in map(Path, named - {""}) if path.is_file()]


def sources_text(lists: Iterable[WordList]) -> str:
    """Return the list of each length: `wordlist4.txt (4), embedded list (5-13)`; a single name alone."""
    lengths, targets = dict[str, list[int]](), ""
    for words in lists:
        lengths.setdefault(words.source, []).append(words.length)
        targets = list_text(words).removeprefix(words.source) or targets
    if len(lengths) == 1:
        return next(iter(lengths)) + targets
    return ", ".join(f"{name} ({numbers_text(served)})" for name, served in lengths.items()) + targets


def list_text(words: WordList) -> str:
    """Return the sources of the words of a length: `pool.txt`, or `pool.txt; targets: targets.txt`.

    The source of the targets is left out if all words are, that of their weights if all are 1.
    """
    sources = {"targets": words.targets_source, "weights": words.weights_source}
    return words.source + "".join(f"; {name}: {source}" for name, source in sources.items() if source)


def size_text(length: int, game: Game) -> str:
    """Return the size of a word: `5 letters`, or `4 pegs`."""
    return counted(length, "letter" if repeats_colours(game) is None else "peg")


def count_text(words: WordList, game: Game) -> str:
    """Return the number of targets: `2,664 words of 5 letters`, or `1,296 codes of 4 pegs`."""
    return f"{words.target_count:,} {guessed(game)[0]}s of {size_text(words.length, game)}"


def list_entry(words: WordList) -> dict[str, Any]:
    """Return the sources of the words of a length, with counts, for a JSON object."""
    entry: dict[str, Any] = {"list": words.source}
    if words.source == EMBEDDED_NAME:
        entry["list_version"] = EMBEDDED_VERSION
    if words.targets_source:
        entry |= {"targets": words.targets_source, "pool": len(words)}
    return entry | ({"weights": words.weights_source, "weight": words.total_weight} if words.weights else {})


def list_head(words: WordList) -> dict[str, Any]:
    """Return the size of a list, its sources and its fingerprint, for a JSON object."""
    head = {"length": words.length, "words": words.target_count, **list_entry(words)}
    return head | {"fingerprint": words.fingerprint}


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
    checkpoint, rule, weights = stored.checkpoint, stored.rule, stored.weights
    wanted = chosen_game(stored.game or LINGO, rule=rule, gives=gives)
    if checkpoint.isascii() and checkpoint.isdigit():
        numbers = parsed_lengths(checkpoint, "checkpoint")
        words = lists_of(stored).words(numbers, wanted)[0]
        best = best_stored_tree(words, wanted)
        if best is None:
            raise UsageError(none_stored(words, wanted, instead="a file"))
        return *best, words
    path = Path(checkpoint)
    if not path.is_file():
        raise UsageError(f"no checkpoint at {path}: name a file that `gpulingo simulate --save` wrote")
    is_book = path.name.endswith(BOOK)
    tree = read_trees(path, among=(), thorough=False)[0] if is_book else read_checkpoint(path)
    if tree.game.given and not gives:
        raise UsageError(f"{checkpoint} is of {tree.game.code}, which gives the first letter: {WHERE_GIVEN}")
    if stored.game is not None or rule:
        game, fits, given = tree.game, wanted.rule == tree.game.rule, options_of(wanted.rule)
        if stored.game is not None:
            fits, given = wanted.name == game.name, f"--game {stored.game}"
            fits = fits and (wanted.turns == game.turns or not stored.game[-1].isdigit())
        refuse({f"{given}: {checkpoint} is of {game.code}: leave it out": not fits})
    colours, repeated = None, repeats_colours(tree.game)
    if repeated is not None and stored.wordlist is None:
        colours = colours_of(tree.words, tree.length, repeated=repeated)
    game = PLAIN if repeated is None and tree.targets == tree.words else tree.game
    (words,) = lists_of(stored, colours=colours).words([tree.length], game)
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
