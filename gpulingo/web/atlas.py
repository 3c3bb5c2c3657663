"""Atlas of stored or computed results: trees, bounds, the cheating host, racks.

Requests are checked field by field; a branch of a tree is named by its path of marks, and no request names a
file. The reference rule of the game splits the words of a branch, one guess after
the other; the tree is read as it is walked, and gives the guesses and their outcomes.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.advice.outlook import expected
from gpulingo.advice.sentences import filled
from gpulingo.games.catalogue import BY_NAME, feedback_of, find_game
from gpulingo.games.game import Game
from gpulingo.games.marks import lettered
from gpulingo.games.titles import title
from gpulingo.hosts.host import Classes, classes_of
from gpulingo.player.question import Lists
from gpulingo.positions.service import Entry, LruCache, RequestError, Work
from gpulingo.storage import fields
from gpulingo.storage.files import FOLDERS, SHORT
from gpulingo.tiles.bag import BLANK, shown
from gpulingo.tiles.bag import BY_NAME as BAGS
from gpulingo.trees.stored import none_stored, stored_trees
from gpulingo.trees.text import guess_names, opening_text
from gpulingo.trees.tree import Tree, turns_below
from gpulingo.trees.values import of_tree
from gpulingo.web.requests import MOST_LENGTH, Setting, asked_of, letters
from gpulingo.words.letters import capitals, joined
from gpulingo.words.listing import WordList
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.tiles.best_words import Spelling

MOST_PATH = 255  # marks on the way to a branch: as many letters as a list may have
MOST_CLASSES = 100  # classes of one answer
MOST_WORDS = 2000  # words left in one answer
MOST_CODE = 40  # characters of a game's name
MOST_RACK, MOST_DRAWN = 20, 7  # tiles of a rack, and of a draw
SHOWN = 10  # racks of most points
BRANCH: fields.Shape = {
    "game": fields.text,
    "length": letters,
    "letter": (fields.text, ""),
    "path": (fields.list_of(fields.text), []),
    "start": (fields.whole(0, 1 << 24), 0),
    "count": (fields.whole(0, MOST_CLASSES), 20),
    "words": (fields.whole(0, MOST_WORDS), 40),
    "shown": (fields.text, ""),
    "word": (fields.text, ""),
}
BAG = fields.one_of(*BAGS), next(iter(BAGS))
RACK: fields.Shape = {"rack": fields.text, "bag": BAG, "top": (fields.whole(1, 200), 50)}
DRAWS: fields.Shape = {"bag": BAG, "tiles": (fields.whole(1, MOST_DRAWN), 7)}
FILE = Path(__file__).parent / "misses.json"
SECONDS = 20.0  # limit of the search of a length
NAME = re.compile(rf"([a-z-]+[0-9]{{1,3}})-([0-9]{{1,2}})-([0-9a-f]{{{SHORT}}})\.npz")
MOST_READ = 24  # trees in memory
MOST_FILES = 1000  # files whose names are examined
MOST_PARTED = 48  # nodes whose classes are cached
ANY = "."  # wildcard for a mark
LIVES = 6  # usual number of lives of hangman


class Atlas:
    """Answers to requests of the atlas; files are read when needed, and then cached."""

    def __init__(self, setting: Setting) -> None:
        self.lists, self.device = Lists(setting.names), setting.device
        self._summaries: list[Entry] | None = None
        self._notes: list[str] = []
        self._walks: LruCache[tuple[str, int], Walk] = LruCache(MOST_READ)
        self._guard = threading.Lock()
        self._spellings: LruCache[str, Spelling] = LruCache(len(BAGS))
        self._draws: LruCache[tuple[str, int], Entry] = LruCache(len(BAGS) * MOST_DRAWN)
        self._laying = threading.Lock()
        stored = json.loads(FILE.read_text(encoding="utf-8"))
        # Fingerprint of the words of a length -> misses forced, and enough if known.
        self._misses = {entry["fingerprint"]: (entry["misses"], entry["misses"]) for entry in stored}

    def trees(self) -> Entry:
        """Return the summaries of all trees; each is read once, and only its summary stays in memory."""
        with self._guard:
            if self._summaries is None:
                self._summaries = [
                    summary(*stored) for game, length in self._names() if (stored := self._read(game, length))
                ]
            lengths, none = self.lists.lengths, ""
            length = 5 if self._summaries or 5 in lengths else lengths[0]
            if not self._summaries:
                none = filled("no strategy", source=self.lists.of_length(length).source, length=length)
            return trees_entry(self._summaries, self._notes, none) | {"length": length}

    def branch(self, record: Any) -> Entry:
        request = asked_of(record, BRANCH)
        code, path, letter = request["game"], request["path"], request["letter"]
        if len(path) > MOST_PATH or len(letter) > 1 or len(code) > MOST_CODE:
            raise RequestError(f"the path is too long, expected at most {MOST_PATH} marks and one letter")
        walk = self.walk(find_game(code), request["length"])
        return walk.told(walk.branch(letter, path), request)

    def walk(self, game: Game, length: int) -> Walk:
        with self._guard:  # notes are part of another answer
            return self._walks.made((game.code, length), lambda: Walk(*self.best(game, length)[:2]))

    def best(self, game: Game, length: int) -> tuple[Tree, WordList, str]:
        """Return the best tree stored for a game and a length, its words, and the name of its file."""
        stored = self._read(game, length)
        if stored is None:
            words = self.lists.of_game(length, game)
            raise RequestError(none_stored(words, game, instead="a list that has one"), 422)
        return stored

    def _read(self, game: Game, length: int) -> tuple[Tree, WordList, str] | None:
        """Return the best tree, its words, and the name of its file; faults of other files are noted."""
        words = self.lists.of_game(length, game)
        trees, faults = stored_trees(words, game)
        self._notes += [note for note in map(str, faults) if note not in self._notes]
        for path, tree in trees.items():
            if tree.weights is None and max(tree.guess) < len(guess_names(game, words.words)):
                return tree, words, Path(path).name
        return None

    def _names(self) -> list[tuple[Game, int]]:
        """Return the games and lengths of files whose names fit the list."""
        games: dict[tuple[int, int, int, str], Game] = {}
        order = sorted(BY_NAME, key=lambda name: not name.startswith("wordle"))
        folders = [sorted(next(os.walk(folder), ("", [], []))[2]) for folder in FOLDERS]
        for name in {name for names in folders for name in names[:MOST_FILES]}:
            parts = NAME.fullmatch(name)
            if not parts or not 1 <= (length := int(parts[2])) <= MOST_LENGTH:
                continue
            try:
                game = find_game(code := parts[1])
                if self.lists.of_game(length, game).fingerprint.startswith(parts[3]):
                    place = order.index(game.name.replace(f"-from{game.since}", ""))
                    games[place, game.since, length, code] = game
            except (LookupError, ValueError):  # no such game, or no words of the length
                continue
        return [(games[key], key[2]) for key in sorted(games)]

    def misses(self) -> Entry:
        """Return the misses that a perfect host forces, by length of a list, as far as known."""
        rows = list[Entry]()
        for length in self.lists.lengths:
            words = self.lists.of_length(length)
            least, enough = self._misses.get(words.fingerprint, (None, None))
            rows.append({"length": length, "words": len(words), "forced": least, "enough": enough})
        forced = {row["length"]: row["forced"] for row in rows if row["forced"] is not None}
        lost = [str(length) for length, misses in forced.items() if misses >= LIVES]
        wins = f"wins at {', '.join(lost) + ' letters' if lost else 'no length'}"
        known = f"{len(forced)} of {len(rows)} lengths are known"
        status = f"With {LIVES} lives the host {wins}; {known}."
        if not forced:
            status = "Not computed for this list yet. Compute takes some seconds."
        return {"lengths": rows, "lives": LIVES, "status": status}

    def force(self, record: Any) -> Work:
        """Return work that finds the misses at a length, and then tells those of all lengths."""
        length = asked_of(record, {"length": letters})["length"]

        def work(tell: Callable[[Entry], None], stop: threading.Event) -> Entry:
            words = self.lists.of_length(length)
            if words.fingerprint not in self._misses:
                from gpulingo.optimise.adversary import misses_bracket

                bracket = misses_bracket(words, SECONDS, stop)
                if stop.is_set():
                    raise RequestError("the search was stopped", 503)
                self._misses[words.fingerprint] = bracket
            return self.misses()

        return work

    def rack(self, record: Any) -> Entry:
        """Return the best words of a rack and their points; ? or _ is a blank."""
        from gpulingo.tiles.best_words import laid

        request = asked_of(record, RACK)
        bag = BAGS[request["bag"]]
        rack = bag.rack(request["rack"].replace("_", BLANK))
        if len(rack) > MOST_RACK:
            raise RequestError(f"the rack has {len(rack)} tiles, expected at most {MOST_RACK}")
        beyond = [
            f"more tiles {shown(letter)} than the bag has: {bag.counts[bag.kinds[letter]]}"
            for letter in bag.beyond(rack)
        ]
        with self._laying:  # a rack of blanks spells every word
            pairs = laid(rack, self._spelling(bag.name))
        words: list[Entry] = [{"word": word, "points": points} for word, points in pairs[: request["top"]]]
        text, count = shown(rack), counted(len(pairs), "word")
        points = counted(words[0]["points"], "point") if words else ""
        ties = ", ".join(row["word"] for row in words[1:] if row["points"] == words[0]["points"])
        return {
            "rack": text, "bag": bag.name, "words": words, "laid": len(pairs), "notes": beyond,
            "of": f"Best of {count}" if words else f"No word of {text}", "points": points,
            "ties": f"As many points: {ties}." if ties else "",
            "status": f"{text}: {words[0]['word']}, {points}; {count}." if words else f"{text}: no word.",
        }  # fmt: skip

    def draws(self, record: Any) -> Work:
        """Return work that sums up all draws of some tiles from a bag, and finds the racks of most points."""
        request = asked_of(record, DRAWS)
        key = bag, tiles = request["bag"], request["tiles"]
        return lambda tell, stop: self._draws.made(
            key, lambda: summed_up(self._spelling(bag), tiles, self.device)
        )

    def _spelling(self, bag: str) -> Spelling:
        from gpulingo.tiles.best_words import spelled

        def read() -> Spelling:
            lengths = [n for n in self.lists.lengths if n <= MOST_RACK]
            words = [word for length in lengths for word in self.lists.of_length(length).words]
            return spelled(words, BAGS[bag], MOST_RACK)

        return self._spellings.made(bag, read)


def trees_entry(trees: Sequence[Entry], notes: Sequence[str] = (), none: str = "") -> Entry:
    """Return the answer about stored trees; `none`: the status without any."""
    strategies = "1 strategy" if len(trees) == 1 else f"{len(trees):,} strategies"
    status = none or f"{strategies}, {sum(tree['optimal'] for tree in trees):,} proven best."
    return {"trees": trees, "notes": list(notes), "none": none, "status": status}


def summed_up(spelling: Spelling, tiles: int, device: str = "cpu") -> dict[str, Any]:
    """Return the summary of all draws of `tiles` tiles, and the racks of most points."""
    from gpulingo.tiles.rack_table import rack_tables
    from gpulingo.tiles.summary import best_racks, draw_summary

    table, bag = next(rack_tables(spelling, [tiles], device)), spelling.bag
    done = draw_summary(table)
    _, number, draws, mean, deviation, none = done.cells()
    figures = [
        ("points on average", mean), ("deviation", deviation), ("without a word", f"{none} %"),
        ("racks", number), ("draws", draws),
    ]  # fmt: skip
    racks = [
        [row["rack"], row["points"], f"{row['draws']:,}", ", ".join(row["words"])]
        for row in best_racks(table, SHOWN)
    ]
    held = list[list[Any]]()
    for tile in done.held:
        name, _, _, share, given, _, gain = tile.cells(bag)
        held.append([name, (f"{share} %", float(tile.share)), given, gain])
    tables = {
        "best-draws": (["best rack", "points", "draws", "words"], racks),
        "held": (["tile", "drawn", "average with it", "gain"], held),
    }
    drawn = f"{counted(tiles, 'tile')} drawn from {bag.name}"
    return {"figures": figures, "tables": tables, "status": f"{drawn}: {mean} points on average."}


def summary(tree: Tree, words: WordList, name: str) -> dict[str, Any]:
    """Return a tree's summary, in the figures of `gpulingo prove --tree-only`."""
    values, turns, value, bound = of_tree(tree), tree.turn_counts(), tree.value, tree.bound_value
    optimal = bound is not None and bound <= value
    gap, share = "✓ proven best" if optimal else "no limit is known", 1.0
    if bound is not None and not optimal:
        low, high = sorted(abs(values.figure(end)) for end in (value, bound))
        gap, share = f"{values.gap_text(value, bound)} {values.unit.side} the limit", low / (high or 1)
    cells = values.cells(value, tree.lost) | values.counted_cells(turns)
    means = {name: re.sub("^mean (.*)", r"\1 on average", name) for name in cells} | {"won, %": "% won"}
    parts = [f"{cell} {means[name]}" for name, cell in cells.items()]
    opening, limit = opening_text(tree, words.words), values.bound(bound)
    return {
        "game": tree.game.code,
        "title": title(tree.game.code),
        "line": " · ".join([opening, *parts, f"limit {limit}", counted(tree.targets, "word")]),
        "length": tree.length,
        "words": tree.targets,
        "file": name,
        "opening": opening,
        "letters": [tree.letter(root) for root in range(tree.roots)] if tree.game.given else [],
        "feedback": tree.game.feedback,
        "cells": cells,
        "bound": limit,
        "gap": gap.replace("mean ", ""),
        "share": share,
        "optimal": optimal,
        "turns": turns,
        "lost": tree.lost,
    }


