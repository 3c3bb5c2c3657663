"""Objectives by hand, the value table's laws, and users' objectives, good and bad."""

import math

import pytest
import torch

from gpulingo.strategies.objectives import BY_NAME, ENTROPY_SCALE, loaded_objective
from gpulingo.strategies.values import SCALE, value_table
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import embedded


@pytest.mark.parametrize(
    ("name", "left", "table", "bonus", "largest"),
    [
        ("parts", 3, [0, 1, 1, 1, 1], 0, False),
        ("parts", 2, [0, 1, 1, 1, 1], 1, False),
        ("parts", 1, [0, 1, 1, 1, 1], 1, False),
        ("entropy", 3, [0, 0, -2 * ENTROPY_SCALE, -20422086318, -8 * ENTROPY_SCALE], 0, False),
        ("expected_size", 3, [0, -1, -4, -9, -16], 0, False),
        ("largest_class", 3, [0, -1, -2, -3, -4], 0, True),
        ("points", 2, [0, SCALE, SCALE, SCALE, SCALE], SCALE, False),
        ("points", 1, [0, 0, 0, 0, 0], SCALE, False),
    ],
)
def test_tables_are_those_of_the_formula(name, left, table, bonus, largest):
    made = BY_NAME[name](4, left)
    assert (made.table.tolist(), made.bonus, made.largest) == (table, bonus, largest)


def test_points_values_classes_by_the_turns_after_this_one():
    made = BY_NAME["points"](6, 4)
    assert made.bonus == SCALE
    assert made.table.tolist() == value_table(6, 3)[3].tolist()


def test_entropy_is_rounded_to_the_nearest_unit():
    table = BY_NAME["entropy"](3000, 3).table.tolist()
    for n in range(1, 3001):
        assert abs(-table[n] - n * math.log2(n) * ENTROPY_SCALE) <= 1


@pytest.mark.parametrize("name", BY_NAME)
def test_the_largest_size_changes_no_smaller_one(name):
    # Else the guess for a set would depend on the sets that are ranked along with it.
    for left in (2, 3, 5):
        table = BY_NAME[name](5000, left).table
        for largest in (1, 2, 3, 9, 1000, 4999):
            assert torch.equal(BY_NAME[name](largest, left).table, table[: largest + 1])


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


GOOD = """
def cubes(sizes): return -(sizes**3)
def plain(sizes): return [0] + [1] * (len(sizes) - 1)
def narrow(sizes): return sizes.byte()
def int32(sizes): return sizes.int()
def from_numpy(sizes): return -(sizes.numpy().astype("int32") ** 2)
"""


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("cubes", [0, -1, -8, -27]),
        ("plain", [0, 1, 1, 1]),
        ("narrow", [0, 1, 2, 3]),
        ("int32", [0, 1, 2, 3]),
        ("from_numpy", [0, -1, -4, -9]),
    ],
)
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
        ("bad_g:f", "def f(sizes): return sizes * 2**60", "smaller scale"),
        ("bad_h:f", "f = 5", "'bad_h:f'"),
        ("bad_i:f", "def f(sizes): return 1 / 0", "'bad_i:f'.*ZeroDivisionError"),
        ("bad_j:f", "def f(sizes): raise RuntimeError('two\\nlines')", "'bad_j:f'.*two lines"),
        ("bad_k:f", "def f(): return [0, 1, 1]", "'bad_k:f'.*TypeError"),
        ("bad_l:f", "def f(sizes): return None", "returned NoneType"),
        ("bad_m:f", "def f(sizes): return [[0], [1, 2], [3]]", "returned list"),
        ("bad_n:f", "def f(sizes): return 0", "expected 3 whole numbers"),
        ("bad_o:f", "def f(sizes): return [0, 1, -(2**63)]", "smaller scale"),
        ("bad_p:f", "def f(sizes): return sizes == 1", "whole numbers"),
        ("bad_q:f", "import bad_r", "'bad_q:f'.*bad_r"),
        ("bad_s:", "def f(sizes): return sizes", "name it module:function"),
        (":f", None, "name it module:function"),
        ("sys:exit", None, "'sys:exit' failed on sizes 0..2 .SystemExit"),
        ("os:abort", None, "'os:abort' failed on sizes 0..2 .TypeError"),
        ("bad_t:f", "import sys\nsys.exit(0)", "cannot load strategy 'bad_t:f' .SystemExit: 0"),
        ("bad_u:f", "class Odd(BaseException): pass\ndef f(sizes): raise Odd('x')", "'bad_u:f'.*Odd: x"),
        ("bad_v:f", "def f(sizes): return [0, 2**70, 1]", "returned list"),
        ("bad_w:f", "def f(sizes): return sizes.to_sparse()", "'bad_w:f' returned"),
        ("builtins:print", None, "'builtins:print' returned NoneType"),
        ("math:pi", None, "pi is of type float, no function"),
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


def test_what_a_users_objective_prints_does_not_go_to_the_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "loud.py").write_text("print('here')\ndef f(sizes):\n    print('called')\n    return sizes\n")
    loaded_objective("loud:f")(3, 4)
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "here\ncalled\ncalled\n")


def test_an_objective_that_fails_at_a_larger_size_is_told_when_it_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "later.py").write_text(
        "def f(sizes): return sizes if len(sizes) < 9 else sizes / (len(sizes) - 9)"
    )
    objective = loaded_objective("later:f")
    assert objective(7, 4).table.tolist() == [*range(8)]
    with pytest.raises(ValueError, match=r"'later:f' returned torch\.float32, expected 9 whole numbers"):
        objective(8, 4)


@pytest.mark.parametrize("name", list(BY_NAME))
def test_every_objective_may_rank_a_set_of_a_whole_list(name):
    table = encode(embedded().of_length(5).words)
    front = frontier([torch.arange(table.words, dtype=torch.int32)])
    ranked = rank(table, front, torch.tensor([0, 1], dtype=torch.int32), BY_NAME[name](table.words, 5))
    assert ranked.guesses.shape == (1, 1)


def test_cubes_may_rank_a_set_of_a_whole_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cubed.py").write_text("def f(sizes):\n    return -(sizes**3)\n")
    assert loaded_objective("cubed:f")(50_655, 5).table[-1] == -(50_655**3)
