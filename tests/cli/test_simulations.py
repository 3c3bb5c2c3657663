"""Plans played by this process and by a cluster: the same, and how often files are read for it."""

import gpulingo.trees.kept
from gpulingo.cli.plan import simulations
from gpulingo.trees.checkpoint import read_checkpoint


def test_a_kept_checkpoint_is_read_once_a_run(kept_tree, monkeypatch, plan):
    paths = []

    def counted(path, **options):
        paths.append(str(path))
        return read_checkpoint(path, **options)

    monkeypatch.setattr(gpulingo.trees.kept, "read_checkpoint", counted)
    (simulation,) = simulations("simulate", plan())
    assert simulation.strategy == "best"
    assert paths == [str(kept_tree)]


def test_no_length_draws_from_the_random_numbers_of_another(list22, plan):
    list22.write_text(list22.read_text() + "bird\nbard\nbond\nband\n")
    both = plan(lengths="4-5", strategy="random", seed=3).plays()
    assert both[0].strategy is not both[1].strategy
    alone = list(simulations("simulate", plan(strategy="random", seed=3)))
    after = list(simulations("simulate", plan(lengths="4-5", strategy="random", seed=3)))
    assert alone[0].tree == after[1].tree


def test_some_of_the_plays_can_be_played(list22, plan):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    whole = plan(lengths="4-5", strategy="letters")
    played = simulations("compare", whole, whole.plays()[1:])
    assert [simulation.wordlist.length for simulation in played] == [5]
    assert list(simulations("compare", whole, [])) == []
