"""The arguments of `gpulingo suggest`: one place for its help and for who reads them without typer."""

from __future__ import annotations

from gpulingo.advice.notation import NotationError, read_history, word_length
from gpulingo.games import rules
from gpulingo.games.catalogue import HOSTED, LINGO, feedback_of, find_game
from gpulingo.games.game import Game
from gpulingo.games.rules import GIVING, UsageError, asked_rule, under_rule
from gpulingo.player.protocol import given_letter

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from gpulingo.words.listing import Listing

OPTIONS = {
    "game": "What is played, as wordle, lingo6, hangman, absurdle or evil-wordle.",
    "length": "Letters of the word, where nothing was guessed yet; 5 without either.",
    "colours": "Colours of the codes, in mastermind and its kin; 6, in bulls-and-cows 10.",
    "wordlist": "The words that may be guessed, instead of wordlistN.txt, wordlist.txt or the embedded list.",
    "targets": "Only the words of this list, or of a set such as answers or all, may be the target.",
    "without": "Words of this list, as past answers, are not the target.",
    "weights": "What each target counts: levels of the embedded list, or a file of word, tab, number.",
    "letter": "The first letter of the word, in a game that gives it.",
    "top": "So many guesses; more than the tree's one are searched for.",
    "time": "What a search may take: 2, 500ms or 1m.",
    "device": "Where to search: auto, cpu, cuda, cuda:1.",
    **rules.FROM,
}
FLAGS = {
    "all": "All words that are left, not 20.",
    "every": "Unfit words among the guesses too.",
    "search": "Search, even where a kept tree has the guess.",
    "json": "One JSON object a line.",
    **rules.FLAGS,
}
SECONDS = 2.0  # of a search where nothing is said
MOST_SECONDS = 86400.0
SHOWN = 20  # words that are left, and guesses that a search tells
MOST_TOP = 1000
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class Asked:
    """What the user asked of `gpulingo suggest`.

    Attributes:
        parts: guesses with their marks. seconds: of a search. top: guesses; None: as many as usual.
        Others: as the options are called.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.game = LINGO
        self.length: int | None = None
        self.colours: int | None = None
        self.wordlist: str | Listing | None = None
        self.targets: str | Listing | None = None
        self.without: str | Listing | None = None
        self.weights: str | None = None
        self.letter = ""
        self.top: int | None = None
        self.seconds = SECONDS
        self.device = "auto"
        self.all = self.every = self.search = self.json = False
        self.rule = ""

    def played(self) -> Game:
        """The game, under the rule that was asked for.

        Raises:
            UsageError: there is none such.
        """
        if self.game.rstrip("0123456789") in HOSTED:
            return self._hosted()
        try:
            game = find_game(self.game)
        except (LookupError, ValueError) as error:
            raise UsageError(f"--game: {error}") from None
        return under_rule(game, self.rule)

    def _hosted(self) -> Game:
        """The game of a host who has no word in mind, and no limit of guesses.

        Raises:
            UsageError: a number of turns, weights or a first letter, of which he has none.
        """
        name = self.game.rstrip("0123456789")
        if name != self.game:
            raise UsageError(f"--game: {self.game[:40]!r}, but {name} has no limit of guesses: use {name}")
        if self.weights is not None:
            raise UsageError(f"--weights with --game {name}, whose host draws no word: leave it out")
        if self.rule in GIVING:
            raise UsageError(f"--first-letter with --game {name}, whose host gives none: leave it out")
        return under_rule(HOSTED[name](), self.rule)

    def history(self, game: Game) -> list[tuple[str, str]]:
        """The guesses and their marks.

        Raises:
            UsageError: they are none, of another length than asked for, or more than the game allows.
        """
        try:
            rounds = read_history(self.parts, feedback_of(game))
        except NotationError as error:
            raise UsageError(str(error)) from None
        length = word_length(*rounds[0], feedback_of(game)) if rounds else None
        if length and self.length not in (None, length):
            raise UsageError(f"--length {self.length} and marks of {length} letters: leave --length out")
        return rounds

    def first(self, game: Game) -> str:
        """The first letter that is given, if the game gives one.

        Raises:
            UsageError: as `given_letter`.
        """
        return given_letter(self.letter, game)


def parsed_asked(words: Sequence[str]) -> Asked:
    """Read the arguments after `suggest`: guesses with marks, `--name value`, `--name=value` or a flag.

    Raises:
        UsageError: one line that says what is wrong.
    """
    asked, flags = Asked(), dict.fromkeys(FLAGS, False)
    ruled: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            asked.parts += [] if word == "-" else word.split()
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        name = "length" if name in ("lengths", "pegs") else name
        if name in FLAGS and not equals:
            flags[name] = True
        elif name in OPTIONS and word.startswith("--"):
            value = value if equals else next(rest, "")
            if not value:
                raise UsageError(f"option --{name} has no value: give one")
            if name in rules.FROM:
                ruled[name.replace("-", "_")] = value
            else:
                _take(asked, name, value)
        else:
            from gpulingo.player.names import meant

            near = meant(word, tuple(f"--{known}" for known in (*OPTIONS, *FLAGS)))
            raise UsageError(f"unknown option {word!r}: {near}see `gpulingo suggest --help`")
    asked.all, asked.every = flags["all"], flags["every"]
    asked.search, asked.json = flags["search"], flags["json"]
    ruled |= {name.replace("-", "_"): flags[name] for name in rules.FLAGS}
    asked.rule = asked_rule(**ruled)
    return asked


def _take(asked: Asked, name: str, value: str) -> None:
    """Take the value of an option.

    Raises:
        UsageError: it is none.
    """
    if name in ("length", "top", "colours"):
        most = {"length": 39, "top": MOST_TOP, "colours": 36}[name]
        if not (value.isascii() and value.isdigit() and len(value) < 9 and 1 <= int(value) <= most):
            raise UsageError(f"--{name} {value!r} is no whole number from 1 to {most}")
        setattr(asked, name, int(value))
    elif name == "time":
        asked.seconds = _seconds(value)
    else:
        setattr(asked, name, value)


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
