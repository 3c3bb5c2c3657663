"""The arguments of `gpulingo play`: one place for its help and the light path, which cannot afford typer."""

from __future__ import annotations

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from gpulingo.games.game import Game

DEVICES = ("auto", "cpu", "cuda")
OPTIONS = {
    "checkpoint": "Follow this checkpoint instead of looking for one that fits the list.",
    "wordlist": "Play with this list instead of wordlistN.txt, wordlist.txt or the embedded list.",
    "targets": "Only the words of this list, or of a level such as common, may be the target.",
    "strategy": "Search on every turn by this strategy of `gpulingo simulate`; best follows the kept tree.",
    "game": "The game that is played, as wordle, or lingo6: with other turns than lingo's five.",
    "device": "Where to search when there is no checkpoint: auto, cpu, cuda, cuda:1.",
}
RULES = {
    "hard": "Hard mode: later guesses use every hint that was shown.",
    "consistent": "Later guesses are words that all marks so far allow, be they targets or not.",
}
FLAGS = {"search": "Search on every turn by parts, even when a checkpoint fits the list.", **RULES}
LENGTH = "Letters of the word to find; the pit appends it."


class UsageError(ValueError):
    """The arguments are not those of `gpulingo play`."""


class Arguments:
    """What the user asked of `gpulingo play`."""

    def __init__(self) -> None:
        self.length = 0
        self.checkpoint: str | None = None
        self.wordlist: str | None = None
        self.targets: str | None = None
        self.strategy: str | None = None
        self.game: str | None = None
        self.device = "auto"
        self.search = self.hard = self.consistent = False

    def rule(self) -> str:
        """The rule of what may be guessed, if one was asked for beside the game."""
        return asked_rule(hard=self.hard, consistent=self.consistent)


def asked_rule(**given: bool) -> str:
    """The one of RULES that was given, or nothing.

    Raises:
        UsageError: two were.
    """
    names = [name for name in RULES if given[name]]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(f'--{name}' for name in names)}: give one of them")
    return "".join(names)


def under_rule(game: Game, rule: str) -> Game:
    """The game under a rule that was asked for, which it may have already; the game itself where none was.

    Raises:
        UsageError: it has another.
    """
    if not rule or game.legal == rule:
        return game
    if game.legal != "any":
        raise UsageError(f"--{rule} with --game {game.name}, which has a rule of its own: leave one out")
    return game.under(rule)


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
            setattr(arguments, name, True)
        elif option.startswith("--") and name in OPTIONS:
            value = value if equals else next(rest, "")
            if not value:
                raise UsageError(f"option --{name} has no value: give one")
            setattr(arguments, name, value)
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
