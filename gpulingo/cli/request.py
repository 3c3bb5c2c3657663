"""A request of `play` or `suggest`, declared once: each option's value, readers, help, default and range.

The help is made from it, the reader of requests in JSON, and that of command lines, without typer: the pit
starts a process per round.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from gpulingo.cli.wording import options_of
from gpulingo.games import catalogue, marks
from gpulingo.games.catalogue import HOSTED, LETTERS, LINGO, MOST_BOARDS, is_of_codes
from gpulingo.games.game import LETTER_GIVEN, Game
from gpulingo.player import question as questions
from gpulingo.player.question import USUAL_LENGTH, USUAL_PEGS, Limits, ListNames, Question, at_fault
from gpulingo.storage.faults import UsageError, meant, refuse
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.letters import enter, equal_signs
from gpulingo.words.listing import COLOURS

# Readers of an option: the player of words, a host of words, guesser or host of letters, the adviser.
PLAYER, HOST, LETTER, ADVISER = "phla"
HONEST = "honest"
HOSTS = (HONEST, "largest", "diversity")  # of hangman
NUMBERS = ("N", "NUMBER")  # metavars of whole numbers
SPELLINGS = {"lengths": "length", "pegs": "length", "lives": "turns"}
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
MOST_NUMBER = 10**9 - 1  # where an option names no other limit


class Option(NamedTuple):
    """An option of a request: metavar, empty for a flag; its readers; its help; its range."""

    metavar: str
    readers: str
    text: str
    least: int = 1
    most: int | None = None


class Ruled:
    """Options that select a rule; a command may lack the last."""

    hard: bool
    hard_from: str | None
    consistent: bool
    first_letter: bool = False

    @property
    def rule(self) -> str:
        """The rule in the form of `Game.rule`, or empty."""
        start = self.hard_from
        given = {"--hard": self.hard, f"--hard-from {start}": start is not None}
        given |= {"--consistent": self.consistent, "--first-letter": self.first_letter}
        options = [option for option, chosen in given.items() if chosen]
        refuse({f"{' and '.join(options)}: give one of them": len(options) > 1})
        if self.first_letter:
            return LETTER_GIVEN
        if start is None:
            return options[0].removeprefix("--") if options else ""
        if not 0 < whole_number(start) < 10**8:
            raise UsageError(f"--hard-from {start[:40]!r} is no turn: give a whole number from 1 on")
        return f"from{int(start)}-hard" if int(start) > 2 else "hard"  # turn 1 has no hints


def under_rule(game: Game, rule: str) -> Game:
    """Return the game under a requested rule, which it may already have; unchanged without a request."""
    if rule and game.rule != rule:
        giving, given = rule == LETTER_GIVEN, f"{options_of(rule)} with --game {game.name}"
        refuse({
            f"{given} of {game.boards} boards, which has no such rule: leave it out": game.boards > 1,
            f"{given}, where letters are guessed: leave it out": game.guesses_letters,
            f"{given}, which has no such rule: leave it out": not game.shows_marks and rule != "consistent",
            f"{given}, which has a rule of its own: leave one out":
                game.rule != "any" or (giving and not game.rises_by_one),
        })  # fmt: skip
        game = game.under(rule)
    fault = f"{options_of(game.rule)} in a game of {game.turns} turns"
    refuse({f"{fault}: name one of these turns, or leave it out": not game.ruled_left})
    return game


def option(metavar: str, readers: str, text: str, default: Any = None, **among: int) -> Any:
    """Return the field of an option; `among`: least and most."""
    stated = {"option": Option(metavar, readers, text, **among)}
    return field(default=default if metavar else False, metadata=stated)


@dataclass
class Request(Ruled):
    """The options of `gpulingo play` or `gpulingo suggest` as given, and their question."""

    given: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)  # guesses with their marks
    several: bool = False  # for a command that takes several boards
    # The table of options, in the order of their help.
    game: str = option(
        "NAME", "phla", "Game: lingo, wordle, absurdle, hangman ..; `gpulingo help games`.", LINGO
    )
    length: int = option(
        "N", "hla", "Letters of the word, if neither guesses nor N give them (default 5).", 0,
        most=marks.LONGEST,
    )  # fmt: skip
    turns: int | None = option("NUMBER", "phla", "Guesses allowed; hangman: misses. 5 or 6 by default.")
    boards: int | None = option(
        "N", "a", "Words to find at once, each on its board; 2 to 32.", least=2, most=MOST_BOARDS
    )
    colours: int | None = option(
        "N", "pha", "Colours of the codes; 6, in bulls-and-cows 10.", most=len(COLOURS)
    )
    checkpoint: str | None = option("FILE.npz", "p", "Follow this checkpoint instead of the best stored one.")
    wordlist: str | None = option(
        "FILE", "phla", "Words to guess from; wordlistN.txt, wordlist.txt or embedded."
    )
    targets: str | None = option("FILE|LEVEL", "phla", "Possible answers: a file, a level, answers or all.")
    without: str | None = option("FILE", "phla", "Words that are not the answer, for example past answers.")
    weights: str | None = option("FILE.tsv|levels", "a", "Weight of each answer, from a file or by level.")
    same: str = option("A=B,..", "phla", "Letters of the list that are equal, for example é=e,è=e.", "")
    strategy: str | None = option(
        "NAME", "p", "Search every turn by this strategy; best follows the stored tree."
    )
    letter: str = option("LETTER", "pa", "The first letter of the word, in a game that gives it.", "")
    host: str = option("NAME", "l", f"You guess: {', '.join(HOSTS)} or exact (hangman).", "")
    seed: int | None = option("NUMBER", "hl", "Random seed of a host.", least=0)
    top: int | None = option(
        "NUMBER", "a", "Number of guesses; 10, or the one of a stored tree.", most=questions.MOST_TOP
    )
    time: float = option("TIME", "a", "Time limit of a search, for example 2, 500ms or 1m.", 2.0)
    device: str = option("NAME", "pa", "auto (CUDA if available), cpu, cuda or cuda:N.", "auto")
    search: bool = option("", "pa", "Search, even if a stored tree has the guess.")
    hard: bool = option("", "pha", "Hard mode: guesses must use every revealed hint.")
    hard_from: str | None = option("N", "pha", "Hard mode from this turn on; any word before.")
    consistent: bool = option("", "pha", "Guesses must match all feedback so far.")
    first_letter: bool = option("", "pha", "The first letter is given before the first guess.")
    tell: bool = option("", "hl", "Print with each answer how many words are left.")
    loop: bool = option("", "l", "In hangman, continue with the next word.")
    all: bool = option("", "a", "Print all possible answers, not 20.")
    every: bool = option("", "a", "Include vulgar words among the guesses.")
    json: bool = option("", "a", "Print one JSON object per line.")

    def take(self, name: str, value: str | bool, reader: str) -> None:
        """Take the value of an option: a text, or whether a flag is set."""
        refuse({f"--{name} is there twice: give it once": name in self.given})
        self.given.append(name)
        refuse({f"option --{name} has no value: give one": value == ""})
        parsed: Any = value
        text, stated = str(value), OPTIONS[name]
        if stated.metavar in NUMBERS and name != "hard-from":  # `rule` reads it
            what, most = (f"--{name}", stated.most) if reader == ADVISER else (name, None)
            parsed = number_from(text, what, stated.least, most)
        elif stated.metavar == "TIME":
            parsed = scaled(text, UNITS)
            fault = f"--time {text!r} is not a time up to 24h: write it as 2, 500ms, 90s or 1m"
            refuse({fault: not 0 <= parsed <= questions.MOST_SECONDS})
        elif name == "same":
            with at_fault("same", UsageError):
                equal_signs(text)
        setattr(self, name.replace("-", "_"), parsed)

    @property
    def letters(self) -> bool:
        return family(self.game) in LETTERS

    @property
    def hosted(self) -> bool:
        """Return True if the user guesses and the program marks."""
        return bool(self.host) or self.game in HOSTED

    def question(self, *, begun: bool = True) -> Question:
        """Return the question of the options; `begun`: a given first letter is known."""
        name = family(self.game)
        hosted = name in HOSTED
        with at_fault("game", ValueError):
            code = catalogue.typed_name(catalogue.on_boards(self.game, self.boards))
            game = HOSTED[name]() if hosted else catalogue.find_game(code, self.turns)
            game = game if self.several else catalogue.one_board(game)
        given = f"--turns {self.turns}" if name == self.game else f"--game: {self.game[:40]!r}"
        no_codes = hosted or catalogue.repeats_colours(game) is None or self.wordlist is not None
        refuse({
            "--colours without all codes of a game of codes: leave it out":
                self.colours is not None and no_codes,
            f"{given}, but {name} has no limit of guesses: use {name}":
                hosted and (name != self.game or self.turns is not None),
            f"--weights with --game {name}, whose host draws no word: leave it out":
                hosted and self.weights is not None,
            f"--first-letter with --game {name}, whose host gives none: leave it out":
                hosted and self.rule == LETTER_GIVEN,
        })  # fmt: skip
        game = under_rule(game, self.rule)
        known = (begun and not self.hosted) or self.letter
        return Question(
            game=game,
            words=ListNames(self.wordlist, self.targets, self.without, self.weights, self.same, self.colours),
            length=self.length,
            letter=given_letter(self.letter, game, self.same) if known else "",
            limits=Limits(
                seconds=self.time, device=self.device, top=self.top, trees=not self.search,
                unfit=self.every, listed=self.all,
            ),
        )  # fmt: skip


OPTIONS: dict[str, Option] = {
    attr.name.replace("_", "-"): attr.metadata["option"] for attr in fields(Request) if attr.metadata
}


def family(game: str) -> str:
    return game.rstrip("0123456789")


def number_from(text: str, what: str, least: int, most: int | None = None, more: str = "") -> int:
    """Return the whole number of a text; an error names the range."""
    number, to = whole_number(text), "" if most is None else f" to {most}"
    if not least <= number <= (MOST_NUMBER if most is None else most):
        raise UsageError(f"{what} {text!r} is no whole number from {least}{to}{more}")
    return number


def whole_number(text: str) -> int:
    """Return a whole number of at most 19 digits; -1 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else -1


