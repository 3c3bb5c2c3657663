"""Score of a rolled-out opening, and its line in a file; plays nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from gpulingo.games.catalogue import LINGO, fault_of_name
from gpulingo.games.game import CREDIT, Game
from gpulingo.optimise.openings import Opening
from gpulingo.storage import fields
from gpulingo.storage.printed import Form
from gpulingo.words.letters import joined, leave
from gpulingo.words.listing import WordList


@dataclass(frozen=True)
class PlayedOpening:
    """A first guess, rolled out."""

    opening: str
    mean_points: float  # over the list, of the strategy that was rolled out after it
    bound: float  # mean points; no strategy that begins with it has more
    classes: int  # that it makes of the list
    largest_class: int  # words in the largest of them
    length: int
    words: int  # targets
    list: str  # its origin
    fingerprint: str
    turns: int
    width: str  # guesses that were rolled out for each set by turns left, for example 4:4,3:4
    order: str  # what ranked the guesses
    device: str
    game: str = LINGO  # name of its family

    def in_credits(self, word: int) -> Opening:
        """The same in credits summed over the words, as the search counts; `word` is its index."""
        value, bound = (round(points * self.words / CREDIT) for points in (self.mean_points, self.bound))
        return Opening(word, value, bound, self.classes, self.largest_class)


FIELDS = {
    **dict.fromkeys(("opening", "list", "fingerprint", "width", "order", "device"), fields.text),
    **dict.fromkeys(("classes", "largest_class", "length", "words", "turns"), fields.whole()),
    **dict.fromkeys(("mean_points", "bound"), fields.number()),
    "game": fault_of_name,
}


def played_opening(
    opening: Opening, words: WordList, game: Game, *, width: str, order: str, device: str
) -> PlayedOpening:
    """Return the result of a search for an opening."""
    return PlayedOpening(
        opening=words[opening.word],
        mean_points=game.points_of(opening.value, words.total_weight),
        bound=game.points_of(opening.bound, words.total_weight),
        classes=opening.classes,
        largest_class=opening.largest,
        length=words.length,
        words=words.target_count,
        list=words.source,
        fingerprint=words.fingerprint,
        turns=game.turns,
        width=width,
        order=order,
        device=device,
        game=game.name,
    )


def entry_of(opening: PlayedOpening) -> dict[str, Any]:
    """Return a rolled-out opening as a JSON object; it names the game unless that is lingo."""
    return {name: value for name, value in asdict(opening).items() if (name, value) != ("game", LINGO)}


def opening_text(opening: PlayedOpening) -> str:
    """Return a played opening as one JSON object, without a newline."""
    return leave(json.dumps(entry_of(opening), ensure_ascii=False))


def parsed_opening(text: str) -> PlayedOpening:
    """Return the opening of a JSON object; the twin of `opening_text`.

    Raises:
        ValueError: what is wrong with it, to be read after the name of the file.
    """
    record = fields.checked(fields.parsed_json(joined(text)), FIELDS, defaults={"game": LINGO}, others=True)
    return PlayedOpening(**record)


FORM = Form(parsed_opening, '{"opening": ', "name a file that `gpulingo openings --out` wrote, or a new one")
