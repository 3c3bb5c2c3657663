"""Names that a user mistypes: one message for every kind of name, and the exit code for wrong usage."""

import pytest

from gpulingo.player.question import NAMES
from gpulingo.storage.faults import meant, unknown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("entrpy", "did you mean entropy? "),
        ("Parts", "did you mean parts or plain_parts? "),
        ("distinkt", "did you mean distinct? "),
        ("", ""),
        ("zzz", ""),
    ],
)
def test_what_is_mistyped_is_understood(text, said):
    assert meant(text, NAMES) == said


def test_a_name_that_resembles_none_is_answered_by_all():
    said = f"no topic {('zzz' * 40)[:40]!r}: use games, marks"
    assert unknown("topic", "zzz" * 40, ["games", "marks"]) == said
