"""Checkpoints: written files are read, and no others; which of several is used; arrays for the page."""

import itertools
import json
import tracemalloc
import zipfile
import zlib
from array import array

import numpy as np
import pytest

from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import find_game, lingo, usual_targets
from gpulingo.storage.files import file_name
from gpulingo.storage.npz import header_text, headers, npy, pack, parsed_header, unpack
from gpulingo.trees.checkpoint import (
    WIDTHS,
    CheckpointError,
    packed,
    read_checkpoint,
    tree_bytes,
    write_checkpoint,
)
from gpulingo.trees.stored import stored_trees
from gpulingo.trees.tree import ARRAYS, FIELDS, Tree
from gpulingo.words.listing import embedded
from gpulingo.words.targets import Targets


@pytest.fixture
def tree(words22, grown):
    return grown(words22, turns=2)


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def refusal(path, **how):
    with pytest.raises(CheckpointError) as caught:
        read_checkpoint(path, **how)
    text = str(caught.value)
    assert "\n" not in text and str(path) in text
    return text


def changed(tree, header=(), **arrays):
    """The file of a tree with some header fields and arrays replaced, and valid CRCs."""
    members = unpack(tree_bytes(tree), ("header", *ARRAYS))
    fields = parsed_header(members["header"][128:].decode()) | dict(header)
    members["header"] = npy(header_text(fields).encode(), "u1")
    return pack([(name, arrays.get(name, data)) for name, data in members.items()])


def test_a_tree_comes_back_as_it_was(tmp_path, words22, grown):
    for turns in (1, 2, 5):
        tree = grown(words22, turns=turns, bound=400.5 if turns == 2 else None)
        write_checkpoint(tree, tmp_path / "a.npz")
        assert read_checkpoint(tmp_path / "a.npz") == tree
        assert read_checkpoint(str(tmp_path / "a.npz"), thorough=False) == tree
    assert names_in(tmp_path) == ["a.npz"]


def test_the_same_tree_gives_the_same_bytes_whatever_holds_it(tree):
    def held(make):
        arrays = {name: make(getattr(tree, name)) for name in ARRAYS}
        return tree_bytes(Tree(**arrays, **{name: getattr(tree, name) for name in FIELDS}))

    forms = [list, lambda a: array("q", a), lambda a: memoryview(array("i", a)), np.array]
    forms += [lambda a: np.array(a, dtype=np.int32), lambda a: np.array(a * 2)[: len(a)]]
    assert {held(make) for make in forms} == {tree_bytes(tree)}


