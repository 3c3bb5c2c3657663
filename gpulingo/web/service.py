"""Requests of the page, by name, and their handlers; knows nothing of the network."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from gpulingo.storage import fields
from gpulingo.storage.printed import version
from gpulingo.web.assistant import Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.play import RoundServer
from gpulingo.web.requests import BUILT_IN, Answer, LruCache, RequestError, Setting, Work, asked_of, refused
from gpulingo.web.reviewer import Reviewer
from gpulingo.words.listing import Listing, checked, find
from gpulingo.words.targets import Targets, left_out

Teller = Callable[[str], Answer]
Answerer = Callable[[Any], Answer]
Searcher = Callable[[Any], Work]

MOST_LISTS = 8  # that are kept; the one that was used longest ago goes
MOST_NAME = 80  # characters
OWN = {name: fields.or_none(fields.text) for name in ("wordlist", "targets", "without")}
OWN_NAMES = {f"{name}_name": fields.text for name in OWN}
OWN_DEFAULTS = {**dict.fromkeys(OWN), **{name: name.removesuffix("_name") for name in OWN_NAMES}}


class Views:
    """Answers of all views over one list.

    Attributes:
        told: answers that depend on nothing, by name. asked: answers to requests, by name; each takes what
            was sent, believes nothing of it and raises RequestError. searched: likewise, but what is given is
            still to be done, takes long, and is to be done in one thread.
    """

    def __init__(self, setting: Setting) -> None:
        assistant, atlas, reviewer = Assistant(setting), Atlas(setting), Reviewer(setting)
        play = RoundServer(setting, walk=atlas.kept.walk)
        words = getattr(setting.wordlist, "source", setting.wordlist) or BUILT_IN
        self.told: dict[str, Callable[[], Answer]] = {
            "games": assistant.games, "play-games": play.games, "review-games": reviewer.games,
            "atlas-trees": atlas.kept.told, "atlas-misses": atlas.forced.told,
            "about": lambda: {"text": f"gpulingo {version()}, {words}. Pages: docs/howto/web.md"},
        }  # fmt: skip
        self.asked: dict[str, Answerer] = {
            "suggest": assistant.suggest,
            "play-new": play.new, "play-round": play.round, "play-guess": play.guess,
            "play-end": partial(play.round, given_up=True),
            "review-read": reviewer.read,
            "atlas-branch": atlas.branch, "atlas-rack": atlas.rack,
        }  # fmt: skip
        self.searched: dict[str, Searcher] = {
            "search": assistant.search, "review": reviewer.review,
            "atlas-force": atlas.force, "atlas-draws": atlas.draws,
        }  # fmt: skip


class Service:
    """Answers over the list that the page was started with, and over lists that it sent.

    Attributes:
        told, asked, searched: see `Views`; those in `told` take the name of a sent list, requests have it in
            the field `list`. Nothing or an empty name is the list of the start.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting, self._usual = setting, Views(setting)
        self._sent: LruCache[str, Views] = LruCache(MOST_LISTS)
        self.told: dict[str, Teller] = {name: partial(self._tell, name) for name in self._usual.told}
        self.asked: dict[str, Answerer] = {
            name: partial(self._answer, "asked", name) for name in self._usual.asked
        }
        self.searched: dict[str, Searcher] = {
            name: partial(self._answer, "searched", name) for name in self._usual.searched
        }

    def keep(self, record: Any) -> Answer:
        """Keep a word list, targets or past answers that the page read from files, in memory only.

        Args:
            record: what was sent: the text of each, and the names of the files; others are as at the start.
        Returns:
            The name that requests call them by, and what they are, in words.
        """
        asked = asked_of(record, {**OWN, **OWN_NAMES}, OWN_DEFAULTS)
        with refused():
            sent: dict[str, Any] = {
                name: _listing(asked[f"{name}_name"], asked[name]) for name in OWN if asked[name]
            }
            if not sent:
                raise RequestError("no list was chosen: choose a file with one word per line")
            own = replace(self.setting, **sent)
            _check(own)
        name = secrets.token_urlsafe(16)
        self._sent.put(name, Views(own))
        parts = {"wordlist": str(self.setting.wordlist or BUILT_IN)}
        parts |= {kind: f"{listing.source} ({len(listing.words):,})" for kind, listing in sent.items()}
        text = ", ".join(own if kind == "wordlist" else f"{kind} {own}" for kind, own in parts.items())
        notes = [f"{listing.source}: {listing.note}" for listing in sent.values() if listing.note]
        return {"list": name, "text": text, "notes": notes}

    def _of(self, name: Any) -> Views:
        if name == "":
            return self._usual
        views = self._sent.get(name) if isinstance(name, str) else None
        if views is None:
            raise RequestError("this word list is no longer kept: choose the file again", 410)
        return views

    def _tell(self, name: str, list_name: str) -> Answer:
        return self._of(list_name).told[name]()

    def _answer(self, kind: str, name: str, record: Any) -> Any:
        list_name = ""
        if isinstance(record, dict):
            list_name = record.get("list", "")
            record = {key: own for key, own in record.items() if key != "list"}
        return getattr(self._of(list_name), kind)[name](record)


def _listing(name: str, text: str) -> Listing:
    source = "".join(sign for sign in name[:MOST_NAME] if sign.isprintable()) or "a list"
    return checked(source, text.encode(errors="replace"))


def _check(setting: Setting) -> None:
    """Check that targets are words, and that some are left."""
    targets = setting.targets
    if not isinstance(targets, Listing):
        return
    for length in targets.lengths():
        words = Targets(targets).of(find(length, setting.wordlist).of_length(length))
        if setting.without is not None:
            left_out(words, setting.without)
