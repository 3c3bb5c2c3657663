"""`gpulingo solve --ray`: a search whose pieces are tasks of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.machines import cluster_at
from gpulingo.cli.progress import total_bar
from gpulingo.cli.sharing import State, Watch, begin, new_solver, written
from gpulingo.cli.solving import Outcome, Setting
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.machines.pieces import RaySearch


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
    solver, started = new_solver(setting, game), clock()
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
    return written(setting, solver, path, ended, started)


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
