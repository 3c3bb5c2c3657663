"""`gpulingo web`: a page with help for rounds, in a browser on this machine."""

from __future__ import annotations

import re
import shutil
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, tell, tell_skipped, wrong_usage
from gpulingo.cli.lists import opened_listing
from gpulingo.cli.options import option
from gpulingo.cli.parse import between, seconds_between
from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.player.question import ListNames
from gpulingo.storage.files import make_folder

PORT, HOST, TIME = 8000, "127.0.0.1", 2.0
TREES = "wordle-5,lingo-5,wordle-hard-5"
OPEN = "everybody in this network can open the page, also on a phone; without --host only this machine can"
PART = ".part"  # folder of an incomplete export; a killed one may leave it
NAME = re.compile(r"([a-z]+[a-z0-9-]*)-([0-9]{1,2})")


def web(
    *,
    port: int = option(
        "NUMBER", "Port of the page; 0 takes any free one.", default=PORT, parser=between(0, 65535)
    ),
    host: str = option(
        "ADDRESS", "Address to listen on; 0.0.0.0 for phones in the same network.", default=HOST
    ),
    listed: options.Lettered,
    without: Path | None = options.WITHOUT,
    time: float = option("TIME", "Time limit of one search.", default=TIME, parser=seconds_between(0, 60)),
    device: str = options.DEVICE,
    export: Path | None = option("FOLDER", "Write the page as static files that answer from stored trees."),
    trees: str | None = option("GAME-LENGTH,..", "Stored trees of --export.", shown=TREES),
) -> None:
    """Serve the assistant, review, game and explorer in the browser."""
    from gpulingo.cli.pipes import OUTLOOKS
    from gpulingo.web.app import LOOPBACK, ViewsByList, serve
    from gpulingo.web.requests import Setting

    wordlist, targets = listed.wordlist, listed.targets
    listing = opened_listing(5, wordlist)  # so that faults are reported now instead of on the page
    if listed.same and export is not None:
        raise WrongUsage("--export with --same: its pages know no equal letters; leave one out")
    with wrong_usage("--same"):
        listing.with_same(listed.same)
    if listing.remark:
        tell(listing.remark)
    past = ListNames(targets=targets, without=None if without is None else str(without)).opened().without
    if device not in ("auto", "cpu"):  # looking for others takes a second
        from gpulingo.tensors.device import find_device

        with wrong_usage("--device"):
            find_device(device)
    names = ListNames(None if wordlist is None else str(wordlist), targets, past, same=listed.same)
    setting = Setting(partial(import_module, OUTLOOKS), names, time, device)
    if export is not None:
        if (port, host, time) != (PORT, HOST, TIME):
            raise WrongUsage("--export with --port, --host or --time: nothing is served; leave them out")
        _write(export, setting, trees)
        return
    if trees is not None:
        raise WrongUsage("--trees without --export: they are the trees of its page; leave it out")

    def ready(address: str) -> None:
        if host not in (*LOOPBACK, "::1"):
            tell(OPEN)
        print(address, flush=True)

    serve(ViewsByList(setting), host, port, ready)


def parsed_trees(text: str) -> list[tuple[Game, int]]:
    trees = []
    for name in text.split(","):
        parts = NAME.fullmatch(name.strip())
        if not parts:
            raise ValueError(f"{name.strip()[:40]!r}, expected a game and a length such as {TREES}")
        trees.append((find_game(parts[1]), int(parts[2])))
    return trees


def _write(folder: Path, setting: Any, trees: str | None) -> None:
    from gpulingo.web.export import exported

    if folder.is_dir() and any(path.name != PART for path in folder.iterdir()):
        raise WrongUsage(f"--export {folder} is not empty: name a new folder, or empty it")
    with wrong_usage("--trees"):
        files = exported(setting, parsed_trees(TREES if trees is None else trees), tell_skipped)
    make_folder(folder)
    part, name = folder / PART, ""
    try:
        part.mkdir(exist_ok=True)
        for name, data in files.items():
            (part / name).parent.mkdir(exist_ok=True)
            (part / name).write_bytes(data)
        for path in part.iterdir():
            path.replace(folder / path.name)
    except OSError as error:
        error.filename = str(folder / name)  # a full disk does not name it
        raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    size = sum(map(len, files.values()))
    print(
        f"{folder}: {len(files)} files, {size:,} bytes; try them: python -m http.server --directory {folder}"
    )
