"""`gpulingo web`: a page to be helped by, in a browser on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, need_extra, wrong_usage
from gpulingo.cli.lists import opened_listing
from gpulingo.cli.options import option
from gpulingo.cli.parse import between, seconds_between
from gpulingo.cli.signals import interrupted_by_sigterm


def web(
    *,
    port: int = option(
        "NUMBER", "Port of the page; 0 takes any free one.", default=8000, parser=between(0, 65535)
    ),
    host: str = option("ADDRESS", "Address to listen on.", default="127.0.0.1"),
    listed: options.Listed,
    without: Path | None = options.WITHOUT,
    time: float = option("TIME", "Time limit of one search.", default=2.0, parser=seconds_between(0, 60)),
    device: str = options.DEVICE,
) -> None:
    """Serve the assistant, review, game and explorer in the browser."""
    need_extra("web", "starlette", "uvicorn")
    from gpulingo.web.requests import Setting
    from gpulingo.web.server import PortError, serve
    from gpulingo.web.service import Service
    from gpulingo.words.listing import read
    from gpulingo.words.targets import Targets

    def load_engine() -> Any:
        from gpulingo.search import outlooks

        return outlooks

    wordlist, targets = listed.wordlist, listed.targets
    opened_listing(5, wordlist)  # told now rather than on the page
    if targets is not None:
        with wrong_usage("--targets"):
            Targets(targets)
    with wrong_usage("--without"):
        past = None if without is None else read(without)
    if device not in ("auto", "cpu"):  # to look for others takes a second
        from gpulingo.tensors.device import find_device

        with wrong_usage("--device"):
            find_device(device)
    named = None if wordlist is None else str(wordlist)
    setting = Setting(load_engine, named, targets, past, seconds=time, device=device)
    try:
        with interrupted_by_sigterm():
            serve(Service(setting), host, port, lambda address: print(address, flush=True))
    except PortError as error:
        raise WrongUsage(str(error)) from None
