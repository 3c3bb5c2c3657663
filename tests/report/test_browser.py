"""The report in a real browser: narrow and wide, in light and in dark, by tab."""

from __future__ import annotations

import pytest

from gpulingo.report.page import Making, report_text

from ..web.browsing import Page

pytestmark = pytest.mark.slow
# Width; texts outside their charts, or overlapping; least contrast of texts, in charts.
PROBE = """
const box = node => node.getBoundingClientRect(), all = query => [...document.querySelectorAll(query)];
const light = text => text.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
  .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
const apart = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const look = node => getComputedStyle(node), ground = look(document.body).backgroundColor;
const least = values => Math.min(99, ...values);
const texts = all(".chart text").filter(node => look(node).visibility == "visible");
const outside = texts.filter(node => {
  const inner = box(node), outer = box(node.ownerSVGElement);
  return inner.left < outer.left - 1 || inner.right > outer.right + 1
    || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
}).map(node => node.textContent);
const overlaps = texts.flatMap((one, place) => texts.slice(place + 1).filter(other => {
  const [a, b] = [box(one), box(other)];  // a pixel or two of the boxes are above and below the letters
  return one.ownerSVGElement == other.ownerSVGElement && a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 3 && b.top < a.bottom - 3;
}).map(other => `${one.textContent} | ${other.textContent}`));
const found = {
  ground, outside, overlaps, wide: document.documentElement.scrollWidth,
  text: least(all("p, caption, th, td, summary, a, dd").map(node => apart(look(node).color, ground))),
  ink: least(texts.map(node => apart(look(node).fill, ground))),
};
"""
# For the report also: its lines, and the name that is shown while a line with a hidden name has the focus.
LINES = """
const drawn = all(".chart .mark-line path").map(node => look(node).stroke);
const grey = look(all(".chart [class*=_layer_0_marks] path")[0]).stroke;
const coloured = new Set(drawn.filter(stroke => stroke != grey));
const shown = () => all(".chart .mark-text[class*='_layer_2_marks']")
  .filter(node => look(node).visibility == "visible").map(node => node.textContent);
const before = shown(), name = document.querySelector(".names a");
name.focus();
const line = document.querySelector(`.${name.className.replace("of", "line")}_layer_0_marks path`);
return Object.assign(found, {
  before, after: shown(), name: name.textContent, pointed: look(line).stroke == look(document.body).color,
  charts: all(".chart svg").map(node => box(node).height), hues: coloured.size,
  bars: all(".chart .mark-rect path").filter(node => box(node).width > 1).length,
  lines: least([...coloured].map(stroke => apart(stroke, ground))),
  letters: least(texts.map(node => box(node).height)),
});
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory, browser):
    """A function that measures a page in a browser window of a width, in light or in dark mode."""
    path = tmp_path_factory.mktemp("pages") / "page.html"

    def probed(text, width, scheme, more="return found;"):
        path.write_text(text, encoding="utf-8")
        with Page(browser, "").seen(width, scheme):
            browser.get(path.as_uri())
            found = browser.execute_script(PROBE + more)
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
    page = report_text(results, Making("2026-11-22", "0.1.0", "gpulingo report"), kept=kept)
    light, dark = (seen(page, 360, scheme, LINES) for scheme in ("light", "dark"))
    assert light["ground"] != dark["ground"]
    for found in (light, dark):
        assert len(found["charts"]) == 13 and min(found["charts"]) > 100
        assert found["bars"] > 10 * 5 * 2
        assert found["lines"] >= 3  # WCAG AA for graphics
        assert found["hues"] == 6  # five strategies and the bound
        assert found["letters"] >= 9  # pixels
        assert found["before"] == []
        assert found["pointed"] and found["after"] == [found["name"]] * 2  # in both charts over lengths
