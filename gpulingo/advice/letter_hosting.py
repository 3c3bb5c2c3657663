"""A round of hangman against a host as a conversation: the user guesses letters, the program shows them."""

from __future__ import annotations

from gpulingo.advice.hosting import MOST_LINE, OVER, Hosted
from gpulingo.hosts.letter_session import lives_text, misses_text, words_text
from gpulingo.words.shown import named_letter, shown_line

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from gpulingo.hosts.letter_host import LetterHost
HELP = (
    "Type a letter. Or:",
    "  left     how many words could still be meant, and some of them",
    "  give up  show the word",
    "  again    another round",
    "  quit     the end; Ctrl-D ends too",
)


class HostedLetters(Hosted):
    """Rounds of hangman that a host holds; arguments and attributes as of `Hosted`."""

    host: LetterHost

    @property
    def prompt(self) -> str:
        """What the next line is to be."""
        return "again or quit> " if self.over else "letter> "

    def greeting(self) -> list[str]:
        """The first lines."""
        host = self.host
        what = f"one of {words_text(len(host.left))} of {len(host.shown)} letters; {lives_text(host.lives)}"
        return [f"hangman: {what}. Type a letter; help says more.", self._shown()]

    def take(self, line: str) -> list[str]:
        """The answer to a line."""
        name = " ".join(line[:MOST_LINE].lower().split())
        if name in ("left", "help", "give up", "quit", "exit", "again"):
            return self._done("quit" if name == "exit" else name)
        if self.over:
            return [OVER]
        letter = named_letter(line[:MOST_LINE])
        fault = self.host.fault(letter)
        if fault:
            return [f"{name[:40]!r}: {fault}: type another, or help." if name else "Type a letter, or help."]
        self.host.answer(letter)
        if self.host.found or self.host.lost:
            self.over = True
            how = "Found" if self.host.found else "Lost"
            return [f"{how} with {misses_text(self.host.misses)}: {self._word()}. again or quit?"]
        return [self._shown()]

    def _shown(self) -> str:
        """The word as far as it is shown, and the letters that it lacks."""
        host = self.host
        missed = " ".join(letter for letter in host.guessed if letter not in host.shown)
        left = f"  {words_text(len(host.left))} left" if self._tell else ""
        misses = f"{host.misses}/{host.lives} missed{': ' if missed else ''}{missed}"
        return f"  {self.paint.strong(shown_line(host.shown))}   {self.paint.faint(misses)}{left}"

    def _word(self) -> str:
        """The word meant."""
        return self.paint.strong(self.host.word())

    def _help(self) -> list[str]:
        """What can be typed."""
        return list(HELP)

    def _given_up(self) -> list[str]:
        """The word."""
        return [f"The word is {self._word()}. again or quit?"]
