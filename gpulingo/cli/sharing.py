"""`gpulingo solve --shared` and `--ray`: a search in pieces, of several processes or of a cluster."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import certificates
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.machines import cluster_at
from gpulingo.cli.outputs import make_folder
from gpulingo.cli.progress import Bar, News, time_text, total_bar
from gpulingo.cli.solving import PROVEN, REACHED, Outcome, Setting, stages_of, write_solved
from gpulingo.games.game import CREDIT
from gpulingo.report.points import MANY
from gpulingo.report.values import shown, value_text
from gpulingo.storage.answers import Answers
from gpulingo.storage.leases import Leases, new_owner
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from gpulingo.games.game import Game
    from gpulingo.machines.pieces import RaySearch
    from gpulingo.search.piece import Known
    from gpulingo.search.shared_folder import SharedFolder, Terms
    from gpulingo.search.shared_search import SharedSearch
    from gpulingo.search.solver import Solver
    from gpulingo.search.stages import Stage
    from gpulingo.trees.tree import Tree


SLICE = 0.1  # seconds: how soon who waits for others looks whether to go on


def solved_together(setting: Setting, game: Game, aim: str) -> Outcome:
    """Take part in a shared search until it ends, and write what all have found.

    Args:
        setting: of the command, with a shared folder. game: to be searched.
        aim: see `solved_for`; only `mean` is cut into pieces.
    Raises:
        WrongUsage: an option does not fit, or the folder is of another search. OSError: the folder cannot
            be read or written; the result so far is written if there is room.
    """
    assert setting.shared is not None
    if aim != "mean":
        raise WrongUsage(
            "--shared is for the best mean against chance: leave out --shared or the other objective"
        )
    if setting.resume:
        raise WrongUsage("--resume with --shared, which continues the search of the folder: leave it out")
    ask = Answers(setting.check)
    if ask(setting.shared.exists) and not ask(setting.shared.is_dir):
        raise WrongUsage(f"--shared {setting.shared} is not a folder: name one that all machines see")
    solver = new_solver(setting, game)
    path, data = setting.path(game), setting.source.listing.data
    ask(make_folder, setting.shared)
    try:
        ended = _taken_part(setting, solver, path, ask)
    except OSError as failure:
        if solver.tree is not None:
            _rescue(solver, path, data, failure)
        raise
    return written(setting, solver, path, ended)


def new_solver(setting: Setting, game: Game) -> Solver:
    """A search that knows nothing, after its options were checked; only its pieces will be worked out."""
    from gpulingo.search.solver import Solver

    return Solver(
        setting.source.wordlist, game,
        device=setting.place, seed=setting.seed, memory=setting.memory, plan=_plan(setting, game),
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
    return solver.goal(shown(game, words.total_weight).credits(setting.gap or 0.0))


def written(setting: Setting, solver: Solver, path: Path, ended: str) -> Outcome:
    """Write what a search of pieces has found.

    Args:
        ended: why it left before the end, in words; empty: at its end.
    """
    tree, words = write_solved(solver, path, setting.source.listing.data), setting.source.wordlist
    ended = ended or ended_text(tree, words.total_weight, setting.gap or 0.0)
    return Outcome(words, tree, path, ended, str(setting.place))


def ended_text(tree: Tree, weight: int, gap: float) -> str:
    """Why a search of pieces that has come to its end did so, in words: by the gap that is printed.

    Args:
        tree: that was written, with its bound. weight: of its list. gap: that is good enough.
    """
    assert tree.bound is not None
    value, bound = (round(points * weight / CREDIT) for points in (tree.mean_points, tree.bound))
    if value == bound:
        return PROVEN
    return REACHED if bound - value <= shown(tree.game, weight).credits(gap) else "nothing is left to try"


def _plan(setting: Setting, game: Game) -> Sequence[Stage]:
    return stages_of(setting.width, setting.openings, game.turns, len(setting.source.wordlist))


def _first_terms(setting: Setting, solver: Solver, path: Path, folder: SharedFolder, ask: Answers) -> Terms:
    """Begin or join a search; return what its processes agree on."""
    from gpulingo.search.piece_kinds import usual_block
    from gpulingo.search.shared_folder import LEASE, terms_of

    problem = solver.problem
    goal = begin(setting, solver, path)
    block = usual_block(problem.table.pool.shape[0], problem.table.targets.shape[0])
    terms = terms_of(
        problem, setting.gap or 0.0, goal, _plan(setting, problem.game), block=block, lease=LEASE
    )
    assert solver.tree is not None
    return ask(folder.begin, terms, solver.tree, solver.upper.given)


def _check_terms(setting: Setting, terms: Terms, tree: Tree) -> None:
    """Check that the options of this process are those of the search, and its goal is the tree and the gap.

    Args:
        tree: that the search began with.
    Raises:
        WrongUsage: they are not.
    """
    from gpulingo.search.shared_folder import flat_plan

    if terms.gap != (setting.gap or 0.0):
        raise WrongUsage(
            f"{setting.shared} is searched with --gap {terms.gap:g}, not {setting.gap or 0:g}: give the same"
        )
    given = setting.width is not None or setting.openings is not None
    if given and flat_plan(_plan(setting, tree.game)) != terms.plan:
        raise WrongUsage(f"{setting.shared} is searched with other --width or --openings: leave them out")
    goal = tree.value + shown(tree.game, setting.source.wordlist.total_weight).credits(setting.gap or 0.0)
    if terms.goal != goal:
        seen = f"has the goal {terms.goal}, its tree and gap have {goal}"
        raise WrongUsage(f"{setting.shared}/search.json {seen}: name another folder")


@dataclass(frozen=True)
class State:
    """State of a search: pieces done of all of the round, openings left, and the results."""

    known: Known
    done: int
    pieces: int
    left: int

    @classmethod
    def of(cls, search: SharedSearch | RaySearch, done: Collection[str]) -> State | None:
        """The state of a search whose pieces of these names are done; None before its first round."""
        known, pieces = search.known, search.pieces
        if known is None:
            return None
        bounded = sum(len(piece.openings) for piece in pieces if piece.bounds and piece.name in done)
        return cls(known, len(done), len(pieces), max(len(known.above) - bounded, 0))

    def __str__(self) -> str:
        return f"{self.done:,} of {self.pieces:,} pieces of round {self.known.round} are done"


def _taken_part(setting: Setting, solver: Solver, path: Path, ask: Answers) -> str:
    """Let a search take part, then read what all have found.

    Args:
        ask: what is asked of the folder, which may never answer.
    Returns:
        Why it left before the end, in words.
    Raises:
        WrongUsage: the folder is of another search. OSError: it cannot be read or written; the search
            keeps the result so far.
    """
    from gpulingo.search.shared_folder import SharedFolder
    from gpulingo.search.shared_search import SharedSearch

    assert setting.shared is not None
    folder = SharedFolder(setting.shared, solver.problem, new_owner())
    with wrong_usage("--shared"):
        terms = ask(folder.terms) or _first_terms(setting, solver, path, folder, ask)
    tree, given = ask(folder.beginning, terms)
    with wrong_usage("--shared"):
        _check_terms(setting, terms, tree)
    solver.begin_with(tree, given)
    leases = ask(Leases, str(folder.results), terms.lease, folder.owner)
    with total_bar("solve", None, lines=False) as bar:
        watch = Watch(setting, bar, lambda: State.of(search, search.done))
        search = SharedSearch(folder, leases, often=watch.often, wait=watch.wait, tell=tell)
        ended, known = "", None
        try:
            known = search.run(terms)
        except TimeIsUp:
            ended, known = "time is up", search.so_far()
        except KeyboardInterrupt:
            ended, known = "interrupted", search.known  # at once: results of others are not read
        except OSError:
            known = search.so_far()
            raise
        finally:
            if known is not None:
                solver.begin_with(known.tree, known.certificate)
    if ended and (state := State.of(search, search.done)) is not None:
        tell(f"{state}, this process worked out {search.own:,} in total: {folder.path} has them")
    return ended


def _rescue(solver: Solver, path: Path, data: bytes, failure: OSError) -> None:
    """Write what is known although the folder failed, unless that fails too."""
    try:
        tree = write_solved(solver, path, data)
        tell(f"{path} has the result so far: {value_text(tree, MANY)}")
    except OSError as another:
        if another.filename != failure.filename:
            tell(f"{failure_text(another)}; the result so far is not written")


class Watch(News):
    """Looks at the limits of a search that is cut into pieces, and shows how far it is."""

    def __init__(self, setting: Setting, bar: Bar, state: Callable[[], State | None]) -> None:
        super().__init__()
        self.setting, self.bar, self.state, self.round = setting, bar, state, -1
        bar.ends = setting.ends

    def often(self) -> None:
        """Show how far it is, and look at the limits."""
        self.setting.check()
        if clock() > self.setting.ends:
            raise TimeIsUp
        self.show(self._line)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            time.sleep(min(left, SLICE))
            self.often()

    def _line(self) -> str:
        """The value and the bound so far, in one line, with which the bar moves; empty before a round."""
        if (state := self.state()) is None:
            return ""
        known = state.known
        if known.round != self.round:
            self.round = known.round
            self.bar.begin(state.pieces, state.done)
        self.bar.reach(state.done)
        words, game = known.problem.wordlist, known.problem.game
        value, bound = (game.points_of(number, words.total_weight) for number in (known.value, known.bound))
        lost = None if known.tree is None else known.tree.lost
        values = shown(game, words.total_weight, MANY).progress(value, bound, lost)
        opening = "-" if known.tree is None else words[int(known.tree.guess[0])]
        left = "" if self.bar.left is None else f"  {time_text(self.bar.left)} left"
        pieces = f"round {known.round}: {state.done:,} of {state.pieces:,} pieces"
        return f"{opening}  {values}  openings left {state.left:,}  {pieces}{left}"


def solved_on_ray(setting: Setting, game: Game, aim: str) -> Outcome:
    """Let a cluster search, and write what it found.

    Args:
        setting: of the command, with an address. game: to be searched.
        aim: see `solved_for`; only `mean` is cut into pieces.
    Raises:
        WrongUsage: an option does not fit. ClusterError: there is no cluster.
    """
    from gpulingo.machines.pieces import RaySearch
    from gpulingo.machines.plays import place_of
    from gpulingo.search.piece import Worker, begun
    from gpulingo.search.piece_kinds import usual_block

    assert setting.ray is not None
    if aim != "mean":
        raise WrongUsage("--ray is for the best mean against chance: leave out --ray or the other objective")
    if setting.resume or setting.shared is not None:
        raise WrongUsage("--ray with --resume or --shared: leave one of them out, results are kept")
    solver = new_solver(setting, game)
    path, problem = setting.path(game), solver.problem
    with cluster_at(setting.ray) as cluster, total_bar("solve", None, lines=False) as bar:
        with wrong_usage("--device"):
            place = place_of(setting.device, cluster)
        goal = begin(setting, solver, path)
        block = usual_block(problem.table.pool.shape[0], problem.table.targets.shape[0])
        known = begun(
            Worker(problem, lambda pairs: setting.check()), goal,
            plan=solver.state.stages.plan, block=block, tree=solver.tree, given=solver.upper.given,
        )  # fmt: skip
        watch = Watch(setting, bar, lambda: State.of(search, search.results))
        search = RaySearch(known, cluster, place, watch.often)
        ended = _ended(search)
    known = search.so_far()
    solver.begin_with(known.tree, known.certificate)
    return written(setting, solver, path, ended)


def _ended(search: RaySearch) -> str:
    """Why a search was left before its end, in words."""
    try:
        search.run()
        return ""
    except TimeIsUp:
        ended = "time is up"
    except KeyboardInterrupt:
        ended = "interrupted"
    tell(f"{State.of(search, search.results)}")
    return ended
