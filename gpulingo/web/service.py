"""What the page asks for, by name, and who answers; knows nothing of the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpulingo.web.assistant import Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.play import Play
from gpulingo.web.requests import Answer, Setting, Work
from gpulingo.web.reviewer import Reviewer

Answerer = Callable[[Any], Answer]
Searcher = Callable[[Any], Work]


class Service:
    """Answers of all views.

    Args:
        setting: what the user said when the page was started.
    Attributes:
        told: answers that depend on nothing, by name. asked: answers to requests, by name; each takes what
            was sent, believes nothing of it and raises RequestError. searched: likewise, but what is given is
            still to be done, takes long, and is to be done in one thread.
    """

    def __init__(self, setting: Setting) -> None:
        assistant, atlas, play = Assistant(setting), Atlas(setting), Play(setting)
        reviewer = Reviewer(setting)
        self.told: dict[str, Callable[[], Answer]] = {
            "games": assistant.games, "play-games": play.games, "review-games": reviewer.games,
        }  # fmt: skip
        self.asked: dict[str, Answerer] = {
            "suggest": assistant.suggest,
            "play-new": play.new, "play-round": play.round, "play-guess": play.guess, "play-end": play.end,
            "review-read": reviewer.read,
            **{f"atlas-{name}": answerer for name, answerer in atlas.answerers().items()},
        }  # fmt: skip
        self.searched: dict[str, Searcher] = {
            "search": assistant.search, "review": reviewer.review,
            **{f"atlas-{name}": searcher for name, searcher in atlas.searchers().items()},
        }  # fmt: skip
