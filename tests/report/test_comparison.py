"""Figures of another program, as the page of results has them; comparisons are rows of calls.tsv."""

import re
from pathlib import Path

from gpulingo.report.results import EDC65_EXACT, EDC65_PUBLISHED, PIT_LIST, on_pit_list

ROOT = Path(__file__).parent.parent.parent


def test_the_page_of_results_shows_the_same_figures():
    rows = re.findall(
        r"^\| (\d+) \| .* \| ([\d.]+) \| ([\d.]+) \| `\w+` \|$",
        (ROOT / "docs/results.md").read_text(),
        re.MULTILINE,
    )
    assert {int(length): float(exact) for length, exact, _ in rows} == EDC65_EXACT
    assert {int(length): float(published) for length, _, published in rows} == EDC65_PUBLISHED


def test_figures_of_edc65_are_for_the_pits_list_only(pit_words):
    for length in (4, 13):
        fingerprint = pit_words(length).fingerprint
        assert fingerprint.startswith(PIT_LIST[length])
        assert on_pit_list(EDC65_EXACT, length, fingerprint) == EDC65_EXACT[length]
        assert on_pit_list(EDC65_EXACT, length, fingerprint[::-1]) is None
    assert on_pit_list(EDC65_EXACT, 14, PIT_LIST[13]) is None
