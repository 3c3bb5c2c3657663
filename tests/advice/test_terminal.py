"""`gpulingo play` at a real pseudo-terminal: exit codes and colours; pipes get none of it."""

import codecs
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from gpulingo.advice.conversation import BACKGROUNDS
from gpulingo.games.marks import feedback
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint

pytestmark = pytest.mark.slow  # a process each, some of which load the search
PLAY = [sys.executable, "-m", "gpulingo", "play"]


class Terminal:
    """A pseudo-terminal in which the command runs."""

    def __init__(self, folder, *words, **environment):
        self.ours, theirs = pty.openpty()
        self.seen, self.decoder = "", codecs.getincrementaldecoder("utf-8")()
        environment = {"TERM": "dumb", **environment}
        known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        self.process = subprocess.Popen(
            [*PLAY, *words], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
            env=known | environment, start_new_session=True, preexec_fn=_controlled,
        )  # fmt: skip
        os.close(theirs)

    def until(self, text, seconds=60):
        """Read up to the end of a text, remove it from the buffer and return it."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.ours], [], [], 0.2)[0]:
                self.seen += self.decoder.decode(os.read(self.ours, 4096)).replace("\r", "")
        before, text, self.seen = self.seen.partition(text)
        return before + text

    def ask(self, line, text="> "):
        """Send a line and return the output up to a text, without the echo of the line."""
        os.write(self.ours, f"{line}\n".encode())
        self.until(f"{line}\n")
        return self.until(text)

    def end(self, signs):
        """Send signs until the process ends; return its exit code and output."""
        while True:
            os.write(self.ours, signs)
            try:
                told = self.until("Bye.", seconds=5 if b"\x03" in signs else 60)
                break
            except (
                AssertionError
            ):  # a Ctrl-C between the prompt and the wait for a key takes effect at the next key
                if b"\x03" not in signs:
                    raise
        return self.process.wait(60), told

    def close(self):
        """End the process and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(60)
        os.close(self.ours)


def _controlled():
    """Make the terminal the controlling terminal of the process, so that Ctrl-C reaches it."""
    import fcntl
    import termios

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def folder(tmp_path, words22):
    """A folder with a list of 22 words and its stored tree."""
    tree = simulate(words22, "parts").tree
    (tmp_path / "wordlist.txt").write_text("\n".join(words22.words) + "\n")
    write_checkpoint(tree, tmp_path / file_name("lingo5", 5, tree.fingerprint))
    return tmp_path


@pytest.fixture
def terminal(folder):
    """A function that starts the command in a terminal, in that folder."""
    open_ = []

    def start(*words, **environment):
        open_.append(Terminal(folder, *words, **environment))
        return open_[-1]

    yield start
    for own in open_:
        own.close()


def test_one_round_and_ctrl_d(terminal, words22):
    own = terminal("5")
    text = own.until("> ")
    assert "lingo5: think of a word of 5 letters (wordlist.txt)." in text and "\x1b" not in text
    guess = text.split("I guess ")[-1].split(".")[0]
    assert guess in words22.words and text.endswith(f"marks of {guess}> ")
    assert "are 2, it has 5 letters" in own.ask("XX")
    for _ in range(5):
        row = feedback(guess, "mango")
        text = own.ask(row)
        if row == "OOOOO":
            break
        guess = text.split("I guess ")[-1].split(".")[0]
    assert "Found on turn " in text and "mango" in text
    code, told = own.end(b"\x04")
    assert code == 0 and "Traceback" not in told


CTRL_C = pytest.param(b"\x03", 130, marks=pytest.mark.slow)  # may need several tries


@pytest.mark.parametrize(("signs", "code"), [CTRL_C, (b"\x04", 0), (b"quit\n", 0)])
@pytest.mark.parametrize("words", [["5"], ["--host", "honest", "--seed", "1"], ["--game", "absurdle"]])
def test_every_end_is_polite_and_leaves_the_terminal_as_it_was(terminal, words, signs, code):
    import termios

    own = terminal(*words)
    own.until("> ")
    done, told = own.end(signs)
    assert done == code and "Traceback" not in told
    assert termios.tcgetattr(own.ours)[3] & termios.ECHO  # a new terminal echoes


def test_a_strategy_and_a_checkpoint_that_are_named_are_followed(terminal, folder, words22):
    tree = simulate(words22, "entropy", opening="mango").tree
    write_checkpoint(tree, folder / "mine.npz")
    assert "I guess mango." in terminal("5", "--checkpoint", "mine.npz").until("> ")
    own = terminal("--length", "5", "--strategy", "entropy")
    assert "I guess " in own.until("> ") and "by the strategy that was named" in own.ask("why")


def test_colours_where_the_terminal_has_them(terminal):
    own = terminal("--game", "wordle", "--host", "honest", "--seed", "1", TERM="xterm")
    own.until("> ")
    os.write(own.ours, b"mango\n")
    text = own.until("guess 2> ")
    assert any(f"\x1b[{sign}m" in text for sign in BACKGROUNDS.values())
    plain = terminal("--game", "wordle", "--host", "honest", "--seed", "1", TERM="xterm", NO_COLOR="1")
    plain.until("> ")
    assert "\x1b[" not in plain.ask("mango", "guess 2> ").replace("\x1b[?2004", "")


def test_a_list_that_the_folder_should_have_is_no_fault_of_the_command(terminal, folder):
    (folder / "wordlist.txt").unlink()
    (folder / "wordlist.txt").symlink_to("gone.txt")
    own = terminal("5")
    assert own.process.wait(60) == 1
    assert own.until("\n").startswith("gpulingo: no word list at wordlist.txt")


def test_on_pipes_the_conversation_is_not_even_loaded(folder):
    code = (
        "import sys; sys.argv = ['gpulingo', 'play', '5']\nfrom gpulingo.__main__ import run\n"
        "run(sys.argv[1:])\nprint('advice' in ''.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, input=b"OOOOO\n", capture_output=True, timeout=60
    )
    assert len(done.stdout) == 6 and done.stderr == b"False\n"
    # With a terminal on only one side, the protocol of a pipe is used.
    ours, theirs = pty.openpty()
    with subprocess.Popen([*PLAY, "5"], cwd=folder, stdin=theirs, stdout=-1, stderr=-1) as process:
        assert len(process.stdout.readline()) == 6
        os.write(ours, b"\x04")
        assert process.wait(60) == 0 and process.stderr.read() == b""
    os.close(ours), os.close(theirs)
