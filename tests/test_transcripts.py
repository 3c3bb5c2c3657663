"""The lines of every protocol and of the terminal, compared with `transcripts/`.

A session starts with `$ COMMAND`; then `<` is a line sent, `>` a line received, `?` a prompt, `!` a line on
stderr, `=` the exit code. `round GAME WORD` is a referee's log of a round; the player sends these lines.
`boards` is `terminal` where guesses are searched.
"""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
import typer.testing

from gpulingo.cli import pipes, terminal
from gpulingo.cli.app import app_for
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.match.process import ENDED
from gpulingo.match.referee import PlayerError, play_round
from gpulingo.match.rounds import Planned, RoundResult, entry_of
from gpulingo.storage.files import SHORT, file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import parse

APP = app_for()

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
SHORTER = "fish dish wish iris hill moth bee"
ELEVEN = "dents dozes reads zones dunes tunes tones bones cones lones roses"
LONGER = (
    "heron robin eagle finch goose crane stork raven quail snipe egret macaw "
    "apple grape lemon mango peach olive melon berry guava papaw"
)


class Session:
    """One session: input is taken from its text, and output is recorded."""

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

    def complain(self, fault):
        self.put("!", worded(fault))


def nothing(*arguments):
    raise RuntimeError("nothing searches here")


def played(session, patch):
    """Run a process on pipes."""
    for name, function in (("read_line", session.read), ("write_line", session.write)):
        patch.setattr(pipes, name, function)
    patch.setattr(pipes, "complain", session.complain)
    return pipes.run(session.words[1:], nothing)


def conversed(session, patch):
    """Run a process at a terminal."""
    for name, function in (("_read", session.read), ("_write", session.write)):
        patch.setattr(terminal, name, function)
    patch.setattr(pipes, "complain", session.complain)
    load = import_module if session.words[0] == "boards" else nothing
    return terminal.run(session.words[1:], load)


def refereed(session, patch):
    """Run a round with a player that sends the lines."""

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
    """Run a match in which every round is played."""
    done = typer.testing.CliRunner().invoke(APP, session.words)
    head = r'(?m)^\{"schema": 1, "command": "pit", "version": "[^"]*", '  # the version changes
    session.put(">", re.sub(head, "{", done.stdout).removesuffix("\n"))
    session.put("!", done.stderr.removesuffix("\n"))
    return done.exit_code


KINDS = {"play": played, "terminal": conversed, "boards": conversed, "round": refereed, "pit": ranked}


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """A folder with two lists, stored trees for the first, and the results of two matches."""
    folder = tmp_path_factory.mktemp("lists")
    longer, shorter = LONGER.split(), SHORTER.split()
    (folder / "list.txt").write_text("\n".join([*longer, *shorter]))
    (folder / "bare.txt").write_text("\n".join([*longer[4:], *shorter[1:]]))
    (folder / "few.txt").write_text("robin\ncrane\nfish\niris\n")
    (folder / "eleven.txt").write_text("\n".join(ELEVEN.split()))
    (folder / "nine.txt").write_text("\n".join(ELEVEN.split()[:9]))
    (folder / "clashing.txt").write_text("left\nhelp\nquit\nmint\nmind\n")
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
