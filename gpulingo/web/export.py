"""The page as static files: what its views ask a server is answered in the browser, from stored trees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from gpulingo.advice import sentences
from gpulingo.advice.answer import Fit
from gpulingo.advice.outlook import NAMES, expected
from gpulingo.advice.review import rises, unit
from gpulingo.advice.verdict import guess_unit
from gpulingo.games.catalogue import find_game, wordle
from gpulingo.games.game import Game
from gpulingo.storage.printed import version
from gpulingo.trees.packed import packed
from gpulingo.web.app import HEADERS, STATIC, VIEWS, page_of
from gpulingo.web.daily import daily_entry, daily_word
from gpulingo.web.lists import Lists
from gpulingo.web.requests import RequestError, Setting
from gpulingo.web.trees import Trees, summary
from gpulingo.web.walk import Walk
from gpulingo.words.levels import unfit_words
from gpulingo.words.listing import WordList

USUAL = "wordle-5,lingo-5"
MOST = 2_000_000  # bytes of all files
DAYS = 20 * 366  # whose words are written, or a whole cycle
NAME = re.compile(r"([a-z]+[a-z0-9-]*)-([0-9]{1,2})")
LINK = re.compile(r'"/([\w.]*)"')
NOT_SERVED = re.compile(r'<a [^>]*href="#(?:evil|hangman|racks)".*?</a>')


def parsed_trees(text: str) -> list[tuple[Game, int]]:
    """Return the games and lengths of names such as `wordle-5,lingo-5`.

    Raises:
        ValueError: one is no such name, or the game is not known. LookupError: as `find_game`.
    """
    found = []
    for name in text.split(","):
        parts = NAME.fullmatch(name.strip())
        if not parts:
            raise ValueError(f"{name.strip()[:40]!r}, expected a game and a length such as {USUAL}")
        found.append((find_game(parts[1]), int(parts[2])))
    return found


def exported(setting: Setting, named: Iterable[tuple[Game, int]]) -> dict[str, bytes]:
    """Return the files of a page, by name.

    Args:
        setting: the words. named: games and lengths of the stored trees that it answers from.
    Raises:
        RequestError: no such tree or list, a game of another kind, or more than MOST bytes.
    """
    trees, files, told = Trees(Lists(setting)), dict[str, bytes](), list[dict[str, Any]]()
    for game, length in dict.fromkeys(named):
        if not game.shows_marks or game.given or game.opponent != "chance":
            raise RequestError(f"{game.code}: expected a game of words, without a given letter or a host")
        tree, words, file = trees.best(game, length)
        walk = Walk(tree, words)
        about, days = _fields(trees.lists, game, words), _days(trees.lists, length, words)
        about["exact"], about["limits"] = walk.optimal, [walk.limit(start) for start in (True, False)]
        about["how"] = f"by the best tree that is kept, {file}" + about["how"]
        about["unfit"] = sorted(unfit_words(length) & {words.words[guess] for guess in tree.guess})
        data = file.replace(".npz", ".bin")
        files[data] = packed(tree, words, about, {"days": days})
        told.append(summary(tree, words, file) | {"name": game.name, "data": data})
    text = f"gpulingo {version()}. This page answers from stored strategies, without a server."
    files["stored.json"] = json.dumps({"trees": told, "about": text}).encode()
    files["sentences.json"] = sentences.FILE.read_bytes()
    for path, name in VIEWS.items():
        files[f"{name}.html"] = _page(page_of(name, path)).encode()
    for own in STATIC.iterdir():
        if own.suffix in (".js", ".css", ".svg") or own.name == "help.html":
            files[own.name] = own.read_bytes()
    files["ask.js"] = files.pop("stored.js")
    files["manifest.webmanifest"] = _relative((STATIC / "manifest.webmanifest").read_text()).encode()
    size = sum(map(len, files.values()))
    if size > MOST:
        raise RequestError(f"the page has {size:,} bytes, expected at most {MOST:,}: name fewer trees")
    return files


def _page(text: str) -> str:
    """Return a view without what only a server answers, which no other host is asked for."""
    policy = HEADERS["Content-Security-Policy"].rpartition(";")[0]  # frames are for a header to refuse
    head = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return NOT_SERVED.sub("", _relative(text)).replace("<head>", head, 1)


def _relative(text: str) -> str:
    """Return a text whose addresses begin at the folder, and name the files of views."""
    names = {path.removeprefix("/"): f"{name}.html" for path, name in VIEWS.items()} | {"": "./"}
    return LINK.sub(lambda own: f'"{names.get(own[1], own[1])}"', text)


def _fields(lists: Lists, game: Game, words: WordList) -> dict[str, Any]:
    """Return what the answers need to know of a game and of its words."""
    counts = [
        [int(turn == own) for own in range(1, game.turns + 1)] for turn in (*range(1, game.turns + 1), 0)
    ]
    named = lists.setting.targets is not None and words.targets_source
    fit = Fit(
        f"{words.source}, targets {named}" if named else words.source,
        0,
        "" if named else words.targets_source,
    )
    drawn = lists.drawn(words.length, wordle())
    daily = daily_entry(drawn, 0)
    return {
        "code": game.code, "length": words.length, "turns": game.turns, "measure": NAMES[game.shown],
        "unit": unit(game), "one": int(guess_unit(game)), "rises": rises(game),
        "worth": [int(expected(game, own, 1)) for own in counts],  # found on turn 1, 2, .., and lost
        "source": fit.list_text, "answers": fit.answers,
        "how": f"; chances hold {fit.condition}" * bool(fit.condition),
        "drawn": f"{drawn.source}, targets {drawn.targets_source}",
        "list": words.source, "shown": game.shown, "solved": "O" * words.length, 
        "series": daily["series"], "mark": daily["number"].removeprefix("1"),
    }  # fmt: skip


def _days(lists: Lists, length: int, words: WordList) -> list[int]:
    """Return the place among the words of the word of each day."""
    drawn, places = lists.drawn(length, wordle()), {word: place for place, word in enumerate(words.words)}
    return [places[daily_word(drawn, day)] for day in range(max(DAYS, drawn.target_count))]
