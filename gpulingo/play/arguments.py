"""The arguments of `gpulingo play`: one place for its help and the light path, which cannot afford typer."""

DEVICES = ("auto", "cpu", "cuda")
OPTIONS = {
    "checkpoint": "Follow this checkpoint instead of looking for one that fits the list.",
    "wordlist": "Play with this list instead of wordlistN.txt, wordlist.txt or the embedded list.",
    "strategy": "Search on every turn by this strategy of `gpulingo simulate`; best follows the kept tree.",
    "device": "Where to search when there is no checkpoint: auto, cpu, cuda, cuda:1.",
}
FLAGS = {"search": "Search on every turn by parts, even when a checkpoint fits the list."}
LENGTH = "Letters of the word to find; the last argument, because the pit appends it."


class UsageError(ValueError):
    """The arguments are not those of `gpulingo play`."""


class Arguments:
    """What the user asked of `gpulingo play`."""

    def __init__(self) -> None:
        self.length = 0
        self.checkpoint: str | None = None
        self.wordlist: str | None = None
        self.strategy: str | None = None
        self.device = "auto"
        self.search = False


def parsed_arguments(words: list[str]) -> Arguments:
    """Read the arguments after `play`: `--name value`, `--name=value` or `--search`, then the word length.

    Raises:
        UsageError: one line that says what is wrong.
    """
    found = Arguments()
    if not words or words[-1].startswith("-"):
        raise UsageError("no word length: give it as the last argument, as in `gpulingo play 5`")
    *options, length = words
    rest = iter(options)
    for option in rest:
        name, equals, value = option.removeprefix("--").partition("=")
        if option.startswith("--") and name in FLAGS and not equals:
            found.search = True
        elif option.startswith("--") and name in OPTIONS:
            value = value if equals else next(rest, "")
            if not value:
                raise UsageError(f"option --{name} has no value: give one")
            setattr(found, name, value)
        else:
            raise UsageError(f"unknown argument {option!r}: see `gpulingo play --help`")
    if found.strategy and (found.checkpoint or found.search):
        other = "--checkpoint" if found.checkpoint else "--search"
        raise UsageError(f"--strategy {found.strategy} and {other}: give one of them")
    kind, colon, number = found.device.partition(":")
    if found.device not in DEVICES and not (kind == "cuda" and colon and number.isdecimal()):
        raise UsageError(f"device {found.device!r} is unknown: use {', '.join(DEVICES)} or cuda:1")
    if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) > 0):
        raise UsageError(f"word length {length!r} is no whole number from 1: give the letters of a word")
    found.length = int(length)
    return found
