"""Stages: which opening comes next."""

from gpulingo.search.stages import Stage, Stages, stages


def test_each_stage_takes_the_best_of_the_one_before():
    plan = Stages([Stage(3, {4: 1}), Stage(2, {4: 2}), Stage(1, {4: 9})])
    values = {7: 10, 8: 30, 9: 30, 6: 99}
    # Of 8 and 9, which are equal, the first of the list comes first; 6 is beyond the first stage.
    for most, expected in (
        (1, [(0, [7]), (0, [9]), (0, [8]), (1, [8]), (1, [9]), (2, [8])]),
        (2, [(0, [7, 9]), (0, [8]), (1, [8, 9]), (2, [8])]),
    ):
        order, plan.played = [], [{}, {}, {}]
        while (following := plan.next(lambda: [7, 9, 8, 6], lambda opening: True, most)) is not None:
            order.append(following)
            plan.played[following[0]] |= {opening: values[opening] for opening in following[1]}
        assert order == expected


def test_openings_that_cannot_be_better_are_left_out():
    plan = Stages([Stage(9, {})])
    assert plan.next(lambda: [1, 2], lambda opening: opening == 2, 5) == (0, [2])
    assert plan.next(lambda: [1, 2], lambda opening: False) is None


def test_the_usual_stages_are_wider_and_fewer():
    plan = stages(5)
    assert [stage.openings for stage in plan] == [200, 40, 12, 4, 2]
    assert [stage.widths for stage in plan][:2] == [{4: 1, 3: 1}, {4: 4, 3: 4}]
    assert stages(3)[0].widths == {2: 1}
