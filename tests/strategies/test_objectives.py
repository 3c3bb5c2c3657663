"""Objectives by hand, the value table's laws, and users' objectives, good and bad."""

import pytest
import torch

from gpulingo.strategies.objectives import BY_NAME, ENTROPY_SCALE, loaded_objective
from gpulingo.strategies.values import SCALE, value_table


@pytest.mark.parametrize(
    ("name", "left", "table", "bonus", "largest"),
    [
        ("parts", 3, [0, 1, 1, 1, 1], 0, False),
        ("parts", 2, [0, 1, 1, 1, 1], 1, False),
        ("entropy", 3, [0, 0, -2 * ENTROPY_SCALE, -20422086318, -8 * ENTROPY_SCALE], 0, False),
        ("expected_size", 3, [0, -1, -4, -9, -16], 0, False),
        ("largest_class", 3, [0, -1, -2, -3, -4], 0, True),
    ],
)
def test_tables_are_those_of_the_formula(name, left, table, bonus, largest):
    made = BY_NAME[name](4, left)
    assert (made.table.tolist(), made.bonus, made.largest) == (table, bonus, largest)


def test_points_values_classes_by_the_turns_after_this_one():
    made = BY_NAME["points"](6, 4)
    assert made.bonus == SCALE
    assert made.table.tolist() == value_table(6, 3)[3].tolist()


def test_only_some_objectives_count_classes_and_all_stop_at_single_words():
    made = {name: objective(50, 3) for name, objective in BY_NAME.items()}
    assert [name for name, one in made.items() if one.counts_classes] == ["parts"]
    assert all(one.complete_is_best for one in made.values())


@pytest.mark.parametrize("largest", [1, 2, 3, 50, 2000])
def test_values_keep_to_what_is_known(largest):
    table = value_table(largest, 5)
    assert table.shape == (6, largest + 1)
    assert table.dtype == torch.int64
    assert table[:, 0].tolist() == [0] * 6
    for left in range(1, 6):
        row = table[left].tolist()
        assert row[1:3] == [left * SCALE, (2 * left - 1) * SCALE][:largest]
        assert all(value <= (left + (n - 1) * (left - 1)) * SCALE for n, value in enumerate(row) if n)
        assert row == sorted(row)
    assert set(table[1, 1:].tolist()) == {SCALE}


GOOD = (
    "def cubes(sizes):\n    return -(sizes**3)\ndef plain(sizes):\n    return [0] + [1] * (len(sizes) - 1)\n"
)


@pytest.mark.parametrize(("name", "table"), [("cubes", [0, -1, -8, -27]), ("plain", [0, 1, 1, 1])])
def test_a_users_objective_is_loaded_from_the_current_folder(tmp_path, monkeypatch, name, table):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "good_objectives.py").write_text(GOOD)
    assert loaded_objective(f"good_objectives:{name}")(3, 4).table.tolist() == table


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("nowhere:f", None, "cannot load strategy 'nowhere:f'"),
        ("bad_a:g", "def f(sizes): return sizes", "cannot load strategy 'bad_a:g'"),
        ("bad_b:f", "1 +", "SyntaxError"),
        ("bad_c:f", "def f(sizes): return sizes / 2", "scale and round"),
        ("bad_d:f", "def f(sizes): return sizes[:-1]", "expected 3 whole numbers"),
        ("bad_e:f", "def f(sizes): return sizes + 1", "the first 0"),
        ("bad_f:f", "def f(sizes): return 'x'", "returned str"),
        ("bad_g:f", "def f(sizes): return sizes * 2**50", "smaller scale"),
    ],
)
def test_a_bad_objective_is_told_in_one_line(tmp_path, monkeypatch, name, code, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    if code is not None:
        (tmp_path / f"{name.split(':')[0]}.py").write_text(code)
    with pytest.raises(ValueError, match=said) as raised:
        loaded_objective(name)
    assert "\n" not in str(raised.value)
