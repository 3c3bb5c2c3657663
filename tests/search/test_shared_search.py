"""Searches that several processes share: one certificate, whoever joins, leaves, dies or is in doubt."""

import json
import random
import subprocess
import sys
from pathlib import Path

import exhaustive
import pytest
import sharing
from sharing import LEASE, begun_folder, bytes_of, problem_of, process_of

from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import lingo
from gpulingo.search.pieces import pieces_of
from gpulingo.search.shared_folder import SharedFolder, SharedFolderError
from gpulingo.storage.leases import Leases
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.words.listing import parse


@pytest.fixture(scope="module")
def problem():
    wordlist, turns = exhaustive.random_list(10)  # which takes pieces of all kinds
    return problem_of(wordlist, lingo(turns))


@pytest.fixture(scope="module")
def alone(problem, tmp_path_factory):
    """What a single process comes to."""
    path = tmp_path_factory.mktemp("alone") / "folder"
    _, terms = begun_folder(path, problem)
    return process_of(path, problem, [0.0]).run(terms)


@pytest.fixture
def folder(problem, tmp_path):
    """A folder in which a search has begun."""
    return begun_folder(tmp_path / "folder", problem)[0]


def leases(folder):
    """Files in a folder that only work that goes on needs."""
    return [path for path in folder.results.iterdir() if path.suffix != ".npz"]


def results(folder):
    """Files of pieces."""
    return [path for path in folder.results.glob("*.npz") if not path.name.startswith("round")]


def run(folder, problem, **options):
    """Take part until the end; the search."""
    search = process_of(folder.path, problem, [0.0], **options)
    search.run(folder.terms())
    return search


def check_same(search, alone):
    assert bytes_of(search.known.certificate) == bytes_of(alone.certificate)
    assert search.known.tree == alone.tree


def leaving_after(pieces, path, problem):
    """A process that leaves once it has worked out so many pieces."""

    def often():
        if search.own >= pieces:
            raise TimeIsUp

    search = process_of(path, problem, [0.0], often)
    return search


def test_what_one_process_finds_is_a_proof(problem, alone):
    best = exhaustive.best_value(problem.wordlist.words, problem.game.turns)
    assert alone.value == alone.bound == best
    assert list(prove(problem.table, alone.certificate))[-1] == len(problem.wordlist)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_processes_that_join_and_leave_come_to_the_certificate_of_one(problem, alone, folder, seed):
    draw, terms = random.Random(seed), folder.terms()
    while True:
        search = leaving_after(draw.randint(0, 4), folder.path, problem)
        try:
            search.run(terms)
            break
        except TimeIsUp:
            assert not leases(folder)
    check_same(search, alone)


def test_who_leaves_knows_what_all_have_found_by_then(problem, alone, folder):
    for pieces in (2, 3):
        search = leaving_after(pieces, folder.path, problem)
        with pytest.raises(TimeIsUp):
            search.run(folder.terms())
    first = min(results(folder))
    first.write_bytes(first.read_bytes()[:-9])
    known, before = search.so_far(), search.known.certificate.bounds
    done = [opening for piece in search.pieces if folder.has(piece) for opening in piece.openings]
    lower = (known.certificate.bounds < before).nonzero().squeeze(1).tolist()
    assert lower and set(lower) < set(done)
    assert bool((known.certificate.bounds >= alone.certificate.bounds).all())
    assert list(prove(problem.table, known.certificate))[-1] == len(problem.wordlist)


def test_what_is_done_is_not_done_again(problem, folder):
    first = run(folder, problem)
    assert first.own == len(results(folder))
    assert run(folder, problem).own == 0


def test_the_lease_of_a_dead_process_costs_its_time_and_no_more(problem, alone, folder):
    dead = Leases(str(folder.results), LEASE, "dead")
    first = process_of(folder.path, problem, [0.0])
    pieces = []

    def often():  # as soon as the pieces are known
        if search.pieces and not pieces:
            pieces.extend(search.pieces[:2])
            assert all(dead.take(piece.name) for piece in pieces)

    clock = [0.0]
    search = process_of(folder.path, problem, clock, often)
    search.run(folder.terms())
    assert LEASE <= clock[0] <= LEASE + 20
    check_same(search, alone)
    assert first.own == 0


@pytest.mark.parametrize(
    "damage",
    ["changed", *(pytest.param(name, marks=pytest.mark.slow) for name in ("cut", "empty", "of another"))],
)
def test_a_damaged_result_is_told_and_worked_out_again(problem, alone, folder, damage):
    told, spoilt = [], []

    def often():
        there = sorted(folder.results.glob("count-*.npz"))
        if len(there) > 1 and not spoilt:
            spoilt.append(there[0])
            data = there[0].read_bytes()
            at = data.index(b"bounds.npy") + 40
            there[0].write_bytes(
                {
                    "cut": data[: len(data) // 2],
                    "changed": data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :],
                    "empty": b"",
                    "of another": there[1].read_bytes(),
                }[damage]
            )

    search = run(folder, problem, often=often, told=told)
    check_same(search, alone)
    (line,) = told
    assert spoilt[0].stem in line and "is damaged (" in line and "worked out again" in line


