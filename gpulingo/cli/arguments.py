"""The arguments of `play` and `suggest`: one table of options, for their help and for the parser here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from gpulingo.cli.wording import options_of
from gpulingo.games.catalogue import (
    HOSTED,
    LETTERS,
    LINGO,
    MOST_BOARDS,
    find_game,
    is_of_codes,
    on_boards,
    one_board,
    repeats_colours,
    typed_name,
)
from gpulingo.games.game import LETTER_GIVEN, Game
from gpulingo.player.question import (
    DEVICES,
    LONGEST,
    MOST_SECONDS,
    MOST_TOP,
    USUAL_LENGTH,
    USUAL_PEGS,
    Limits,
    ListNames,
    Question,
    at_fault,
    unknown_device,
)
from gpulingo.storage.faults import UsageError, meant
from gpulingo.words.letters import enter, equal_signs

# Readers of an option: the player of words, a host of words, guesser or host of letters, the adviser.
PLAYER, HOST, LETTER, ADVISER = "phla"
HONEST = "honest"
HOSTS = (HONEST, "largest", "diversity")  # of hangman
RULES = ("hard", "hard_from", "consistent", "first_letter")
LENGTH = "Word length; the pit appends it."
NUMBERS = ("N", "NUMBER")  # metavars of whole numbers
SPELLINGS = {"lengths": "length", "pegs": "length", "lives": "turns"}
SHORT = {"-g": "--game", "-s": "--strategy", "-w": "--wordlist"}
LEAST = {"seed": 0, "boards": 2}  # least value of a number; by default 1
MOST = {"length": 39, "boards": MOST_BOARDS, "top": MOST_TOP, "colours": 36}
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
# If letters are guessed without a host, the revealed word has the length, and no word is drawn.
OF_HOSTS = ("length", "targets", "without", "seed", "tell")
UNKNOWN = {
    PLAYER: "unknown argument {!r}",
    HOST: "argument {!r} is none of a host's",
    LETTER: "argument {!r} is none where letters are guessed",
    ADVISER: "unknown option {!r}",
}


def asked_rule(hard: bool, hard_from: str | None, consistent: bool, first_letter: bool = False) -> str:
    """Return the rule that options select, in the form of `Game.rule`, or empty."""
    given = {"--hard": hard, f"--hard-from {hard_from}": hard_from is not None, "--consistent": consistent}
    options = [option for option, chosen in (given | {"--first-letter": first_letter}).items() if chosen]
    if len(options) > 1:
        raise UsageError(f"{' and '.join(options)}: give one of them")
    if first_letter:
        return "letter"
    if hard_from is None:
        return options[0].removeprefix("--") if options else ""
    if not (hard_from.isascii() and hard_from.isdigit() and len(hard_from) < 9 and int(hard_from) > 0):
        raise UsageError(f"--hard-from {hard_from[:40]!r} is no turn: give a whole number from 1 on")
    return f"from{int(hard_from)}-hard" if int(hard_from) > 2 else "hard"  # turn 1 has no hints


def under_rule(game: Game, rule: str) -> Game:
    """Return the game under a requested rule, which it may already have; unchanged without a request."""
    if rule and game.rule != rule:
        giving, given = rule == LETTER_GIVEN, f"{options_of(rule)} with --game {game.name}"
        if game.boards > 1:
            raise UsageError(f"{given} of {game.boards} boards, which has no such rule: leave it out")
        if game.guesses_letters:
            raise UsageError(f"{given}, where letters are guessed: leave it out")
        if not game.shows_marks and rule != "consistent":
            raise UsageError(f"{given}, which has no such rule: leave it out")
        if game.rule != "any" or (giving and not game.rises_by_one):
            raise UsageError(f"{given}, which has a rule of its own: leave one out")
        game = game.with_letter() if giving else game.under(rule)
    if not game.ruled_left:
        fault = f"{options_of(game.rule)} in a game of {game.turns} turns"
        raise UsageError(f"{fault}: name one of these turns, or leave it out")
    return game


def value_of(name: str, text: str, reader: str) -> int | float | str:
    kind = OPTIONS[name][0]
    if kind in NUMBERS and name != "hard-from":  # `asked_rule` reads it
        what, most = (f"--{name}", MOST.get(name)) if reader == ADVISER else (name, None)
        return whole_number(text, what, LEAST.get(name, 1), most)
    if name == "same":
        with at_fault("same", UsageError):
            equal_signs(text)
    return _seconds(text) if kind == "TIME" else text


def whole_number(text: str, what: str, least: int, most: int | None = None, more: str = "") -> int:
    """Return the whole number of a text; an error names the range."""
    plain = text.isascii() and text.isdigit() and len(text) < 10
    if not (plain and int(text) >= least and (most is None or int(text) <= most)):
        to = "" if most is None else f" to {most}"
        raise UsageError(f"{what} {text!r} is no whole number from {least}{to}{more}")
    return int(text)


def _seconds(text: str) -> float:
    digits = text.lower().rstrip("hms")
    unit = text.lower()[len(digits) :] or "s"
    try:
        seconds = float(digits) * UNITS[unit]
    except (KeyError, ValueError):
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise UsageError(f"--time {text!r} is not a time up to 24h: write it as 2, 500ms, 90s or 1m")
    return seconds


def option(takes: str, readers: str, text: str, default: Any = None) -> Any:
    """Return the field of an option: metavar, empty for a flag; its readers; its help."""
    return field(default=default if takes else False, metadata={"option": (takes, readers, text)})


@dataclass
class Arguments:
    """The options of `gpulingo play` or `gpulingo suggest` as given, and their question."""

    given: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)  # guesses with their marks
    rule: str = ""  # of legal guesses, see `asked_rule`
    several: bool = False  # for a command that takes several boards
    # The table of options, in the order of their help.
    game: str = option(
        "NAME", "phla", "Game: lingo, wordle, absurdle, hangman ..; `gpulingo help games`.", LINGO
    )
    length: int = option(
        "N", "hla", "Letters of the word, if neither guesses nor N give them (default 5).", 0
    )
    turns: int | None = option("NUMBER", "phla", "Guesses allowed; hangman: misses. 5 or 6 by default.")
    boards: int | None = option("N", "a", "Words to find at once, each on its board; 2 to 32.")
    colours: int | None = option("N", "pha", "Colours of the codes; 6, in bulls-and-cows 10.")
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
    seed: int | None = option("NUMBER", "hl", "Random seed of a host.")
    top: int | None = option("NUMBER", "a", "Number of guesses; 10, or the one of a stored tree.")
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

    @property
    def letters(self) -> bool:
        return family(self.game) in LETTERS

    @property
    def hosted(self) -> bool:
        """Return True if the user guesses and the program marks."""
        return bool(self.host) or self.game in HOSTED

    def question(self, *, begun: bool = True) -> Question:
        """Return the question of the options; `begun`: a given first letter is known."""
        game = self._played()
        begun = begun and not self.hosted
        return Question(
            game=game,
            words=ListNames(self.wordlist, self.targets, self.without, self.weights, self.same, self.colours),
            length=self.length,
            letter=given_letter(self.letter, game, self.same) if begun or self.letter else "",
            history=self.parts,
            limits=Limits(
                seconds=self.time, device=self.device, top=self.top, trees=not self.search, unfit=self.every
            ),
        )

    def _played(self) -> Game:
        name = family(self.game)
        hosted, codes = name in HOSTED, self.colours is not None
        with at_fault("game", ValueError):
            game = HOSTED[name]() if hosted else find_game(on_boards(self.game, self.boards), self.turns)
            game = game if self.several else one_board(game)
        if codes and (hosted or repeats_colours(game) is None or self.wordlist is not None):
            raise UsageError("--colours without all codes of a game of codes: leave it out")
        if hosted and (name != self.game or self.turns is not None):
            given = f"--turns {self.turns}" if name == self.game else f"--game: {self.game[:40]!r}"
            raise UsageError(f"{given}, but {name} has no limit of guesses: use {name}")
        if hosted and self.weights is not None:
            raise UsageError(f"--weights with --game {name}, whose host draws no word: leave it out")
        if hosted and self.rule == LETTER_GIVEN:
            raise UsageError(f"--first-letter with --game {name}, whose host gives none: leave it out")
        return under_rule(game, self.rule)


# Name -> metavar, readers, help.
OPTIONS: dict[str, tuple[str, str, str]] = {
    attr.name.replace("_", "-"): attr.metadata["option"] for attr in fields(Arguments) if attr.metadata
}


def parsed_arguments(words: Sequence[str], *, terminal: bool = False) -> Arguments:
    """Parse the arguments after `play`: `--name value`, `--name=value` or a flag, and the word length. At a
    terminal the length is optional, and a host draws words in any game.
    """
    game, arguments, lengths = asked_game(words), Arguments(several=terminal), list[str]()
    host = terminal and any(word.partition("=")[0] == "--host" for word in words)
    reader = LETTER if family(game) in LETTERS else HOST if host or game in HOSTED else PLAYER
    more = {"length", "boards"} if terminal else set()
    more |= {"host"} if host else set()
    others = _read(arguments, words, reader, more, lengths)
    appended = [word for word in others[-1:] if word.isdigit() and reader == PLAYER]
    for place, word in enumerate(others[: len(others) - len(appended)]):
        strange = not word.isdigit() and (reader != PLAYER or appended or word.startswith("-"))
        if strange or (reader == PLAYER and place):
            raise _unknown(word, reader, more)
    lengths = [*others, *lengths]
    like = ", as in `gpulingo play 5`" if reader == PLAYER else ""
    if len(lengths) > 1 or not (lengths or terminal or reader != PLAYER):
        fault = f"two word lengths, {' and '.join(lengths)}" if lengths else "no word length"
        raise UsageError(f"{fault}: give one{like}")
    arguments.given += ["length"] * len(lengths)
    for length in lengths:
        arguments.length = whole_number(length, "word length", 1, more=": give the letters of a word")
    if reader == LETTER:
        _check_letters(arguments, terminal)
    elif arguments.host and game in HOSTED:
        fault = f"--host {arguments.host[:40]}: the host of {game} has no other"
        raise UsageError(f"{fault}: leave it out")
    elif arguments.host not in ("", HONEST):
        fault = f"--host {arguments.host[:40]}: use {HONEST}"
        raise UsageError(f"{fault}, or --game hangman, absurdle or evil-wordle")
    if not lengths and (reader != LETTER or arguments.host):
        arguments.length = USUAL_PEGS if is_of_codes(game) else USUAL_LENGTH
    if arguments.strategy and (arguments.checkpoint or arguments.search):
        other = "--checkpoint" if arguments.checkpoint else "--search"
        raise UsageError(f"--strategy {arguments.strategy} and {other}: give one of them")
    kind, colon, number = arguments.device.partition(":")
    if arguments.device not in DEVICES and not (kind == "cuda" and colon and number.isdecimal()):
        raise UsageError(unknown_device(arguments.device))
    return arguments


def parsed_asked(words: Sequence[str]) -> Arguments:
    """Parse the arguments after `suggest`: guesses with marks, `--name value`, `--name=value` or a flag."""
    arguments = Arguments(several=True)
    for word in _read(arguments, words, ADVISER, set(), []):
        if word.startswith("-") and word != "-":
            raise _unknown(word, ADVISER, set())
        arguments.parts += [word] if word.strip() and word != "-" else []
    return arguments


def asked_game(words: Sequence[str]) -> str:
    """Return the value of `--game`; empty if it was not given."""
    line = " ".join("--game" if word == "-g" else word for word in words).replace("--game=", "--game ")
    _, option, rest = f" {line}".partition(" --game ")
    return rest.split()[0] if option and rest.split() else ""


def family(game: str) -> str:
    return game.rstrip("0123456789")


def _read(
    arguments: Arguments, words: Sequence[str], reader: str, more: set[str], lengths: list[str]
) -> list[str]:
    """Parse options; return the other words."""
    others, given, rest = list[str](), arguments.given, enumerate(words, 1)
    for place, word in rest:
        word = SHORT.get(word, word)
        name, equals, value = word.removeprefix("--").partition("=")
        name = SPELLINGS.get(name, name)
        kind, readers, _ = OPTIONS.get(name, ("", "", ""))
        taken = word.startswith("--") and (reader in readers or name in more)
        if not taken or (equals and not kind):
            others.append(word)
            continue
        if kind and not equals:
            end, value = next(rest, (place, ""))
            # The pit appends the length, unless it was given before.
            needed = reader == PLAYER and not others and "length" not in more
            cut = needed and end == len(words) and value.isdigit()
            if cut and kind in NUMBERS:
                fault = f"option --{name} has no value, or the word length is missing"
                raise UsageError(f"{fault}: give both, as in `gpulingo play --{name} {value} 5`")
            value = "" if cut else value
        if kind and not value:
            raise UsageError(f"option --{name} has no value: give one")
        if name in given and not (
            name == "length" and reader in (PLAYER, HOST)
        ):  # the error of `parsed_arguments`
            raise UsageError(f"--{name} is there twice: give it once")
        given.append(name)
        if name == "length" and reader != ADVISER:
            lengths.append(value)
        elif name == "game":
            with at_fault("game", ValueError):
                arguments.game = typed_name(value)
        else:
            setattr(arguments, name.replace("-", "_"), value_of(name, value, reader) if kind else True)
    arguments.rule = asked_rule(*(getattr(arguments, name) for name in RULES))
    return others


def _unknown(word: str, reader: str, more: set[str]) -> UsageError:
    near = ""
    if reader in (PLAYER, ADVISER):
        known = [name for name, (_, readers, _) in OPTIONS.items() if reader in readers or name in more]
        near = meant(word, tuple(f"--{name}" for name in known))
    command = "suggest" if reader == ADVISER else "play"
    return UsageError(f"{UNKNOWN[reader].format(word)}: {near}see `gpulingo {command} --help`")


def _check_letters(arguments: Arguments, terminal: bool) -> None:
    names = ", ".join(HOSTS)
    if arguments.host and arguments.loop:
        raise UsageError("--host and --loop: a host plays one word, leave one out")
    if arguments.host and arguments.host not in (*HOSTS, "exact"):
        raise UsageError(f"--host {arguments.host[:40]}: use {names} or exact")
    for name in OF_HOSTS:
        if name in arguments.given and not arguments.host and not (terminal and name == "length"):
            what = "what is shown of the word tells it" if name == "length" else "only a host has it"
            raise UsageError(f"--{name} without --host: {what}: leave it out, or give --host {names}")
    if arguments.length > LONGEST and not arguments.host:
        raise UsageError(f"word length {arguments.length}, expected at most {LONGEST}")


def given_letter(letter: str, game: Game, same: str = "") -> str:
    """Return the given first letter of the target, in lower case; empty in games without one."""
    if letter and not game.given:
        raise UsageError(
            f"--letter {letter} in {game.name}, which gives none: use --first-letter or leave it out"
        )
    letter = enter(letter, same=same)
    if game.given and len(letter) != 1:
        fault = f"--letter {letter}" if letter else "no --letter"
        raise UsageError(f"{fault} in {game.name}: give the first letter of the word, as in --letter s")
    return letter
