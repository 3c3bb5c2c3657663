"""The command lines of `play` and `suggest`, read without typer: the pit starts a process per round."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gpulingo.cli.request import (
    ADVISER,
    HONEST,
    HOST,
    HOSTS,
    LETTER,
    NUMBERS,
    OPTIONS,
    PLAYER,
    SPELLINGS,
    Request,
    family,
    number_from,
)
from gpulingo.games.catalogue import HOSTED, LETTERS, is_of_codes
from gpulingo.player.question import DEVICES, LONGEST, USUAL_LENGTH, USUAL_PEGS, unknown_device
from gpulingo.storage.faults import UsageError, meant

LENGTH = "Word length; the pit appends it."
SHORT = {"-g": "--game", "-s": "--strategy", "-w": "--wordlist"}
# If letters are guessed without a host, the revealed word has the length, and no word is drawn.
OF_HOSTS = ("length", "targets", "without", "seed", "tell")
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
    game, request, lengths = asked_game(words), Request(several=terminal), list[str]()
    host = terminal and any(word.partition("=")[0] == "--host" for word in words)
    reader = LETTER if family(game) in LETTERS else HOST if host or game in HOSTED else PLAYER
    more = {"length", "boards"} if terminal else set()
    more |= {"host"} if host else set()
    others = _read(request, words, reader, more, lengths)
    appended = [word for word in others[-1:] if word.isdigit() and reader == PLAYER]
    for place, word in enumerate(others[: len(others) - len(appended)]):
        strange = not word.isdigit() and (reader != PLAYER or appended or word.startswith("-"))
        if strange or (reader == PLAYER and place):
            raise unknown_option(word, reader, more)
    lengths = [*others, *lengths]
    like = ", as in `gpulingo play 5`" if reader == PLAYER else ""
    if len(lengths) > 1 or not (lengths or terminal or reader != PLAYER):
        fault = f"two word lengths, {' and '.join(lengths)}" if lengths else "no word length"
        raise UsageError(f"{fault}: give one{like}")
    request.given += ["length"] * len(lengths)
    for length in lengths:
        request.length = number_from(length, "word length", 1, more=": give the letters of a word")
    if reader == LETTER:
        _check_letters(request, terminal)
    elif request.host and game in HOSTED:
        fault = f"--host {request.host[:40]}: the host of {game} has no other"
        raise UsageError(f"{fault}: leave it out")
    elif request.host not in ("", HONEST):
        fault = f"--host {request.host[:40]}: use {HONEST}"
        raise UsageError(f"{fault}, or --game hangman, absurdle or evil-wordle")
    if not lengths and (reader != LETTER or request.host):
        request.length = USUAL_PEGS if is_of_codes(game) else USUAL_LENGTH
    if request.strategy and (request.checkpoint or request.search):
        other = "--checkpoint" if request.checkpoint else "--search"
        raise UsageError(f"--strategy {request.strategy} and {other}: give one of them")
    kind, colon, number = request.device.partition(":")
    if request.device not in DEVICES and not (kind == "cuda" and colon and number.isdecimal()):
        raise UsageError(unknown_device(request.device))
    return request


def parsed_suggest(words: Sequence[str]) -> Request:
    """Parse the arguments after `suggest`: guesses with marks, `--name value`, `--name=value` or a flag."""
    request = Request(several=True)
    for word in _read(request, words, ADVISER, set(), []):
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
    request: Request, words: Sequence[str], reader: str, more: set[str], lengths: list[str]
) -> list[str]:
    """Parse options; return the other words."""
    others, rest = list[str](), enumerate(words, 1)
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
    return others


def unknown_option(word: str, reader: str, more: Collection[str] = ()) -> UsageError:
    known = [name for name, stated in OPTIONS.items() if reader in stated.readers or name in more]
    near = meant(word, [f"--{name}" for name in known]) if reader in (PLAYER, ADVISER) else ""
    command = "suggest" if reader == ADVISER else "play"
    return UsageError(f"{UNKNOWN[reader].format(word)}: {near}see `gpulingo {command} --help`")


def _check_letters(request: Request, terminal: bool) -> None:
    names = ", ".join(HOSTS)
    if request.host and request.loop:
        raise UsageError("--host and --loop: a host plays one word, leave one out")
    if request.host and request.host not in (*HOSTS, "exact"):
        raise UsageError(f"--host {request.host[:40]}: use {names} or exact")
    for name in OF_HOSTS:
        if name in request.given and not request.host and not (terminal and name == "length"):
            what = "what is shown of the word tells it" if name == "length" else "only a host has it"
            raise UsageError(f"--{name} without --host: {what}: leave it out, or give --host {names}")
    if request.length > LONGEST and not request.host:
        raise UsageError(f"word length {request.length}, expected at most {LONGEST}")
