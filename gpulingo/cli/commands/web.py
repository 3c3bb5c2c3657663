"""`gpulingo web`: a page to be helped by, in a browser on this machine."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, need_extra, wrong_usage
from gpulingo.cli.lists import opened_listing
from gpulingo.cli.parse import between, seconds_between
from gpulingo.cli.signals import interrupted_by_sigterm

Port = Annotated[
    int,
    typer.Option(parser=between(0, 65535), metavar="NUMBER", help="Port of the page; 0 takes any free one."),
]
Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")]
SearchTime = Annotated[
    float,
    typer.Option("--time", parser=seconds_between(0, 60), metavar="TIME", help="Time limit of one search."),
]


def web(
    port: Port = 8000,
    host: Host = "127.0.0.1",
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    without: options.Without = None,
    time: SearchTime = 2.0,
    device: options.Device = "auto",
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
