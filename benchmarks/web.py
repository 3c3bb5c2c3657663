"""Costs of the page: bytes of its first view, seconds until usable, concurrent requests, memory.

Starts `gpulingo web` with the embedded list in a temporary folder. Concurrent requests have different
histories: a guess, with the marks for some word. The browser is Debian's chromium, if it and selenium are
installed. Peak memory is the kernel's VmHWM in /proc.

python benchmarks/web.py [REQUESTS]
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

from gpulingo import embedded
from gpulingo.games.marks import feedback

VIEWS = ("", "review", "play", "atlas")
LENGTH = 5


def fetched(address: str, record: Any = None) -> bytes:
    """The server's answer to a request."""
    data = None if record is None else json.dumps(record).encode()
    asked = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=600) as answer:
        return bytes(answer.read())


def first_view(address: str, view: str) -> int:
    """Bytes of a page and of everything it loads through its scripts and styles."""
    sizes: dict[str, int] = {}
    waiting = [view]
    while waiting:
        name = waiting.pop()
        if name not in sizes:
            text = fetched(address + name).decode()
            sizes[name] = len(text.encode())
            waiting += re.findall(r'(?:href|src)="/?([\w-]+\.(?:css|js|svg))"', text)
            waiting += re.findall(r'from "\./([\w-]+\.js)"', text)
    return sum(sizes.values())


def positions(count: int) -> list[dict[str, Any]]:
    """Positions of a round, each after a different guess."""
    words = embedded().of_length(LENGTH).words
    chance = random.Random(1)
    drawn = [chance.sample(words, 2) for _ in range(count)]
    return [
        {"game": "lingo", "length": LENGTH, "history": [f"{guess}:{feedback(guess, word)}"]}
        for guess, word in drawn
        if guess != word
    ]


def at_once(address: str, name: str, records: list[dict[str, Any]]) -> tuple[float, int]:
    """Seconds for all requests together, and how many failed."""

    def answered(record: dict[str, Any]) -> bool:
        last = json.loads(fetched(f"{address}api/{name}", record).splitlines()[-1])
        return "left" in last.get("answer", last)

    started = perf_counter()
    with ThreadPoolExecutor(len(records)) as pool:
        failed = sum(not good for good in pool.map(answered, records))
    return perf_counter() - started, failed


def interactive(address: str) -> float | None:
    """Seconds from opening the page in a browser until a guess can be typed; None without a browser."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        return None
    if not browser or not driver:
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    page = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        started = perf_counter()
        page.get(address)
        while page.switch_to.active_element.get_attribute("id") != "word":
            pass
        return perf_counter() - started
    finally:
        page.quit()


def main(requests: int = 100) -> None:
    """Measure and print a line for each cost."""
    command = [sys.executable, "-m", "gpulingo", "web", "--port", "0", "--device", "cpu"]
    with tempfile.TemporaryDirectory() as folder:
        started = perf_counter()
        path = {"PYTHONPATH": str(Path(__file__).parent.parent)}
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=path) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().strip()
                print(f"server up: {perf_counter() - started:.2f} s")
                for view in VIEWS:
                    print(f"first view of {view or 'the assistant'}: {first_view(address, view):,} bytes")
                seconds = interactive(address)
                print("no browser" if seconds is None else f"a guess can be typed after {seconds:.2f} s")
                for name in ("suggest", "search"):
                    seconds, failed = at_once(address, name, positions(requests))
                    print(f"{requests} x {name} at once: {seconds:.1f} s, {failed} failed")
                status = Path(f"/proc/{server.pid}/status").read_text()
                peak = int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])
                print(f"memory at most: {peak / 1000:,.0f} MB")
            finally:
                server.terminate()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
