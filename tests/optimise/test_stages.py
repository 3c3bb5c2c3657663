"""Stages: which opening comes next."""

from gpulingo.optimise.state import Stage, Stages, stages


def test_each_stage_takes_the_best_of_the_one_before():
    plan = Stages([Stage(3, {4: 1}), Stage(2, {4: 2}), Stage(1, {4: 9})])
    values = {7: 10, 8: 30, 9: 30, 6: 99}
    # Of 8 and 9, which are equal, the first of the list comes first; 6 is beyond the first stage.
    for most, expected in (
        # In the end 8 and 9 were rolled out widely, whatever else was while it was the best.
        (1, [(0, [7]), (1, [7]), (2, [7]), (0, [9]), (1, [9]), (0, [8]), (1, [8]), (2, [8])]),
        (2, [(0, [7, 9]), (1, [9]), (2, [9]), (1, [7]), (0, [8]), (1, [8]), (2, [8])]),
    ):
        order, plan.values = [], [{}, {}, {}]
        while (following := plan.next(lambda: [7, 9, 8, 6], lambda opening: True, most)) is not None:
            order.append(following)
            plan.values[following[0]] |= {opening: values[opening] for opening in following[1]}
        assert order == expected


def test_wide_stages_begin_long_before_narrow_ones_end():
    plan, begun = Stages(stages(5)), {}
    while len(begun) < 5:
        number, (opening,) = plan.next(lambda: list(range(200)), lambda opening: True)
        begun.setdefault(number, [len(values) for values in plan.values])
        plan.values[number][opening] = -opening
    assert begun == {
        0: [0] * 5,
        1: [2, 0, 0, 0, 0],
        2: [4, 1, 0, 0, 0],
        3: [13, 3, 1, 0, 0],
        4: [25, 5, 2, 1, 0],
    }


def test_what_was_played_beside_the_plan_counts_in_the_stage_that_is_as_wide():
    plan = Stages(stages(5))
    plan.note({3: 4, 4: 4}, {7: 30})
    assert plan.values == [{}, {7: 30}, {}, {}, {}]
    assert plan.next(lambda: [7], lambda opening: True) == (0, [7])
    plan.note({3: 5, 4: 4}, {7: 99})
    assert plan.values == [{}, {7: 30}, {}, {}, {}]


def test_openings_that_cannot_be_better_are_left_out():
    plan = Stages([Stage(9, {})])
    assert plan.next(lambda: [1, 2], lambda opening: opening == 2, 5) == (0, [2])
    assert plan.next(lambda: [1, 2], lambda opening: False) is None


def test_the_usual_stages_are_wider_and_fewer():
    plan = stages(5)
    assert [stage.openings for stage in plan] == [200, 40, 12, 4, 2]
    assert [stage.widths for stage in plan][:2] == [{4: 1, 3: 1}, {4: 4, 3: 4}]
    assert stages(3)[0].widths == {2: 1}