def scaled(text: str, units: Mapping[str, float]) -> float:
    """Return a number of at least 0, with or without a unit, in either case; -1 for any other text."""
    digits = text.lower()
    unit = next((unit for unit in units if digits.endswith(unit)), "")
    try:
        number = float(digits.removesuffix(unit)) * units.get(unit, 1.0)
    except ValueError:
        return -1.0
    return number if 0 <= number < 1e15 else -1.0  # also for NaN


def given_letter(letter: str, game: Game, same: str) -> str:
    """Return the given first letter of the target, in lower case; empty in games without one."""
    given, letter = f"--letter {letter}" if letter else "no --letter", enter(letter, same=same)
    refuse({
        f"{given} in {game.name}, which gives none: use --first-letter or leave it out":
            letter and not game.given,
        f"{given} in {game.name}: give the first letter of the word, as in --letter s":
            game.given and len(letter) != 1,
    })  # fmt: skip
    return letter


LENGTH = "Word length; the pit appends it."
SHORT = {"-g": "--game", "-s": "--strategy", "-w": "--wordlist"}
# If letters are guessed without a host, the revealed word has the length, and no word is drawn.
OF_HOSTS = {"length": "what is shown of the word tells it"}
OF_HOSTS |= dict.fromkeys(("targets", "without", "seed", "tell"), "only a host has it")
UNKNOWN = {
    PLAYER: "unknown argument {!r}",
    HOST: "argument {!r} is none of a host's",
    LETTER: "argument {!r} is none where letters are guessed",
    ADVISER: "unknown option {!r}",
}


