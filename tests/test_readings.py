"""Readers of texts: readings.tsv has a section for each, whose rows have a text and its reading.

A text has \\n, \\t and other escapes of Python, and <x*9> for x nine times. A reading begins with ! if it is
an error, which is one line; a … matches any signs. A section's name may end in an argument of its reader.
"""

import ast
import re
from pathlib import Path

import pytest

from gpulingo.advice.notation import check_signs, read_history, read_marks
from gpulingo.advice.round import check_round, line_round, read_round
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import KNOWN, feedback_of, find_game
from gpulingo.machines.ray_tasks import checked_address
from gpulingo.match.referee import PlayerError, play_round
from gpulingo.match.sandbox import split_command
from gpulingo.player.question import NAMES
from gpulingo.storage.faults import meant
from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import find_bag, parsed_bag
from gpulingo.words.hunspell import Dictionary
from gpulingo.words.letters import leave
from gpulingo.words.listing import parse, read
from gpulingo.words.shown import answer_of, named_letter, parsed_shown
from gpulingo.words.targets import Weights

SECTIONS = {}
for row in Path(__file__).with_name("readings.tsv").read_text(encoding="utf-8").splitlines():
    if row.startswith("# "):
        rows = SECTIONS.setdefault(row[2:], [])
    elif row:
        rows.append(row.replace("{KNOWN}", KNOWN).split("\t"))
BIRDS = parse("heron\nable\nrobin\nraven\nbale", "pool.txt").of_length(5)


def paired(guesses):
    """The guesses of a round with their marks."""
    return " ".join(f"{guess}:{marks}" for guess, marks in guesses)


def history(text, game):
    """Guesses and marks of a text, as one and by its words."""
    rule = feedback_of(find_game(game))
    assert read_history([text], rule) == read_history(text.split(), rule)
    return paired(read_history([text], rule))


def checked(text, game):
    """A round that a game allows."""
    check_round(played := line_round(text.split(), find_game(game)), find_game(game))
    return paired(played.guesses)


def listed(text, name):
    """The words of a file, its kind, and what is skipped."""
    Path(name).write_bytes(b"\xef\xbb\xbf" * (name != "plain") + text.encode("utf-8", "surrogateescape"))
    listing, parsed = read(Path(name)), parse(text, name)
    assert (listing.words, listing.note) == (parsed.words, parsed.note)
    if five := [word for word in listing.words if len(word) == 5]:
        assert parse(text, name).of_length(5).words == five
    if name != "plain":  # the data for players and indices
        assert {*five} <= {*listing.data.decode().lower().split()}
    return "; ".join([" ".join(map(leave, listing.words)), listing.note or str(listing.skipped)])


def bag(text, name):
    """The letters of a bag, from a text and from a file."""
    Path(name).write_text(text, encoding="utf-8")
    assert parsed_bag(text, name) == find_bag(name)
    return find_bag(name).shown()


def weights(text, name):
    """Weights of a file for herons and robins among birds."""
    Path(name).write_text(text, encoding="utf-8")
    return Weights(name).of(BIRDS.with_targets(["heron", "robin"], "t.txt")).weights


def forms(text, _):
    """The words of a Hunspell dictionary, after its rules and |."""
    rules, _, entries = (part.replace(";", "\n") for part in text.partition("|"))
    lines = Dictionary(f"{entries.count(chr(10)) + 1}\n{entries}\n".encode(), rules.encode()).lines(
        signs=True
    )
    return " ".join(sorted(lines))


def counts(text, given):
    """Counts of a game and a length in their usual form."""
    rule, length = feedback_of(find_game(given.split()[0])), int(given.split()[1])
    if fault := rule.fault(text, length):
        raise ValueError(fault)
    return rule.marks(rule.pattern(text), length)


def refereed(text, given):
    """A round of a game, its word and words that may be guessed, in which a player prints lines, as a|b."""
    (game, word, *words), lines, heard, told = given.split(), iter(text.split("|")), [], []

    def say(history):
        if (line := next(lines, "END")) == "END":
            raise PlayerError("Player program ended unexpectedly")
        return line

    played = play_round(say, word, {word, *words}, find_game(game), hear=heard.append, tell=told.append)
    assert [line.removeprefix("Sent:  ") for line in told if line.startswith("Sent:  ")][
        : len(heard)
    ] == heard
    ends = f"{played.points} points, {played.invalid} invalid{', ended' * played.ended}"
    ends += "".join(f", {why}" for why in (played.fault, played.error) if why)
    assert played.target == word
    return " / ".join([*told, ends, " ".join(map(repr, played.guesses)), " ".join(played.marks)])


def pictured(text, _):
    """Nothing: a text whose squares are marks."""
    check_signs(text)
    return ""


READERS = {
    "marks of": read_marks,
    "history in": history,
    "round in": lambda text, game: paired(line_round(text, find_game(game)).guesses),
    "shared rows of": lambda text, words: paired(
        read_round(text, find_game("wordle"), words=words.split()).guesses
    ),
    "shared rows": lambda text, _: paired(read_round(text, find_game("wordle")).guesses),
    "allowed round in": checked,
    "squares": pictured,
    "counts in": counts,
    "game": lambda text, _: find_game(text).code,
    "shown word": lambda text, _: parsed_shown(text),
    "letter that is named": lambda text, _: named_letter(text),
    "answer": lambda text, _: answer_of(text),
    "list": listed,
    "bag": bag,
    "weights": weights,
    "forms": forms,
    "command": lambda text, _: split_command(text),
    "address of a cluster": lambda text, _: checked_address(text),
    "referee of": refereed,
    "device": lambda text, _: find_device(text),
    "strategy that is meant": lambda text, _: meant(text, NAMES),
}
ESCAPES = re.compile(r"\\(?:u[0-9a-f]{4}|U[0-9a-f]{8}|x[0-9a-f]{2}|[nrt0\\])")


def read_as(section, text):
    """What a reader makes of a text, or ! and its error."""
    reader = max((name for name in READERS if section.startswith(name)), key=len)
    text = re.sub(r"<([^<]+)\*(\d+)>", lambda found: found[1] * int(found[2]), text)
    text = ESCAPES.sub(lambda found: ast.literal_eval(f'"{found[0]}"'), text)
    try:
        return str(READERS[reader](text, section.removeprefix(reader).strip())).rstrip()
    except (ValueError, LookupError) as error:
        return f"! {worded(error)}"


@pytest.mark.parametrize("section", SECTIONS)
def test_a_text_is_read_or_refused_in_a_line(section, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text, reading in SECTIONS[section]:
        seen = read_as(section, text)
        assert re.fullmatch(".*".join(map(re.escape, reading.split("…"))), seen), (text, seen)
