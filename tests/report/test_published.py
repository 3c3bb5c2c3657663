"""edc65's figures stand in one place, and everything that shows them shows the same."""

import re
from pathlib import Path

import pytest

from gpulingo.report.published import EDC65_EXACT, EDC65_PUBLISHED, PIT_LIST, on_pit_list

ROOT = Path(__file__).parent.parent.parent


def test_the_page_of_results_shows_the_same_figures():
    rows = re.findall(
        r"^\| (\d+) \| .* \| ([\d.]+) \| ([\d.]+) \| `\w+` \|$",
        (ROOT / "docs/results.md").read_text(),
        re.MULTILINE,
    )
    assert {int(length): float(exact) for length, exact, _ in rows} == EDC65_EXACT
    assert {int(length): float(published) for length, _, published in rows} == EDC65_PUBLISHED


def test_they_are_for_the_pits_list_only(pit_words):
    for length in (4, 13):
        fingerprint = pit_words(length).fingerprint
        assert fingerprint.startswith(PIT_LIST[length])
        assert on_pit_list(EDC65_EXACT, length, fingerprint) == EDC65_EXACT[length]
        assert on_pit_list(EDC65_EXACT, length, fingerprint[::-1]) is None
    assert on_pit_list(EDC65_EXACT, 14, PIT_LIST[13]) is None


@pytest.mark.parametrize("length", range(4, 14))
def test_the_lists_are_those_of_the_checkpoints(length):
    assert (ROOT / "checkpoints" / f"lingo5-{length}-{PIT_LIST[length]}.npz").is_file()
