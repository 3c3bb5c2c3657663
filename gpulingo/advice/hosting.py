"""A round against a host as a conversation: the user guesses words, the program marks them."""

from __future__ import annotations

from gpulingo.advice.told import words_line
from gpulingo.hosts.letter_session import words_text

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gpulingo.advice.paint import Paint
    from gpulingo.hosts.host import Host
MOST_LINE = 1000  # characters of a line that are looked at
COMMANDS = ("left", "help", "give up", "quit", "again")
OVER = "The round is over: again or quit."


class Hosted:
    """Rounds that a host marks: what words and letters have in common.

    Args:
        make_host: makes the host of each round. paint: how guesses are shown.
        tell: whether every answer says how many words are left.
    Attributes:
        host: of the round. over: whether it is. ended: whether the user has had enough.
    """

    def __init__(self, make_host: Callable[[], Any], paint: Paint, *, tell: bool = False) -> None:
        self._make_host, self.paint, self._tell = make_host, paint, tell
        self.host = make_host()
        self.over = self.ended = False

    def greeting(self) -> list[str]:
        """The first lines."""
        raise NotImplementedError

    def _help(self) -> list[str]:
        """What can be typed."""
        raise NotImplementedError

    def _given_up(self) -> list[str]:
        """What is said to who gives up."""
        raise NotImplementedError

    def _done(self, name: str) -> list[str]:
        """Carry out a command."""
        if name == "quit":
            self.ended = True
            return []
        if name == "help":
            return self._help()
        if name == "again":
            self.host, self.over = self._make_host(), False
            return self.greeting()
        if self.over:
            return [OVER]
        if name == "left":
            return [words_line(self.host.left).replace(" (words all)", "")]
        self.over = True
        return self._given_up()


class HostedWords(Hosted):
    """Rounds of words; arguments and attributes as of `Hosted`."""

    host: Host

    @property
    def prompt(self) -> str:
        """What the next line is to be."""
        return "again or quit> " if self.over else f"guess {len(self.host.history) + 1}> "

    def greeting(self) -> list[str]:
        """The first lines."""
        host, length = self.host, self.host.words.length
        word = getattr(host, "word", "")
        what = "I have a word" if word else "I have no word in mind yet; find one"
        first = f" that begins with {word[0]}" if word and host.game.given else ""
        limit = f"; you have {host.game.turns} guesses" if word else ""
        ask = "/help" if "help" in host.words else "help"
        return [
            f"{host.game.name}: {what} of {length} letters{first}, one of {len(host.left):,}{limit}.",
            f"Type your guesses: O is placed, ? misplaced, X absent. {ask} says more.",
        ]

    def take(self, line: str) -> list[str]:
        """The answer to a line."""
        text = " ".join(line[:MOST_LINE].lower().split())
        name = text.removeprefix("/")
        if name in COMMANDS and (self.over or name != text or name not in self.host.words):
            return self._done(name)
        if name in ("exit", "undo") and name not in self.host.words:
            return self._done("quit") if name == "exit" else ["A guess that was marked stays: guess on."]
        if self.over:
            return [OVER]
        if not text:
            return [f"Type a word of {self.host.words.length} letters, or help."]
        fault = self.host.fault(text)
        return [f"{fault}: guess again; this costs nothing."] if fault else self._marked(text)

    def _marked(self, guess: str) -> list[str]:
        """Mark a guess that may be made."""
        host = self.host
        lines = [f"  {self.paint.tiles(guess, host.answer(guess))}"]
        count = len(host.history)
        word = getattr(host, "word", "")
        if host.found:
            self.over = True
            points = f", {host.game.points(count)} points" if host.game.shown == "points" else ""
            return [*lines, f"Found in {count} guess{'' if count == 1 else 'es'}{points}. again or quit?"]
        if word and count >= host.game.turns:
            self.over = True
            return [*lines, f"No guess is left. The word was {self.paint.strong(word)}. again or quit?"]
        return [*lines, f"{words_text(len(host.left))} left."] if self._tell else lines

    def _given_up(self) -> list[str]:
        """The word, or one that it could be."""
        word = getattr(self.host, "word", "")
        if word:
            return [f"The word was {self.paint.strong(word)}. again or quit?"]
        example = self.paint.strong(self.host.left[0])
        return [f"It could be {words_text(len(self.host.left))}, as {example}. again or quit?"]

    def _help(self) -> list[str]:
        """What can be typed."""
        return [
            f"Type a word of {self.host.words.length} letters. O placed, ? misplaced, X absent. Or:",
            "  left     how many words are left, and some of them",
            "  give up  show the word",
            "  again    another round",
            "  quit     the end; Ctrl-D ends too",
            "What may be guessed as a word too is a guess; with / before it, as /left, it is a command.",
        ]
