"""The report in a real browser: narrow and wide, in light and in dark, by tab."""

from __future__ import annotations

import pytest

from gpulingo.report.page import report_text

from ..web.browsing import Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def seen(tmp_path_factory, browser):
    """A function that measures a page in a browser window of a width, in light or in dark mode."""
    path = tmp_path_factory.mktemp("pages") / "page.html"

    def probed(text, width, scheme):
        path.write_text(text, encoding="utf-8")
        shown = Page(browser, "")
        with shown.seen(width, scheme):
            browser.get(path.as_uri())
            found = shown.script("return report()")
        assert found["outside"] == [] and found["overlaps"] == []
        assert found["wide"] <= width  # tables scroll in their own boxes
        assert min(found["text"], found["ink"]) >= 4.5  # WCAG AA for text
        return found

    return probed


def test_a_browser_shows_the_report_on_a_phone_in_light_and_dark(made, seen):
    lengths = range(4, 14)
    names = [f"strategy_number_{number} seed 12345" for number in range(20)]
    results = [made(name, n, 1, 2 * n, 30 + place, 0, 5) for place, name in enumerate(names) for n in lengths]
    results += [made("edc65", n, 1, n, 30, 9, 5) for n in lengths]
    kept = [made("best", n, 1, 2 * n, 58, 3, 5, bound=max(310.0, 400.0 - 10 * n)) for n in lengths]
    making = {"date": "2026-11-22", "version": "0.1.0", "command": "gpulingo report"}
    page = report_text(results, making, kept=kept)
    light, dark = (seen(page, 360, scheme) for scheme in ("light", "dark"))
    assert light["ground"] != dark["ground"]
    for found in (light, dark):
        assert len(found["charts"]) == 13 and min(found["charts"]) > 100
        assert found["bars"] > 10 * 5 * 2
        assert found["lines"] >= 3  # WCAG AA for graphics
        assert found["hues"] == 6  # five strategies and the bound
        assert found["letters"] >= 9  # pixels
        assert found["before"] == []
        assert found["pointed"] and found["after"] == [found["name"]] * 2  # in both charts over lengths
