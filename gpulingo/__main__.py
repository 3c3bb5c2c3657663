"""The command `gpulingo`: `play` on the light path, everything else through typer."""

import sys


def main() -> None:
    """Run the command line; exit 0 ok, 1 the run failed, 2 wrong usage, 130 interrupted."""
    words = sys.argv[1:]
    try:
        if words[:1] == ["play"] and not {"--help", "-h"}.intersection(words):
            from gpulingo.play.pit import run

            sys.exit(run(words[1:]))
        from gpulingo.cli import app

        app()
    except KeyboardInterrupt:
        print("gpulingo: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
