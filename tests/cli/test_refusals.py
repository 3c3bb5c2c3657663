"""Refusals: a line on stderr, an exit code, nothing on stdout, and no file is created or changed.

refusals.tsv has a section for each fixture below: rows of an exit code, a command line and its message, in
which a … matches what differs between machines.
"""

import random
import re
import shlex
from pathlib import Path

import pytest
import typer
from sampled import quick

from gpulingo.cli.app import app_for
from gpulingo.games.catalogue import KNOWN
from gpulingo.player.question import NAMES

from .conftest import write_files

SECTIONS = {}
for row in Path(__file__).with_name("refusals.tsv").read_text(encoding="utf-8").splitlines():
    if row.startswith("# "):
        place = row[2:]
    elif row:
        code, line, said = row.split("\t")
        rows = SECTIONS.setdefault((place, line.split()[0]), [])
        rows.append(
            (int(code), line, said.replace("{KNOWN}", KNOWN).replace("{STRATEGIES}", ", ".join(NAMES)))
        )


@pytest.fixture
def words(middle):
    """A list of 22 words, half of them in t.txt, a checkpoint middle.npz, and files of other kinds."""
    write_files("refusals")
    Path("t.txt").write_text("\n".join(Path("list.txt").read_text().split()[::2]))
    Path("link.txt").symlink_to("list.txt")


@pytest.fixture
def pit(words, folder):
    """The same list as wordlist.txt, and two players."""


@pytest.fixture
def hangman(words):
    """Words of 4 letters from a small alphabet."""
    draw = random.Random(1)
    Path("list.txt").write_text("\n".join(sorted({"".join(draw.choices("abcdefg", k=4)) for _ in range(24)})))


@pytest.fixture
def results(words, run):
    """Results of a comparison in a.jsonl."""
    run("compare --lengths 5 --wordlist list.txt --device cpu --strategies letters --out a.jsonl")


@pytest.fixture
def tiles(words, tile_files, run):
    """A bag of six tiles in bag.tsv, its words in list.txt, and the table of all racks of three in t.npz."""
    assert run("tiles --bag bag.tsv --wordlist list.txt --all --draw 3 --out t.npz").exit_code == 0


def there():
    """The contents of the current folder."""
    return {
        path.name: path.is_file() and path.read_bytes()
        for path in Path().iterdir()
        if path.name != "__pycache__"  # from importing a strategy
    }


@pytest.mark.parametrize(("place", "command"), quick(SECTIONS, SECTIONS.keys() - {("words", "web")}))
def test_what_is_refused_is_told_in_a_line(run, request, capfd, place, command):
    request.getfixturevalue(place)
    before = there()
    for code, line, said in SECTIONS[place, command]:
        done = run("", *shlex.split(line))
        shown = done.stderr or capfd.readouterr().err  # `suggest` and `play` bypass the runner
        assert (done.exit_code, done.stdout) == (code, ""), (line, done.output)
        assert re.fullmatch(".*".join(map(re.escape, f"gpulingo: {said}\n".split("…"))), shown), (line, shown)
        assert there() == before, line


def test_every_command_that_reads_a_list_is_tried():
    commands = typer.main.get_command(app_for()).commands
    reading = {name for name in commands if any("--wordlist" in one.opts for one in commands[name].params)}
    tried = {
        name for (_, name), rows in SECTIONS.items() if any("--wordlist none.txt" in row[1] for row in rows)
    }
    assert tried >= reading
