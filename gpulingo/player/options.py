"""The options of `play` and `suggest`: one table for their help and for who reads them without typer.

What an option is set to is checked here as well; which options fit together is checked in `arguments`.
"""

from __future__ import annotations

from gpulingo.games.rules import UsageError

# Who reads an option: the player of words, a host of words, who guesses or hosts letters, the adviser.
PLAYER, HOST, LETTER, ADVISER = "phla"
HONEST = "honest"
HOSTS = (HONEST, "largest", "diversity")  # of hangman
RULES = ("hard", "hard-from", "consistent", "first-letter", "must-start")
# Name -> what it takes, nothing where it is a flag; its readers; its help.
OPTIONS: dict[str, tuple[str, str, str]] = {
    "game": ("NAME", "phla", "What is played, as wordle, lingo6, hangman, absurdle or evil-wordle."),
    "length": ("N", "hla", "Letters of the word, where neither guesses nor N tell; 5 without either."),
    "colours": ("N", "pha", "Colours of the codes, in mastermind and its kin; 6, in bulls-and-cows 10."),
    "checkpoint": ("FILE.npz", "p", "Follow this checkpoint instead of looking for one that fits the list."),
    "wordlist": (
        "FILE", "phla",
        "The words that may be guessed, instead of wordlistN.txt, wordlist.txt or the embedded list.",
    ),
    "targets": (
        "FILE|LEVEL", "phla",
        "Only the words of this list, or of a set such as answers or all, may be the target.",
    ),
    "without": ("FILE", "phla", "Words of this list, as past answers, are not the target."),
    "weights": (
        "FILE.tsv|levels", "a",
        "What each target counts: levels of the embedded list, or a file of word, tab, number.",
    ),
    "strategy": (
        "NAME", "p",
        "Search on every turn by this strategy of `gpulingo simulate`; best follows the kept tree.",
    ),
    "letter": ("LETTER", "pa", "The first letter of the word, in a game that gives it."),
    "host": (
        "NAME", "l", f"Hold the word and let the user guess: in hangman {', '.join(HOSTS)} or exact; at a "
        "terminal honest in other games too.",
    ),
    "lives": ("NUMBER", "l", "In hangman, the misses that lose a word; 6 without it."),
    "seed": (
        "NUMBER", "hl",
        "Of evil-wordle's choice among classes that are equally hard, and of the word that a host draws.",
    ),
    "top": (
        "NUMBER", "a", "So many guesses, searched for beside the tree's one; without it that one, else 10.",
    ),
    "time": ("TIME", "a", "What a search may take: 2, 500ms or 1m."),
    "device": ("NAME", "pa", "Where to search: auto, cpu, cuda, cuda:1."),
    "search": ("", "pa", "Search, even where a kept tree has the guess."),
    "hard": ("", "pha", "Hard mode: later guesses use every hint that was shown."),
    "hard-from": (
        "N", "pha", "Hard mode from this turn on: any word before, then words that use every hint so far.",
    ),
    "consistent": (
        "", "pha", "Later guesses are words that all marks so far allow, be they targets or not.",
    ),
    "first-letter": (
        "", "pa", "The first letter of the word is known before the first guess, as on television.",
    ),
    "must-start": ("", "pa", "With --first-letter: every guess begins with it."),
    "tell": ("", "hl", "Where a host plays, say in every answer how many words are left."),
    "loop": ("", "l", "In hangman, go on with the next word."),
    "all": ("", "a", "All words that are left, not 20."),
    "every": ("", "a", "Unfit words among the guesses too."),
    "json": ("", "a", "Print one JSON object a line instead of tables."),
}  # fmt: skip
HELP = {name: text for name, (_, _, text) in OPTIONS.items()}
LENGTH = "Letters of the word to find; the pit appends it."
DEVICES = ("auto", "cpu", "cuda")
NUMBERS = ("N", "NUMBER")  # what options of whole numbers take
SPELLINGS = ("lengths", "pegs")  # of length
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


def value_of(name: str, text: str, reader: str) -> int | float | str:
    """What an option is set to.

    Raises:
        UsageError: it is none of its values.
    """
    kind = OPTIONS[name][0]
    if kind in NUMBERS:
        what, most = (f"--{name}", MOST[name]) if reader == ADVISER else (name, None)
        return whole_number(text, what, LEAST.get(name, 1), most)
    return _seconds(text) if kind == "TIME" else text


def whole_number(text: str, what: str, least: int, most: int | None = None, more: str = "") -> int:
    """The whole number of a text.

    Raises:
        UsageError: it is none, or less than the least or more than the most.
    """
    plain = text.isascii() and text.isdigit() and len(text) < 10
    if not (plain and int(text) >= least and (most is None or int(text) <= most)):
        to = "" if most is None else f" to {most}"
        raise UsageError(f"{what} {text!r} is no whole number from {least}{to}{more}")
    return int(text)


def _seconds(text: str) -> float:
    """The seconds of a time such as 2, 500ms, 90s or 1m.

    Raises:
        UsageError: it is none.
    """
    digits = text.lower().rstrip("hms")
    unit = text.lower()[len(digits) :] or "s"
    try:
        seconds = float(digits) * UNITS[unit]
    except (KeyError, ValueError):
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise UsageError(f"--time {text!r} is no time up to 24h: write it as 2, 500ms, 90s or 1m")
    return seconds
