"""One check of `gpulingo prove`: its work file and its progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.devices import device_for
from gpulingo.cli.errors import Interrupted, WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.limits import until
from gpulingo.cli.outputs import check_folder, put_work_aside
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.report.points import MANY
from gpulingo.report.values import of_tree
from gpulingo.storage.files import WORK
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.bounds.checked import Checked
    from gpulingo.cli.parse import Part
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList

SAVED = 30.0  # seconds between two writings of the work file


@dataclass
class Work:
    """The work file of a check.

    Attributes:
        path: of the file. of: see `bounds.checked.subject`. words: of the list.
        checked: what is known; the check adds to it.
        before: the file as this process read or wrote it last, None without one.
    """

    path: Path
    of: Mapping[str, str]
    words: int
    checked: Checked
    before: tuple[int, int] | None = None
    saved: float = field(default_factory=clock)

    def read(self) -> None:
        """Continue from the file.

        Raises:
            CertificateError: damaged, or of something else.
        """
        from gpulingo.bounds.checked import read_checked

        self.before = self._now()
        self.checked = read_checked(self.path, self.of, self.words)

    def save(self) -> None:
        """Write the results, with those that another check wrote; if that fails the check continues."""
        from gpulingo.bounds.checked import read_checked, write_checked

        try:
            both = self.checked
            if self._now() not in (None, self.before):
                both = both.joined(read_checked(self.path, self.of, self.words))
            write_checked(self.path, both, self.of)
            self.before = self._now()
        except (OSError, ValueError) as error:
            why = failure_text(error)
            tell(f"{self.path} was not written, --resume cannot continue from here: {why}")
        self.saved = clock()

    def save_now_and_then(self) -> None:
        """Write it, if it was not lately."""
        if clock() - self.saved > SAVED:
            self.save()

    def _now(self) -> tuple[int, int] | None:
        """An identity of this version of the file; None without a file."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns


def work_path(certificate: Path) -> Path:
    """Path of the work file: beside the certificate, or in the current folder if that is read-only."""
    beside = certificate.with_suffix(WORK)
    if not beside.exists():
        try:
            check_folder(certificate.parent)
        except OSError:
            return Path(beside.name)
    return beside


def derived(
    path: Path, tree: Tree, words: WordList, device: str, ends: float, part: Part, *, resume: bool
) -> tuple[float, int]:
    """The bound that the certificate proves, in mean points, and how many openings were found right.

    Raises:
        WrongUsage: there is no work file to resume, or none of this certificate.
        CertificateError: it proves none, or the checkpoint's header has a smaller one.
        TimeIsUp, Interrupted: before the end; what is known was written.
    """
    with interrupted_by_sigterm(), late_interrupt() as interrupted:
        check = until(ends, interrupted)
        from gpulingo.bounds.certificate import CertificateError, read_certificate
        from gpulingo.bounds.checked import Checked, subject
        from gpulingo.bounds.checker import prove as checked
        from gpulingo.tensors.wordtable import table_of

        place = device_for(device, "prove")
        certificate = read_certificate(path, words, tree.game)
        work = Work(work_path(path), subject(certificate, tree), len(words), Checked())
        if resume:
            if not work.path.exists():
                raise WrongUsage(f"--resume, but there is no {work.path}: leave it out to begin")
            with wrong_usage("--resume"):
                work.read()
        else:
            put_work_aside(work.path, WORK, "check")
        table = table_of(words, tree.game).to(place)
        openings = 0
        with total_bar("prove", None, ends=ends) as bar:

            def often(pairs: int) -> None:
                check()
                work.save_now_and_then()
                bar.advance(0, f"{openings:,} of {len(words):,} openings")

            def report(done: float, total: float) -> None:
                check()
                if bar.total is None:
                    bar.begin(total, done)
                bar.reach(done)

            try:
                which = (part.number, part.parts)
                for count in checked(table, certificate, often, report, which, work.checked):
                    openings = count
                    check()
            except (KeyboardInterrupt, TimeIsUp) as error:
                work.save()
                if work.before is None:  # it could not be written
                    raise
                rest = f"{openings:,} of {len(words):,} openings: --resume continues from {work.path}"
                if isinstance(error, TimeIsUp):
                    raise TimeIsUp(f"the time is up after {rest}") from None
                raise Interrupted(f"interrupted after {rest}") from None
        if part.parts > 1 or work.before is not None:
            work.save()
        bound, values = certificate.game.points_of(certificate.bound, words.total_weight), of_tree(tree, MANY)
        if bound < tree.mean_points:
            seen = f"{path} proves {values.limit(bound)}, the checkpoint has {values.text(tree.mean_points)}"
            raise CertificateError(f"{seen}: remove it")
        if tree.bound is not None and tree.bound < bound:
            seen = f"the header has bound {values.limit(tree.bound)}, {path} proves {values.limit(bound)}"
            raise CertificateError(f"{seen}: solve again")
        return bound, openings