def parsed_play(words: Sequence[str], *, terminal: bool = False) -> Request:
    """Parse the arguments after `play`: `--name value`, `--name=value` or a flag, and the word length. At a
    terminal the length is optional, and a host draws words in any game.
    """
    game, request = asked_game(words), Request(several=terminal)
    hosts = terminal and any(word.partition("=")[0] == "--host" for word in words)
    reader = LETTER if family(game) in LETTERS else HOST if hosts or game in HOSTED else PLAYER
    more = {"length", "boards"} if terminal else set()
    more |= {"host"} if hosts else set()
    others, lengths = _read(request, words, reader, more)
    appended = [word for word in others[-1:] if word.isdigit() and reader == PLAYER]
    for place, word in enumerate(others[: len(others) - len(appended)]):
        strange = not word.isdigit() and (reader != PLAYER or appended or word.startswith("-"))
        if strange or (reader == PLAYER and place):
            raise unknown_option(word, reader, more)
    lengths = [*others, *lengths]
    like = ", as in `gpulingo play 5`" if reader == PLAYER else ""
    fault = f"two word lengths, {' and '.join(lengths)}" if lengths else "no word length"
    refuse({f"{fault}: give one{like}": len(lengths) > 1 or not (lengths or terminal or reader != PLAYER)})
    request.given += ["length"] * len(lengths)
    for length in lengths:
        request.length = number_from(length, "word length", 1, more=": give the letters of a word")
    host, other = request.host, "--checkpoint" if request.checkpoint else "--search"
    if reader == LETTER:
        _check_letters(request, terminal)
    elif host:
        refuse({
            f"--host {host[:40]}: the host of {game} has no other: leave it out": game in HOSTED,
            f"--host {host[:40]}: use {HONEST}, or --game hangman, absurdle or evil-wordle": host != HONEST,
        })  # fmt: skip
    if not lengths and (reader != LETTER or host):
        request.length = USUAL_PEGS if is_of_codes(game) else USUAL_LENGTH
    both = request.strategy and (request.checkpoint or request.search)
    refuse({f"--strategy {request.strategy} and {other}: give one of them": both})
    kind, colon, number = request.device.partition(":")
    if request.device not in questions.DEVICES and not (kind == "cuda" and colon and number.isdecimal()):
        raise UsageError(questions.unknown_device(request.device))
    if request.strategy == BEST:  # the stored tree is followed
        request.strategy = None
    return request


