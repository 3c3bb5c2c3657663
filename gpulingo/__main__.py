"""The command `gpulingo`: `play` on the light path, everything else through typer."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

INTERRUPTED = 130


def main() -> None:
    """Run the command line and end the process: 0 ok, 1 the run failed, 2 wrong usage, 130 interrupted."""
    try:
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            # A player has nothing to keep, and an exception gets lost in what Python calls back.
            playing = sys.argv[1:2] == ["play"]
            signal.signal(signal.SIGINT, _end if playing else signal.default_int_handler)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("gpulingo: interrupted", file=sys.stderr)
        code = INTERRUPTED
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except (OSError, ValueError):
            code = code or 1
    # Taking torch down costs a third of a second, and even the light path's modules some milliseconds.
    os._exit(code)


def _end(number: int, frame: object) -> None:
    """End the process at once."""
    try:
        os.write(2, b"gpulingo: interrupted\n")
    except OSError:
        pass
    os._exit(INTERRUPTED)


def run(words: list[str]) -> int:
    """Run one command; the exit code."""
    if words[:1] == ["play"] and not {"--help", "-h"}.intersection(words):
        if os.isatty(0) and os.isatty(1):
            from gpulingo.cli.terminal import Loaders
            from gpulingo.cli.terminal import run as converse

            return converse(words[1:], Loaders(load_engine, load_search, load_host))
        from gpulingo.cli.pipes import run

        return run(words[1:], load_engine, load_host)
    if words[:1] == ["suggest"] and not {"--help", "-h"}.intersection(words):
        from gpulingo.cli.pipes import complain, read_line, write_line
        from gpulingo.cli.suggest import run as advise

        return advise(words[1:], load_search, read_line, write_line, complain)
    find_packages()
    from gpulingo.cli.app import app

    try:
        app()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return 0


def find_packages() -> None:
    """Let packages be imported, if Python was started without looking for them, as by `scripts/gpulingo`.

    The light path needs none, and a Ctrl-C while Python looks for them would end in a traceback of its own.
    """
    if sys.flags.no_site and "site" not in sys.modules:
        import site

        site.main()


def load_engine() -> Any:
    """Load the search of a player without a tree; compiling is reported on stderr."""
    find_packages()
    from gpulingo.cli.pipes import complain
    from gpulingo.strategies import build
    from gpulingo.tensors.clock import when_compiling

    when_compiling(complain)
    return build


def load_search() -> Any:
    """Load the search of advice without a tree; compiling is reported on stderr."""
    find_packages()
    from gpulingo.cli.pipes import complain
    from gpulingo.positions import outlooks
    from gpulingo.tensors.clock import when_compiling

    when_compiling(complain)
    return outlooks


def load_host(words: Any) -> Any:
    """Load the search of hangman's host that cheats perfectly."""
    find_packages()
    from gpulingo.cli.pipes import complain
    from gpulingo.positions.adversary import adversary_host
    from gpulingo.tensors.clock import when_compiling

    when_compiling(complain)
    return adversary_host(words)


if __name__ == "__main__":
    main()
