"""The arguments of `gpulingo play` where a host is asked for, and the help of those that a player has not."""

from __future__ import annotations

from gpulingo.games.rules import FROM, HINTS, UsageError, asked_rule

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

OPTIONS = {
    "length": "Letters of the word, where a host plays; or N, 5 without either.",
    "without": "The word is none of this list, as past answers are.",
    "seed": "Of evil-wordle's choice among classes that are equally hard, and of the word that a host draws.",
}
FLAGS = {"tell": "Where a host plays, say in every answer how many words are left."}
VALUES = ("game", "wordlist", "targets", *OPTIONS, *FROM)
NAMES = (*FLAGS, *HINTS)


class HostArguments:
    """What the user asked of a host."""

    def __init__(self) -> None:
        self.game, self.length, self.seed = "", 5, 0
        self.wordlist: str | None = None
        self.targets: str | None = None
        self.without: str | None = None
        self.tell, self.rule = False, ""


def parsed_host_arguments(words: Sequence[str]) -> HostArguments:
    """Read the arguments after `play`: `--name value`, `--name=value` or a flag, and the word length.

    Raises:
        UsageError: one line that says what is wrong.
    """
    arguments, lengths = HostArguments(), list[str]()
    asked: dict[str, Any] = {}
    rest = iter(words)
    for option in rest:
        name, equals, value = option.removeprefix("--").partition("=")
        name = "length" if name in ("lengths", "pegs") else name
        if option.startswith("--") and name in NAMES and not equals:
            asked[name.replace("-", "_")] = True
        elif option.startswith("--") and name in VALUES:
            value = value if equals else next(rest, "")
            if not value:
                raise UsageError(f"option --{name} has no value: give one")
            if name == "length":
                lengths.append(value)
            elif name in FROM:
                asked[name.replace("-", "_")] = value
            else:
                setattr(arguments, name, whole_number(value, "seed", 0) if name == "seed" else value)
        elif option.isdigit():
            lengths.append(option)
        else:
            raise UsageError(f"argument {option!r} is none of a host's: see `gpulingo play --help`")
    if len(lengths) > 1:
        raise UsageError(f"two word lengths, {' and '.join(lengths)}: give one")
    if lengths:
        arguments.length = whole_number(lengths[0], "word length", 1)
    arguments.tell, arguments.rule = asked.pop("tell", False), asked_rule(**asked)
    return arguments


def whole_number(text: str, what: str, least: int) -> int:
    """The whole number of a text.

    Raises:
        UsageError: it is none, or less than the least.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        raise UsageError(f"{what} {text!r} is no whole number from {least}")
    return int(text)
