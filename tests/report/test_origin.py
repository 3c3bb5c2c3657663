"""Where figures come from."""

import datetime
import re
import subprocess

from gpulingo.report import origin


def test_the_day_is_that_of_the_machine():
    assert abs(origin.today() - datetime.date.today()) <= datetime.timedelta(days=1)


def test_the_commit_is_a_short_name_or_nothing(monkeypatch):
    assert re.fullmatch("[0-9a-f]{4,}|", origin.commit())

    def none(*args, **options):
        raise subprocess.CalledProcessError(128, "git")

    monkeypatch.setattr(subprocess, "run", none)
    assert origin.commit() == ""


def test_a_processor_has_a_name_without_proc_too(monkeypatch):
    assert origin.processor("cpu")
    monkeypatch.setattr(origin, "Path", lambda path: (_ for _ in ()).throw(OSError()))
    assert origin.processor("cpu") == (origin.platform.processor() or origin.platform.machine())
