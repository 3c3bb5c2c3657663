"""A process that takes part in a shared search: it takes pieces nobody works on, until none is left.

It looks at a result once, when it comes upon the piece; all of a round are read by one process alone. What it
asks of the folder may never be answered, as where a network is down: then it can leave all the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

from gpulingo.search.piece import Known, Piece, Result, Worker, begun
from gpulingo.search.piece_files import ResultError
from gpulingo.search.pieces import pieces_of, result_of
from gpulingo.search.shared_folder import SharedFolder, Terms, round_name
from gpulingo.storage.answers import Answers
from gpulingo.storage.leases import Leases

LISTED = 10.0  # seconds between two listings of what is done, while there is work,
PIECES = 100.0  # and a second more for so many pieces
MANY = 16  # pieces in a row that others are at, or have done: time to see what is done
GRACE = 5.0  # seconds that a folder has to answer whoever leaves
SHORTEST, LONGEST = 0.05, 5.0  # seconds between two looks at what others still work on


class SharedSearch:
    """One process.

    Args:
        folder: that is shared.
        leases: in it.
        often: called often; what it raises ends the part of this process.
        wait: waits this number of seconds; may call `often` meanwhile.
        tell: called with lines of text on what is damaged.
    Attributes:
        known: after the last round that was finished; None before the search has begun.
        pieces: of the present round.
        done: names of those of them that are known to have a result.
        own: pieces that this process has worked out, over all rounds.
    """

    def __init__(
        self,
        folder: SharedFolder,
        leases: Leases,
        *,
        often: Callable[[], None],
        wait: Callable[[float], None],
        tell: Callable[[str], None],
    ) -> None:
        self.folder, self.leases = folder, leases
        self.often, self.wait, self.tell = often, wait, tell
        self._ask = Answers(lambda: self.often())
        self.worker = Worker(folder.problem, self.progress)
        self.known: Known | None = None
        self.pieces: list[Piece] = []
        self.done: set[str] = set()
        self.own = 0
        self._listed = leases.now()

    def run(self, terms: Terms) -> Known:
        """Take part until nothing is left; what is known then.

        Raises:
            SharedFolderError: what the search began with is damaged. OSError: the folder cannot be read or
                written. Whatever `often` raises.
        """
        try:
            tree, given = self._ask(self.folder.beginning, terms)
            known = begun(
                self.worker, terms.goal, plan=terms.stages, block=terms.block, tree=tree, given=given
            )
            while pieces := pieces_of(known):
                self.known, self.pieces = known, pieces
                known = self._round(known, pieces)
            self.known, self.pieces = known, []
            return known
        finally:
            self._leave(self.leases.leave)

    def so_far(self) -> Known | None:
        """Return what is known, with the finds of the present round; None before the first."""
        if self.known is None:
            return None
        results = {}
        for piece in self.pieces:
            try:
                results[piece.name] = self._ask(self.folder.result, piece, patience=GRACE)
            except TimeoutError:
                break
            except (OSError, ResultError):  # not there, or damaged
                pass
        for piece in self.known.refuted(self.pieces, results):
            del results[piece.name]
        done = [piece for piece in self.pieces if piece.name in results]
        return self.known.after(done, results) if done else self.known

    def progress(self, pairs: int = 0) -> None:
        """Handle a call of the worker."""
        if self.leases.due:
            self._ask(self.leases.renew)
        self.often()

    def _round(self, known: Known, pieces: list[Piece]) -> Known:
        """Return what is known after a round."""
        # Each process begins elsewhere, so that they seldom ask for the same.
        start = int.from_bytes(sha256(self.leases.owner.encode()).digest()[:4]) % len(pieces)
        order, pause = deque(pieces[start:] + pieces[:start]), SHORTEST
        self._list()
        while True:
            self.progress()
            if (after := self._after(known)) is not None:
                return after
            if self._pass(order):
                pause = SHORTEST
            elif len(self.done) < len(pieces) or (after := self._joined(known)) is None:
                self.wait(pause)
                pause = min(pause * 2, LONGEST)
                self._list()
            else:
                return after

    def _pass(self, order: deque[Piece]) -> bool:
        """Work out what is free, until many in a row are not; whether there was any.

        Args:
            order: the pieces; those that were looked at go to its end.
        """
        worked, refused = False, 0
        for _ in range(len(order)):
            piece = order[0]
            order.rotate(-1)
            if piece.name in self.done:
                continue
            self.progress()
            if self._work(piece):
                worked, refused = True, 0
            else:
                refused += 1
            if refused == MANY:
                break
            if self.leases.now() - self._listed > LISTED + len(self.pieces) / PIECES:
                self._list()
        return worked

    def _after(self, known: Known) -> Known | None:
        """Return what is known after the round, if another process has written it."""
        try:
            return self._ask(self.folder.after, known)
        except ResultError as error:
            name = round_name(known)
            self.tell(f"{self.folder.path_of(name)} {error}: it is put together again")
            self._ask(self.folder.remove, name)
            return None

    def _work(self, piece: Piece) -> bool:
        """Work a piece out, unless it has a result or another process is at it; whether it was."""
        if self._ask(self.folder.has, piece):
            self.done.add(piece.name)
            return False
        if not self._taken(piece.name):
            return False
        try:
            if not self._ask(self.folder.has, piece):  # else it was finished a moment ago
                self._ask(self.folder.write_result, piece, result_of(self.worker, piece))
                self.own += 1
            self.done.add(piece.name)
        finally:
            self._leave(self.leases.give_back, piece.name)
        return True

    def _joined(self, known: Known) -> Known | None:
        """Return the joint results of the round; None where another process reads them, or some lack."""
        name = round_name(known)
        if not self._taken(name):
            return None
        try:
            results: dict[str, Result] = {}
            for piece in self.pieces:
                self.progress()
                try:
                    results[piece.name] = self._ask(self.folder.result, piece)
                except FileNotFoundError:
                    self.done.discard(piece.name)
                except ResultError as error:
                    self._again(piece, str(error))
            for piece in known.refuted(self.pieces, results):
                del results[piece.name]
                self._again(piece, "is damaged (its bounds are too small to be true)")
            if len(results) < len(self.pieces):
                return None
            after = known.after(self.pieces, results)
            self._ask(self.folder.write_after, known, after)
            return after
        finally:
            self._leave(self.leases.give_back, name)

    def _again(self, piece: Piece, fault: str) -> None:
        """Have a piece worked out again."""
        self.tell(f"{self.folder.path_of(piece.name)} {fault}: the piece is worked out again")
        self._ask(self.folder.remove, piece.name)
        self.done.discard(piece.name)

    def _taken(self, name: str) -> bool:
        """Take a lease, if it is free."""
        try:
            return self._ask(self.leases.take, name)
        except BaseException:
            self._leave(self.leases.give_back, name)  # an answer that comes later may be that it was free
            raise

    def _leave(self, call: Callable[..., None], *arguments: str) -> None:
        """Tidy up in the folder, if it answers."""
        with suppress(TimeoutError):
            self._ask(call, *arguments, patience=GRACE)

    def _list(self) -> None:
        """See what others have done."""
        self.done = self._ask(self.folder.finished) & {piece.name for piece in self.pieces}
        self._listed = self.leases.now()
