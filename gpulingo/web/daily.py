"""The daily word: over one list, one word for everybody who has the same date, and no word twice in a cycle.

A cycle has as many days as there are targets. The words are no secret: they follow from the list.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from gpulingo.web.requests import RequestError
from gpulingo.words.listing import EMBEDDED_NAME
from gpulingo.words.wordlist import WordList

FIRST = date(2026, 1, 1)  # day 0, number 1
MOST_DAY = 1 << 20
AHEAD = 1  # days that the date of a player may be later than that of the server


def daily_word(words: WordList, day: int) -> str:
    """Return the word of a day, counted from FIRST."""
    cycle, place = divmod(day, words.target_count)
    return _cycle(words, cycle)[place]


@lru_cache(maxsize=16)
def _cycle(words: WordList, cycle: int) -> list[str]:
    """Return the targets in the order of a cycle."""
    head = f"gpulingo daily 1 {words.fingerprint} {words.length} {cycle}"
    return sorted(words.targets, key=lambda word: sha256(f"{head} {word}".encode()).hexdigest())


def daily_entry(words: WordList, day: int) -> dict[str, Any]:
    """Return what the page is to know of a day: its title, its date, and the series that it is of."""
    usual = words.source == EMBEDDED_NAME and words.targets_source == "answers"
    own, dated = "" if usual else f" · {words.fingerprint[:4]}", FIRST + timedelta(days=day)
    return {
        "day": day,
        "number": f"{day + 1}{own}",
        "dated": f"{dated:%-d %B}",
        "series": f"{words.fingerprint}/{words.length}",
    }


def check_day(day: int, today: date) -> None:
    """Refuse the days that have no word yet.

    Raises:
        RequestError: the day is more than AHEAD after today, or before FIRST.
    """
    if day < 0:
        raise RequestError(f"The first daily word is that of {FIRST:%-d %B %Y}: set the clock.", 422)
    if day > (today - FIRST).days + AHEAD:
        asked = FIRST + timedelta(days=day)
        seen = f"This device says {asked:%-d %B %Y}, the server {today:%-d %B %Y}"
        raise RequestError(f"{seen}: set the clock, or practise.", 422)


class FixedDraw(random.Random):
    """Draws a word that was chosen before."""

    word = ""

    def choice(self, seq: Any) -> Any:
        """Return the word, which is one of `seq`."""
        return self.word
