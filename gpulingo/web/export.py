"""The page as static files: the browser gives the server's answers itself, from stored trees."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import compress

from gpulingo.advice import notation, sentences
from gpulingo.advice.answer import BY_BOOK, BY_TREE, Fit, stored_text, unlisted_text
from gpulingo.advice.outlook import PLAYED, SEARCHED, expected, limit_text, rolled_text
from gpulingo.advice.round import wider_text
from gpulingo.advice.sentences import whose_text
from gpulingo.games import titles
from gpulingo.games.catalogue import find_game, wordle
from gpulingo.games.game import Game
from gpulingo.games.units import UNITS, unit_of
from gpulingo.positions.service import Entry, RequestError
from gpulingo.storage.faults import Complain, reported, warned
from gpulingo.storage.files import make_folder
from gpulingo.storage.printed import version
from gpulingo.trees.book import OpeningTree
from gpulingo.trees.checkpoint import packed
from gpulingo.trees.stored import stored_starts
from gpulingo.trees.tree import Tree
from gpulingo.web.app import HEADERS, STATIC, VIEWS, described, page_of
from gpulingo.web.atlas import Atlas, Walk, summary, trees_entry
from gpulingo.web.play import daily_entry, daily_word
from gpulingo.web.requests import Setting, list_text, source_text
from gpulingo.words.letters import leave
from gpulingo.words.listing import Listing, WordList
from gpulingo.words.targets import levels_of, unfit_words

MOST = 2_000_000  # bytes of all files
PART = ".part"  # folder of an incomplete export; a killed one may leave it
NAME = re.compile(r"([a-z]+[a-z0-9-]*)-([0-9]{1,2})")
UNKNOWN = 255  # level of a word without one: above all levels
MOST_FIRST = 10  # first guesses that are shown
DAYS = 20 * 366  # daily words written, 15 kB, so that the browser needs no sha256; or a whole cycle
ADDRESS = re.compile(r'"/([\w.]*)"')
# In the folder of a view, because a plain server gives it for the view's address.
MOVED = """<!doctype html>
<title>gpulingo</title>
<script>location.replace("../{0}.html" + location.hash)</script>
<a href="../{0}.html">gpulingo</a>
"""
BODY = "<body>\n<noscript>This page computes its answers in the browser: allow JavaScript.</noscript>"
SERVED = ("boards", "own-list")  # what needs the server
NOT_SERVED = re.compile(
    r'<a [^>]*href="(?:#(?:evil|hangman|racks)|/boards)".*?</a>|<details class="own">.*?</details>\n',
    re.DOTALL,
)


def parsed_trees(text: str) -> list[tuple[Game, int]]:
    """Return the games and lengths of stored trees, from a text such as wordle-5,lingo-5."""
    trees = []
    for name in text.split(","):
        parts = NAME.fullmatch(name.strip())
        if not parts:
            example = "wordle-5,lingo-5,wordle-hard-5"
            raise ValueError(f"{name.strip()[:40]!r}, expected a game and a length such as {example}")
        trees.append((find_game(parts[1]), int(parts[2])))
    return trees


def write_page(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a page to a folder, which has all of them or none."""
    make_folder(folder)
    part, name = folder / PART, ""
    try:
        part.mkdir(exist_ok=True)
        for name, data in files.items():
            (part / name).parent.mkdir(exist_ok=True)
            (part / name).write_bytes(data)
        for path in part.iterdir():
            path.replace(folder / path.name)
    except OSError as error:
        error.filename = str(folder / name)  # a full disk does not name it
        raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def exported(
    setting: Setting, named: Iterable[tuple[Game, int]], report: Complain = warned
) -> dict[str, bytes]:
    """Return the files of a page, by name.

    Args:
        setting: the words. named: games and lengths of the stored trees that it answers from.
        report: takes the faults of stored books, which are left out.
    """
    atlas, files, told = Atlas(_nameable(setting)), dict[str, bytes](), list[dict[str, Any]]()
    for game, length in dict.fromkeys(named):
        if not game.shows_marks or game.given or game.opponent != "chance":
            raise RequestError(f"{game.code}: expected a game of words, without a given letter or a host")
        tree, words, file = atlas.best(game, length)
        if leave(alphabet := "".join(words.words)) != alphabet:
            raise RequestError(f"{words.source} has letters with marks, which an exported page has not yet")
        drawn, places = atlas.lists.drawn(length, wordle()), {word: at for at, word in enumerate(words.words)}
        days = [places[daily_word(drawn, day)] for day in range(max(DAYS, drawn.target_count))]
        told.append(summary(tree, words, file) | {"name": game.name, "data": file.replace(".npz", ".bin")})
        starts = reported(stored_starts(words, game), report)
        openings = _openings(words, starts)
        fields = _fields(tree, words, file, drawn, named=setting.names.targets is not None)
        fields |= {"words": " ".join(words.words), "openings": [*openings]}
        fields |= _first(starts, fields["unfit"])
        targets, levels = set(words.targets), levels_of(words, UNKNOWN)
        flags = [int(word in targets) for word in words.words]
        rows = {"target": flags, "level": levels, "days": days}
        files[told[-1]["data"]] = packed(tree, fields, rows)
        files |= {told[-1]["data"].replace(".bin", f"-{guess}.z"): data for guess, data in openings.items()}
    files["stored.json"] = json.dumps(_told(told)).encode()
    views = {path: name for path, name in VIEWS.items() if name not in SERVED}
    files |= {f"{name}.html": _page(page_of(name, path)).encode() for path, name in views.items()}
    files |= {
        f"{name}/index.html": MOVED.format(name).encode() for path, name in views.items() if path != "/"
    }
    for static in STATIC.iterdir():
        if static.stem not in SERVED and static.suffix in (".js", ".css", ".svg"):
            files[static.name] = static.read_bytes()
    files["ask.js"] = b'export * from "./stored.js";\n'
    for name in ("help.html", "manifest.webmanifest"):
        files[name] = _relative((STATIC / name).read_text()).encode()
    size = sum(map(len, files.values()))
    if size > MOST:
        raise RequestError(f"the page has {size:,} bytes, expected at most {MOST:,}: name fewer trees")
    return files


