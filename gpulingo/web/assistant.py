"""The assistant: a position in, the words left and guesses out.

Requests are not believed: every field is checked, and none names a file.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.arguments import MOST_TOP, Asked
from gpulingo.advice.contradiction import NoAnswer
from gpulingo.advice.notation import NotationError, read_history
from gpulingo.advice.outlook import measure
from gpulingo.games.catalogue import FAMILIES, HOSTED, feedback_of
from gpulingo.player.arguments import UsageError
from gpulingo.storage import fields
from gpulingo.web.requests import MOST_LENGTH, MOST_ROUNDS, RequestError, Searches, Setting, asked_of
from gpulingo.words.listing import WordListError

GAMES = (*FAMILIES, *HOSTED)  # in which words are guessed
MOST_KEPT = 512  # answers that are remembered
REQUEST = {
    "game": fields.one_of(*GAMES),
    "length": fields.whole(1, MOST_LENGTH),
    "hard": fields.flag,
    "history": fields.list_of(fields.text),
    "top": fields.whole(1, MOST_TOP),
    "search": fields.flag,
}
DEFAULTS = {"game": "wordle", "length": 5, "hard": False, "history": [], "top": 10, "search": False}


class _Nothing:
    """An engine that finds nothing: what is asked first is answered without a search."""

    def outlooks(self, *_: Any, **__: Any) -> tuple[list[Any], str]:
        return [], ""


class Assistant:
    """Answers to positions. Words and trees are read once.

    Args:
        setting: what the user said when the page was started. searches: whose turn it is.
    """

    def __init__(self, setting: Setting, searches: Searches) -> None:
        self.setting, self.searches = setting, searches
        self._advisers: dict[tuple[str, bool, bool], tuple[Adviser, threading.Lock]] = {}
        self._answers: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()
        self._guard = threading.Lock()

    def games(self) -> dict[str, Any]:
        """What can be chosen on the page."""
        return {"games": list(GAMES), "hard": list(FAMILIES), "list": self.setting.wordlist or ""}

    def suggest(self, record: Any) -> dict[str, Any]:
        """The answer to a position.

        Args:
            record: what was sent, as REQUEST says.
        Raises:
            RequestError: it is something else, or nothing can be said to it.
        """
        asked = self._asked(record)
        key = (*(asked[name] for name in ("game", "length", "hard", "top", "search")), *asked["history"])
        with self._guard:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
        answer = self._searched(asked) if asked["search"] else self._advised(asked)
        with self._guard:
            self._answers[key] = answer
            while len(self._answers) > MOST_KEPT:
                self._answers.popitem(last=False)
        return answer

    def _asked(self, record: Any) -> dict[str, Any]:
        """A request, checked.

        Raises:
            RequestError: it is none.
        """
        asked = asked_of(record, REQUEST, DEFAULTS)
        history = asked["history"]
        if len(history) > MOST_ROUNDS or any(len(part) > 4 * MOST_LENGTH for part in history):
            raise RequestError(f"the history is too long, expected at most {MOST_ROUNDS} guesses")
        if asked["hard"] and asked["game"] in HOSTED:
            asked["hard"] = False
        return asked

    def _searched(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The answer by a search, when it is this one's turn."""
        with self.searches.turn():
            return self._advised(asked)

    def _advised(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of the adviser of a game."""
        adviser, lock = self._adviser(asked["game"], asked["hard"], asked["search"])
        notes: list[str] = []
        with lock:
            adviser.complain = notes.append
            adviser.asked.length, adviser.asked.top = asked["length"], asked["top"]
            try:
                history = read_history(asked["history"], feedback_of(adviser.game))
                answer = adviser.answer(history)
            except (NotationError, NoAnswer, UsageError, WordListError) as error:
                raise RequestError(str(error), 422) from None
            except ValueError as error:  # a guess that hard mode does not allow
                raise RequestError(str(error), 422) from None
        open_ = answer.turn <= adviser.game.turns  # whether a guess is left
        return {**answer.entry(), "measure": measure(adviser.game), "notes": notes, "open": open_}

    def _adviser(self, game: str, hard: bool, search: bool) -> tuple[Adviser, threading.Lock]:
        """What advises in a game, and the lock of whoever uses it."""
        with self._guard:
            if (game, hard, search) not in self._advisers:
                asked = Asked()
                asked.game, asked.rule = game, "hard" if hard else ""
                setting = self.setting
                asked.wordlist, asked.targets = setting.wordlist, setting.targets
                asked.seconds, asked.device = setting.seconds, setting.device
                load = setting.load_engine if search else _Nothing
                made = Adviser(asked, load, lambda text: None)
                self._advisers[game, hard, search] = made, threading.Lock()
            return self._advisers[game, hard, search]
