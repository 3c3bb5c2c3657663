"""What only some commands need, and how to install it."""

from __future__ import annotations

import shlex
import sys


def need_report() -> None:
    """Check that what draws and writes pages is there.

    Raises:
        RuntimeError: it is not; one line with the command that installs it.
    """
    try:
        import jinja2  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError as error:
        command = f"{shlex.quote(sys.executable)} -m pip install 'gpulingo[report]'"
        raise RuntimeError(f"charts need {error.name}, which is not installed: run {command}") from None
