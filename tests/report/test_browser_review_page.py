"""Pages of reviews in a real browser, narrow and wide, in light and dark: nothing is cut, all can be read."""

import pytest

from gpulingo.report.review_page import round_page, rounds_page

from ..web.browsing import MARKS, Page, started
from .test_review_page import MAKING, reviewed

pytestmark = MARKS
PROBE = """
const box = node => node.getBoundingClientRect(), chart = document.querySelector(".chart svg");
const texts = [...chart.querySelectorAll("text")], outer = box(chart);
const outside = texts.filter(node => box(node).left < outer.left - 1 || box(node).right > outer.right + 1
  || box(node).top < outer.top - 1 || box(node).bottom > outer.bottom + 1).map(node => node.textContent);
const over = texts.flatMap((one, place) => texts.slice(place + 1).filter(other => {
  const [a, b] = [box(one), box(other)];
  return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
}).map(other => `${one.textContent} | ${other.textContent}`));
const light = text => text.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
  .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
const apart = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const ground = getComputedStyle(document.body).backgroundColor;
const ink = Math.min(...texts.map(node => apart(getComputedStyle(node).fill, ground)));
const tiles = Math.min(9, ...[...document.querySelectorAll(".tile")]
  .map(node => apart(getComputedStyle(node).color, getComputedStyle(node).backgroundColor)));
return [document.documentElement.scrollWidth, outside, over, ink, tiles];
"""


@pytest.fixture
def browser():
    """A browser without a window, for this test alone."""
    driver = started()
    yield driver
    driver.quit()


def test_pages_of_reviews_fit_and_can_be_read(browser, tmp_path):
    long = reviewed(("tones", "e a o s t n d r l"), game="hangman")
    many = reviewed(("tones", "dents bones tones"), ("dozes", "bones dozes"), ("bones", "lones cones"))
    pages = {"one": round_page(many[0], MAKING, "a list"), "long": round_page(long[0], MAKING, "a list"),
             "many": rounds_page(many, MAKING, "a list")}  # fmt: skip
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        for width in (360, 1200):
            for scheme in ("light", "dark"):
                with Page(browser, "").seen(width, scheme):
                    browser.get((tmp_path / f"{name}.html").as_uri())
                    wide, outside, over, ink, tiles = browser.execute_script(PROBE)
                    assert (outside, over) == ([], []) and wide <= width, name
                    assert ink >= 4.5 and tiles >= 4.5
