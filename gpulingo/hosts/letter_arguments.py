"""The arguments of `gpulingo play` where letters are guessed, whoever guesses."""

from __future__ import annotations

from gpulingo.games.catalogue import find_game
from gpulingo.games.rules import UsageError
from gpulingo.hosts.arguments import whole_number
from gpulingo.hosts.letter_host import HOSTS

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpulingo.games.game import Game

OPTIONS = {
    "host": f"Hold the word and let the user guess: in hangman {', '.join(HOSTS)} or exact; at a terminal "
    "honest in other games too.",
    "lives": "In hangman, the misses that lose a word.",
}
FLAGS = {"loop": "In hangman, go on with the next word."}
VALUES = ("game", "wordlist", "targets", "without", "length", "seed", *OPTIONS)
# Without a host the patterns tell the length, and nothing is drawn.
OF_HOSTS = ("length", "targets", "without", "seed", "tell")


class LetterArguments:
    """What the user asked of `gpulingo play --game hangman`."""

    def __init__(self) -> None:
        self.game, self.host, self.length, self.seed = "", "", 5, 0
        self.lives: int | None = None
        self.wordlist: str | None = None
        self.without: str | None = None
        self.targets: str | None = None
        self.loop = self.tell = False

    def rules(self) -> Game:
        """The game with the lives asked for.

        Raises:
            UsageError: the name and the lives differ, or there are none such.
        """
        try:
            return find_game(self.game, self.lives)
        except (LookupError, ValueError) as error:
            raise UsageError(f"--game: {error}") from None


def parsed_letter_arguments(words: Sequence[str]) -> LetterArguments:
    """Read the arguments after `play`: `--name value`, `--name=value` or a flag; a host takes a length too.

    Raises:
        UsageError: one line that says what is wrong.
    """
    arguments, given = LetterArguments(), list[str]()
    rest = iter(words)
    for option in rest:
        name, equals, value = option.removeprefix("--").partition("=")
        name = "length" if name in ("lengths", "pegs") else name
        if option.isdigit():
            name, value = "length", option
        elif option in ("--loop", "--tell"):
            setattr(arguments, name, True)
            given.append(name)
            continue
        elif option.startswith("--") and name in VALUES:
            value = value if equals else next(rest, "")
            if not value:
                raise UsageError(f"option --{name} has no value: give one")
        else:
            seen = f"argument {option!r} is none where letters are guessed"
            raise UsageError(f"{seen}: see `gpulingo play --help`")
        if name in given:
            raise UsageError(f"--{name} is there twice: give it once")
        given.append(name)
        least = {"length": 1, "lives": 1, "seed": 0}.get(name)
        setattr(arguments, name, value if least is None else whole_number(value, name, least))
    _check_host(arguments, given)
    return arguments


def _check_host(arguments: LetterArguments, given: Sequence[str]) -> None:
    """Check that what was given fits who holds the word.

    Raises:
        UsageError: it does not.
    """
    if arguments.host and arguments.loop:
        raise UsageError("--host and --loop: a host plays one word, leave one out")
    names = ", ".join(HOSTS)
    if arguments.host and arguments.host not in (*HOSTS, "exact"):
        raise UsageError(f"--host {arguments.host[:40]}: use {names} or exact")
    for name in OF_HOSTS:
        if name in given and not arguments.host:
            what = "what is shown of the word tells it" if name == "length" else "only a host has it"
            raise UsageError(f"--{name} without --host: {what}: leave it out, or give --host {names}")
