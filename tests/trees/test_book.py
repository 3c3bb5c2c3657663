"""Books of openings: what is written is read, one opening at a time; which tree a round follows."""

from dataclasses import replace

import pytest

from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import find_game
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.positions.book import opening_tree
from gpulingo.solvers.solver import solver
from gpulingo.storage.files import BOOK, file_name
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.book import (
    BEST,
    Book,
    book_bytes,
    check_best,
    new_book,
    parsed_book,
    read_book,
    read_trees,
    write_book,
)
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.trees.stored import stored_openings, stored_trees
from gpulingo.words.listing import parse

GAME = find_game("wordle")


@pytest.fixture(scope="module")
def trees(words22):
    table = table_of(words22, GAME)
    search = EveryGuess(solver(table, GAME, 1 << 20), lambda pairs: None)
    return [opening_tree(words22, GAME, search, words22[number]) for number in (3, 0, 7)]


@pytest.fixture
def book(words22, trees):
    return new_book(words22, GAME).with_trees(trees)


def test_a_book_comes_back_with_its_trees_the_best_first(tmp_path, book, trees):
    write_book(book, tmp_path / "own.npz")
    again = read_book(tmp_path / "own.npz")
    assert [again.tree(tree.opening) for tree in trees] == trees
    for tree in trees:
        own = again.tree(tree.opening)
        assert (list(own.best), list(own.found)) == (tree.best, tree.found)
        assert again.openings[tree.opening] == tree.turn_counts()
    means = [tree.mean_points for tree in again.trees()]
    assert means == sorted(means, reverse=True) and len(means) == 3
    assert read_trees(tmp_path / "own.npz", 1) == []


def test_the_same_openings_make_the_same_bytes_in_any_order(words22, trees):
    one_by_one = new_book(words22, GAME)
    for tree in [trees[1], *trees[::-1]]:
        one_by_one = parsed_book(book_bytes(one_by_one.with_trees([tree])))
    assert book_bytes(one_by_one) == book_bytes(new_book(words22, GAME).with_trees(trees))


def test_second_guesses_are_those_of_the_sets_after_the_opening_alone(book, trees):
    tree = book.tree(trees[0].opening)
    assert tree.second_guesses(0) == tree.second_guesses(tree.first[1]) == []
    for node in range(1, tree.first[1]):
        rows = tree.second_guesses(node)
        assert 1 <= len(rows) <= BEST and rows[0][0] == tree.guess[node]
        assert all(len(found) == GAME.turns and found[0] == 0 for _, found in rows)


def test_every_changed_byte_of_a_book_is_noticed(book):
    data = book_bytes(book)
    for place in range(0, len(data), 37):
        broken = bytearray(data)
        broken[place] ^= 1
        with pytest.raises(ValueError):
            parsed_book(bytes(broken))


def refusal(book, **changed):
    fields = {name: getattr(book, name) for name in Book.__slots__} | changed
    data = book_bytes(Book(**fields))
    with pytest.raises(ValueError) as caught:
        list(parsed_book(data).trees())
    return str(caught.value)


def test_a_book_that_contradicts_itself_is_refused(book, trees):
    first, second = list(book.openings)[:2]
    swapped = book.data | {first: book.data[second], second: book.data[first]}
    assert "not the root" in refusal(book, data=swapped)
    found = book.openings | {first: book.openings[second]}
    assert "its index" in refusal(book, openings=found)
    assert "targets 22" in refusal(book, words=10)
    assert "index" in refusal(book, data=book.data | {first: b""})
    short = book._packed(trees[0].replaced(guess=trees[0].guess[:1]))
    assert "numbers of nodes" in refusal(book, data=book.data | {trees[0].opening: short})
    for beyond in (-1, 22):
        data = book.data | {beyond: book.data[second]}
        assert "its list 22 words" in refusal(book, openings=book.openings | {beyond: [1] * 6}, data=data)
    for counts in ([9] * 6, [-1, 5, 5, 5, 5, 3]):
        assert "its 22 targets" in refusal(book, openings=book.openings | {second: counts})
    tree = trees[0]
    with pytest.raises(ValueError, match="other second guesses"):
        check_best(tree.replaced(best=[tree.guess[1] + 1, *tree.best[1:]]))


def test_a_round_that_begins_with_an_opening_of_a_book_follows_its_tree(
    tmp_path, words22, book, trees, grown
):
    folders = [str(tmp_path)]
    path = tmp_path / file_name(GAME.code, words22.length, words22.fingerprint, BOOK)
    write_book(book, path)
    best = trees[0].replaced(strategy="other")
    write_checkpoint(best, path.with_name(path.name.replace(BOOK, ".npz")))
    opening = trees[1].opening
    found, faults = stored_trees(words22, GAME, folders, opening=opening)
    assert list(found.items()) == [(str(path), trees[1])] and not faults
    for other in (None, 1):
        found, faults = stored_trees(words22, GAME, folders, opening=other)
        assert [tree.strategy for tree in found.values()] == ["other"] and not faults
    data = path.read_bytes()
    path.write_bytes(data[:100])
    found, faults = stored_trees(words22, GAME, folders, opening=opening)
    assert [tree.strategy for tree in found.values()] == ["other"]
    assert len(faults) == 1 and str(path) in str(faults[0]) and "\n" not in str(faults[0])


def test_books_of_several_folders_are_merged_and_a_faulty_one_is_told_in_one_line(tmp_path, words22, trees):
    name = file_name(GAME.code, words22.length, words22.fingerprint, BOOK)
    paths = [tmp_path / folder / name for folder in "abc"]
    empty, wrong = new_book(words22, GAME), trees[0].replaced(found=[9, *trees[0].found[1:]])
    whole = empty.with_trees(trees)
    inner = bytearray(whole.data[trees[0].opening])
    inner[len(inner) // 2] ^= 1
    torn = replace(whole, data=whole.data | {trees[0].opening: bytes(inner)})
    for broken in (torn, empty.with_trees([wrong, *trees[1:]])):
        for path, own in zip(paths, (broken, empty.with_trees(trees[1:2]), whole), strict=True):
            path.parent.mkdir(exist_ok=True)
            write_book(own, path)
        folders = [str(path.parent) for path in paths]
        among = None if broken is torn else whole.openings
        stored, (fault,) = stored_openings(words22, GAME, folders, among=among, thorough=False)
        assert list(stored) == list(whole.openings)
        for tree in trees:
            assert stored[tree.opening] == (str(paths[1 if tree is trees[1] else 2]), tree)
        found, (other,) = stored_trees(words22, GAME, folders, thorough=False, opening=trees[0].opening)
        assert list(found.items()) == [(str(paths[2]), trees[0])]
        remedy = f"replace it with `gpulingo openings --length 5 --game wordle --save {folders[0]}`"
        assert worded(fault) == worded(other) and str(paths[0]) in str(fault)
        assert worded(fault).endswith(remedy)


def test_a_book_of_another_list_is_refused_by_name(tmp_path, words22, book, trees):
    others = parse("\n".join(words22.words[:-1])).of_length(words22.length)
    path = tmp_path / file_name(GAME.code, others.length, others.fingerprint, BOOK)
    write_book(book, path)
    found, faults = stored_trees(others, GAME, [str(tmp_path)], opening=trees[0].opening)
    assert not found and len(faults) == 1 and "this list is" in str(faults[0])
    remedy = f"replace it with `gpulingo openings --length 5 --game wordle --save {tmp_path}`"
    assert worded(faults[0]).endswith(remedy)
