"""Where figures come from."""

import datetime

from gpulingo.report import origin


def test_the_day_is_that_of_the_machine():
    assert abs(origin.today() - datetime.date.today()) <= datetime.timedelta(days=1)


def test_a_processor_has_a_name_without_proc_too(monkeypatch):
    assert origin.processor("cpu")
    monkeypatch.setattr(origin, "Path", lambda path: (_ for _ in ()).throw(OSError()))
    assert origin.processor("cpu") == (origin.platform.processor() or origin.platform.machine())
