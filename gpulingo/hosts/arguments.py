"""The arguments of `gpulingo play` where a host is asked for, and the help of those that a player has not."""

from __future__ import annotations

from gpulingo.games.catalogue import HOSTED, LINGO, RULES, find_game

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpulingo.games.game import Game

OPTIONS = {
    "length": "Letters of the word, where a host plays; or N, 5 without either.",
    "without": "The word is none of this list, as past answers are.",
    "seed": "Of evil-wordle's choice among classes that are equally hard, and of the word that a host draws.",
}
FLAGS = {"tell": "Where a host plays, say in every answer how many words are left."}
VALUES = ("game", "wordlist", "targets", *OPTIONS)
NAMES = ("tell", *RULES)


class HostUsageError(ValueError):
    """The arguments are not those of a host."""


class HostArguments:
    """What the user asked of a host."""

    def __init__(self) -> None:
        self.game, self.length, self.seed = "", 5, 0
        self.wordlist: str | None = None
        self.targets: str | None = None
        self.without: str | None = None
        self.tell = self.hard = self.consistent = False

    def rules(self) -> Game:
        """The game under the rule of what may be guessed that was asked for.

        Raises:
            HostUsageError: there is none such.
        """
        try:
            game = HOSTED[self.game]() if self.game in HOSTED else find_game(self.game or LINGO)
        except (LookupError, ValueError) as error:
            raise HostUsageError(f"--game: {error}") from None
        for rule in RULES:
            game = game.under(rule) if getattr(self, rule) else game
        return game


def parsed_host_arguments(words: Sequence[str]) -> HostArguments:
    """Read the arguments after `play`: `--name value`, `--name=value` or a flag, and the word length.

    Raises:
        HostUsageError: one line that says what is wrong.
    """
    arguments, lengths = HostArguments(), list[str]()
    rest = iter(words)
    for option in rest:
        name, equals, value = option.removeprefix("--").partition("=")
        name = "length" if name in ("lengths", "pegs") else name
        if option.startswith("--") and name in NAMES and not equals:
            setattr(arguments, name, True)
        elif option.startswith("--") and name in VALUES:
            value = value if equals else next(rest, "")
            if not value:
                raise HostUsageError(f"option --{name} has no value: give one")
            if name == "length":
                lengths.append(value)
            else:
                setattr(arguments, name, whole_number(value, "seed", 0) if name == "seed" else value)
        elif option.isdigit():
            lengths.append(option)
        else:
            raise HostUsageError(f"argument {option!r} is none of a host's: see `gpulingo play --help`")
    if len(lengths) > 1:
        raise HostUsageError(f"two word lengths, {' and '.join(lengths)}: give one")
    if lengths:
        arguments.length = whole_number(lengths[0], "word length", 1)
    if arguments.hard and arguments.consistent:
        raise HostUsageError("--hard and --consistent: give one of them")
    return arguments


def whole_number(text: str, what: str, least: int) -> int:
    """The whole number of a text.

    Raises:
        HostUsageError: it is none, or less than the least.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        raise HostUsageError(f"{what} {text!r} is no whole number from {least}")
    return int(text)