@dataclass(frozen=True)
class Branch:
    """Position in a tree after a path of marks."""

    node: int  # -1 if no guess follows
    guess: str  # empty if none follows
    left: list[str]  # words that are still possible
    turn: int  # of the next guess; if misses cost, one more than the misses before it
    trail: list[dict[str, Any]]  # earlier guesses, with marks and words left
    end: str  # why the path ends here: `found`, `lost`, `none`, `word` (one is left), or empty


class Walk:
    """A tree and its words, checked against each other."""

    def __init__(self, tree: Tree, words: WordList) -> None:
        self.tree, self.words, self.game = tree, words, tree.game
        self.rule = feedback_of(tree.game)
        self.names = guess_names(tree.game, words.words)
        self._parted: LruCache[int, Classes] = LruCache(MOST_PARTED)

    def branch(self, letter: str, path: Sequence[str]) -> Branch:
        """Return the branch that a path of marks leads to; `letter` is empty in games that give none."""
        if bool(letter) != bool(self.game.given):
            what = "needs the letter that is given" if self.game.given else "gives no letter"
            raise RequestError(f"{self.game.code} {what}")
        node = self.tree.root(letter)
        if node is None:
            raise RequestError(f"no target begins with {letter[:40]!r}: use the first letter of one")
        branch = self._at(node, [word for word in self.words.targets if word.startswith(letter)], 1, [])
        for row in path:
            if branch.end:
                raise RequestError(f"marks {row[:40]!r} after the end of the path: leave them out")
            wrong = self.rule.fault(row, self.tree.length)
            if wrong:
                raise RequestError(wrong)
            branch = self._after(branch, row)
        return branch

    def _at(self, node: int | None, left: list[str], turn: int, trail: list[dict[str, Any]]) -> Branch:
        if node is None:
            return Branch(-1, "", left, turn, trail, "lost" if left else "none")
        guess = self.names[self.tree.guess[node]]
        return Branch(node, guess, left, turn, trail, "word" if left == [guess] else "")

    def _after(self, branch: Branch, row: str) -> Branch:
        trail = [*branch.trail, {"guess": branch.guess, "marks": row, "left": len(branch.left)}]
        left, pattern = self.classes(branch).get(row, []), self.rule.pattern(row)
        if not left or pattern == self.rule.solved(self.tree.length):
            return Branch(-1, "", left, branch.turn, trail, "found" if left else "none")
        turns = self.game.left_after(self.game.turns + 1 - branch.turn, pattern)
        node = self.tree.child(branch.node, pattern) if turns else None
        return self._at(node, left, self.game.turns + 1 - turns, trail)

    def classes(self, branch: Branch) -> Classes:
        return self._parted.made(branch.node, lambda: classes_of(self.rule, branch.guess, branch.left))

    def figures(self, branch: Branch) -> dict[str, Any]:
        """Return the results of following the tree in a branch."""
        turns, left = [0] * self.tree.turns, len(branch.left)
        if branch.guess:
            turns = turns_below(self.tree, branch.node, branch.turn)
        elif branch.end == "found":
            turns[branch.turn - 1] = left
        value = expected(self.game, turns, left) if left else None
        return {"left": left, "end": branch.end, "turns": turns, "lost": left - sum(turns), "expected": value}

    def replies(self, branch: Branch, shown: str) -> list[str]:
        """Return the replies with the marks `shown`, the most words first."""
        if len(shown) not in (0, self.tree.length):
            raise RequestError(f"{len(shown)} marks of replies, expected {self.tree.length}")
        classes, any_ = self.classes(branch), shown or ANY * self.tree.length
        fit = [row for row in classes if all(map(lambda mark, sign: mark in (ANY, sign), any_, row))]
        return sorted(fit, key=lambda row: (-len(classes[row]), -self.rule.pattern(row)))

    def steps(self, branch: Branch, word: str) -> list[dict[str, Any]]:
        """Return the replies of a word from a branch on, to the end of its path."""
        word = joined(word)
        if word not in branch.left:
            answers = counted(len(branch.left), "possible answer")
            raise RequestError(f"{word[:40]!r} is not among the {answers} here", 422)
        rows = list[dict[str, Any]]()
        while branch.guess and (not branch.end or not rows):
            branch = self._after(branch, self.rule.feedback(branch.guess, word))
            rows.append(self._row(branch))
        return rows

    def asks(self, word: str) -> str:
        """Return a sentence on the letters that the tree guesses for a word."""
        steps = self.steps(self.branch("", []), word)
        letters = " ".join(capitals(step["guess"]) for step in steps)
        who = "A perfect guesser" if self.tree.optimal else "The best strategy known"
        return f"{who} would have asked {letters}: {sum('O' not in step['marks'] for step in steps)} missed."

    def _row(self, after: Branch) -> dict[str, Any]:
        last = after.trail[-1]
        return {"guess": last["guess"], "marks": last["marks"], "next": after.guess, **self.figures(after)}

    def sentence(self, branch: Branch) -> str:
        """Return a sentence on the results in a branch, or on why its path ends."""
        if branch.end:
            left, (last, *_) = branch.left, [*branch.trail[-1:], {"marks": "", "guess": ""}]
            kind = "branch misses" if self.game.counts_misses else "branch turn"
            row = last["marks"] if self.game.guesses_letters else lettered(last["marks"])
            return filled(
                f"branch {branch.end}", marks=row, guess=capitals(last["guess"]),
                word=capitals("".join(left[:1])),
                words="this word is" if len(left) == 1 else f"these {len(left):,} words are",
                found=filled(kind, turn=branch.turn, misses=counted(branch.turn - 1, "miss")),
            )  # fmt: skip
        mean, digits = self.figures(branch)["expected"], 1 if self.game.shown == "words" else 2
        return filled(f"average {self.game.shown}", value=f"{mean:.{digits}f}") + self.limit(not branch.trail)

    def limit(self, start: bool) -> str:
        """Return the end of a sentence on an average: whether more is possible, if known."""
        if self.tree.optimal:
            return filled("limit reached")
        bound, values = self.tree.bound_value, of_tree(self.tree, 2)
        if bound is None or not start or self.game.given:
            return filled("limit unknown")
        side = "most" if values.unit.rises else "least"
        return filled("limit", side=side, bound=values.limit(bound).removesuffix(" won"))

    def told(self, branch: Branch, request: Entry) -> Entry:
        """Return a branch as the answer to a request; the steps of a word replace the rows of replies."""
        start, word = request["start"], request["word"]
        replies = [] if word or branch.end else self.replies(branch, request["shown"])
        rows = [self._row(self._after(branch, row)) for row in replies[start : start + request["count"]]]
        return {
            "trail": branch.trail, "turn": branch.turn, "words": branch.left[: request["words"]],
            "say": self.sentence(branch), "guess": branch.guess or None,
            "class_count": len(replies), "classes": self.steps(branch, word) if word else rows,
            **self.figures(branch),
        }  # fmt: skip
