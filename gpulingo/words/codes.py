"""Generated lists: all codes of a number of pegs and colours."""

from itertools import permutations, product
from math import perm

from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordListError

COLOURS = "1234567890abcdefghijklmnopqrstuvwxyz"  # signs, of which a code takes the first ones
MOST_CODES = 1 << 20


def all_codes(pegs: int, colours: int | None = None, *, repeated: bool = True) -> tuple[list[str], str]:
    """All codes, in order, and what to call them.

    Args:
        colours: None: 6, or 10 where none comes twice.
        repeated: whether a colour may come twice.
    Raises:
        WordListError: no pegs or colours, more colours than there are signs, fewer than pegs where none comes
            twice, or more than 2^20 codes.

    >>> all_codes(2, 1), all_codes(1, 2)
    ((['11'], 'all codes of 2 pegs and 1 colour'), (['1', '2'], 'all codes of 1 peg and 2 colours'))
    """
    colours = usual_colours(repeated=repeated) if colours is None else colours
    seen = f"{counted(pegs, 'peg')} of {counted(colours, 'colour')}"
    if not (pegs >= 1 <= colours <= len(COLOURS)):
        raise WordListError(f"{seen}, expected pegs from 1 and colours from 1 to {len(COLOURS)}")
    if not repeated and colours < pegs:
        raise WordListError(f"{seen}, none twice: there is no such code")
    count = colours**pegs if repeated else perm(colours, pegs)
    if count > MOST_CODES:
        raise WordListError(f"{seen} are {count:,} codes, expected at most {MOST_CODES:,}: use fewer")
    signs = sorted(COLOURS[:colours])
    rows = product(signs, repeat=pegs) if repeated else permutations(signs, pegs)
    twice = "" if repeated else ", none twice"
    return list(map("".join, rows)), f"all codes of {seen.replace(' of ', ' and ')}{twice}"


def usual_colours(*, repeated: bool) -> int:
    """Return the number of colours where none is named."""
    return 6 if repeated else 10


def colours_of(count: int, pegs: int, *, repeated: bool) -> int | None:
    """Return the number of colours whose codes number exactly `count`; None if no number fits."""
    counts = (n**pegs if repeated else perm(n, pegs) for n in range(1, len(COLOURS) + 1))
    return next((n for n, all_ in enumerate(counts, 1) if all_ == count), None)
