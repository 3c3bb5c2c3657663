"""Leases in a folder: one holder at a time, whatever the times of files say; none outlives its holder."""

import os

import pytest

from gpulingo.storage import leases as module
from gpulingo.storage.leases import Leases, create_file, new_owner

LONG = 60.0


@pytest.fixture
def clock():
    """A clock that tests move."""
    return [1000.0]


@pytest.fixture
def some(tmp_path, clock):
    """Leases of three processes in one folder."""
    return [Leases(str(tmp_path), LONG, owner, now=lambda: clock[0]) for owner in ("one", "two", "three")]


def test_only_one_holds_a_lease_until_it_is_given_back(some):
    one, two, three = some
    assert one.take("piece") and not two.take("piece") and not three.take("piece")
    assert two.take("other")
    one.give_back("piece")
    assert three.take("piece") and not one.take("piece")


def test_a_lease_that_is_not_renewed_is_taken_over_by_one(some, clock):
    one, two, three = some
    assert one.take("piece") and not two.take("piece") and not three.take("piece")
    clock[0] += LONG - 1
    assert not two.take("piece")
    clock[0] += 1
    assert two.take("piece")
    assert not three.take("piece")  # which has seen the first holder for as long, but not the new one


def test_a_lease_that_is_renewed_is_never_stale(some, clock):
    one, two, _ = some
    assert one.take("piece")
    for _ in range(100):
        clock[0] += LONG / 2
        one.renew()
        assert not two.take("piece")


def test_a_clock_that_is_wrong_by_an_hour_does_no_harm(some, clock, tmp_path):
    one, two, _ = some
    assert one.take("piece") and not two.take("piece")
    for wrong in (-3600, 3600):
        for path in tmp_path.iterdir():
            times = path.stat()
            os.utime(path, (times.st_atime + wrong, times.st_mtime + wrong))
        assert not two.take("piece")
    clock[0] += LONG
    for path in tmp_path.iterdir():
        os.utime(path, (2**31, 2**31))  # from the future, as if just renewed
    assert two.take("piece")


def test_who_was_taken_for_dead_takes_nothing_from_the_next_holder(some, clock):
    one, two, three = some
    assert one.take("piece") and not two.take("piece")
    clock[0] += LONG
    assert two.take("piece")
    one.renew()
    one.give_back("piece")
    assert not three.take("piece")
    two.give_back("piece")
    assert three.take("piece")


def test_a_lease_made_anew_a_moment_before_it_is_put_aside_stays(some, clock, monkeypatch):
    one, two, three = some
    assert one.take("piece") and not two.take("piece") and not three.take("piece")
    clock[0] += LONG
    rename = os.rename

    def slow(source, target):
        monkeypatch.setattr(module.os, "rename", rename)
        assert three.take("piece")  # was faster
        rename(source, target)

    monkeypatch.setattr(module.os, "rename", slow)
    assert not two.take("piece")
    three.give_back("piece")
    assert two.take("piece")


def test_a_lost_answer_of_the_network_is_noticed(some, monkeypatch):
    link = os.link

    def lost(source, target):
        link(source, target)
        raise FileExistsError(17, "File exists")  # of the repeated call

    monkeypatch.setattr(module.os, "link", lost)
    assert some[0].take("piece")
    monkeypatch.setattr(module.os, "link", link)
    assert not some[1].take("piece")


def test_who_leaves_leaves_nothing_behind_but_leases(some, tmp_path):
    for each in some:
        each.leave()
    assert list(tmp_path.iterdir()) == []
    assert some[0].take("piece")  # and may come back


def test_of_two_who_create_a_file_one_does(tmp_path):
    path = str(tmp_path / "file")
    assert create_file(path, b"first", "one") and not create_file(path, b"second", "two")
    assert (tmp_path / "file").read_bytes() == b"first" and len(list(tmp_path.iterdir())) == 1


def test_a_file_system_without_links_is_told(tmp_path, monkeypatch):
    def refuse(source, target):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(module.os, "link", refuse)
    with pytest.raises(OSError, match="no lease can be made"):
        create_file(str(tmp_path / "file"), b"", "one")
    assert list(tmp_path.iterdir()) == []


def test_no_two_owners_are_the_same():
    assert len({new_owner() for _ in range(100)}) == 100
