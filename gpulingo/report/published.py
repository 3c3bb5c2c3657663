"""Published figures of others over the pit's list, by length: the yardstick of every table."""

from __future__ import annotations

# First 12 digits of the fingerprint of the pit's words of each length; the figures are for these lists only.
PIT_LIST = {
    4: "caf0ae2cc7e5", 5: "1eea75f98a44", 6: "95ffd268643d", 7: "262f3fa5f390", 8: "7f483d903f62",
    9: "a8e966b0e73d", 10: "0fb73720cb71", 11: "a85f58bb92d4", 12: "71b2f72aaf2f", 13: "8145537c951b",
}  # fmt: skip

# Mean points of edc65's C++ program (cpp_entries/edc65.cpp of noirotm/lingo). Exact: its tree walked for
# every word of the list. Published: what he gave himself, from about 100 hours of playing.
EDC65_EXACT = {
    4: 102.33, 5: 167.19, 6: 215.19, 7: 252.31, 8: 278.27,
    9: 298.24, 10: 312.56, 11: 332.76, 12: 337.92, 13: 348.02,
}  # fmt: skip
EDC65_PUBLISHED = {
    4: 100.98, 5: 164.44, 6: 212.27, 7: 246.16, 8: 273.23,
    9: 289.00, 10: 302.13, 11: 323.62, 12: 330.19, 13: 339.60,
}  # fmt: skip


def on_pit_list(figures: dict[int, float], length: int, fingerprint: str) -> float | None:
    """Return the figure of a length if the list is the pit's, or None."""
    return figures.get(length) if fingerprint.startswith(PIT_LIST.get(length, "no such list")) else None
