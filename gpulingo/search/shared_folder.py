"""Folder of a search that several processes share: its terms, and files of their results.

search.json              what is searched, written once by the first process
begin-*                  the tree and the certificate that it began with
results/PIECE.npz        what was found for each piece of a round
results/round-0.npz      what is known after a round, once all its pieces are done
results/*.lease          leases of the workers (storage/leases.py)

Any process that can write there can write anything: no file is believed further than docs/scale.md says.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from gpulingo.bounds.arrays import check_range, packed_arrays, unpacked_arrays
from gpulingo.bounds.certificate import Certificate, certificate_arrays, check_fits, parsed_certificate
from gpulingo.games.catalogue import MOST_TURNS
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


def _fault_of_stage(value: Any) -> str:
    fits = not fields.list_of(fields.whole(1))(value) and len(value) % 2
    return "" if fits else "lists of openings, then pairs of turns left and guesses"


FORMAT = 2  # 1 had no digest
MOST_SEARCH = 1 << 20  # bytes of search.json: a limit
LEASE = 60.0  # seconds after which a lease that was not renewed is stale
FIELDS = {
    "format": fields.one_of(FORMAT),
    "game": fields.text,
    "fingerprint": fields.fingerprint,
    "words": fields.whole(1),
    "gap": fields.number(),
    "goal": fields.whole(-1),
    "plan": fields.list_of(_fault_of_stage),
    "block": fields.whole(1),
    "lease": fields.number(0.001, 1e6),
    "tree": fields.fingerprint,
    "certificate": fields.or_none(fields.fingerprint),
    "digest": fields.fingerprint,
}
MOST_WIDTH = 1 << 32  # guesses of a stage: a limit


class SharedFolderError(ValueError):
    """The folder is of another search, or what it begins with is damaged."""


@dataclass(frozen=True)
class Terms:
    """Agreement of all processes that share a search.

    Attributes:
        game: its code.
        fingerprint, words: of the list.
        gap: that is good enough, as the user wrote it.
        goal: credits that bounds are lowered to.
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
    """Return the name of the work of joining the results of a round."""
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
        """Return the terms; None where no search has begun here.

        Raises:
            SharedFolderError: it is of another list or game, damaged, or of another format.
        """
        path, words, game = self.path / "search.json", self.problem.wordlist, self.problem.game
        try:
            data = file_bytes(path, MOST_SEARCH, plain=True)
            record = fields.checked(fields.parsed_json(data), FIELDS)
            del record["digest"]
            if search_text(record).encode() != data:
                raise ValueError("has another digest than what it says")
            del record["format"]
            terms = Terms(**record)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise SharedFolderError(f"{path} {error}: name another folder") from None
        for what, theirs, ours in (
            ("game", terms.game, game.code),
            ("list", terms.fingerprint[:SHORT], words.fingerprint[:SHORT]),
            ("number of words", terms.words, len(words)),
        ):
            if theirs != ours:
                raise SharedFolderError(
                    f"{self.path} is for the {what} {theirs}, this is {ours}: name another folder"
                )
        try:
            for stage in terms.stages:
                check_range("turns left of a stage", list(stage.widths), 1, MOST_TURNS)
                check_range("guesses of a stage", list(stage.widths.values()), 1, MOST_WIDTH)
        except ValueError as error:
            raise SharedFolderError(f"{path} {error}: name another folder") from None
        return terms

    def begin(self, terms: Terms, tree: Tree, given: Certificate | None) -> Terms:
        """Begin a search, unless another process was first.

        Args:
            terms: without digests.
            tree, given: to begin with.
        Returns:
            The terms agreed on now.
        Raises:
            SharedFolderError: see `terms`.
            OSError: the folder cannot be written.
        """
        self.results.mkdir(exist_ok=True)
        terms = replace(terms, tree=self._kept(tree_bytes(tree)))
        if given is not None:
            terms = replace(terms, certificate=self._kept(packed_arrays(certificate_arrays(given))))
        record = {"format": FORMAT} | asdict(terms)
        create_file(os.fspath(self.path / "search.json"), search_text(record).encode(), self.owner)
        agreed = self.terms()
        assert agreed is not None
        return agreed

    def beginning(self, terms: Terms) -> tuple[Tree, Certificate | None]:
        """Return the tree and the certificate that a search began with.

        Raises:
            SharedFolderError: they are damaged, or contradict each other.
        """
        path = self._begin_path(terms.tree)
        try:
            tree = parsed_sound_tree(self._checked(terms.tree), self.problem)
            if tree is None:
                raise ValueError("it is empty")
            if terms.certificate is None:
                return tree, None
            path = self._begin_path(terms.certificate)
            certificate = parsed_certificate(unpacked_arrays(self._checked(terms.certificate)))
            check_fits(certificate, self.problem.wordlist, self.problem.game, "it")
            if int(certificate.bounds[tree.guess[0]]) < tree.value:
                raise ValueError("it bounds an opening by less than the tree beside it has")
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise SharedFolderError(f"{path} is damaged ({reason}): name another folder") from None
        return tree, certificate

    def finished(self) -> set[str]:
        """Return the names of the pieces that have a result, of all rounds."""
        with os.scandir(self.results) as entries:
            return {entry.name.removesuffix(".npz") for entry in entries if entry.name.endswith(".npz")}

    def has(self, piece: Piece) -> bool:
        """Return True if a piece has a result."""
        return self.path_of(piece.name).exists()

    def result(self, piece: Piece) -> Result:
        """Return the result of a piece.

        Raises:
            ResultError: it is damaged.
            FileNotFoundError: the piece has no result.
        """
        return parsed_result(self._read(piece.name), self.problem, piece)

    def write_result(self, piece: Piece, result: Result) -> None:
        """Keep the result of a piece.

        Raises:
            OSError: it cannot be written.
        """
        self._write(self.path_of(piece.name), result_bytes(self.problem, piece, result))

    def remove(self, name: str) -> None:
        """Remove a damaged result of a piece, or of a round; a folder there gets another name.

        Raises:
            OSError: it cannot be removed.
        """
        path = self.path_of(name)
        if path.is_dir() and not path.is_symlink():
            path.rename(f"{path}.{self.owner}.aside")
        else:
            path.unlink(missing_ok=True)

    def after(self, known: Known) -> Known | None:
        """Return what is known after the round, where some process has joined its results.

        Raises:
            ResultError: it is damaged.
        """
        try:
            return parsed_known(self._read(round_name(known)), known)
        except FileNotFoundError:
            return None

    def write_after(self, before: Known, known: Known) -> None:
        """Keep what is known after a round.

        Raises:
            OSError: it cannot be written.
        """
        self._write(self.path_of(round_name(before)), known_bytes(known))

    @property
    def results(self) -> Path:
        """Folder of results and leases."""
        return self.path / "results"

    def path_of(self, name: str) -> Path:
        """Return the file of the result of a piece, or of a round."""
        return self.results / f"{name}.npz"

    def _read(self, name: str) -> bytes:
        """Return the content of a result."""
        try:
            return file_bytes(self.path_of(name), MOST_BYTES, plain=True)
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else f"it {error}"
            raise ResultError(f"is damaged ({reason})") from None

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
        """Return the content of a file that the search begins with."""
        data = file_bytes(self._begin_path(digest), MOST_BYTES, plain=True)
        if sha256(data).hexdigest() != digest:
            raise ValueError("it has another digest than search.json says")
        return data


def search_text(record: dict[str, Any]) -> str:
    """Return the text of search.json, with its digest."""
    return json.dumps(record | {"digest": sha256(json.dumps(record).encode()).hexdigest()}) + "\n"


def terms_of(problem: Problem, gap: float, goal: int, plan: Sequence[Stage], **more: Any) -> Terms:
    """Return the terms of a search that begins; `more` are `block` and `lease`."""
    words = problem.wordlist
    return Terms(
        problem.game.code, words.fingerprint, len(words), gap, goal, flat_plan(plan), tree="", **more
    )
