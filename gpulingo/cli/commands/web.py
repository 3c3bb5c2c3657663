"""`gpulingo web`: a page with help for rounds, in a browser on this machine."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

from gpulingo.cli.errors import tell, tell_skipped, wrong_usage
from gpulingo.cli.lists import names_of
from gpulingo.cli.options import DEVICE, WITHOUT, Lettered, between, option, seconds_between
from gpulingo.cli.run import device_for
from gpulingo.player.question import PLAIN
from gpulingo.storage.faults import UsageError, refuse

TREES = "wordle-5,lingo-5,wordle-hard-5"
PORT, HOST, TIME = 8000, "127.0.0.1", 2.0
OPEN = "everybody in this network can open the page, also on a phone; without --host only this machine can"


def web(
    *,
    port: int = option(
        "NUMBER", "Port of the page; 0 takes any free one.", default=PORT, parser=between(0, 65535)
    ),
    host: str = option(
        "ADDRESS", "Address to listen on; 0.0.0.0 for phones in the same network.", default=HOST
    ),
    listed: Lettered,
    without: Path | None = WITHOUT,
    time: float = option("TIME", "Time limit of one search.", default=TIME, parser=seconds_between(0, 60)),
    device: str = DEVICE,
    export: Path | None = option("FOLDER", "Write the page as static files that answer from stored trees."),
    trees: str | None = option("GAME-LENGTH,..", "Stored trees of --export.", shown=TREES),
) -> None:
    """Serve the assistant, review, game and explorer in the browser."""
    from gpulingo.cli.pipes import OUTLOOKS
    from gpulingo.web.app import LOOPBACK, ViewsByList, serve
    from gpulingo.web.requests import Setting

    names = replace(names_of(listed), without=str(without) if without else None)
    refuse({"--export with --same: its pages know no equal letters; leave one out": listed.same and export})
    listing = names.listing(5, PLAIN)  # so that faults are reported now instead of on the page
    if listing.remark:
        tell(listing.remark)
    names = replace(names, without=replace(names, wordlist=None).opened().without)
    if device not in ("auto", "cpu"):  # looking for others takes a second
        device_for(device, None)
    setting = Setting(partial(import_module, OUTLOOKS), names, time, device)
    if export is not None:
        if (port, host, time) != (PORT, HOST, TIME):
            raise UsageError("--export with --port, --host or --time: nothing is served; leave them out")
        from gpulingo.web.export import PART, exported, parsed_trees, write_page

        if export.is_dir() and any(path.name != PART for path in export.iterdir()):
            raise UsageError(f"--export {export} is not empty: name a new folder, or empty it")
        with wrong_usage("--trees"):
            files = exported(setting, parsed_trees(TREES if trees is None else trees), tell_skipped)
        write_page(export, files)
        what = f"{len(files)} files, {sum(map(len, files.values())):,} bytes"
        print(f"{export}: {what}; try them: python -m http.server --directory {export}")
        return
    refuse({"--trees without --export: they are the trees of its page; leave it out": trees is not None})

    def ready(address: str) -> None:
        if host not in (*LOOPBACK, "::1"):
            tell(OPEN)
        print(address, flush=True)

    serve(ViewsByList(setting), host, port, ready)
