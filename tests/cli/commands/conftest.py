"""What the tests of matches share: a folder with a list and two players."""

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
