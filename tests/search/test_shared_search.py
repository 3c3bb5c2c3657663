"""Searches that several processes share: one certificate, whoever joins, leaves, dies or is in doubt."""

import json
import os
import random
import shutil
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path

import exhaustive
import numpy as np
import pytest
import sharing
from sharing import LEASE, begun_folder, bytes_of, problem_of, process_of

from gpulingo.bounds.arrays import lists_as_arrays
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


@pytest.mark.slow
def test_what_one_process_finds_is_a_proof(problem, alone):
    best = exhaustive.best_value(problem.wordlist.words, problem.game.turns)
    assert alone.value == alone.bound == best
    assert list(prove(problem.table, alone.certificate))[-1] == len(problem.wordlist)


@pytest.mark.slow
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
    for pieces in (6, 8):
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_damaged_file_of_a_round_is_put_together_again(problem, alone, folder):
    first = run(folder, problem)
    path = folder.results / "round-0.npz"
    path.write_bytes(path.read_bytes()[:-100])
    told = []
    search = run(folder, problem, told=told)
    check_same(search, alone)
    assert search.own == 0 and first.own > 0
    (line,) = told
    assert f"{path} is damaged (it has a damaged end): it is put together again" in line


@pytest.fixture(scope="module")
def finished(problem, tmp_path_factory):
    """A folder in which all pieces are worked out."""
    folder, _ = begun_folder(tmp_path_factory.mktemp("finished") / "folder", problem)
    run(folder, problem)
    return folder.path


@pytest.fixture
def copied(problem, finished, tmp_path):
    """A copy of it."""
    return SharedFolder(Path(shutil.copytree(finished, tmp_path / "folder")), problem, "copy")


def numbers(*values, kind=np.int64):
    return np.array(values, dtype=kind)


NOTHING = np.empty(0, np.uint8)
FORGED_ROUNDS = [
    lambda arrays: {"played": np.array(3)},
    lambda arrays: {"played": arrays["played"].ravel()},
    lambda arrays: {"played": arrays["played"].astype(np.float64)},
    lambda arrays: {"played": arrays["played"][1:]},
    lambda arrays: {"played": arrays["played"] + numbers(7, 0, 0)},
    lambda arrays: {"played": arrays["played"] + numbers(0, 0, 1 << 40)},
    lambda arrays: {"tree": NOTHING},
    lambda arrays: {"tree": NOTHING, "bounds": arrays["bounds"] * 0},
    lambda arrays: {"bounds": arrays["bounds"] * 0 + 1},
    lambda arrays: {"bounds": arrays["bounds"] + 9},
    lambda arrays: {"bounds": arrays["bounds"] + (1 << 40)},
    lambda arrays: {"bounds": arrays["bounds"].reshape(1, -1)},
    lambda arrays: {"ends": numbers(0, 0, 0)},
    lambda arrays: {"ends": numbers(1, 0)},
    lambda arrays: {"ends": numbers(-1, 9)},
    lambda arrays: {"game": np.frombuffer(b"wordle", np.uint8)},
    lambda arrays: {"fingerprint": np.frombuffer(b"0" * 64, np.uint8)},
    lambda arrays: {"format": numbers(6, 4, 3)},
]


@pytest.mark.parametrize("change", FORGED_ROUNDS)
def test_a_forged_file_of_a_round_is_put_together_again(problem, alone, copied, change):
    path, told = copied.path_of("round-0"), []
    sharing.forge_result(path, change)
    search = run(copied, problem, told=told)
    check_same(search, alone)
    (line,) = told
    assert line.startswith(f"{path} is damaged (") and search.own == 0


