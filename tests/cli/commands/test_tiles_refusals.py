"""What `gpulingo tiles` cannot do: one line on stderr, nothing on stdout, no file touched."""

from pathlib import Path

import numpy as np
import pytest

from gpulingo.storage.npz import npy, pack, unpack
from gpulingo.tiles.rack_table import NAMES

SMALL = "tiles --bag bag.tsv --wordlist list.txt"
ONE_MODE = "--rack with --draw, --rounds or --all: racks are given, drawn, or all; choose one"
ONE_NUMBER = "--out: it takes the racks of --all with one number of tiles; add --all"
TABLE_ALONE = "--table: bag, list and draw are those of the file; give it --rack or --all alone"
WHOLE = "is not a whole number from"
HELP = "; see `gpulingo tiles --help`"
pytestmark = pytest.mark.usefixtures("tile_files")


@pytest.fixture
def refusal(run):
    """A function that runs a command that fails: the line that it tells."""

    def told(line, *more, code=2):
        done = run(line, *more)
        assert (done.exit_code, done.stdout) == (code, "")
        name, _, text = done.stderr.partition(": ")
        assert name == "gpulingo" and text.endswith("\n") and text.count("\n") == 1
        return text[:-1]

    return told


def test_files_of_other_kinds_are_never_replaced(run, refusal, middle):
    np.savez("other.npz", header=np.zeros(2), points=np.zeros(2))
    Path("notes.txt").write_text("of mine")
    for path in (middle, Path("other.npz"), Path("notes.txt")):
        before = path.read_bytes()
        said = f"{path} is of another kind and would be lost: name another file to write"
        assert refusal(f"{SMALL} --all --draw 3 --out {path}") == said
        assert path.read_bytes() == before
    run(f"{SMALL} --all --draw 3 --out t.npz")
    for option, path in ((SMALL, "bag.tsv"), (SMALL, "list.txt"), ("tiles --table t.npz", "t.npz")):
        before = Path(path).read_bytes()
        said = f"{path} would replace a file that is read: name another file to write"
        assert refusal(f"{option} --all --out {path}") == said
        assert Path(path).read_bytes() == before


def test_where_no_file_can_be_written_nothing_is_computed(refusal):
    assert refusal(f"{SMALL} --all --out .") == ". is not a plain file: name a file to write"
    said = "none: cannot write there (No such file or directory); name another place"
    assert refusal(f"{SMALL} --all --out none/t.npz", code=1) == said


def test_a_table_that_says_something_else_than_its_words_is_told_and_not_summed_up(run, refusal):
    run(f"{SMALL} --all --draw 3 --out t.npz")
    members = unpack(Path("t.npz").read_bytes(), NAMES)
    ranks = list(members["ranks"][128:])
    ranks[0] = 2  # BB?: 4 points
    Path("t.npz").write_bytes(pack([*(members | {"ranks": npy(ranks, "u1")}).items()]))
    said = "the table says 4 points for rack BB?, its words have 5: it is damaged, make it again"
    assert refusal("tiles --table t.npz --rack bb?", code=1) == said
    said = (
        f"--table: the table is wrong for 1 of {len(ranks)} racks: make it with `gpulingo tiles --all --out`"
    )
    assert refusal("tiles --table t.npz --all") == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--rack abx", "--rack: rack 'abx' has 'x', which the bag bag.tsv lacks: use AB?"),
        ("--rack ab --rack a1", "--rack: rack 'a1' has '1', which the bag bag.tsv lacks: use AB?"),
        ("--draw 7", "--draw: draw of 7 tiles, the bag bag.tsv has 6: draw 1 to 6"),
        ("--draw 7 --rounds 9", "--draw: draw of 7 tiles, the bag bag.tsv has 6: draw 1 to 6"),
        ("", "--draw: draw of 7 tiles, the bag bag.tsv has 6: draw 1 to 6"),
        ("--all --draw 1-8", "--draw: draw of 8 tiles, the bag bag.tsv has 6: draw 1 to 6"),
        ("--draw 0", "--draw: '0' has numbers outside 1 to 255: write numbers as 5, 4-13 or 4,6-8"),
        ("--draw 256", "--draw: '256' has numbers outside 1 to 255: write numbers as 5, 4-13 or 4,6-8"),
        ("--draw x", "--draw: 'x' is not a number: write numbers as 5, 4-13 or 4,6-8"),
        ("--draw 1-3", "--draw 1-3: one number of tiles, or several with --all"),
        ("--rack ab --draw 3", ONE_MODE),
        ("--rack ab --all", ONE_MODE),
        ("--rack ab --rounds 2", ONE_MODE),
        ("--all --rounds 3", "--all with --rounds: all racks are counted, none is drawn; leave one out"),
        ("--out x.npz", ONE_NUMBER),
        ("--all --draw 1-2 --out x.npz", ONE_NUMBER.replace("add --all", "draw one")),
        ("--draw 3 --top 3", "--top: it is for --rack or --all; of drawn racks --json has all best words"),
        (
            "--all --draw 3 --memory 10",
            "6 racks of up to 3 tiles and words with their blanks take 0.0 MiB, "
            "--memory allows 0.0 MiB: draw fewer tiles, or give more",
        ),
        ("--rack aab --min-length 4", "--min-length 4: no word of the list has as many letters; give fewer"),
        (
            "--all --draw 2,3 --top 2",
            "--top with several numbers of tiles: the best racks are listed for one number only",
        ),
        ("--all --draw 2 --min-length 3", "--min-length 3 with 2 tiles drawn: no word has room; give less"),
        ("--rounds 0", f"invalid value for '--rounds': '0' {WHOLE} 1 to 1000000{HELP}"),
        ("--rounds 2.5", f"invalid value for '--rounds': '2.5' {WHOLE} 1 to 1000000{HELP}"),
        ("--min-length 0", f"invalid value for '--min-length': '0' {WHOLE} 1 to 255{HELP}"),
        ("--top 0 --all", f"invalid value for '--top': '0' {WHOLE} 1 to 10000{HELP}"),
        ("--seed -1", f"invalid value for '--seed': '-1' {WHOLE} 0 to 9223372036854775807{HELP}"),
        (
            "--memory x",
            "invalid value for '--memory': 'x' is not a size: use bytes or a suffix, for example 500M or 4G"
            + HELP,
        ),
    ],
)
def test_options_that_cannot_be_are_told_in_one_line(refusal, options, said):
    assert refusal(f"{SMALL} {options}") == said
    assert not Path("x.npz").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--rack a?", "--rack: rack 'a?' has a blank, and the bag challenge has none: use letters only"),
        ("--draw 110", "--draw: draw of 110 tiles, the bag challenge has 109: draw 1 to 109"),
        (
            "--all --draw 60",
            "--draw: 4.9e+31 draws of 54 tiles on the way to 60, expected at most 1.5e+17: draw fewer tiles",
        ),
        (
            "--bag none.tsv",
            "--bag: no bag at none.tsv: name a file of tiles, or one of challenge, scrabble",
        ),
        ("--bag .", "--bag: . is a folder: name a file of tiles"),
        ("--table t.npz", TABLE_ALONE),
        ("--table t.npz --all --draw 3", TABLE_ALONE),
        ("--table t.npz --all --bag scrabble", TABLE_ALONE),
        ("--table t.npz --rack a --min-length 2", TABLE_ALONE),
        (
            "--table none.npz --all",
            "--table: cannot read none.npz (No such file or directory): "
            "make it with `gpulingo tiles --all --out`",
        ),
    ],
)
def test_what_other_bags_and_tables_cannot_do_is_told_in_one_line(refusal, line, said):
    wordlist = "" if "--table" in line else "--wordlist list.txt"
    assert refusal(f"tiles {line} {wordlist}") == said


