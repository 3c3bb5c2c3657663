"""The report in a real browser: it fits a phone, and can be read in light and in dark."""

import json
import re
import shutil
import subprocess

import pytest

from gpulingo.lab.report import report_text

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
  const outside = all("figure > svg :is(text, rect, circle)").filter(part => {
    const box = part.getBoundingClientRect(), whole = part.ownerSVGElement.getBoundingClientRect();
    return box.left < whole.left - 1 || box.right > whole.right + 1 || box.bottom > whole.bottom + 1;
  }).map(part => part.textContent);
  document.getElementById("out").textContent = JSON.stringify({
    ground, outside, wide: page.documentElement.scrollWidth,
    charts: all("figure > svg").map(svg => svg.getBoundingClientRect().height),
    bars: all("rect").filter(bar => bar.getBoundingClientRect().width > 1).length,
    text: Math.min(...all("p, caption, th, td, summary, li").map(node => contrast(look(node).color, ground))),
    ink: Math.min(...all("figure > svg text").map(node => contrast(look(node).fill, ground))),
    lines: Math.min(...all("polyline").map(node => contrast(look(node).stroke, ground))),
    letters: Math.min(...all("figure > svg text").map(node => node.getBoundingClientRect().height)),
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
    names = [f"strategy_number_{number} consistent" for number in range(20)]
    results = [
        made(name, n, 1, 2 * n, 30 + place, 0, 5) for place, name in enumerate(names) for n in range(4, 14)
    ]
    page = report_text(results)
    light, dark = (seen(page, tmp_path, scheme) for scheme in (1, 0))
    assert light["ground"] != dark["ground"]
    for found in (light, dark):
        assert found["wide"] <= 360  # tables scroll in their own boxes
        assert found["outside"] == []
        assert len(found["charts"]) == 12 and min(found["charts"]) > 100
        assert found["bars"] > 10 * 20 * 3
        assert found["text"] >= 4.5 and found["ink"] >= 4.5  # WCAG AA for text
        assert found["lines"] >= 3  # and for graphics
        assert found["letters"] >= 9  # pixels
