"""The folder of a search that several processes share: what it is about, and files of what they have found.

search.json              what is searched, written once by whoever comes first
begin-*                  the tree and the certificate that it began with
results/0/PIECE.npz      what was found for each piece of a round
results/0.npz            what is known after a round, once all its pieces are done
leases/                  who works on what (storage/leases.py)
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from gpulingo.bounds.arrays import packed_arrays, unpacked_arrays
from gpulingo.bounds.certificate import Certificate, certificate_arrays, check_fits, parsed_certificate
from gpulingo.search.piece import Known, Piece, Result
from gpulingo.search.piece_files import (
    MOST_BYTES,
    ResultError,
    known_bytes,
    parsed_known,
    parsed_result,
    parsed_sound_tree,
    result_bytes,
)
from gpulingo.search.stages import Stage
from gpulingo.search.state import Problem
from gpulingo.storage import fields
from gpulingo.storage.files import SHORT, file_bytes, replace_file
from gpulingo.storage.leases import create_file
from gpulingo.trees.checkpoint import tree_bytes
from gpulingo.trees.tree import Tree

FORMAT = 1
MOST_SEARCH = 1 << 20  # bytes of search.json: a limit
LEASE = 60.0  # seconds after which a lease that was not renewed is stale
FIELDS = {
    "format": fields.one_of(FORMAT),
    "game": fields.text,
    "fingerprint": fields.fingerprint,
    "words": fields.whole(1),
    "gap": fields.number(),
    "goal": fields.whole(-1),
    "plan": fields.list_of(fields.list_of(fields.whole(1))),
    "block": fields.whole(1),
    "lease": fields.number(0.001, 1e6),
    "tree": fields.fingerprint,
    "certificate": fields.or_none(fields.fingerprint),
}


class SharedFolderError(ValueError):
    """The folder is of another search, or what it begins with is damaged."""


@dataclass(frozen=True)
class Terms:
    """What all who share a search have to agree on.

    Attributes:
        game: its code. fingerprint, words: of the list.
        gap: that is good enough, as the user wrote it. goal: credits that bounds are lowered to.
        plan: of each stage the openings, then turns left and guesses of its widths, one after the other.
        block: openings whose classes are counted in one piece.
        lease: seconds after which a lease that was not renewed is stale.
        tree, certificate: digests of what the search begins with; no certificate: None.
    """

    game: str
    fingerprint: str
    words: int
    gap: float
    goal: int
    plan: list[list[int]]
    block: int
    lease: float
    tree: str
    certificate: str | None = None

    @property
    def stages(self) -> list[Stage]:
        """The plan as stages."""
        return [
            Stage(count, dict(zip(widths[::2], widths[1::2], strict=True))) for count, *widths in self.plan
        ]


def round_name(known: Known) -> str:
    """What the work of putting the results of a round together is called."""
    return f"round-{known.round}"


def flat_plan(plan: Sequence[Stage]) -> list[list[int]]:
    """Stages as `Terms` have them."""
    return [
        [stage.openings, *(number for pair in sorted(stage.widths.items()) for number in pair)]
        for stage in plan
    ]


class SharedFolder:
    """The folder of one search.

    Args:
        path: of the folder, which is there.
        problem: that is searched.
        owner: a name of this process alone.
    """

    def __init__(self, path: Path, problem: Problem, owner: str) -> None:
        self.path, self.problem, self.owner = path, problem, owner

    def terms(self) -> Terms | None:
        """What was agreed on; None where no search has begun here.

        Raises:
            SharedFolderError: it is of another list or game, damaged, or of another format.
        """
        path = self.path / "search.json"
        try:
            data = file_bytes(path, MOST_SEARCH)
            record = fields.checked(fields.parsed_json(data), FIELDS)
            terms = Terms(**{name: record[name] for name in record if name != "format"})
            terms.stages  # noqa: B018 - raises where widths are no pairs
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise SharedFolderError(f"{path} {error}: name another folder") from None
        words, game = self.problem.wordlist, self.problem.game
        for what, theirs, ours in (
            ("game", terms.game, game.code),
            ("list", terms.fingerprint[:SHORT], words.fingerprint[:SHORT]),
            ("number of words", terms.words, len(words)),
        ):
            if theirs != ours:
                raise SharedFolderError(
                    f"{self.path} is for the {what} {theirs}, this is {ours}: name another folder"
                )
        return terms

    def begin(self, terms: Terms, tree: Tree, given: Certificate | None) -> Terms:
        """Begin a search, unless another process was first.

        Args:
            terms: without digests. tree, given: to begin with.
        Returns:
            What is agreed on now.
        Raises:
            SharedFolderError: as of `terms`. OSError: the folder cannot be written.
        """
        self.results.mkdir(exist_ok=True)
        terms = replace(terms, tree=self._kept(tree_bytes(tree)))
        if given is not None:
            terms = replace(terms, certificate=self._kept(packed_arrays(certificate_arrays(given))))
        record = {"format": FORMAT} | asdict(terms)
        text = json.dumps(record) + "\n"
        create_file(os.fspath(self.path / "search.json"), text.encode(), self.owner)
        agreed = self.terms()
        assert agreed is not None
        return agreed

    def beginning(self, terms: Terms) -> tuple[Tree, Certificate | None]:
        """The tree and the certificate that a search began with.

        Raises:
            SharedFolderError: they are damaged.
        """
        tree = parsed_sound_tree(self._checked(terms.tree), self.problem)
        assert tree is not None
        if terms.certificate is None:
            return tree, None
        certificate = parsed_certificate(unpacked_arrays(self._checked(terms.certificate)))
        check_fits(certificate, self.problem.wordlist, self.problem.game, os.fspath(self.path))
        return tree, certificate

    def finished(self) -> set[str]:
        """The names of the pieces that have a result, of all rounds."""
        with os.scandir(self.results) as entries:
            return {entry.name.removesuffix(".npz") for entry in entries if entry.name.endswith(".npz")}

    def has(self, piece: Piece) -> bool:
        """Whether a piece has a result."""
        return self._of(piece.name).exists()

    def result(self, piece: Piece) -> Result:
        """The result of a piece.

        Raises:
            ResultError: it is damaged. OSError: there is none.
        """
        try:
            data = file_bytes(self._of(piece.name), MOST_BYTES)
        except ValueError as error:
            raise ResultError(f"is damaged (it {error})") from None
        return parsed_result(data, self.problem, piece)

    def write_result(self, piece: Piece, result: Result) -> None:
        """Keep the result of a piece.

        Raises:
            OSError: it cannot be written.
        """
        self._write(self._of(piece.name), result_bytes(self.problem, piece, result))

    def remove(self, name: str) -> None:
        """Remove a damaged result of a piece, or of a round."""
        self._of(name).unlink(missing_ok=True)

    def after(self, known: Known) -> Known | None:
        """What is known after the round, where someone has put its results together.

        Raises:
            ResultError: it is damaged.
        """
        try:
            data = file_bytes(self._of(round_name(known)), MOST_BYTES)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise ResultError(f"is damaged (it {error})") from None
        return parsed_known(data, known)

    def write_after(self, before: Known, known: Known) -> None:
        """Keep what is known after a round.

        Raises:
            OSError: it cannot be written.
        """
        self._write(self._of(round_name(before)), known_bytes(known))

    @property
    def results(self) -> Path:
        """Where results and leases lie."""
        return self.path / "results"

    def _of(self, name: str) -> Path:
        return self.results / f"{name}.npz"

    def _begin_path(self, digest: str) -> Path:
        return self.path / f"begin-{digest[:SHORT]}.npz"

    def _write(self, path: Path, data: bytes) -> None:
        replace_file(os.fspath(path), data, self.owner)

    def _kept(self, data: bytes) -> str:
        """Keep what a search begins with; its digest."""
        digest = sha256(data).hexdigest()
        self._write(self._begin_path(digest), data)
        return digest

    def _checked(self, digest: str) -> bytes:
        """What a search begins with.

        Raises:
            SharedFolderError: it is not there, or damaged.
        """
        path = self._begin_path(digest)
        try:
            data = file_bytes(path, MOST_BYTES)
            if sha256(data).hexdigest() == digest:
                return data
        except (OSError, ValueError):
            pass
        raise SharedFolderError(f"{path} is damaged: name another folder")


def terms_of(problem: Problem, gap: float, goal: int, plan: Sequence[Stage], **more: Any) -> Terms:
    """The terms of a search that begins; `more` are `block` and `lease`."""
    words = problem.wordlist
    return Terms(
        problem.game.code, words.fingerprint, len(words), gap, goal, flat_plan(plan), tree="", **more
    )
