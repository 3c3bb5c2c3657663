"""The options of `play` and `suggest`: one table for their help and for the reader without typer.

What an option is set to is checked here as well; which options fit together is checked in `arguments`.
"""

from __future__ import annotations

from gpulingo.games.rules import UsageError
from gpulingo.words.letters import equal_signs

# Who reads an option: the player of words, a host of words, who guesses or hosts letters, the adviser.
PLAYER, HOST, LETTER, ADVISER = "phla"
HONEST = "honest"
HOSTS = (HONEST, "largest", "diversity")  # of hangman
RULES = ("hard", "hard-from", "consistent", "first-letter", "must-start")
# Name -> what it takes, nothing where it is a flag; its readers; its help.
OPTIONS: dict[str, tuple[str, str, str]] = {
    "game": ("NAME", "phla", "Game: lingo, wordle, absurdle, hangman ..; `gpulingo help games`."),
    "length": ("N", "hla", "Letters of the word, if neither guesses nor N give them (default 5)."),
    "colours": ("N", "pha", "Colours of the codes; 6, in bulls-and-cows 10."),
    "checkpoint": ("FILE.npz", "p", "Follow this checkpoint instead of the best stored one."),
    "wordlist": ("FILE", "phla", "Words to guess from; wordlistN.txt, wordlist.txt or embedded."),
    "targets": ("FILE|LEVEL", "phla", "Possible answers: a file, a level, answers or all."),
    "without": ("FILE", "phla", "Words that are not the answer, for example past answers."),
    "weights": ("FILE.tsv|levels", "a", "Weight of each answer, from a file or by level."),
    "same": ("A=B,..", "phla", "Letters of the list that are equal, for example é=e,è=e."),
    "strategy": ("NAME", "p", "Search every turn by this strategy; best follows the stored tree."),
    "letter": ("LETTER", "pa", "The first letter of the word, in a game that gives it."),
    "host": (
        "NAME", "l", f"You guess: {', '.join(HOSTS)} or exact (hangman).",
    ),
    "lives": ("NUMBER", "l", "In hangman, misses that lose a word; 6 by default."),
    "seed": ("NUMBER", "hl", "Random seed of a host."),
    "top": ("NUMBER", "a", "Number of guesses; 10, or the one of a stored tree."),
    "time": ("TIME", "a", "Time limit of a search, for example 2, 500ms or 1m."),
    "device": ("NAME", "pa", "auto (CUDA if available), cpu, cuda or cuda:N."),
    "search": ("", "pa", "Search, even if a stored tree has the guess."),
    "hard": ("", "pha", "Hard mode: guesses must use every revealed hint."),
    "hard-from": ("N", "pha", "Hard mode from this turn on; any word before."),
    "consistent": ("", "pha", "Guesses must match all feedback so far."),
    "first-letter": ("", "pha", "The first letter is given before the first guess."),
    "must-start": ("", "pha", "With --first-letter: guesses must start with it."),
    "tell": ("", "hl", "Print with each answer how many words are left."),
    "loop": ("", "l", "In hangman, continue with the next word."),
    "all": ("", "a", "Print all possible answers, not 20."),
    "every": ("", "a", "Include vulgar words among the guesses."),
    "json": ("", "a", "Print one JSON object per line."),
}  # fmt: skip
HELP = {name: text for name, (_, _, text) in OPTIONS.items()}
LENGTH = "Word length; the pit appends it."
DEVICES = ("auto", "cpu", "cuda")
NUMBERS = ("N", "NUMBER")  # what options of whole numbers take
SPELLINGS = ("lengths", "pegs")  # of length
SHORT = {"-g": "--game", "-s": "--strategy", "-w": "--wordlist"}
LEAST = {"seed": 0}  # of a number; of others 1
MOST_TOP = 1000
MOST = {"length": 39, "top": MOST_TOP, "colours": 36}
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
MOST_SECONDS = 86400.0
USUAL_LENGTH, USUAL_PEGS = 5, 4
LONGEST = 99  # letters of a word that is guessed letter by letter
# Where letters are guessed and nobody hosts, what is shown tells the length, and nothing is drawn.
OF_HOSTS = ("length", "targets", "without", "seed", "tell")
UNKNOWN = {
    PLAYER: "unknown argument {!r}",
    HOST: "argument {!r} is none of a host's",
    LETTER: "argument {!r} is none where letters are guessed",
    ADVISER: "unknown option {!r}",
}


def unknown_device(name: str) -> str:
    """Return the message for an unknown device."""
    from gpulingo.storage.names import meant  # not worth a file to a round that is well begun

    near = meant(name, DEVICES, least=0.7)  # gpu is not cpu
    return f"device {name!r} is unknown: {near}use {', '.join(DEVICES)} or cuda:1"


def value_of(name: str, text: str, reader: str) -> int | float | str:
    """The value of an option.

    Raises:
        UsageError: it is not one of its values.
    """
    kind = OPTIONS[name][0]
    if kind in NUMBERS:
        what, most = (f"--{name}", MOST[name]) if reader == ADVISER else (name, None)
        return whole_number(text, what, LEAST.get(name, 1), most)
    if name == "same":
        try:
            equal_signs(text)
        except ValueError as error:
            raise UsageError(f"--same: {error}") from None
    return _seconds(text) if kind == "TIME" else text


def whole_number(text: str, what: str, least: int, most: int | None = None, more: str = "") -> int:
    """The whole number of a text.

    Raises:
        UsageError: it is not one, or outside the limits.
    """
    plain = text.isascii() and text.isdigit() and len(text) < 10
    if not (plain and int(text) >= least and (most is None or int(text) <= most)):
        to = "" if most is None else f" to {most}"
        raise UsageError(f"{what} {text!r} is no whole number from {least}{to}{more}")
    return int(text)


def _seconds(text: str) -> float:
    """The seconds of a time such as 2, 500ms, 90s or 1m.

    Raises:
        UsageError: it has another form.
    """
    digits = text.lower().rstrip("hms")
    unit = text.lower()[len(digits) :] or "s"
    try:
        seconds = float(digits) * UNITS[unit]
    except (KeyError, ValueError):
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise UsageError(f"--time {text!r} is not a time up to 24h: write it as 2, 500ms, 90s or 1m")
    return seconds
