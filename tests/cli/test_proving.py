"""The work file of a check: where it is, and what becomes of what another process writes there."""

from pathlib import Path

from gpulingo.bounds.checked import Checked, read_checked, write_checked
from gpulingo.cli.proving import Work, work_path

OF = dict.fromkeys(("list", "tree", "certificate"), "0" * 64)


def test_what_another_check_wrote_meanwhile_is_not_lost(tmp_path):
    path = tmp_path / "work.npz"
    one, two = (Work(path, OF, 9, Checked({opening})) for opening in (1, 2))
    one.save()
    two.save()
    one.checked.openings.add(3)
    one.save()
    assert read_checked(path, OF, 9).openings == {1, 2, 3}
    assert (one.checked.openings, two.checked.openings) == ({1, 3}, {2})  # neither believes the other


def test_what_is_of_another_check_is_not_replaced(tmp_path, capsys):
    path = tmp_path / "work.npz"
    write_checked(path, Checked({5}), OF | {"tree": "1" * 64})
    Work(path, OF, 9, Checked({1})).save()
    told = capsys.readouterr().err
    assert told.startswith(f"gpulingo: {path} was not written") and told.count("\n") == 1
    assert "is for another tree" in told
    assert read_checked(path, OF | {"tree": "1" * 64}, 9).openings == {5}


def test_work_is_kept_beside_the_certificate_or_in_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert work_path(tmp_path / "five.bounds.npz") == tmp_path / "five.bounds.work.npz"
    assert work_path(Path("/proc/five.bounds.npz")) == Path("five.bounds.work.npz")
