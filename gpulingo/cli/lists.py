"""The lists of a command; skipped words of a list are reported on stderr, once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.parse import LONGEST, numbers_text
from gpulingo.games.catalogue import COMPUTED, repeats_colours, usual_targets
from gpulingo.games.game import Game
from gpulingo.player.question import ListNames, at_fault
from gpulingo.words.listing import (
    EMBEDDED_NAME,
    EMBEDDED_VERSION,
    Listing,
    MissingListError,
    WordList,
    find,
    find_listing,
)
from gpulingo.words.targets import BY_LEVEL, Targets


@dataclass(frozen=True)
class Source:
    """The words of one length, their listing, and the listing of the targets, if there is one."""

    listing: Listing
    wordlist: WordList
    targets: Listing | None = None


def found_sources(
    lengths: Iterable[int],
    path: Path | None,
    targets: str | None = None,
    game: Game | None = None,
    weights: str | None = None,
    purpose: str = COMPUTED,
    without: Path | None = None,
    colours: int | None = None,
    silent: bool = False,
    same: str = "",
) -> list[Source]:
    """Return the words of every length; arguments are those of the options.

    Args:
        targets: None: every word may be the target; for the embedded list, if the user named no list,
            the usual targets of the game.
        purpose: of `usual_targets`. silent: whether skipped words are not reported.
    """
    listings: dict[str, Listing] = {}
    sources = []
    for length in lengths:
        listing = _listing(length, path, listings, game, colours, silent, same)
        sources.append(Source(listing, listing.of_length(length)))
    sources = _limited(sources, targets, None if path else game, purpose, silent=silent)
    names = ListNames(without=None if without is None else str(without), weights=weights)
    return [replace(source, wordlist=names.weighed(names.unanswered(source.wordlist))) for source in sources]


def _limited(
    sources: list[Source],
    name: str | None,
    game: Game | None,
    purpose: str = COMPUTED,
    *,
    all_lengths: bool = True,
    silent: bool = False,
) -> list[Source]:
    """Return the same lists with only the words of another list as targets.

    Args:
        game: its usual targets are used for the embedded list, if none are named; None: every word.
        all_lengths: each list must have targets; if False, those without are left out.
    """
    usual = None if game is None else usual_targets(game, purpose)
    if name is None and usual is None:
        return sources
    with at_fault("targets", MissingListError):
        targets = Targets(name or usual or "")
    if targets.listing and not silent:
        tell_skipped(targets.listing)
    limited = []
    for source in sources:
        if name is None and source.listing.data:  # not the embedded list
            limited.append(source)
        elif all_lengths or targets.has(source.wordlist):
            with wrong_usage("--targets"):
                limited.append(Source(source.listing, targets.of(source.wordlist), targets.listing))
    return limited


def read_files(sources: Iterable[Source]) -> list[Path]:
    names: dict[str, None] = {}
    for source in sources:
        listings = [listing.source for listing in (source.listing, source.targets) if listing]
        weights = source.wordlist.weights_source
        names |= dict.fromkeys([*listings, *([weights] if weights not in ("", BY_LEVEL) else [])])
    return [path for path in map(Path, names) if path.is_file()]


def all_sources(
    path: Path | None, targets: str | None = None, game: Game | None = None, same: str = ""
) -> list[Source]:
    """Return the words of every length that has words and targets, by ascending length."""
    listings: dict[str, Listing] = {}
    own = [n for n in range(1, LONGEST + 1) if path is None and os.path.lexists(f"wordlist{n}.txt")]
    shared = _listing(next(n for n in range(1, LONGEST + 2) if n not in own), path, listings, same=same)
    lengths = sorted({*own, *(n for n in shared.lengths() if n <= LONGEST)})
    by_length = {n: _listing(n, path, listings, same=same) if n in own else shared for n in lengths}
    sources = [Source(listing, listing.of_length(n)) for n, listing in by_length.items()]
    return _limited(sources, targets, None if path else game, all_lengths=False)


def sources_text(sources: Iterable[Source]) -> str:
    """Return the list of each length: `wordlist4.txt (4), embedded list (5-13)`; a single name alone."""
    lengths: dict[str, list[int]] = {}
    targets = ""
    for source in sources:
        lengths.setdefault(source.listing.source, []).append(source.wordlist.length)
        targets = _targets_text(source.wordlist) or targets
    if len(lengths) == 1:
        return next(iter(lengths)) + targets
    return ", ".join(f"{name} ({numbers_text(served)})" for name, served in lengths.items()) + targets


def list_text(words: WordList) -> str:
    """Return the sources of the words of a length: `pool.txt`, or `pool.txt; targets: targets.txt`."""
    return words.source + _targets_text(words)


def list_entry(words: WordList) -> dict[str, Any]:
    """Return the sources of the words of a length, with counts, for a JSON object."""
    entry: dict[str, Any] = {"list": words.source}
    if words.source == EMBEDDED_NAME:
        entry["list_version"] = EMBEDDED_VERSION
    if words.targets_source:
        entry |= {"targets": words.targets_source, "pool": len(words)}
    return entry | ({"weights": words.weights_source, "weight": words.total_weight} if words.weights else {})


def _targets_text(words: WordList) -> str:
    """Return the source of the targets, unless all words are, and of their weights, unless all are 1."""
    sources = {"targets": words.targets_source, "weights": words.weights_source}
    return "".join(f"; {name}: {source}" for name, source in sources.items() if source)


def opened_listing(
    length: int,
    path: Path | None,
    option: str = "wordlist",
    game: Game | None = None,
    colours: int | None = None,
) -> Listing:
    """Return the list for a length, at a path if the user named one; all codes in a game of codes."""
    repeated = None if game is None else repeats_colours(game)
    if colours is not None and (repeated is None or path is not None):
        seen = "a game of words" if repeated is None else f"--wordlist {path}"
        raise WrongUsage(f"--colours {colours} with {seen}: leave it out")
    if path is None and repeated is not None:
        with wrong_usage("--colours" if colours else "--length"):
            return find_listing(length, path, repeated, colours)
    with at_fault(option, MissingListError if path is not None else ()):
        return find(length, path)


def tell_skipped(listing: Listing) -> None:
    if listing.note:
        tell(f"{listing.source}: {listing.note}")


def _listing(
    length: int,
    path: Path | None,
    listings: dict[str, Listing],
    game: Game | None = None,
    colours: int | None = None,
    silent: bool = False,
    same: str = "",
) -> Listing:
    """Return the list for a length; the same object for the same file."""
    if path is not None and str(path) in listings:
        return listings[str(path)]
    listing = opened_listing(length, path, game=game, colours=colours)
    with wrong_usage("--same"):
        listing = listing.with_same(same)
    if listing.source not in listings:
        listings[listing.source] = listing
        if not silent:
            tell_skipped(listing)
    return listings[listing.source]
