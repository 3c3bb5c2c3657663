"""A conversation about eleven words with a scripted engine."""

import pytest

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.conversation import Paint
from gpulingo.advice.marked import Marked
from gpulingo.advice.outlook import GuessStats, class_sizes
from gpulingo.cli.pipes import REMEDIES
from gpulingo.cli.request import Request
from gpulingo.cli.suggest import run
from gpulingo.games import marks

WORDS = ["dents", "dozes", "reads", "zones", "dunes", "tunes", "tones", "bones", "cones", "lones", "roses"]


class Engine:
    """Proposes the first word that fits, or a scripted guess; counts its calls."""

    def __init__(self, proposal=None):
        self.proposal, self.asked = proposal, 0

    def outlooks(self, words, game, history, *, letter, count, seconds, device, **watch):
        self.asked += 1
        if self.proposal == "fail":
            raise RuntimeError("no\nengine")
        left = [word for word in words.targets if all(marks.feedback(g, word) == row for g, row in history)]
        guess = self.proposal or left[0]
        sizes, target = class_sizes(marks, guess, left), guess in left
        turns = [0] * game.turns
        turns[len(history)] = 1
        own = GuessStats(guess, turns, len(left), classes=len(sizes), largest=max(sizes), target=target)
        return [own], "by a script: * is at least"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a list of eleven words, without a stored tree."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wordlist.txt").write_text("\n".join(WORDS) + "\n")
    return tmp_path


@pytest.fixture
def talk(folder):
    """A function that starts a conversation with a scripted engine."""

    def begun(game="lingo", engine=None, strategy=None, **options):
        asked = Request(game=game, top=1, **options).question()
        engine = engine or Engine()
        talk = Marked(Adviser(asked, lambda: engine, lambda text: None), 5, Paint(), REMEDIES, strategy)
        talk.greeting()
        return talk

    return begun


def asker(folder, words, load):
    """A function that runs `suggest` on these words: exit code, output, error lines."""
    (folder / "wordlist.txt").write_text("\n".join(words) + "\n")

    def asked(line, stdin=(), engine=None, write=None):
        answers, told, lines = [], [], iter(stdin)

        def read():
            for text in lines:
                return text
            raise EOFError

        code = run(line.split(), lambda module: engine or load(), read, write or answers.append, told.append)
        return code, "\n".join(answers), told

    return asked


@pytest.fixture
def scripted():
    """The class of the scripted engine."""
    return Engine
