"""What an opening yields when it is played out, and the line of a file that keeps it; plays nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from gpulingo.games.catalogue import lingo
from gpulingo.search.openings import Opening
from gpulingo.storage import fields
from gpulingo.storage.linefile import Form
from gpulingo.words.listing import WordList


@dataclass(frozen=True)
class PlayedOpening:
    """A first guess, played out.

    Attributes:
        opening: the word.
        mean_points: over the list, of the strategy that was played out after it.
        bound: mean points; no strategy that begins with it has more.
        classes: that it makes of the list. largest_class: words in the largest of them.
        length: letters a word. words: of the list. list: where it comes from. fingerprint: of it.
        turns: of a round.
        width: guesses that were played out for each set by turns left, as 4:4,3:4.
        order: what ranked the guesses. device: where they were searched.
    """

    opening: str
    mean_points: float
    bound: float
    classes: int
    largest_class: int
    length: int
    words: int
    list: str
    fingerprint: str
    turns: int
    width: str
    order: str
    device: str

    @property
    def mean_guesses(self) -> float:
        """Mean guesses over the list, a lost word counting one more than there are turns."""
        return lingo(self.turns).mean_guesses(self.mean_points)

    def turned(self, word: int) -> Opening:
        """The same in turns summed over the words, as the search counts; `word` is its index."""
        value, bound = (round(points * self.words / 100) for points in (self.mean_points, self.bound))
        return Opening(word, value, bound, self.classes, self.largest_class)


FIELDS = {
    **dict.fromkeys(("opening", "list", "fingerprint", "width", "order", "device"), fields.text),
    **dict.fromkeys(("classes", "largest_class", "length", "words", "turns"), fields.whole()),
    **dict.fromkeys(("mean_points", "bound"), fields.number()),
}


def played_opening(
    one: Opening, words: WordList, turns: int, *, width: str, order: str, device: str
) -> PlayedOpening:
    """What a search found for an opening."""
    return PlayedOpening(
        opening=words[one.word],
        mean_points=100 * one.value / len(words),
        bound=100 * one.bound / len(words),
        classes=one.classes,
        largest_class=one.largest,
        length=words.length,
        words=len(words),
        list=words.source,
        fingerprint=words.fingerprint,
        turns=turns,
        width=width,
        order=order,
        device=device,
    )


def opening_text(opening: PlayedOpening) -> str:
    """A played opening as one JSON object, without a newline."""
    return json.dumps(asdict(opening), ensure_ascii=False)


def parsed_opening(text: str) -> PlayedOpening:
    """The opening of a JSON object; the twin of `opening_text`.

    Raises:
        ValueError: what is wrong with it, to be read after the name of the file.
    """
    return PlayedOpening(**fields.parsed_record(text, FIELDS, others=True))


FORM = Form(parsed_opening, '{"opening": ', "name a file that `gpulingo openings --out` wrote, or a new one")