def _told(trees: Sequence[Entry]) -> Entry:
    """Return the answers of a server that never change, by name, and the tables of pasted rounds."""
    names = [re.sub("-(from.-)?hard$", "", tree["name"]) for tree in trees]
    hard = [name for name, tree in zip(names, trees, strict=True) if name != tree["name"]]
    games = {"games": described(dict.fromkeys(names)), "hard": hard}
    text = f"gpulingo {version()}. This page answers from stored strategies, without a server."
    play = {"games": {"wordle": ["honest"]}, "hard": [], "segments": {"practice": ["wordle"]}}
    play |= {"titles": {"wordle": titles.title("wordle")}, "hosts": titles.HOSTS}
    play |= {"lengths": [*dict.fromkeys(tree["length"] for tree in trees)]}
    return {
        "games": games, "review-games": games, "play-games": play, "about": {"text": text},
        "atlas-trees": trees_entry(trees), "notation": _notation(),
    }  # fmt: skip


def _notation() -> Entry:
    """Return the tables of `advice.notation` for browsers: patterns, and what signs and names mean."""
    palettes = notation.PALETTES.items()
    return {
        "unseen": f"[{''.join(map(chr, notation.UNSEEN))}]",
        "named": notation.NAMED.pattern, "names": notation.NAMES,
        "spaced": notation.SPACED.pattern, "runs": notation.RUNS.pattern, "strange": notation.STRANGE.pattern,
        "array": notation.ARRAY.pattern.replace("[^]", "[^\\]"),  # as JavaScript writes it
        "nouns": notation.MARKS, "written": notation.WRITTEN, "forms": notation.FORMS,
        "kinds": ["".join(sorted(kind)) for kind in notation.KINDS],
        "palettes": [(when, {chr(a): chr(b) for a, b in table.items()}) for when, table in palettes],
    }  # fmt: skip


def _sentences(game: Game, words: WordList, fit: Fit) -> Entry:
    """Return the sentences about words of a game."""
    answers, of = fit.answers and f"{fit.answers}, ", f"left of {fit.list_text}"
    wide = f"no answer fits; of all {len(words.words):,} words of {fit.list_text} {{count}} do"
    return sentences.TABLES | {
        "unlisted": unlisted_text("{guess}", words, game),
        "left": (answers and f"{{count}} {answers}") + f"{{words}} {of}",
        "left one": (answers and "{count} " + re.sub(r"^(\S+)s", r"\1", answers)) + f"{{words}} {of}",
        "left wide": wide,
        "left wide one": f"{wide}es",
    }


