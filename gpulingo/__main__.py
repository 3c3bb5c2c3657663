"""The command `gpulingo`: `play` on the light path, everything else through typer."""

from __future__ import annotations

import os
import sys

from gpulingo.cli.signals import INTERRUPTED, set_signals


def main() -> None:
    """Run the command line and end the process: 0 ok, 1 the run failed, 2 wrong usage, 130 interrupted."""
    try:
        # A player on pipes has nothing to save, and an exception inside a callback would be lost. Ending at
        # once would leave a terminal in the state of the line editor.
        set_signals(at_once=sys.argv[1:2] == ["play"] and not at_terminal())
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
    # Unloading torch takes a third of a second, and even the light path's modules take milliseconds.
    os._exit(code)


def at_terminal() -> bool:
    """Return True if a conversation is held at a terminal."""
    return os.isatty(0) and os.isatty(1)


def run(words: list[str]) -> int:
    """Run one command and return its exit code."""
    if words[:1] == ["play"] and not {"--help", "-h"}.intersection(words):
        if at_terminal():
            from gpulingo.cli.terminal import run
        else:
            from gpulingo.cli.pipes import run
        return run(words[1:])
    if words[:1] == ["suggest"] and not {"--help", "-h"}.intersection(words):
        from gpulingo.cli.suggest import run as advise

        return advise(words[1:])
    from gpulingo.cli.pipes import find_packages

    find_packages()
    from gpulingo.cli.app import app_for

    try:
        app_for(words)()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return 0


if __name__ == "__main__":
    main()
