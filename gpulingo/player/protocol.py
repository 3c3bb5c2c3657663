"""The pit's protocol: guesses as lines on stdout, marks as lines on stdin, complaints on stderr.

One process plays one round. How it guesses is the player's business.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gpulingo.games.catalogue import DRAWN, repeats_colours, usual_targets
from gpulingo.games.game import Game
from gpulingo.games.rules import UsageError
from gpulingo.player.arguments import Arguments, given_letter, parsed_arguments
from gpulingo.player.player import Search, WordPlayer
from gpulingo.storage.files import SHORT
from gpulingo.trees.checkpoint import BEST, CheckpointError, check_fits, read_checkpoint, stored_trees
from gpulingo.trees.tree import Tree
from gpulingo.words.letters import leave
from gpulingo.words.listing import Listing, MissingListError, WordList, WordListError, find_listing

if TYPE_CHECKING:  # 4 ms of a round of the pit, which hosts nobody
    from random import Random

    from gpulingo.hosts.host import Host, MakeKeep


WRONG, FAILED = 2, 1


def exit_code(
    work: Callable[[], int],
    complain: Callable[[str], None],
    *,
    named: bool,  # the list; one that the folder should have is no fault of the command
    gone: int = 0,  # the code where nobody reads on
    what: str = "a guess",  # is written
) -> int:
    """Return the exit code of a command, or of the error that ends it, which is reported in one line."""
    try:
        return work()
    except UsageError as error:
        complain(str(error))
        return WRONG
    except MissingListError as error:
        complain(f"--wordlist: {error}" if named else str(error))
        return WRONG if named else FAILED
    except WordListError as error:
        complain(str(error))
    except BrokenPipeError:
        return gone
    except OSError as error:
        complain(f"cannot write {what}: {error.strerror}")
    return FAILED


def names_list(words: Sequence[str]) -> bool:
    """Return True if arguments name a list."""
    return any(word == "-w" or word.partition("=")[0] == "--wordlist" for word in words)


def run(words: list[str], load_engine: Callable[[], Any], load_host: MakeKeep | None = None) -> int:
    """Play one round on the pipes of this process; the exit code."""

    def work() -> int:
        arguments = parsed_arguments(words)
        if arguments.hosted:
            from gpulingo.hosts.host import host_round  # not worth a file to a round of the pit

            host = seated_host(arguments, load_host)
            return host_round(host, read_line, write_line, complain, tell=arguments.tell)
        if arguments.letters:
            from gpulingo.player.guesser import run_letters

            run_letters(arguments, read_line, write_line, complain)
        else:
            play(seated(arguments, load_engine), read_line, write_line)
        return 0

    return exit_code(work, complain, named=names_list(words))


def play(player: WordPlayer, read: Callable[[], str], write: Callable[[str], None]) -> None:
    """Play one round: until all letters are placed, the turns are over or the input ends."""
    for _ in range(player.game.turns):
        write(player.choose())
        try:
            marks = read()
        except EOFError:
            return
        if player.learn(marks):
            return


def named_listing(arguments: Arguments, game: Game) -> Listing:
    """The list that the arguments name."""
    own = arguments
    return find_listing(own.length, own.wordlist, repeats_colours(game), own.colours, own.same)


def seated(arguments: Arguments, load_engine: Callable[[], Any]) -> WordPlayer:
    """The player that the arguments ask for."""
    game = arguments.played()
    listing = named_listing(arguments, game)
    letter = given_letter(arguments.letter, game, arguments.same)
    length, targets = arguments.length, arguments.targets
    if targets is None and not listing.data:  # the embedded list
        targets = usual_targets(game)
    limited = None if targets is None else with_named_targets(listing.of_length(length), targets)
    if arguments.without is not None:
        limited = without_past(limited or listing.of_length(length), arguments.without)
    if listing.loss:
        complain(listing.loss)
    words = limited or listing.of_length(length)

    name = arguments.strategy
    strategy = None if name is None or name == BEST else named_strategy(name, words, game, load_engine())
    searching = arguments.search or strategy is not None
    tree = None if searching else fitting_tree(words, game, arguments.checkpoint, complain)

    def search(wordlist: WordList) -> Search:
        found: Search = load_engine().Searcher(wordlist, arguments.device, strategy, game, letter)
        return found

    player = WordPlayer(words, complain, game, tree=tree, search=search, letter=letter)
    if letter and player.node is None and not any(word[0] == letter for word in words.targets):
        raise UsageError(f"--letter {letter}: no target begins with it: give the first letter of one")
    return player


def seated_host(arguments: Arguments, exact: MakeKeep | None = None, draw: Random | None = None) -> Host:
    """The host that the arguments ask for."""
    from gpulingo.hosts.host import KEEPS, Host, largest
    from gpulingo.words.targets import drawn

    game, name, seed = arguments.played(), arguments.host, arguments.seed or 0
    if name == "exact" and exact is None:
        raise UsageError(f"--host {name} cannot be played here: use {' or '.join(KEEPS)}")
    listing = named_listing(arguments, game)
    if game.guesses_letters and name == "honest":
        listing = listing.with_signs()
    listing.of_length(arguments.length)  # that it lacks the length is no fault of the targets
    if listing.loss:
        complain(listing.loss)
    try:
        words = drawn(listing, arguments.length, arguments.targets, usual_targets(game, DRAWN))
    except WordListError as error:
        raise UsageError(f"--targets: {error}") from None
    words = without_past(words, arguments.without)
    if game.opponent == "largest":
        return Host(words, game, largest)
    if game.opponent == "adversary":
        from gpulingo.hosts.host import WorstCase  # imports random

        return Host(words, game, WorstCase(words, game, seed).hardest)
    if draw is None:
        import random

        draw = random.Random(seed)
    keep = exact(words) if exact and name == "exact" else KEEPS[name]
    return Host(words, game, keep, draw)


def with_named_targets(wordlist: WordList, name: str | Listing) -> WordList:
    """The same words with the named targets; for `name` see `Targets`."""
    from gpulingo.words.targets import Targets  # not worth a file to other rounds

    try:
        targets = Targets(name)
    except MissingListError as error:
        raise UsageError(f"--targets: {error}") from None
    try:
        return targets.of(wordlist)
    except WordListError as error:
        raise UsageError(f"--targets: {error}") from None


def without_past(words: WordList, name: str | Listing | None) -> WordList:
    """The same words without past answers as targets; for `name` see `left_out`."""
    if name is None:
        return words
    from gpulingo.words.targets import left_out  # not worth a file to other rounds

    try:
        return left_out(words, name)
    except WordListError as error:
        raise UsageError(f"--without: {error}") from None


def named_strategy(name: str, wordlist: WordList, game: Game, engine: Any) -> Any:
    """The strategy of that name."""
    try:
        return engine.named(name, wordlist=wordlist, game=game, report=complain)
    except ValueError as error:
        raise UsageError(f"--strategy: {error}") from None


def fitting_tree(
    words: WordList, game: Game, checkpoint: str | None, complain: Callable[[str], None]
) -> Tree | None:
    """The tree of the named checkpoint, or the best stored one of the list; None if no tree fits."""
    if checkpoint:
        return named_tree(words, game, checkpoint, complain)
    trees, faults = stored_trees(words, game, thorough=False)
    best = next(iter(trees), None)
    instead = f"following {best} instead" if best else "searching instead"
    for fault in faults:
        complain(f"{fault}; {instead}")
    if not trees and not faults:
        seen = f"list {words.fingerprint[:SHORT]} and {game.code}"
        complain(f"no checkpoint fits {seen}; searching on every turn")
    return trees[best] if best else None


def named_tree(words: WordList, game: Game, path: str, complain: Callable[[str], None]) -> Tree | None:
    """The tree of a checkpoint, if it is whole and fits."""
    try:
        tree = read_checkpoint(path, thorough=False)
        check_fits(tree, words)
    except CheckpointError as error:
        complain(f"{error}; searching instead")
        return None
    if tree.game != game:
        complain(f"checkpoint {path} is for {tree.game.code}, not {game.code}; searching instead")
        return None
    return tree


def read_line() -> str:
    """The next line of stdin without its end."""
    line = sys.stdin.buffer.readline() if sys.stdin else b""
    if not line:
        raise EOFError
    return line.decode(errors="replace").rstrip("\r\n")


def write_line(text: str) -> None:
    """Send one line to stdout at once; no buffer is left to fail when the process ends."""
    os.write(1, f"{leave(text)}\n".encode(errors="replace"))  # a path may hold what is no text


def complain(text: str) -> None:
    """Tell one line on stderr, if there is anyone to tell."""
    try:
        os.write(2, f"gpulingo: {leave(text)}\n".encode(errors="replace"))
    except OSError:
        pass
