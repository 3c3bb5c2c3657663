"""The arguments of `gpulingo play`: one place for its help and the light path, which cannot afford typer."""

from __future__ import annotations

from gpulingo.games import rules
from gpulingo.games.rules import UsageError, asked_rule

DEVICES = ("auto", "cpu", "cuda")
OPTIONS = {
    "checkpoint": "Follow this checkpoint instead of looking for one that fits the list.",
    "wordlist": "Play with this list instead of wordlistN.txt, wordlist.txt or the embedded list.",
    "targets": "Only the words of this list, or of a set such as answers or all, may be the target.",
    "without": "Words of this list, as past answers, are not the target.",
    "strategy": "Search on every turn by this strategy of `gpulingo simulate`; best follows the kept tree.",
    "game": "The game that is played, as wordle, or lingo6: with other turns than lingo's five.",
    "letter": "The first letter of the word, in a game that gives it.",
    "device": "Where to search when there is no checkpoint: auto, cpu, cuda, cuda:1.",
    **rules.FROM,
}
FLAGS = {"search": "Search on every turn by parts, even when a checkpoint fits the list.", **rules.FLAGS}
LENGTH = "Letters of the word to find; the pit appends it."


class Arguments:
    """What the user asked of `gpulingo play`."""

    def __init__(self) -> None:
        self.length = 0
        self.checkpoint: str | None = None
        self.wordlist: str | None = None
        self.targets: str | None = None
        self.without: str | None = None
        self.strategy: str | None = None
        self.game: str | None = None
        self.hard_from: str | None = None
        self.device = "auto"
        self.letter = ""
        self.search = self.hard = self.consistent = self.first_letter = self.must_start = False

    def rule(self) -> str:
        """The rule of what may be guessed, if one was asked for beside the game."""
        return asked_rule(
            hard=self.hard,
            hard_from=self.hard_from,
            consistent=self.consistent,
            first_letter=self.first_letter,
            must_start=self.must_start,
        )


def parsed_arguments(words: list[str]) -> Arguments:
    """Read the arguments after `play`: `--name value`, `--name=value` or a flag, and the word length.

    Raises:
        UsageError: one line that says what is wrong.
    """
    arguments = Arguments()
    lengths: list[str] = []
    # What the pit appends is never the value of an option that has none.
    appended = [word for word in words[-1:] if word.isdigit()]
    rest = iter(words[: len(words) - len(appended)])
    for option in rest:
        name, equals, value = option.removeprefix("--").partition("=")
        if option.startswith("--") and name in FLAGS and not equals:
            setattr(arguments, name.replace("-", "_"), True)
        elif option.startswith("--") and name in OPTIONS:
            value = value if equals else next(rest, "")
            if not value and lengths and appended:  # nothing is: the length stands before
                value, appended = appended[0], []
            if not value:
                raise UsageError(f"option --{name} has no value: give one")
            setattr(arguments, name.replace("-", "_"), value)
        elif option.startswith("-") or lengths or (appended and not option.isdigit()):
            from gpulingo.player.names import meant  # not worth a file to a round that is well begun

            near = meant(option, tuple(f"--{known}" for known in (*OPTIONS, *FLAGS)))
            raise UsageError(f"unknown argument {option!r}: {near}see `gpulingo play --help`")
        else:
            lengths.append(option)
    lengths += appended
    if len(lengths) != 1:
        seen = f"two word lengths, {' and '.join(lengths)}" if lengths else "no word length"
        raise UsageError(f"{seen}: give one, as in `gpulingo play 5`")
    if arguments.strategy and (arguments.checkpoint or arguments.search):
        other = "--checkpoint" if arguments.checkpoint else "--search"
        raise UsageError(f"--strategy {arguments.strategy} and {other}: give one of them")
    kind, colon, number = arguments.device.partition(":")
    if arguments.device not in DEVICES and not (kind == "cuda" and colon and number.isdecimal()):
        raise UsageError(f"device {arguments.device!r} is unknown: use {', '.join(DEVICES)} or cuda:1")
    (length,) = lengths
    if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) > 0):
        raise UsageError(f"word length {length!r} is no whole number from 1: give the letters of a word")
    arguments.length = int(length)
    return arguments
