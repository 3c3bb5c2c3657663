"""What is said on every wire and at the terminal, line by line, as `transcripts/` has it.

A session begins with `$ COMMAND`; then `<` is a line that is sent, `>` one that comes back, `?` a prompt, `!`
one on stderr, `=` the exit code. `round GAME WORD` is a referee's log where a player says the lines sent.
"""

import json
import re
from pathlib import Path

import pytest
import typer.testing

from gpulingo.cli import pipes, terminal
from gpulingo.cli.app import app
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.match.process import ENDED
from gpulingo.match.referee import PlayerError, play_round
from gpulingo.match.rounds import Planned, RoundResult, entry_of
from gpulingo.storage.files import SHORT, file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import parse

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
SHORTER = "fish dish wish iris hill moth bee"
LONGER = (
    "heron robin eagle finch goose crane stork raven quail snipe egret macaw "
    "apple grape lemon mango peach olive melon berry guava papaw"
)


class Session:
    """One session: what is sent is taken from its text, and what happens is written down."""

    def __init__(self, text):
        command, *lines = text.splitlines()
        self.words, self.lines = command.split()[1:], [command]
        self._sent = iter([line[2:] for line in lines if line[0] == "<"])

    def put(self, sign, text):
        self.lines += [f"{sign} {line}".rstrip() for line in text.split("\n")]

    def read(self, prompt=""):
        if prompt:
            self.put("?", prompt)
        line = next(self._sent, None)
        if line is None:
            raise EOFError
        self.put("<", line)
        return line

    def write(self, line):
        self.put(">", line)

    def complain(self, line):
        self.put("!", line)


def nothing(*arguments):
    raise RuntimeError("nothing searches here")


def played(session, patch):
    """A process on pipes."""
    for name, function in (("read_line", session.read), ("write_line", session.write)):
        patch.setattr(pipes, name, function)
    patch.setattr(pipes, "complain", session.complain)
    return pipes.run(session.words[1:], nothing)


def conversed(session, patch):
    """A process at a terminal."""
    for name, function in (("_read", session.read), ("_write", session.write)):
        patch.setattr(terminal, name, function)
    patch.setattr(pipes, "complain", session.complain)
    return terminal.run(session.words[1:], nothing)


def refereed(session, patch):
    """A round with a player that says the lines sent."""

    def say(history=()):
        try:
            return session.read()
        except EOFError:
            raise PlayerError("it has ended") from None

    _, game, word = session.words
    log = {"hear": lambda line: session.put("?", line), "tell": session.write}
    play_round(say, word, {*SHORTER.split(), word}, find_game(game), **log)
    return 0


def ranked(session, patch):
    """A match of which every round is played."""
    done = typer.testing.CliRunner().invoke(app, session.words)
    head = r'(?m)^\{"schema": 1, "command": "pit", "version": "[^"]*", '  # which changes by the version
    session.put(">", re.sub(head, "{", done.stdout).removesuffix("\n"))
    session.put("!", done.stderr.removesuffix("\n"))
    return done.exit_code


KINDS = {"play": played, "terminal": conversed, "round": refereed, "pit": ranked}


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """A folder with two lists, of the first of which trees are kept, and the results of two matches."""
    folder = tmp_path_factory.mktemp("lists")
    longer, shorter = LONGER.split(), SHORTER.split()
    (folder / "list.txt").write_text("\n".join([*longer, *shorter]))
    (folder / "bare.txt").write_text("\n".join([*longer[4:], *shorter[1:]]))
    (folder / "few.txt").write_text("robin\ncrane\nfish\niris\n")
    five, four = parse("\n".join(longer)).of_length(5), parse("\n".join(shorter)).of_length(4)
    for tree in (simulate(five, "parts").tree, simulate(four, "frequency", game=hangman()).tree):
        write_checkpoint(tree, folder / file_name(tree.game.code, tree.length, tree.fingerprint))
    games = {
        "lingo5": {("a", "robin"): (300, "crane robin"), ("b", "robin"): (0, "crane grape heron mango lemon"),
                   ("a", "crane"): (500, "crane"), ("b", "crane"): (400, "robin crane")},
        "hangman6": {("a", "fish"): (100, "e i s h f"), ("b", "fish"): (0, "e a o u b c"),
                     ("a", "iris"): (100, "i r s"), ("b", "iris"): (100, "e e i r s")},
    }  # fmt: skip
    prints = {"lingo5": five.fingerprint[:SHORT], "hangman6": four.fingerprint[:SHORT]}
    for game, rounds in games.items():
        rows = [
            RoundResult(Planned(player, prints[game], word, game), points, tuple(guesses.split()),
                        int(player > "a"), *(("", "") if points else ("crash", ENDED)), 0, False,
                        0.25 * len(guesses), 0.5 * len(guesses))
            for (player, word), (points, guesses) in rounds.items()
        ]  # fmt: skip
        (folder / f"{game}.jsonl").write_text("".join(json.dumps(entry_of(row)) + "\n" for row in rows))
    return folder


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_line_is_as_it_was(path, lists, monkeypatch):
    monkeypatch.chdir(lists)
    monkeypatch.setenv("NO_COLOR", "1")
    text = path.read_text()
    again = []
    for part in text.strip().split("\n\n"):
        session = Session(part)
        code = KINDS[session.words[0]](session, monkeypatch)
        again.append("\n".join([*session.lines, f"= {code}"]))
    assert "\n\n".join(again) + "\n" == text
