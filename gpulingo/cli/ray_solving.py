"""`gpulingo solve --ray`: a search in pieces, which a cluster works out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.machines import cluster_at
from gpulingo.cli.progress import Bar, News, time_text, total_bar
from gpulingo.cli.solving import PROVEN, REACHED, Outcome, Setting, begin_with_stored, stages_of, write_solved
from gpulingo.games.game import CREDIT
from gpulingo.report.values import MANY, shown
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.machines.pieces import RaySearch
    from gpulingo.optimise.pieces import Known
    from gpulingo.optimise.solver import Solver
    from gpulingo.trees.tree import Tree


def solved_on_ray(setting: Setting, game: Game, aim: str) -> Outcome:
    """Let a cluster search, and write what it found."""
    from gpulingo.machines.pieces import RaySearch
    from gpulingo.machines.plays import place_of
    from gpulingo.optimise.solver import Solver

    assert setting.ray is not None
    if aim != "mean":
        raise WrongUsage("--ray is for the best mean against chance: leave out --ray or the other objective")
    if setting.resume:
        raise WrongUsage("--ray with --resume: leave one of them out, results are kept")
    words = setting.source.wordlist
    solver = Solver(
        words, game, plan=stages_of(setting.width, setting.openings, game.turns, len(words)),
        device=setting.place, seed=setting.seed, memory=setting.memory,
    )  # fmt: skip
    path = setting.path(game)
    with cluster_at(setting.ray) as cluster, total_bar("solve", None, lines=False) as bar:
        with wrong_usage("--device"):
            place = place_of(setting.device, cluster)
        search = RaySearch(_begun(setting, solver, path), cluster, place)
        ended = _ended(search, _Watch(setting, bar, search))
    known = search.so_far()
    solver.begin_with(known.tree, known.certificate)
    tree = write_solved(solver, path)
    ended = ended or ended_text(tree, words.total_weight, setting.gap or 0.0)
    return Outcome(words, tree, path, ended, str(setting.place))


def _begun(setting: Setting, solver: Solver, path: Path) -> Known:
    """Begin with the best tree that is stored, or one of the strategy `parts`, and with its certificate."""
    from gpulingo.optimise.pieces import Worker, begun, usual_block
    from gpulingo.strategies.build import build
    from gpulingo.strategies.objectives import parts
    from gpulingo.strategies.ranking import Ranking

    if not setting.fresh:
        begin_with_stored(solver, path)
    problem = solver.problem
    words, game, table = problem.wordlist, problem.game, problem.table
    if solver.tree is None:
        built = build(words, Ranking("solve", parts), game, device=table.device)
        solver.begin_with(built.tree, solver.upper.given)
    assert solver.tree is not None
    goal = solver.goal(shown(game, words.total_weight).credits(setting.gap or 0.0))
    return begun(
        Worker(problem, lambda pairs: setting.check()), goal, plan=solver.state.stages.plan,
        block=usual_block(table.pool.shape[0], table.targets.shape[0]),
        tree=solver.tree, given=solver.upper.given,
    )  # fmt: skip


def ended_text(tree: Tree, weight: int, gap: float) -> str:
    """Why a search of pieces that has come to its end did so, in words: by the gap that is printed."""
    assert tree.bound is not None
    value, bound = (round(points * weight / CREDIT) for points in (tree.mean_points, tree.bound))
    if value == bound:
        return PROVEN
    return REACHED if bound - value <= shown(tree.game, weight).credits(gap) else "nothing is left to try"


class _Watch(News):
    """Looks at the limits of a search, and shows how far it is."""

    def __init__(self, setting: Setting, bar: Bar, search: RaySearch) -> None:
        super().__init__()
        self.setting, self.bar, self.search, self.round = setting, bar, search, -1
        bar.ends = setting.ends

    def often(self) -> None:
        self.setting.check()
        if clock() > self.setting.ends:
            raise TimeIsUp
        self.show(self._line)

    def _line(self) -> str:
        """The value and the bound so far, in one line, with which the bar moves."""
        known, pieces, done = self.search.known, self.search.pieces, self.search.results.keys()
        if known.round != self.round:
            self.round = known.round
            self.bar.begin(len(pieces), len(done))
        self.bar.reach(len(done))
        words, game = known.problem.wordlist, known.problem.game
        value, bound = (game.points_of(number, words.total_weight) for number in (known.value, known.bound))
        values = shown(game, words.total_weight, MANY).progress(value, bound, known.tree.lost)
        bounded = sum(len(piece.openings) for piece in done if piece.bounds)
        openings = f"openings left {max(len(known.above) - bounded, 0):,}"
        left = "" if self.bar.left is None else f"  {time_text(self.bar.left)} left"
        round_ = f"round {known.round}: {len(done):,} of {len(pieces):,} pieces"
        return f"{words[int(known.tree.guess[0])]}  {values}  {openings}  {round_}{left}"


def _ended(search: RaySearch, watch: _Watch) -> str:
    """Why a search was left before its end, in words."""
    try:
        search.run(watch.often)
        return ""
    except TimeIsUp:
        ended = "time is up"
    except KeyboardInterrupt:
        ended = "interrupted"
    done, pieces = len(search.results), len(search.pieces)
    tell(f"{done:,} of {pieces:,} pieces of round {search.known.round} are done")
    return ended