def _first(starts: Sequence[tuple[str, Tree]], unfit: Sequence[int]) -> dict[str, Any]:
    """Return the fields of first guesses: place, whether the value is proven, words found on each turn.

    They end with the last one that is shown: words in `unfit` are not.
    """
    rows = {tree.guess[0]: [tree.optimal, tree.turn_counts()] for _, tree in reversed(starts)}
    first = [[guess, *row] for guess, row in reversed(rows.items())]
    shown = [at for at, (guess, *_) in enumerate(first, 1) if guess not in unfit][:MOST_FIRST]
    return {
        "first_guesses": first[: shown[-1] if len(shown) == MOST_FIRST else None],
        "how_first": stored_text(starts, begun=False),
    }


def _openings(words: WordList, starts: Sequence[tuple[str, Tree]]) -> dict[str, bytes]:
    """Return the stored strategies after other first guesses, by guess; the browser reads one on demand."""
    made = dict[str, bytes]()
    for path, tree in starts:
        if isinstance(tree, OpeningTree):
            fields = {"how": BY_BOOK.format(Path(path).name), "exact": tree.optimal}
            data = packed(tree, fields, {"best": tree.best, "found": tree.found})
            made[words.words[tree.opening]] = compress(data, 9)
    return made


def _nameable(setting: Setting) -> Setting:
    """Return the same lists, read, under names without folders of this machine."""
    names = setting.names.opened()
    read: dict[str, Any] = {name: getattr(names, name) for name in ("wordlist", "targets", "without")}
    for name, listing in read.items():
        if isinstance(listing, Listing):
            read[name] = listing.changed(source=Path(listing.source).name)
    return replace(setting, names=replace(names, **read))


def _page(text: str) -> str:
    """Return a view that contacts no other host, without links to pages that need a server."""
    policy = HEADERS["Content-Security-Policy"].rpartition(";")[0]  # only a header can restrict frames
    head = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return _relative(NOT_SERVED.sub("", text)).replace("<head>", head, 1).replace("<body>", BODY, 1)


def _relative(text: str) -> str:
    """Return a text with addresses relative to its folder, those of views as names of their files."""
    names = {"": "./"} | {path[1:]: f"{name}.html" for path, name in VIEWS.items() if path != "/"}
    return ADDRESS.sub(lambda link: f'"{names.get(link[1], link[1])}"', text)


def _fields(tree: Tree, words: WordList, file: str, drawn: WordList, *, named: bool) -> dict[str, Any]:
    """Return the tree's fields for answers, and daily words; `named`: the user named its targets."""
    game, walk, turns = tree.game, Walk(tree, words), range(1, tree.turns + 1)
    source = f"{words.source}, targets {words.targets_source}" if named else words.source
    fit = Fit(source, 0, "" if named else words.targets_source, targets=len(words.targets))
    unfit = unfit_words(tree.length)
    daily, unit = daily_entry(drawn, 0), unit_of(game)
    worth = [int(expected(game, [int(turn == other) for other in turns], 1)) for turn in (*turns, 0, 0, 0)]
    return {
        "code": game.code, "length": tree.length, "turns": tree.turns, "solved": "O" * tree.length,
        "worth": worth,  # of a word found on turn 1, 2, .., and of a lost one, or after the last turn
        "shown": game.shown, "measure": UNITS[game.shown].name, "unit": unit.short, "noun": unit.noun,
        "one": unit.guess, "rises": unit.rises,
        "list": source_text(words), "every": list_text(words),
        "answers": fit.answers, "sentences": _sentences(game, words, fit),
        "known": {"noun": "word", "kind": "guess", "code": game.code, "unit": unit.short},  # of sentences
        "whose": whose_text(fit, game),
        "how": BY_TREE.format(file), "condition": f"; chances hold {fit.condition}" if fit.condition else "",
        "followed": rolled_text("parts"), "proven": SEARCHED, "limit": limit_text(game),
        "estimated": PLAYED,
        "wide": wider_text("the round", 1, words),
        "legal": game.legal, "since": game.since, "bonus": int(game.rises_by_one),
        "exact": tree.optimal, "limits": [walk.limit(start) for start in (True, False)],
        "unfit": [place for place, word in enumerate(words.words) if word in unfit],
        "series": daily["series"], "mark": daily["number"].removeprefix("1"), "drawn": source_text(drawn),
    }  # fmt: skip
