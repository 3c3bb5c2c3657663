"""What tests of commands share: a folder with a list and two players, and one with a bag and a list."""

import pytest

PLAYER = """for word in $PLAYS; do
    echo $word
    read marks || exit
    [ $marks = OOOOO ] && exit
done
"""


@pytest.fixture
def folder(list22, words22, monkeypatch):
    """The pit's folder with a list of 22 words; `sh good.sh` finds five of them, `sh bad.sh` one."""
    list22.rename(list22.with_name("wordlist.txt"))
    for name, plays in (("good.sh", words22.words[:5]), ("bad.sh", words22.words[:1])):
        (list22.parent / name).write_text(f"PLAYS='{' '.join(plays)}'\n{PLAYER}")
    return list22.parent


@pytest.fixture
def tile_files(tmp_path, monkeypatch):
    """The current folder, with a bag of tiles in bag.tsv and words of it in list.txt."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bag.tsv").write_text("A\t3\t1\nb\t2\t3\n?\t1\t2\n")
    (tmp_path / "list.txt").write_text("ab\nba\nbaa\n")
    return tmp_path