def test_numpy_opens_the_file_without_pickle(tmp_path, tree):
    write_checkpoint(tree, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        types = {name: str(file[name].dtype) for name in file}
        assert types == {"header": "uint8", **dict.fromkeys(ARRAYS[:3], "int32"), "hit": "uint8"}
        assert [file[name].tolist() for name in ARRAYS] == [list(getattr(tree, name)) for name in ARRAYS]
        header = json.loads(file["header"].tobytes())
    expected = {name: getattr(tree, name) for name in (*FIELDS, "turns") if name != "targets"}
    expected |= {"format": 1, "nodes": len(tree), "game": "lingo"}
    assert header == expected
    with zipfile.ZipFile(tmp_path / "a.npz") as zipped:
        assert zipped.testzip() is None
        assert {info.date_time for info in zipped.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_file_cut_anywhere_is_refused(tmp_path, tree, write_anew):
    data = tree_bytes(tree)
    path = tmp_path / "cut.npz"
    for end in range(len(data)):
        write_anew(path, data[:end])
        refusal(path)
    path.write_bytes(data + b"x")
    refusal(path)


def test_a_changed_byte_never_gives_another_tree(tmp_path, tree, write_anew):
    data = tree_bytes(tree)
    path = tmp_path / "changed.npz"
    passed = 0
    for place in range(0, len(data), 7):
        for flip in (1, 0xFF):
            write_anew(path, data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :])
            try:
                assert read_checkpoint(path, thorough=False) == tree
                passed += 1
            except CheckpointError as error:
                assert str(path) in str(error)
    # What may pass: the unused bits after the last deflate block of a member.
    assert passed < 10


def test_a_declared_size_is_not_believed(tmp_path, tree):
    path = tmp_path / "a.npz"
    path.write_bytes(changed(tree, guess=npy(range(3), "i4") + bytes(1 << 24)))
    assert "is not an array of" in refusal(path)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = deflate.compress(bytes(1 << 26)) + deflate.flush()
    name = b"header.npy"
    for size, said in ((0xFFFFFFFF, "declares 4294967295 bytes"), (10, "damaged array header")):
        path.write_bytes(headers(name, 0, len(bomb), size, 0)[0] + bomb)
        tracemalloc.start()
        assert said in refusal(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1 << 20


def test_a_pickle_is_never_run(tmp_path, tree):
    evil = f"cos\nsystem\n(S'touch {tmp_path}/ran'\ntR.".encode()
    path = tmp_path / "a.npz"
    for data in (evil, changed(tree, guess=evil)):
        path.write_bytes(data)
        refusal(path)
    assert not (tmp_path / "ran").exists()


@pytest.fixture
def keep(tmp_path, words22):
    """A function that stores a tree, or any bytes, in a folder, and returns the path."""

    def kept(folder, what, game="lingo5"):
        (tmp_path / folder).mkdir(exist_ok=True)
        path = tmp_path / folder / file_name(game, 5, words22.fingerprint)
        path.write_bytes(tree_bytes(what) if isinstance(what, Tree) else what)
        return str(path)

    return kept


def folders(tmp_path, names="abc"):
    return [str(tmp_path / name) for name in names]


def test_most_points_come_first_then_the_lower_bound_then_the_folder(tmp_path, words22, grown, keep):
    trees = [grown(words22, opening=at) for at in (0, 5)]
    worse, better = sorted(trees, key=lambda tree: tree.mean_points)
    assert worse.mean_points < better.mean_points
    for order in itertools.permutations("abc"):
        worst = keep(order[0], worse)
        loose = keep(order[1], better)
        tight = keep(order[2], better.replaced(bound=480.0))
        assert list(stored_trees(words22, lingo(), folders(tmp_path))[0]) == [tight, loose, worst]
    same = [keep(name, better) for name in "abc"]
    assert list(stored_trees(words22, lingo(), folders(tmp_path, "cab"))[0]) == [same[2], same[0], same[1]]


def test_what_is_damaged_or_of_another_list_is_passed_over_in_a_line_that_names_it(
    tmp_path, words22, grown, keep
):
    tree = grown(words22)
    good = keep("b", tree)
    other = grown(words22, fingerprint=words22.fingerprint[:12] + "0" * 52)
    remedy = "replace it with `gpulingo simulate --length 5 --save"
    damaged = tree_bytes(tree)[:-1]
    for what, said in ((damaged, "has a damaged end"), (b"", "ends before"), (other, "is for list")):
        path = keep("a", what)
        trees, (fault,) = stored_trees(words22, lingo(), folders(tmp_path))
        fault = worded(fault)
        assert (list(trees), fault.count("\n")) == ([good], 0)
        assert path in fault and said in fault
        assert remedy in fault or "make it again with" in fault


def test_trees_of_one_game_are_looked_for(tmp_path, words22, grown, keep):
    short = keep("a", grown(words22, turns=4), "lingo4")
    long = keep("a", grown(words22, turns=5))
    for game, paths in ((lingo(4), [short]), (lingo(5), [long]), (lingo(6), [])):
        trees, faults = stored_trees(words22, game, folders(tmp_path))
        assert (list(trees), faults) == (paths, [])
    path = keep("a", grown(words22, turns=4))  # under the name of another game
    trees, (fault,) = stored_trees(words22, lingo(), folders(tmp_path))
    said = f"checkpoint {path} is for lingo4, not lingo5; replace it with `gpulingo simulate"
    assert trees == {} and worded(fault).startswith(said)


@pytest.mark.parametrize(("code", "length", "bytes_"), [("wordle6", 5, 1), ("lingo5", 13, 4)])
def test_arrays_and_words_are_those_of_the_tree(code, length, bytes_):
    game = find_game(code)
    words = Targets(usual_targets(game) or "all").of(embedded().of_length(length))
    tree = next(iter(stored_trees(words, game)[0].values()))
    data = packed(tree, {"name": "é"}, {"days": [70_000, 1]})
    start = 4 + int.from_bytes(data[:4], "little")
    header, arrays = json.loads(data[4:start]), {}
    assert start % 4 == 0 and header["name"] == "é"
    for name, width, count in header["arrays"]:
        end = start + width * count
        assert start % width == 0
        code = next(code for code, bits in WIDTHS.items() if bits == 8 * width)
        arrays[name], start = array(code, data[start:end]), end
    assert start == len(data) and list(arrays["days"]) == [70_000, 1]
    assert arrays["pattern"].itemsize == bytes_ and list(arrays["pattern"][1:]) == list(tree.pattern[1:])
    assert all(list(arrays[name]) == list(getattr(tree, name)) for name in ("guess", "first", "hit"))
