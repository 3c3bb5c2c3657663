"""Make the pictures of README and docs/ again: .venv/bin/python scripts/pictures.py, with Debian's chromium.

The chart shows the numbers of benchmarks/compare.jsonl and of the checkpoints. The others are screenshots of
the page with the embedded list, by a headless browser. `scripts/pictures.py scores` makes the chart alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from gpulingo.report.results import EDC65_EXACT, PIT_LIST
from gpulingo.trees.checkpoint import read_checkpoint

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
WIDTH = 1000
INK, RULE = "#333a42", "#dfe3e8"
SERIES = {"one-step search": "#8fb4e3", "gpulingo": "#1d5bb8", "proven bound": "#b0281f"}  # name -> colour
# name -> address, and a JavaScript condition that holds once the page is complete.
PICTURES = {
    "assistant.png": (
        "#wordle/5/crane:X?XXO",
        "return document.querySelector('#how').textContent.startsWith('by a search')",
    ),
}
BOTTOM = (
    "document.activeElement.blur();"
    "return Math.ceil(document.querySelector('main').getBoundingClientRect().bottom + scrollY)"
)


def figures() -> list[dict[str, Any]]:
    """The data of the chart: mean points over the pit's list, by word length and series."""
    rows = [json.loads(line) for line in (ROOT / "benchmarks" / "compare.jsonl").read_text().splitlines()]
    found = []
    for length, own in PIT_LIST.items():
        tree = read_checkpoint(ROOT / "checkpoints" / f"lingo5-{length}-{own}.npz")
        steps = max(row["mean_points"] for row in rows
                    if row["strategy"] == "parts" and row["fingerprint"].startswith(own))  # fmt: skip
        values = dict(zip(SERIES, (steps, tree.mean_points, tree.bound), strict=True))
        found += [{"letters": length, "series": name, "points": value - EDC65_EXACT[length]}
                  for name, value in values.items()]  # fmt: skip
    return found


def draw_scores() -> None:
    """Draw the lead of gpulingo, one-step search and the proven bound over the best program of the pit."""
    from vl_convert import vegalite_to_svg

    scale = {"domain": list(SERIES), "range": list(SERIES.values())}
    title = "mean points above edc65, the pit's best program"
    encoding = {
        "x": {"field": "letters", "type": "ordinal", "title": "letters", "axis": {"labelAngle": 0}},
        "y": {"field": "points", "type": "quantitative", "title": title},
        "color": {
            "field": "series", "type": "nominal", "scale": scale, "title": None,
            "legend": {"orient": "top", "symbolType": "square", "columnPadding": 40, "labelLimit": 300},
        },
    }  # fmt: skip
    bars = {
        "mark": {"type": "bar"},
        "encoding": {"xOffset": {"field": "series", "type": "nominal", "sort": list(SERIES)}},
        "transform": [{"filter": "datum.series != 'proven bound'"}],
    }
    limits = {
        "mark": {"type": "tick", "thickness": 3, "width": 46},
        "transform": [{"filter": "datum.series == 'proven bound'"}],
    }
    axis = {
        "labelColor": INK, "titleColor": INK, "gridColor": RULE, "domainColor": RULE, "tickColor": RULE,
        "labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal",
    }  # fmt: skip
    legend = {"labelColor": INK, "labelFontSize": 13, "symbolSize": 90}
    config = {"font": "sans-serif", "axis": axis, "legend": legend, "view": {"stroke": None}}
    spec = {
        "data": {"values": figures()}, "encoding": encoding, "layer": [bars, limits], "config": config,
        "width": 660, "height": 300, "padding": 12, "background": "white",
    }  # fmt: skip
    (FOLDER / "scores.svg").write_text(vegalite_to_svg(spec, vl_version="6.1"))


def main() -> None:
    """Make all pictures, or only the chart."""
    draw_scores()
    if sys.argv[1:] == ["scores"]:
        return
    from selenium import webdriver
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or sys.exit("pictures: no chromium here")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    command = [sys.executable, "-m", "gpulingo", "web", "--port", "0", "--device", "cpu", "--time", "20s"]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, webdriver.Chrome(options=options, service=service) as page:
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            for name, (place, ready) in PICTURES.items():
                size = {"width": WIDTH, "height": 600, "deviceScaleFactor": 1, "mobile": False}
                page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
                page.get(address + place)
                WebDriverWait(page, 60).until(lambda driver, ready=ready: driver.execute_script(ready))
                size["height"] = page.execute_script(BOTTOM)
                page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
                page.save_screenshot(str(FOLDER / name))
            server.terminate()


if __name__ == "__main__":
    main()
