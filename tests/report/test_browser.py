"""The report in a real browser: on a phone, in light and in dark, and with the tab key."""

import json
import re
import shutil
import subprocess

import pytest

from gpulingo.report.frame import Making
from gpulingo.report.page import report_text

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# The page stands in a frame as wide as a phone, because a window cannot be made that narrow.
PROBE = """<!doctype html><meta charset="utf-8">
<iframe id="f" width="360" height="800"></iframe><pre id="out"></pre>
<script>
const frame = document.getElementById("f");
function light(text) {
  const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
frame.onload = () => {
  const page = frame.contentDocument, look = node => frame.contentWindow.getComputedStyle(node);
  const ground = look(page.body).backgroundColor, all = query => [...page.querySelectorAll(query)];
  const box = node => node.getBoundingClientRect(), least = values => Math.min(...values);
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
  const drawn = all(".chart .mark-line path").map(node => look(node).stroke);
  const grey = look(all(".chart [class*=_layer_0_marks] path")[0]).stroke;
  const coloured = new Set(drawn.filter(stroke => stroke != grey));
  const shown = () => all(".chart .mark-text[class*='_layer_2_marks']")
    .filter(node => look(node).visibility == "visible").map(node => node.textContent);
  const before = shown(), name = page.querySelector(".names a");
  frame.contentWindow.focus();
  name.focus();
  const line = page.querySelector(`.${name.className.replace("of", "line")}_layer_0_marks path`);
  document.getElementById("out").textContent = JSON.stringify({
    ground, outside, overlaps, before, after: shown(), name: name.textContent,
    pointed: look(line).stroke == look(page.body).color, wide: page.documentElement.scrollWidth,
    charts: all(".chart svg").map(node => box(node).height),
    bars: all(".chart .mark-rect path").filter(node => box(node).width > 1).length,
    text: least(all("p, caption, th, td, summary, a, dd").map(node => contrast(look(node).color, ground))),
    ink: least(texts.map(node => contrast(look(node).fill, ground))),
    lines: least([...coloured].map(stroke => contrast(stroke, ground))), hues: coloured.size,
    letters: least(texts.map(node => box(node).height)),
  });
};
frame.srcdoc = PAGE;
</script>"""


def seen(page, folder, scheme):
    """What the browser makes of a page, light (1) or dark (0)."""
    probe = folder / f"probe{scheme}.html"
    probe.write_text(PROBE.replace("PAGE;", json.dumps(page).replace("</", "<\\/") + ";"), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile{scheme}"]
    flags += [f"--blink-settings=preferredColorScheme={scheme}", "--virtual-time-budget=5000", "--dump-dom"]
    done = subprocess.run(
        [BROWSER, *flags, probe.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    found = re.search(r'<pre id="out">(.+?)</pre>', done.stdout)
    assert found, done.stderr
    return json.loads(found[1])


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_browser_shows_it_on_a_phone_in_light_and_dark(made, tmp_path):
    lengths = range(4, 14)
    names = [f"strategy_number_{number} seed 12345" for number in range(20)]
    results = [made(name, n, 1, 2 * n, 30 + place, 0, 5) for place, name in enumerate(names) for n in lengths]
    results += [made("edc65", n, 1, n, 30, 9, 5) for n in lengths]
    kept = [made("best", n, 1, 2 * n, 58, 3, 5, bound=max(310.0, 400.0 - 10 * n)) for n in lengths]
    page = report_text(results, Making("2026-11-22", "0.1.0", "gpulingo report"), kept=kept)
    light, dark = (seen(page, tmp_path, scheme) for scheme in (1, 0))
    assert light["ground"] != dark["ground"]
    for found in (light, dark):
        assert found["wide"] <= 360  # tables scroll in their own boxes
        assert found["outside"] == [] and found["overlaps"] == []
        assert len(found["charts"]) == 13 and min(found["charts"]) > 100
        assert found["bars"] > 10 * 5 * 2
        assert found["text"] >= 4.5 and found["ink"] >= 4.5  # WCAG AA for text
        assert found["lines"] >= 3  # and for graphics
        assert found["hues"] == 6  # five strategies and the bound
        assert found["letters"] >= 9  # pixels
        assert found["before"] == []
        assert found["pointed"] and found["after"] == [found["name"]] * 2  # in both charts over lengths
