"""The command line: one file per command, and the few pieces they share."""

from gpulingo.cli.app import app

__all__ = ["app"]
