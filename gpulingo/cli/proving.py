"""One check of `gpulingo prove`, and its progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.devices import device_for
from gpulingo.cli.errors import Interrupted
from gpulingo.cli.limits import until
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.report.values import MANY, of_tree
from gpulingo.tensors.clock import TimeIsUp

if TYPE_CHECKING:
    from gpulingo.cli.parse import Part
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList


def derived(
    path: Path, tree: Tree, words: WordList, device: str, ends: float, part: Part
) -> tuple[float, int]:
    """The bound that the certificate proves, in mean points, and how many openings were found right.

    Raises:
        CertificateError: it proves none, or the checkpoint's header has a smaller one.
        TimeIsUp, Interrupted: before the end.
    """
    with interrupted_by_sigterm(), late_interrupt() as interrupted:
        check = until(ends, interrupted)
        from gpulingo.bounds.certificate import CertificateError, read_certificate
        from gpulingo.bounds.checker import prove as checked
        from gpulingo.tensors.wordtable import table_of

        place = device_for(device, "prove")
        certificate = read_certificate(path, words, tree.game)
        table = table_of(words, tree.game).to(place)
        openings = 0
        with total_bar("prove", None, ends=ends) as bar:

            def often(pairs: int) -> None:
                check()
                bar.advance(0, f"{openings:,} of {len(words):,} openings")

            def report(done: float, total: float) -> None:
                check()
                if bar.total is None:
                    bar.begin(total, done)
                bar.reach(done)

            try:
                which = (part.number, part.parts)
                for count in checked(table, certificate, often, report, which):
                    openings = count
                    check()
            except (KeyboardInterrupt, TimeIsUp) as error:
                rest = f"{openings:,} of {len(words):,} openings: --part K/N checks them in parts"
                if isinstance(error, TimeIsUp):
                    raise TimeIsUp(f"the time is up after {rest}") from None
                raise Interrupted(f"interrupted after {rest}") from None
        bound, values = certificate.game.points_of(certificate.bound, words.total_weight), of_tree(tree, MANY)
        if bound < tree.mean_points:
            seen = f"{path} proves {values.limit(bound)}, the checkpoint has {values.text(tree.mean_points)}"
            raise CertificateError(f"{seen}: remove it")
        if tree.bound is not None and tree.bound < bound:
            seen = f"the header has bound {values.limit(tree.bound)}, {path} proves {values.limit(bound)}"
            raise CertificateError(f"{seen}: solve again")
        return bound, openings
