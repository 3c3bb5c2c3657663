"""`gpulingo prove`: replay a checkpoint by the reference rule, and derive its bound again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gpulingo.cli.errors import tell
from gpulingo.cli.lists import count_text, list_entry, list_text, opened
from gpulingo.cli.options import Part, Printed, Stored, Timed, a_part, group, option
from gpulingo.cli.run import Run, device_for
from gpulingo.cli.signals import late_interrupt
from gpulingo.cli.wording import game_options
from gpulingo.optimise.kept import stored_certificates
from gpulingo.storage.faults import refuse
from gpulingo.storage.files import CERTIFICATE, HOST
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.trees.book import OpeningTree, read_trees
from gpulingo.trees.tree import Tree
from gpulingo.trees.values import MANY, of_tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList
from gpulingo.words.shown import counted


@group
class ProofOptions(Stored, Timed, Printed):
    certificate: Path | None = option("FILE.npz", "The certificate.", shown="FILE.bounds.npz")
    tree_only: bool = option("", "Replay the tree against every word, no more.")
    part: Part | None = option(
        "K/N", "Check the openings of one of N parts; all N prove the bound.", shown="all of them",
        parser=a_part,
    )  # fmt: skip


def prove(args: ProofOptions) -> None:
    """Replay a stored tree and derive its bounds again."""
    run = Run("prove", args.time, as_json=args.as_json)
    certificate, part = args.certificate, args.part or Part(1, 1)
    checked = "--tree-only checks no bound: leave out --certificate and --part"
    refuse({checked: args.tree_only and (certificate or args.part)})
    tree_path, tree, words = opened(args, gives=args.tree_only)
    if args.tree_only:
        book = read_trees(tree_path) if isinstance(tree, OpeningTree) else []
        if book:
            with run.bar(len(book)) as bar:
                from gpulingo.positions.book import check_second_guesses, every_guess

                search = every_guess(words, tree.game, lambda pairs: run.check())
                for book_tree in book:
                    check_second_guesses(book_tree, words, search)
                    bar.advance()
        _replay(tree_path, book or [tree], words, run)
        return
    of_letters, several = tree.game.counts_misses, part.parts > 1
    refuse({
        f"{tree_path} is a book, without certificates: --tree-only replays its trees":
            isinstance(tree, OpeningTree),
        f"--part: {tree_path} is of {tree.game.name}, which is checked as a whole": of_letters and args.part,
        f"--part: {part.parts:,} parts of {len(words):,} openings: ask for no more parts":
            not of_letters and part.parts > len(words),
    })  # fmt: skip
    if of_letters:
        _prove_letters(tree_path, tree, words, certificate, run)
        return
    from gpulingo.bounds.formulas import counts_classes

    path = certificate or tree_path.with_suffix(CERTIFICATE)
    is_length = args.checkpoint.isascii() and args.checkpoint.isdigit()
    if certificate is None and is_length:  # it may be in another folder than the tree
        with late_interrupt():
            path = next(iter(stored_certificates(words, tree.game, tree, tell)), path)
    solve = f"gpulingo solve --length {tree.length}{game_options(tree.game)}"
    refuse({f"no certificate at {path}: `{solve}` writes one": not path.is_file()})
    verify(tree, words)
    bound, held = derived(path, tree, words, args.device, run, part)
    proven, values = bound == tree.value and not several, of_tree(tree, MANY)
    mean = tree.game.points_of(bound, words.total_weight)
    entry = _head(tree_path, tree, words) | {"bound": mean, "gap": mean - tree.mean_points}
    if several:
        entry |= {"part": part.number, "parts": part.parts, "openings": held}
    entry |= values.entry(len(words), tree.value, bound) if values.unit.whole else {}
    run.entry(entry | {"optimal": proven})
    none, limit = f"no strategy has {values.unit.better}", values.limit(bound)
    run.text(f"{tree_path}: all {words.target_count:,} words replayed: {values.text(tree.value)}")
    if several:
        which = f"part {part.number} of {part.parts}"
        run.text(f"{path}: the bounds of {held:,} of {len(words):,} openings hold: {which}")
        run.text(f"if the other parts hold too, {none} than {limit}")
        return
    # Where classes are not counted an opening is searched no further than the greatest bound.
    what, hold = ("bounds", "hold") if counts_classes(tree.game, words) else ("greatest bound", "holds")
    run.text(f"{path}: the {what} of all {len(words):,} openings {hold}: {none} than {limit}")
    run.text(f"{none}: optimal" if proven else f"gap: {values.gap(tree.value, bound)}")


def _head(path: Path, tree: Tree, words: WordList) -> dict[str, Any]:
    entry = {"checkpoint": str(path), **list_entry(words), "length": words.length}
    return entry | {"fingerprint": words.fingerprint, "mean_points": tree.mean_points}


def _replay(path: Path, trees: Iterable[Tree], words: WordList, run: Run) -> None:
    rows = list[dict[str, str]]()
    for tree in trees:
        verify(tree, words)
        counts, lost, values = tree.turn_counts(), tree.lost, of_tree(tree)
        opening = {"opening": words[tree.opening]} if isinstance(tree, OpeningTree) else {}
        entry = _head(path, tree, words) | {"words": words.target_count, "strategy": tree.strategy}
        entry |= {"turns": counts, "lost": lost, "bound": tree.bound} | opening
        run.entry(entry | values.entry(len(words), tree.value, tree.bound_value))
        row = {"strategy": tree.strategy} | opening | values.cells(tree.value, lost)
        rows.append(row | values.game.turn_cells(counts, lost))
    run.text(f"{path}: right for all {count_text(words, values.game)} in {list_text(words)}")
    run.table(rows, left=["strategy", "opening"])


def _prove_letters(tree_path: Path, tree: Tree, words: WordList, certificate: Path | None, run: Run) -> None:
    from gpulingo.bounds.arrays import CertificateError
    from gpulingo.bounds.host_proof import check_host, read_host_proof

    path, needed = certificate or tree_path.with_suffix(HOST), max(verify(tree, words)) - 1
    forced = check_host(read_host_proof(path, words), words) if path.is_file() else None
    missing = f"--certificate {certificate}: there is no such file, expected a host's strategy"
    refuse({missing: certificate is not None and forced is None})
    if forced is not None and not tree.lost and forced > needed:
        fault = f"{path} forces {counted(forced, 'miss')}, {tree_path} needs {needed}"
        raise CertificateError(f"{fault}: remove it")
    values, proven = of_tree(tree), forced is not None and not tree.lost and forced == needed
    entry = _head(tree_path, tree, words) | {"lives": tree.turns}
    entry |= values.entry(len(words), tree.value, None) | {"bound_won": None}
    entry |= {"enough": None if tree.lost else needed, "misses": forced, "optimal": proven}
    run.entry(entry)
    held = "" if tree.lost else f", none with more than {counted(needed, 'miss')}"
    run.text(f"{tree_path}: all {words.target_count:,} words replayed: {values.text(tree.value)}{held}")
    if forced is None:
        run.text(f"no certificate at {path}: the upper bound of guessers was found by search alone")
        return
    run.text(f"{path}: the host forces {counted(forced, 'miss')} against any guesser")
    run.text("both sides are best: proven" if proven else f"gap: {counted(needed - forced, 'miss')}")


def derived(path: Path, tree: Tree, words: WordList, device: str, run: Run, part: Part) -> tuple[int, int]:
    """Return the bound that the certificate proves, in credits, and the number of openings proven."""
    openings = 0

    def rest() -> str:
        return f"after {openings:,} of {len(words):,} openings: --part K/N checks them in parts"

    with run.working() as bar:
        from gpulingo.bounds.certificate import CertificateError, read_certificate
        from gpulingo.bounds.checker import prove as checked
        from gpulingo.tensors.wordtable import table_of

        place = device_for(device, "prove")
        certificate = read_certificate(path, words, tree.game)
        often = bar.looking(lambda: f"{openings:,} of {len(words):,} openings")
        table = table_of(words, tree.game).to(place)
        try:
            for openings in checked(table, certificate, often, part):
                run.check()
                if bar.total is None and part.parts == 1:
                    bar.begin(len(words), openings)
                bar.reach(openings)
        except TimeIsUp:
            raise TimeIsUp(f"the time is up {rest()}") from None
    run.finish(rest())
    bound, values, said = certificate.bound, of_tree(tree, MANY), tree.bound_value
    if bound < tree.value:
        fault = f"{path} proves {values.limit(bound)}, the checkpoint has {values.text(tree.value)}"
        raise CertificateError(f"{fault}: remove it")
    if said is not None and said < bound:
        fault = f"the header has bound {values.limit(said)}, {path} proves {values.limit(bound)}"
        raise CertificateError(f"{fault}: solve again")
    return bound, openings
