"""The script that makes the embedded list keeps plain words and their levels, of nested lists only."""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def embed_words(folder: Path, *lists: str) -> "subprocess.CompletedProcess[str]":
    """What scripts/embed_words says of lists, the smallest first; it writes its files into the folder."""
    sources = [folder / f"list{number}" for number in range(len(lists))]
    for source, text in zip(sources, lists, strict=True):
        source.write_text(text, encoding="utf-8")
    for name in ("scripts", "gpulingo/words"):
        (folder / name).mkdir(parents=True)
    script = shutil.copy(ROOT / "scripts" / "embed_words", folder / "scripts")
    command = [sys.executable, script, *sources]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_embedded_list_keeps_lower_case_words_of_2_to_24_letters_and_their_levels(tmp_path: Path) -> None:
    small, medium = "sale\nares\nAres\n", "ares\nsale\nox\nit's\n"
    large = "ares\nsale\nox\nazure\nécole\na\n"
    huge = f"zebra\nox\nsale\nares\nares\nazure\nabba\n{'a' * 24}\n{'a' * 25}\n"
    done = embed_words(tmp_path, small, medium, large, huge)
    data = tmp_path / "gpulingo" / "words" / "data"
    packed = {path.name.removesuffix(".txt.gz"): path.read_bytes() for path in data.iterdir()}
    level_size = len(packed["levels"])
    size = sum(map(len, packed.values())) - level_size
    assert done.stdout == f"7 words in {size:,} bytes, their levels in {level_size}\n"
    words = {name: gzip.decompress(text).decode() for name, text in packed.items()}
    assert words.pop("levels") == "2\n\n411\n34\n" + "\n" * 18 + "4\n"
    assert words.keys() == {f"words-{length}" for length in range(2, 25)}
    assert {name: text for name, text in words.items() if text} == {
        "words-2": "ox\n",
        "words-4": "abba\nares\nsale\n",
        "words-5": "azure\nzebra\n",
        "words-24": "a" * 24 + "\n",
    }


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        (["sale\nares\n", "sale\n", "sale\n", "sale\n"], "list1 lacks 'ares' of the list before: give the"),
        (["sale\n", "Ares\n", "sale\n", "sale\n"], "list1 holds no words of 2 to 24 letters: give one of"),
        (["sale\n"], "scripts/embed_words [SMALL MEDIUM LARGE HUGE [COPYRIGHT]]"),
    ],
)
def test_lists_that_are_not_nested_are_not_embedded(tmp_path: Path, lists: list[str], said: str) -> None:
    done = embed_words(tmp_path, *lists)
    assert done.returncode > 0 and said in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "gpulingo" / "words" / "data").exists()
