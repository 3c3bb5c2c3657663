"""Units computed elsewhere: by any machine, in any order, the result is that of one process."""

import pickle
import random

import exhaustive
import pytest

from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import proof_of
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise import lowering
from gpulingo.optimise import solver as optimiser
from gpulingo.optimise.solve import solve
from gpulingo.optimise.solver import Solver
from gpulingo.optimise.state import Stage, Stages, State
from gpulingo.optimise.units import Count, Evaluate, Found, Probe, SearchThreeTurns, UnitWorkspace
from gpulingo.strategies.objectives import points
from gpulingo.trees.verify import verify

PLAN = [Stage(6, {3: 1, 4: 1}), Stage(2, {3: 4, 4: 4})]


class Elsewhere:
    """Runs units in workspaces without shared evidence, some at a time, in any order."""

    def __init__(self, workers=3, seed=0):
        self.workers, self.draw, self.kinds = workers, random.Random(seed), []

    def __call__(self, solver):
        at = [
            UnitWorkspace(solver.problem, State(Stages([])), lambda pairs: None) for _ in range(self.workers)
        ]
        running = []
        while True:
            while len(running) < self.workers and (unit := solver.next_unit()):
                running.append(unit)
            if not running:
                return
            unit = running.pop(self.draw.randrange(len(running)))
            worker = self.draw.choice(at)
            found = unit.run(worker)
            said = (found, worker.evidence_of(unit.openings) if unit.bounds else None)
            found, evidence = pickle.loads(pickle.dumps(said))  # as over the network
            solver.merge(unit, Found(found.tree, found.values, found.closed, evidence), 0.01)
            self.kinds.append(type(unit))


def searched(wordlist, game, **options):
    """A search whose units others computed, and its certificate, which is valid."""
    solver, executor = Solver(wordlist, game, plan=PLAN, order=points), Elsewhere(**options)
    assert solver.run(lambda: None, executor=executor) and not solver.running
    proof = proof_of(wordlist, solver.state.bounds, None, solver.value)
    assert list(prove(solver.problem.table, proof))[-1] == len(wordlist)
    verify(solver.tree, wordlist)
    return solver, executor


@pytest.fixture
def every_kind(monkeypatch):
    """For short lists too, count some openings before others, and search for no tree without losses first."""
    monkeypatch.setattr(optimiser, "SHORT", 0)
    monkeypatch.setattr(optimiser, "COUNTED_FIRST", 2)
    monkeypatch.setattr(lowering, "MOST_BLOCK", 3)


@pytest.mark.parametrize("number", [10, pytest.param(28, marks=pytest.mark.slow)])
def test_whoever_works_units_out_the_best_is_proven(number, every_kind):
    wordlist, turns = exhaustive.random_list(number)
    best = exhaustive.best_value(wordlist.words, turns)
    for workers, seed in ((1, 0), (3, 1), (3, 2)):
        solver, executor = searched(wordlist, lingo(turns), workers=workers, seed=seed)
        assert solver.value == solver.bound == best
        assert {Evaluate, Probe} <= set(executor.kinds)
    for opening in range(0, len(wordlist), 7):
        assert solver.state.bounds.lowest[opening] >= exhaustive.best_value(wordlist.words, turns, opening)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("listed", "kind"),
    [((exhaustive.families(), 5), SearchThreeTurns), (exhaustive.random_list(28), Count)],
    ids=["families", "random"],
)
def test_bounds_are_lowered_where_a_search_of_every_guess_takes_too_long(
    listed, kind, monkeypatch, every_kind
):
    monkeypatch.setattr(optimiser, "EVERY_GUESS", 0)  # pairs
    (wordlist, turns), executor = listed, Elsewhere()
    solver = Solver(wordlist, lingo(turns))
    solver.run(lambda: None, executor=executor)
    assert kind in executor.kinds
    proof = proof_of(wordlist, solver.state.bounds, None, solver.value)
    assert list(prove(solver.problem.table, proof))[-1] == len(wordlist)
    assert bool(proof.evidence.three_turns) == (kind is SearchThreeTurns)


@pytest.mark.parametrize("name", ["wordle-hard", "wordle-from3-hard"])
def test_games_whose_classes_are_not_counted_are_searched_by_others_too(words22, name):
    game = find_game(name, 4)
    solver, _ = searched(words22, game)
    assert solver.value == solver.bound == solve(words22, game).tree.value


def test_words_that_are_no_targets_may_be_guessed():
    wordlist, turns = exhaustive.random_list(46)
    targets = [at for at in range(len(wordlist)) if at % 3]
    some = wordlist.with_targets([wordlist.words[at] for at in targets])
    solver, _ = searched(some, lingo(turns))
    assert solver.value == solver.bound
    assert solver.value == exhaustive.best_value(wordlist.words, turns, targets=targets)