def test_a_damaged_file_of_a_round_is_put_together_again(problem, alone, folder):
    first = run(folder, problem)
    path = folder.results / "round-0.npz"
    path.write_bytes(path.read_bytes()[:-100])
    told = []
    search = run(folder, problem, told=told)
    check_same(search, alone)
    assert search.own == 0 and first.own > 0
    (line,) = told
    assert "what is known after round 0 is damaged (" in line


def test_a_full_disk_loses_nothing(problem, alone, folder, monkeypatch):
    write, left = SharedFolder.write_result, [3]

    def full(self, *arguments):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device", "FILE")
        write(self, *arguments)

    monkeypatch.setattr(SharedFolder, "write_result", full)
    with pytest.raises(OSError, match="No space left"):
        run(folder, problem)
    assert not leases(folder)
    monkeypatch.undo()
    search = run(folder, problem)
    check_same(search, alone)
    assert search.own == len(results(folder)) - 3


def test_a_folder_of_another_search_is_refused(problem, folder):
    other = problem_of(parse("dents\ndozes\nreads").of_length(5), problem.game)
    with pytest.raises(SharedFolderError, match=r"is for the list [0-9a-f]{12}, this is [0-9a-f]{12}: name"):
        SharedFolder(folder.path, other, "x").terms()
    turns = 7 - problem.game.turns
    other = problem_of(problem.wordlist, lingo(turns))
    with pytest.raises(SharedFolderError, match=f"is for the game lingo{7 - turns}, this is lingo{turns}"):
        SharedFolder(folder.path, other, "x").terms()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda record: "{", "is no JSON"),
        (lambda record: json.dumps(record | {"format": 2}), "has format 2, expected 1"),
        (lambda record: json.dumps(record | {"plan": [[3, 4]]}), "search.json .*: name another folder"),
        (lambda record: json.dumps(record | {"lease": -1}), "has lease -1"),
        (lambda record: json.dumps({"format": 1}), "has no game"),
        (lambda record: json.dumps(record | {"words": 3}), "is for the number of words 3, this is 57: name"),
    ],
)
def test_a_damaged_search_file_is_refused(problem, folder, change, told):
    path = folder.path / "search.json"
    path.write_text(change(json.loads(path.read_text())))
    with pytest.raises(SharedFolderError, match=told):
        folder.terms()


def test_a_damaged_beginning_is_refused(problem, folder):
    (path,) = folder.path.glob("begin-*.npz")
    for data in (path.read_bytes()[:-1], None):
        path.unlink()
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(SharedFolderError, match=r"begin-\w+.npz is damaged: name another folder"):
            run(folder, problem)


def test_of_two_who_begin_at_once_one_says_what_is_searched(problem, tmp_path):
    first = begun_folder(tmp_path, problem, block=3)[1]
    assert begun_folder(tmp_path, problem, block=5)[1] == first


def test_a_search_may_begin_with_a_certificate(problem, alone, tmp_path):
    folder = SharedFolder(tmp_path, problem, "one")
    terms = sharing.terms_of(problem, 0.0, alone.value, sharing.PLAN, block=3, lease=LEASE)
    terms = folder.begin(terms, alone.tree, alone.certificate)
    search = process_of(tmp_path, problem, [0.0])
    search.run(terms)
    assert search.own == 0 and search.known.bound == search.known.value


def test_pieces_are_asked_for_once_each_and_listed_seldom(problem, folder, monkeypatch):
    """However many there are: a process looks at a result once, and lists them every some seconds."""
    asked, listed = [], []
    has, finished = SharedFolder.has, SharedFolder.finished
    monkeypatch.setattr(SharedFolder, "has", lambda self, piece: asked.append(piece) or has(self, piece))
    monkeypatch.setattr(SharedFolder, "finished", lambda self: listed.append(self) or finished(self))
    search = run(folder, problem)
    assert len(asked) == 2 * search.own  # before a lease is taken, and after
    assert len(listed) == search.known.round


@pytest.mark.slow
def test_processes_that_are_killed_at_any_moment_cost_their_lease_alone(tmp_path, random_words):
    (tmp_path / "list.txt").write_text("\n".join(random_words(1, 200, 5, "abcdefghijkl")))
    problem = problem_of(parse((tmp_path / "list.txt").read_text()).of_length(5))
    terms = begun_folder(tmp_path / "folder", problem, lease=0.5, block=1)[1]
    whole, _ = begun_folder(tmp_path / "whole", problem, block=1)
    alone = process_of(whole.path, problem, [0.0])
    alone.run(terms)
    command = [sys.executable, str(Path(sharing.__file__)), "folder", "list.txt"]
    draw = random.Random(0)
    for _ in range(10):
        process = subprocess.Popen(
            [*command, "killed"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(draw.randint(1, 120)):
            process.stdout.readline()
        process.kill()
        assert process.communicate()[1] == ""
    others = [
        subprocess.Popen([*command, name], cwd=tmp_path, stdout=subprocess.DEVNULL) for name in ("one", "two")
    ]
    assert [other.wait() for other in others] == [0, 0]
    for name in ("one", "two"):
        assert (tmp_path / name).read_bytes() == bytes_of(alone.known.certificate)
    assert pieces_of(alone.known) == []