def parsed_suggest(words: Sequence[str]) -> Request:
    """Parse the arguments after `suggest`: guesses with marks, `--name value`, `--name=value` or a flag."""
    request = Request(several=True)
    for word in _read(request, words, ADVISER)[0]:
        if word.startswith("-") and word != "-":
            raise unknown_option(word, ADVISER)
        request.parts += [word] if word.strip() and word != "-" else []
    return request


def asked_game(words: Sequence[str]) -> str:
    """Return the value of `--game`; empty if it was not given."""
    line = " ".join("--game" if word == "-g" else word for word in words).replace("--game=", "--game ")
    _, option, rest = f" {line}".partition(" --game ")
    return rest.split()[0] if option and rest.split() else ""


def _read(
    request: Request, words: Sequence[str], reader: str, more: Collection[str] = ()
) -> tuple[list[str], list[str]]:
    """Parse options; return the other words, and the lengths given to a player or a host."""
    others, lengths, rest = list[str](), list[str](), enumerate(words, 1)
    for place, word in rest:
        word = SHORT.get(word, word)
        name, equals, value = word.removeprefix("--").partition("=")
        name = SPELLINGS.get(name, name)
        stated = OPTIONS.get(name)
        taken = word.startswith("--") and stated and (reader in stated.readers or name in more)
        if not stated or not taken or (equals and not stated.metavar):
            others.append(word)
            continue
        if stated.metavar and not equals:
            end, value = next(rest, (place, ""))
            # The pit appends the length, unless it was given before.
            needed = reader == PLAYER and not others and "length" not in more
            cut = needed and end == len(words) and value.isdigit()
            if cut and stated.metavar in NUMBERS:
                fault = f"option --{name} has no value, or the word length is missing"
                raise UsageError(f"{fault}: give both, as in `gpulingo play --{name} {value} 5`")
            value = "" if cut else value
        if name == "length" and value and reader != ADVISER:
            lengths.append(value)
        else:
            request.take(name, value if stated.metavar else True, reader)
    return others, lengths


def unknown_option(word: str, reader: str, more: Collection[str] = ()) -> UsageError:
    known = [f"--{name}" for name, stated in OPTIONS.items() if reader in stated.readers or name in more]
    others = HOST in reader or LETTER in reader or word in [f"--{name}" for name in OPTIONS]
    near = "" if others else meant(word, known)
    command = "suggest" if reader == ADVISER else "play"
    return UsageError(f"{UNKNOWN[reader].format(word)}: {near}see `gpulingo {command} --help`")


def _check_letters(request: Request, terminal: bool) -> None:
    names, host = ", ".join(HOSTS), request.host
    given = [name for name in request.given if name != "length" or not terminal]
    refuse({
        "--host and --loop: a host plays one word, leave one out": host and request.loop,
        f"--host {host[:40]}: use {names} or exact": host not in ("", *HOSTS, "exact"),
        **{f"--{name} without --host: {why}: leave it out, or give --host {names}": name in given and not host
           for name, why in OF_HOSTS.items()},
        f"word length {request.length}, expected at most {questions.LONGEST}":
            request.length > questions.LONGEST and not host,
    })  # fmt: skip
