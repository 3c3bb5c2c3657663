"""Takes the pictures of README and docs/ again: .venv/bin/python scripts/pictures.py, by Debian's chromium.

They show the page as it is, with the embedded list, in a browser without a window.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
WIDTH = 1100
# name -> address, and a sign in the page that all is there, as JavaScript.
PICTURES = {
    "assistant.png": (
        "#wordle/5/crane%3AX%3FXXO",
        "return document.querySelector('#how').textContent.startsWith('by a search')",
    ),
}
BOTTOM = (
    "document.activeElement.blur();"
    "return Math.ceil(document.querySelector('main').getBoundingClientRect().bottom + scrollY)"
)


def main() -> None:
    """Take them all."""
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
