"""The player's search when no checkpoint fits: the whole vocabulary on every turn, from the history alone."""

from __future__ import annotations

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError, fault, pattern
from gpulingo.strategies.registry import Strategy, named
from gpulingo.tensors.device import backend_of, find_device
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import WordList


class Searcher:
    """Chooses the next guess of a round.

    Args:
        wordlist: words of one length.
        device: auto, cpu, cuda or cuda:1.
        strategy: how guesses are chosen; `parts` when not given.
        game: its number of turns; five when not given.
    Raises:
        DeviceError: the device is not there.
    """

    def __init__(
        self,
        wordlist: WordList,
        device: str = "auto",
        strategy: Strategy | None = None,
        game: Game | None = None,
    ) -> None:
        self.wordlist = wordlist
        self.strategy = strategy or named("parts")
        self.game = game or lingo()
        self.table = encode(wordlist.words).to(find_device(device))

    def guess(self, history: list[tuple[str, str]]) -> str:
        """The next guess after a history of guesses and marks.

        Raises:
            ValueError: marks of another length or with other characters.
            ContradictionError: no word fits the marks.
            UnknownWordError: a guess of the history is not in the list.
        """
        members = self.table.targets
        for guess, marks in history:
            if wrong := fault(marks, self.wordlist.length):
                raise ValueError(wrong)
            paired = torch.full_like(members, self.wordlist.index(guess))
            members = members[
                backend_of(self.table.device).paired_patterns(self.table, paired, members) == pattern(marks)
            ]
            if members.shape[0] == 0:
                raise ContradictionError(f"no word fits the marks {marks} of {guess} and those before it")
        left = max(1, self.game.turns - len(history))
        return self.wordlist[int(self.strategy.choose(self.table, frontier([members]), left).guesses[0])]
