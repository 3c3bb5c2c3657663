"""Lists that are made, not read: all codes of so many pegs and colours."""

import os
from itertools import permutations, product
from math import perm

from gpulingo.words.listing import Listing, find
from gpulingo.words.wordlist import WordListError

COLOURS = "1234567890abcdefghijklmnopqrstuvwxyz"  # signs, of which a code takes the first ones
MOST_CODES = 1 << 20
USUAL_COLOURS = {True: 6, False: 10}  # by whether a colour may come twice


def all_codes(pegs: int, colours: int, *, repeated: bool = True) -> Listing:
    """All codes, in order.

    Args:
        repeated: whether a colour may come twice.
    Raises:
        WordListError: no pegs or colours, more colours than there are signs, fewer than pegs where none comes
            twice, or more than 2^20 codes.

    >>> all_codes(2, 2).words
    ['11', '12', '21', '22']
    """
    if not (pegs >= 1 <= colours <= len(COLOURS)):
        seen = f"{pegs} pegs of {colours} colours"
        raise WordListError(f"{seen}, expected pegs from 1 and colours from 1 to {len(COLOURS)}")
    if not repeated and colours < pegs:
        raise WordListError(f"{pegs} pegs of {colours} colours, none twice: there is no such code")
    count = colours**pegs if repeated else perm(colours, pegs)
    if count > MOST_CODES:
        seen = f"{pegs} pegs of {colours} colours are {count:,} codes"
        raise WordListError(f"{seen}, expected at most {MOST_CODES:,}: use fewer")
    signs = sorted(COLOURS[:colours])
    rows = product(signs, repeat=pegs) if repeated else permutations(signs, pegs)
    text = "\n".join(map("".join, rows)) + "\n"
    twice = "" if repeated else ", none twice"
    return Listing(f"all codes of {pegs} pegs and {colours} colours{twice}", text.encode())


def find_list(
    length: int, path: "str | os.PathLike[str] | Listing | None", repeated: bool | None, colours: int | None
) -> Listing:
    """The list to use: all codes in a game of codes, else as `listing.find`.

    Args:
        path: the list that the user named. repeated: as of `all_codes`; None: no codes are guessed.
        colours: None: as many as usual.
    Raises:
        WordListError: as `find` and `all_codes`.
    """
    if repeated is None or path is not None:
        return find(length, path)
    return all_codes(length, USUAL_COLOURS[repeated] if colours is None else colours, repeated=repeated)


def colours_of(count: int, pegs: int, *, repeated: bool) -> int | None:
    """Of how many colours so many codes are all; None: of none."""
    counts = (n**pegs if repeated else perm(n, pegs) for n in range(1, len(COLOURS) + 1))
    return next((n for n, all_ in enumerate(counts, 1) if all_ == count), None)
