"""A user's own objectives: what is taken as a table of sizes, and every fault in one line."""

import pytest

from gpulingo.strategies.plugins import loaded, plugged, sized_objective

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
    assert sized_objective(loaded(f"good_objectives:{name}"), name)(3, 4).table.tolist() == table


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
        ("bad_s:", "def f(sizes): return sizes", "name it module:name"),
        (":f", None, "name it module:name"),
        ("sys:exit", None, "'sys:exit' failed on sizes 0..2 .SystemExit"),
        ("os:abort", None, "'os:abort' failed on sizes 0..2 .TypeError"),
        ("bad_t:f", "import sys\nsys.exit(0)", "cannot load strategy 'bad_t:f' .SystemExit: 0"),
        ("bad_u:f", "class Odd(BaseException): pass\ndef f(sizes): raise Odd('x')", "'bad_u:f'.*Odd: x"),
        ("bad_v:f", "def f(sizes): return [0, 2**70, 1]", "returned list"),
        ("bad_w:f", "def f(sizes): return sizes.to_sparse()", "'bad_w:f' returned"),
        ("builtins:print", None, "'builtins:print' returned NoneType"),
        ("math:pi", None, "is of type float, expected a table of sizes"),
    ],
)
def test_a_bad_objective_is_told_in_one_line(tmp_path, monkeypatch, name, code, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    if code is not None:
        (tmp_path / f"{name.split(':')[0]}.py").write_text(code)
    with pytest.raises(ValueError, match=said) as raised:
        plugged(loaded(name), name)
    assert "\n" not in str(raised.value)


def test_what_a_users_objective_prints_does_not_go_to_the_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "loud.py").write_text("print('here')\ndef f(sizes):\n    print('called')\n    return sizes\n")
    sized_objective(loaded("loud:f"), "loud:f")(3, 4)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "here\ncalled\ncalled\n")


def test_an_objective_that_fails_at_a_larger_size_is_told_when_it_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "later.py").write_text(
        "def f(sizes): return sizes if len(sizes) < 9 else sizes / (len(sizes) - 9)"
    )
    objective = sized_objective(loaded("later:f"), "later:f")
    assert objective(7, 4).table.tolist() == [*range(8)]
    with pytest.raises(ValueError, match=r"'later:f' returned torch\.float32, expected 9 whole numbers"):
        objective(8, 4)


def test_cubes_may_rank_a_set_of_a_whole_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cubed.py").write_text("def f(sizes):\n    return -(sizes**3)\n")
    assert sized_objective(loaded("cubed:f"), "cubed:f")(50_655, 5).table[-1] == -(50_655**3)