def test_empty_racks_and_lists_that_are_not_there_are_told(refusal):
    said = "--rack: rack '' has no tiles: write its letters, for example AGZEQUI"
    assert refusal(f"{SMALL} --rack", "") == said
    said = "--wordlist: no word list at none.txt: give a file with one word a line"
    assert refusal("tiles --rack ab --wordlist none.txt") == said


@pytest.mark.parametrize("mode", ["--rack a", "--draw 1", "--all --draw 1"])
def test_a_file_that_is_no_bag_is_told_in_one_line(refusal, mode):
    Path("bag.tsv").write_text("a 1 1")
    said = "line 1 of bag bag.tsv is 'a 1 1': write a letter, a tab, how many tiles and a tab, their value"
    assert refusal(f"{SMALL} {mode}") == f"--bag: {said}"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "t.npz ends before its array header"),
        (b"ab\nba\nbaa, a list of words and no table", "t.npz has no array header where it should stand"),
    ],
)
def test_a_file_that_is_no_table_is_told_in_one_line(refusal, data, said):
    Path("t.npz").write_bytes(data)
    said = f"--table: {said}: make it with `gpulingo tiles --all --out`"
    assert refusal("tiles --table t.npz --all") == said
    assert refusal("tiles --table t.npz --rack ab") == said


def test_a_table_has_only_its_own_racks_and_computes_none(run, refusal):
    run(f"{SMALL} --all --draw 3 --out t.npz")
    for rack in ("ab", "abb?", "bbb"):
        said = (
            f"--rack: rack '{rack}' is not 3 tiles of the bag bag.tsv, and only these are in the table: "
            "look it up in the list"
        )
        assert refusal("tiles --table t.npz --rack", rack) == said
    said = "--rack: rack 'abx' has 'x', which the bag bag.tsv lacks: use AB?"
    assert refusal("tiles --table t.npz --rack abx") == said
    said = "--table with --device cuda: a table is only looked up; leave out --device"
    assert refusal("tiles --table t.npz --all --device cuda") == said


def test_more_draws_than_can_be_counted_are_told_however_many(refusal):
    Path("bag.tsv").write_text("".join(f"{letter}\t1000000\t1\n" for letter in "abcdefghijklmnopqrstuvwxyz"))
    said = "--draw: 2.0e+1386 draws of 255 tiles, expected at most 3.6e+16: draw fewer tiles"
    assert refusal(f"{SMALL} --all --draw 255") == said


def test_a_table_too_large_for_a_file_is_told_before_the_work(run, refusal):
    Path("many.tsv").write_text("".join(f"{letter}\t9\t1\n" for letter in "abcdefghijklmnopqrstuvwxyz"))
    said = refusal("tiles --all --bag many.tsv --wordlist list.txt --draw 10 --out t.npz")
    # C(35, 10) multisets of 26 letters, less the 26 of ten alike.
    seen = "183,579,370 racks take 183,579,370 bytes, a file holds 67,108,736"
    assert said == f"--out: {seen}: draw fewer tiles"


def test_what_was_found_is_printed_even_where_the_file_cannot_be_written(run, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device", "t.npz")

    monkeypatch.setattr("gpulingo.tiles.rack_table.write_rack_table", refuse)
    done = run(f"{SMALL} --all --draw 3 --out t.npz")
    assert done.exit_code == 1 and "expected" in done.stdout
    assert done.stderr == "gpulingo: t.npz: No space left on device\n"
