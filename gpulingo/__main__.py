"""The command `gpulingo`: `play` on the light path, everything else through typer."""

import os
import sys


def main() -> None:
    """Run the command line and end the process: 0 ok, 1 the run failed, 2 wrong usage, 130 interrupted."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("gpulingo: interrupted", file=sys.stderr)
        code = 130
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except (OSError, ValueError):
            code = code or 1
    # Taking torch down costs a third of a second, and even the light path's modules some milliseconds.
    os._exit(code)


def run(words: list[str]) -> int:
    """Run one command; the exit code."""
    if words[:1] == ["play"] and not {"--help", "-h"}.intersection(words):
        from gpulingo.play.pit import run

        return run(words[1:])
    from gpulingo.cli import app

    try:
        app()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return 0


if __name__ == "__main__":
    main()
