"""`gpulingo review --out`: the page beside what is printed, and what is refused before the work."""

import sys

import pytest
from typer.testing import CliRunner

from gpulingo.cli import app


@pytest.fixture
def review(folder):
    """A function that runs the command over a list of 22 words: .stdout, .stderr, .exit_code."""

    def ran(line):
        return CliRunner().invoke(app, ["review", "--device", "cpu", *line.split()])

    return ran


def test_a_page_is_written_beside_what_is_printed(review, folder):
    plain = review("heron:X?X?X goose:OOOOO")
    done = review("heron:X?X?X goose:OOOOO --out page.html")
    assert (done.exit_code, done.stdout) == (0, plain.stdout)
    assert done.stderr.endswith("gpulingo: page.html has the page\n")
    page = (folder / "page.html").read_text()
    assert "goose: g placed, o placed, o placed, s placed, e placed" in page and "wordlist.txt" in page
    command = "gpulingo review &#39;heron:X?X?X&#39; goose:OOOOO --game lingo5 --out page.html"
    assert f"<code>{command}</code>" in page
    as_json = review("--target goose heron robin --json --out page.html")
    assert as_json.stdout == review("--target goose heron robin --json").stdout
    assert "robin: " in (folder / "page.html").read_text()  # which was overwritten


def test_a_file_of_rounds_is_a_page_too(review, folder):
    (folder / "rounds.txt").write_text("goose heron robin goose\nnonsense\nheron heron\n")
    done = review("--file rounds.txt --out page.html")
    assert done.exit_code == 0 and "2 rounds of lingo5" in done.stdout
    page = (folder / "page.html").read_text()
    assert "1 of 3 lines could not be read: 2" in page and "heron robin goose" in page


def test_without_any_round_there_is_no_page(review, folder):
    (folder / "rounds.txt").write_text("nonsense\n")
    assert review("--file rounds.txt --out page.html").exit_code == 1
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize(
    ("out", "code", "told"),
    [
        ("wordlist.txt", 2, "wordlist.txt is of another kind and would be lost: name another file to write"),
        (".", 2, ". is not a plain file: name a file to write"),
        ("none/page.html", 1, "none: cannot write there"),
    ],
)
def test_a_page_that_cannot_be_written_is_told_in_a_line_before_the_work(review, folder, out, code, told):
    done = review(f"heron:X?X?X goose:OOOOO --out {out}")
    assert (done.exit_code, done.stdout) == (code, "")
    assert told in done.stderr


def test_a_page_may_not_replace_the_rounds(review, folder):
    (folder / "rounds.html").write_text("<!doctype html>\n")
    done = review("--file rounds.html --out rounds.html")
    assert "would replace a file that is read" in done.stderr


def test_without_what_draws_it_says_what_to_install(review, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    done = review("heron:X?X?X goose:OOOOO --out page.html")
    assert "charts need vl_convert, which is not installed" in done.stderr
