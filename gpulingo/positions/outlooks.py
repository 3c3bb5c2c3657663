"""The best guesses of a position, and what each leads to; how they are searched is in `outlook_search`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from itertools import product

from gpulingo.advice.outlook import Alike, GuessStats
from gpulingo.games.game import Game
from gpulingo.optimise.every_guess import Deadline
from gpulingo.positions.host_outlooks import HostSearch
from gpulingo.positions.outlook_search import HOPELESS, Progress, Search
from gpulingo.positions.strangers import position_of
from gpulingo.strategies.strategy import Position
from gpulingo.tensors.device import DeviceError
from gpulingo.tensors.threads import one_each
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList

__all__ = ["DeviceError", "outlooks"]
WARM = 5.0  # seconds that the search of a few words may take, at most; it takes some hundredths


def outlooks(
    words: WordList,
    game: Game,
    history: Sequence[tuple[str, str]],
    *,
    letter: str = "",
    count: int = 10,
    seconds: float = 2.0,
    device: str = "auto",
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> tuple[list[GuessStats], str]:
    """Return the best guesses after a history, and how they were found.

    Args:
        words: that may be guessed, with targets and weights.
        history: guesses, words of the list or others, and their marks, that some target fits and that leave a
            turn.
        letter: that the target begins with, where the game gives it.
        count: guesses.
        seconds: that the search may take, what is loaded and compiled not counted; as many guesses as are
            wanted are rolled out whatever that takes.
        device: where to compute.
        progress: called now and then with the same of the best so far.
        stop: set by another thread to end the search soon.
    Returns:
        The best first, one of those that a symmetry maps to each other; best play after one whose `exact` is
            not set may do better than it says. None where the search was stopped before the first was rolled
            out.
    Raises:
        ValueError: a guess that the game does not allow after those before it.
        DeviceError: no such device.
    """
    with one_each():
        position = position_of(words, game, history, letter, device)
        hopeless = int(position.frontier.sizes_here[0]) > HOPELESS
        _load(game, device, words.weights is not None, 0 if hopeless else WARM)
        deadline = Deadline(seconds, stop)
        alike = Alike(words, game, history)
        search = _search(position, guess_names(game, words.words), count, deadline, progress, alike)
        search.run()
        return search.answer()


def _search(
    position: Position,
    names: Sequence[str],
    count: int,
    deadline: Deadline,
    progress: Progress | None = None,
    alike: Alike | None = None,
) -> Search:
    """Return the search of a position: against chance or a host."""
    made = Search if position.game.opponent == "chance" else HostSearch
    return made(position, names, count, deadline, progress, alike)


@cache
def _load(game: Game, device: str, weighed: bool, seconds: float) -> None:
    """Load what computes, kernels too, by a search of a few words for so long: that is not searching."""
    words = WordList("warm", ["".join(letters) for letters in product("abc", repeat=3)])
    words = words.with_weights(dict.fromkeys(words.words, 2)) if weighed else words
    position = position_of(words, game, [], "a" if game.given else "", device)
    _search(position, guess_names(game, words.words), 3, Deadline(seconds)).run()
