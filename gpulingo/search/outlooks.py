"""The best guesses of a position, and what each leads to; how they are searched is in `outlook_search`."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from gpulingo.advice.outlook import Outlook
from gpulingo.games.game import Game
from gpulingo.search.deadline import Deadline
from gpulingo.search.host_outlooks import HostSearch
from gpulingo.search.outlook_search import Progress, Search
from gpulingo.search.strangers import position_of
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank
from gpulingo.tensors.threads import one_each
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList


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
) -> tuple[list[Outlook], str]:
    """The best guesses after a history, and how they were found.

    Args:
        words: that may be guessed, with targets and weights.
        history: guesses, words of the list or others, and their marks, that some target fits and that leave
            a turn.
        letter: that the target begins with, where the game gives it.
        count: guesses.
        seconds: that the search may take, what is loaded and compiled not counted; the first guess is played
            out whatever that takes.
        device: where to compute.
        progress: told the same of the best so far, now and then.
        stop: set by another thread to end the search soon.
    Returns:
        The best first; those whose `exact` is set expect what they say, the others at least as much. None
        where the search was stopped before the first was played out.
    Raises:
        ValueError: a guess that the game does not allow after those before it. DeviceError: no such device.
    """
    with one_each():
        _load(device)
        deadline = Deadline(seconds, stop)
        position = position_of(words, game, history, letter, device)
        made = Search if game.opponent == "chance" else HostSearch
        search = made(position, guess_names(game, words.words), count, deadline, progress)
        search.run()
        return search.answer()


def _load(device: str) -> None:
    """Load what computes on a device, kernels too: that is not searching."""
    table = encode(["ab", "ba"]).to(find_device(device))
    rank(table, whole(table), table.pool, classes(2, 1))
