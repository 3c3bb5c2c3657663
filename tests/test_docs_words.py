"""No unfit word is printed: neither in README and docs nor in examples."""

import re
from pathlib import Path

from gpulingo.words.levels import unfit_words

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("examples/*"),
    *ROOT.glob("checkpoints/*.md"),
]


def test_no_unfit_word_is_printed() -> None:
    unfit = frozenset().union(*(unfit_words(length) for length in range(2, 25)))
    texts = {path: path.read_text(encoding="utf-8") for path in PAGES if path.is_file()}
    assert len(texts) > 20
    found = {
        path.name: own
        for path, text in texts.items()
        if (own := unfit & set(re.findall(r"\b[a-z]+\b", text)))
    }
    assert not found
