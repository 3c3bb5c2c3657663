"""An honest host of Lingo or Wordle: the word is drawn before the first guess and kept."""

from __future__ import annotations

import random

from gpulingo.games.catalogue import feedback_of
from gpulingo.hosts.host import Host

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.hosts.host import Classes
    from gpulingo.words.wordlist import WordList


class HonestHost(Host):
    """A round whose word is drawn from the targets.

    Args:
        words: what may be guessed, and the targets among them. game: its rules. draw: draws the word.
    Attributes:
        word: that was drawn. Others: as of `Host`.
    """

    def __init__(self, words: WordList, game: Game, draw: random.Random) -> None:
        super().__init__(words, game, self._kept)
        self.word = draw.choice(words.targets)
        if game.given:
            self.left = [word for word in words.targets if word[0] == self.word[0]]

    def fault(self, guess: str) -> str:
        """Why a word may not be guessed, in one line; empty where it may."""
        if self.game.legal == "start" and len(guess) == self.words.length and guess[0] != self.word[0]:
            return f"{guess!r} does not begin with {self.word[0]}"
        return super().fault(guess)

    def _kept(self, classes: Classes, history: list[tuple[str, str]]) -> str:
        """The marks that the word drawn shows of the last guess."""
        return str(feedback_of(self.game).feedback(history[-1][0], self.word))