FORGED_RESULTS = [
    ("count", lambda arrays: {"found": np.array(-1)}),
    ("count", lambda arrays: {"found": numbers(5, -1, 1)}),
    ("count", lambda arrays: {"found": numbers(-1, 1, 1)}),
    ("count", lambda arrays: {"found": numbers(-1, -1, 0)}),
    ("count", lambda arrays: {"bounds": arrays["bounds"] * 0}),
    ("count", lambda arrays: {"bounds": arrays["bounds"] + (1 << 40)}),
    ("count", lambda arrays: {"bounds": arrays["bounds"][:1].reshape(())}),
    ("count", lambda arrays: {"looked": arrays["looked"] - 9}),
    ("count", lambda arrays: {"twofold": arrays["looked"]}),
    ("count", lambda arrays: lists_as_arrays("searched", {1: [9]})),
    ("close", lambda arrays: {"searched_values": arrays["searched_values"] + (1 << 40)}),
    ("close", lambda arrays: {"searched": arrays["searched"] * 0}),
    ("close", lambda arrays: lists_as_arrays("searched", {int(arrays["searched"][0]): [3]})),
    ("probe", lambda arrays: {"found": numbers(-1, 7, 0)}),
    ("probe", lambda arrays: {"found": numbers(3, 1, 0)}),
    ("play", lambda arrays: {"found": numbers(1 << 40, -1, 0)}),
    ("play", lambda arrays: {"found": arrays["found"] + numbers(20, 0, 0)}),
    ("play", lambda arrays: {"tree": numbers(1, 2, 3, kind=np.uint8)}),
]


@pytest.mark.parametrize(("kind", "change"), FORGED_RESULTS)
def test_a_forged_result_is_worked_out_again(problem, alone, copied, kind, change):
    path, told = min(copied.results.glob(f"{kind}-*.npz")), []
    sharing.forge_result(path, change)
    for each in copied.results.glob("round-*.npz"):
        each.unlink()
    search = run(copied, problem, told=told)
    check_same(search, alone)
    (line,) = told
    assert line.startswith(f"{path} is damaged (") and line.endswith("the piece is worked out again")
    assert search.own == 1


def folder_there(path):
    path.mkdir()
    (path / "notes").touch()


@pytest.mark.parametrize("make", [os.mkfifo, folder_there, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("name", ["round-0", "count"])
def test_what_is_no_plain_file_stands_in_for_no_result(problem, alone, copied, make, name):
    path, told = min(copied.results.glob(f"{name}*.npz")), []
    for each in [path, *copied.results.glob("round-*.npz")]:
        each.unlink(missing_ok=True)
    make(path)
    check_same(run(copied, problem, told=told), alone)
    (line,) = told
    assert line.startswith(f"{path} is damaged (it is not a plain file): ") and path.is_file()
    kept = [aside for aside in copied.results.glob("*.aside") if (aside / "notes").exists()]
    assert len(kept) == (make is folder_there)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("name", ["search.json", "begin-*.npz"])
def test_what_is_no_plain_file_begins_no_search(problem, folder, make, name):
    (path,) = folder.path.glob(name)
    terms = folder.terms()
    path.unlink()
    make(path)
    with pytest.raises(SharedFolderError, match=r"not a plain file.*: name another folder"):
        folder.beginning(folder.terms() or terms)


@pytest.mark.slow
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.touch()])
def test_what_is_no_lease_holds_a_piece_no_longer_than_a_dead_process(problem, alone, folder, make):
    made = []

    def often():
        if search.pieces and not made:
            made.append(folder.results / f"{search.pieces[0].name}.lease")
            make(made[0])

    clock = [0.0]
    search = process_of(folder.path, problem, clock, often)
    search.run(folder.terms())
    assert LEASE <= clock[0] <= LEASE + 20
    check_same(search, alone)


def test_a_full_disk_loses_nothing_and_is_named(problem, alone, folder):
    def often():
        if search.own == 3:  # what is written next goes where there is no room
            for piece in search.pieces:
                path = folder.path_of(piece.name).with_name(f"{piece.name}.npz.{search.folder.owner}.part")
                path.symlink_to("/dev/full")
            search.own += 1

    search = process_of(folder.path, problem, [0.0], often)
    with pytest.raises(OSError, match="No space left on device") as raised:
        search.run(folder.terms())
    assert Path(raised.value.filename).stem in {piece.name for piece in search.pieces}
    assert Path(raised.value.filename).parent == folder.results
    for path in folder.results.glob("*.part"):
        path.unlink()
    assert not leases(folder)
    search = run(folder, problem)
    check_same(search, alone)
    assert search.own == len(results(folder)) - 3


