"""`gpulingo solve --shared`: one process of a search that several share in a folder."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import certificates
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.outputs import make_folder
from gpulingo.cli.progress import Bar, time_text, total_bar
from gpulingo.cli.solving import EVERY, PROVEN, Outcome, Setting, stages_of, write_solved
from gpulingo.report.points import MANY
from gpulingo.report.values import shown
from gpulingo.storage.leases import Leases, new_owner
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpulingo.games.game import Game
    from gpulingo.search.piece import Known
    from gpulingo.search.shared_folder import SharedFolder, Terms
    from gpulingo.search.shared_search import SharedSearch
    from gpulingo.search.solver import Solver
    from gpulingo.search.stages import Stage

SLICE = 0.1  # seconds: how soon who waits for others looks whether to go on


def solved_together(setting: Setting, game: Game, aim: str) -> Outcome:
    """Take part in a shared search until it ends, and write what all have found.

    Args:
        setting: of the command, with a shared folder. game: to be searched.
        aim: as of `solved_for`; only `mean` is cut into pieces.
    Raises:
        WrongUsage: an option does not fit, or the folder is of another search.
    """
    from gpulingo.search.shared_folder import SharedFolder
    from gpulingo.search.shared_search import SharedSearch

    assert setting.shared is not None
    if aim != "mean":
        raise WrongUsage("--shared is for the best mean against chance: leave it or the other aim out")
    if setting.resume:
        raise WrongUsage("--resume with --shared, which goes on with what the folder has: leave it out")
    if setting.shared.exists() and not setting.shared.is_dir():
        raise WrongUsage(f"--shared {setting.shared} is no folder: name one that all machines see")
    solver, started = new_solver(setting, game), clock()
    path, owner = setting.path(game), new_owner()
    make_folder(setting.shared)
    folder = SharedFolder(setting.shared, solver.problem, owner)
    with wrong_usage("--shared"):
        terms = folder.terms() or _first_terms(setting, solver, path, folder)
        _check_terms(setting, terms, game)
    solver.begin_with(*folder.beginning(terms))
    leases = Leases(str(folder.results), terms.lease, owner)
    with total_bar("solve", None, lines=False) as bar:
        watch = Watch(setting, bar, lambda: _state(search))
        search = SharedSearch(folder, leases, often=watch.often, wait=watch.wait, tell=tell)
        ended, known = _taken_part(search, terms, watch)
    if known is not None:
        solver.begin_with(known.tree, known.certificate)
    tree = write_solved(solver, path, setting.source.listing.data)
    return Outcome(solver, tree, path, ended, clock() - started)


def new_solver(setting: Setting, game: Game) -> Solver:
    """A search that knows nothing, after its options were checked; only its pieces will be worked out."""
    from gpulingo.search.solver import Solver

    return Solver(
        setting.source.wordlist, game,
        device=setting.device, seed=setting.seed, memory=setting.memory, plan=_plan(setting, game),
    )  # fmt: skip


def begin(setting: Setting, solver: Solver, path: Path) -> int:
    """Let a search that will be cut into pieces begin with the best there is, which is a tree at least.

    Returns:
        Credits that bounds are to be lowered to.
    """
    from gpulingo.strategies.build import build
    from gpulingo.strategies.objectives import parts
    from gpulingo.strategies.ranking import Ranking

    if not setting.fresh:
        certificates.begin(solver, path)
    words, game = solver.problem.wordlist, solver.problem.game
    if solver.tree is None:
        built = build(words, Ranking("solve", parts), game, device=solver.problem.table.device)
        solver.begin_with(built.tree, solver.upper.given)
    return solver.goal(shown(game, words.total_weight).credits(setting.gap))


def ended_text(known: Known) -> str:
    """Why a search of pieces that has come to its end did so, in words."""
    if known.value == known.bound:
        return PROVEN
    return "gap reached" if known.bound <= known.goal else "nothing is left to try"


def _plan(setting: Setting, game: Game) -> Sequence[Stage]:
    return stages_of(setting.width, setting.openings, game.turns, len(setting.source.wordlist))


def _first_terms(setting: Setting, solver: Solver, path: Path, folder: SharedFolder) -> Terms:
    """What is agreed on, after this process or another has begun the search."""
    from gpulingo.search.piece_kinds import usual_block
    from gpulingo.search.shared_folder import LEASE, terms_of

    problem = solver.problem
    goal = begin(setting, solver, path)
    block = usual_block(problem.table.pool.shape[0], problem.table.targets.shape[0])
    terms = terms_of(problem, setting.gap, goal, _plan(setting, problem.game), block=block, lease=LEASE)
    assert solver.tree is not None
    return folder.begin(terms, solver.tree, solver.upper.given)


def _check_terms(setting: Setting, terms: Terms, game: Game) -> None:
    """Check that the options of this process are those of the search.

    Raises:
        WrongUsage: they are not.
    """
    from gpulingo.search.shared_folder import flat_plan

    if terms.gap != setting.gap:
        raise WrongUsage(
            f"{setting.shared} is searched with --gap {terms.gap:g}, not {setting.gap:g}: give the same"
        )
    given = setting.width is not None or setting.openings is not None
    if given and flat_plan(_plan(setting, game)) != terms.plan:
        raise WrongUsage(f"{setting.shared} is searched with other --width or --openings: leave them out")


@dataclass(frozen=True)
class State:
    """How far a shared search is: pieces done of all of the round, openings left, and what is known."""

    known: Known
    done: int
    pieces: int
    left: int


def _state(search: SharedSearch) -> State | None:
    """How far a search is; None before its first round."""
    known, pieces = search.known, search.pieces
    if known is None:
        return None
    done = sum(len(piece.openings) for piece in pieces if piece.bounds and piece.name in search.done)
    return State(known, len(search.done), len(pieces), max(len(known.above) - done, 0))


def _taken_part(search: SharedSearch, terms: Terms, watch: Watch) -> tuple[str, Known | None]:
    """Why this process left the search, in words, and what is known by then."""
    try:
        known = search.run(terms)
        return ended_text(known), known
    except (TimeIsUp, KeyboardInterrupt) as left:
        in_time = isinstance(left, TimeIsUp)
    state = _state(search)
    if state is not None:
        seen = f"{state.done:,} of {state.pieces:,} pieces of round {state.known.round} are done"
        tell(f"{seen}, this process worked out {search.own:,} in all: {search.folder.path} keeps them")
    if in_time:
        return "time is up", search.so_far()
    return "interrupted", search.known  # at once: results of others are not read


class Watch:
    """Looks at the limits of a search that is cut into pieces, and shows how far it is."""

    def __init__(self, setting: Setting, bar: Bar, state: Callable[[], State | None]) -> None:
        self.setting, self.bar, self.state = setting, bar, state
        self.started = self.shown = clock()
        self.line, self.round = "", -1
        bar.ends = setting.ends

    def often(self) -> None:
        """Show how far it is, and look at the limits."""
        self.setting.check()
        now = clock()
        if now > self.setting.ends:
            raise TimeIsUp
        if now - self.shown > EVERY and (state := self.state()) is not None:
            self.shown = now
            if state.known.round != self.round:
                self.round = state.known.round
                self.bar.begin(state.pieces, state.done)
            self.bar.reach(state.done)
            if (line := self._line(state)) != self.line:
                self.line = line
                print(f"{now - self.started:8.0f} s  {line}", file=sys.stderr, flush=True)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            time.sleep(min(left, SLICE))
            self.often()

    def _line(self, state: State) -> str:
        """What is known, in one line."""
        known = state.known
        words, game = known.problem.wordlist, known.problem.game
        value, bound = (game.points_of(number, words.total_weight) for number in (known.value, known.bound))
        lost = None if known.tree is None else known.tree.lost
        values = shown(game, words.total_weight, MANY).progress(value, bound, lost)
        opening = "-" if known.tree is None else words[int(known.tree.guess[0])]
        left = "" if self.bar.left is None else f"  {time_text(self.bar.left)} left"
        pieces = f"round {known.round}: {state.done:,} of {state.pieces:,} pieces"
        return f"{opening}  {values}  openings left {state.left:,}  {pieces}{left}"
