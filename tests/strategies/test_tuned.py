"""A damaged file of tuned values is passed over; other files are rows of calls.tsv."""

import re

import pytest

from gpulingo.cli.wording import worded
from gpulingo.strategies.objectives import SCALE, Pool
from gpulingo.strategies.tuned import Tuned, get_tuned, tuned_name, write_tuned


def test_a_damaged_file_is_passed_over_and_told_where_there_is_another(words22, tmp_path):
    knots = {2: ((3, 4 * SCALE), (22, 9 * SCALE))}
    tuned = Tuned(
        length=5, words=22, fingerprint=words22.fingerprint, turns=3, knots=knots, bonus=SCALE // 2,
        opening=3, pool=Pool("letters", 10, 7), seed=7, mean_points=250.0,
    )  # fmt: skip
    good, damaged = (
        tmp_path / folder / tuned_name(5, tuned.fingerprint, 3) for folder in ("good", "damaged")
    )
    good.parent.mkdir(), damaged.parent.mkdir()
    write_tuned(tuned, good)
    damaged.write_text("{")
    folders, told = [str(path.parent) for path in (damaged, good)], []
    assert get_tuned(words22, folders, 3, report=told.append) == tuned
    said = "are no JSON: run `gpulingo tune --length N`, or remove it"
    assert [*map(worded, told)] == [f"tuned values {damaged} {said}; {good} is used instead"]
    with pytest.warns(UserWarning, match=f"{re.escape(str(good))} is used instead$"):
        assert get_tuned(words22, folders, 3) == tuned
    with pytest.raises(ValueError, match="are no JSON"):
        get_tuned(words22, folders[:1], 3)