def test_a_folder_that_does_not_answer_can_be_left(problem, folder, monkeypatch):
    never, looks = threading.Event(), []
    monkeypatch.setattr("gpulingo.search.shared_search.GRACE", 0.01)

    def often():
        looks.append(1)
        if asked.is_set() and len(looks) > 9:
            raise TimeIsUp

    asked, search = threading.Event(), process_of(folder.path, problem, [0.0], often)
    monkeypatch.setattr(SharedFolder, "has", lambda self, piece: asked.set() or never.wait())
    with pytest.raises(TimeIsUp):
        search.run(folder.terms())
    assert search.so_far().bound == search.known.bound and search.own == 0
    never.set()


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
        (lambda record: json.dumps(record | {"format": 1}), "has format 1, expected 2: name another folder"),
        (lambda record: json.dumps(record | {"lease": -1}), "has lease -1"),
        (lambda record: json.dumps({"format": 2}), "has no game"),
        (lambda record: json.dumps(record | {"goal": record["goal"] + 1}), "has another digest than what it"),
    ],
)
def test_a_damaged_search_file_is_refused(problem, folder, change, told):
    path = folder.path / "search.json"
    path.write_text(change(json.loads(path.read_text())))
    with pytest.raises(SharedFolderError, match=told):
        folder.terms()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"plan": [[3, 4]]},
            r"search.json has plan \[\[3, 4\]\], expected a list of lists of openings",
        ),
        (
            {"plan": [[]]},
            r"search.json has plan \[\[\]\], expected a list of lists of openings",
        ),
        ({"plan": [[3, 999, 5]]}, "has turns left of a stage 999, expected 1 to "),
        ({"plan": [[3, 3, 1 << 40]]}, "has guesses of a stage 1099511627776, expected 1 to 4294967296"),
        ({"words": 3}, "is for the number of words 3, this is 57: name"),
    ],
)
def test_a_search_file_that_says_what_cannot_be_is_refused(problem, folder, change, told):
    sharing.forge_search(folder.path, **change)
    with pytest.raises(SharedFolderError, match=told):
        folder.terms()


@pytest.mark.slow
def test_no_changed_byte_of_a_search_file_is_read(folder):
    path = folder.path / "search.json"
    data = path.read_bytes()
    for place in range(len(data)):
        for bit in (1, 8):
            path.write_bytes(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :])
            with pytest.raises(SharedFolderError, match=r"name another folder"):
                folder.terms()


def test_a_damaged_beginning_is_refused(problem, folder):
    (path,) = folder.path.glob("begin-*.npz")
    for data in (path.read_bytes()[:-1], None):
        path.unlink()
        if data is not None:
            path.write_bytes(data)
        told = r"begin-\w+.npz is damaged \(.*\): name another folder"
        with pytest.raises(SharedFolderError, match=told):
            run(folder, problem)


def test_a_beginning_without_a_tree_is_refused(problem, folder):
    (path,) = folder.path.glob("begin-*.npz")
    digest = sha256(b"").hexdigest()
    path.with_name(f"begin-{digest[:12]}.npz").write_bytes(b"")
    sharing.forge_search(folder.path, tree=digest)
    with pytest.raises(SharedFolderError, match=r"is damaged \(it is empty\): name another folder"):
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


@pytest.mark.slow
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
    (tmp_path / "list.txt").write_text("\n".join(random_words(1, 120, 5, "abcdefghijkl")))
    problem = problem_of(parse((tmp_path / "list.txt").read_text()).of_length(5))
    terms = begun_folder(tmp_path / "folder", problem, lease=0.5, block=1)[1]
    whole, _ = begun_folder(tmp_path / "whole", problem, block=1)
    alone = process_of(whole.path, problem, [0.0])
    alone.run(terms)
    command = [sys.executable, str(Path(sharing.__file__)), "folder", "list.txt"]
    draw = random.Random(0)
    for _ in range(2):
        process = subprocess.Popen(
            [*command, "killed"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(draw.randint(1, 60)):
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
