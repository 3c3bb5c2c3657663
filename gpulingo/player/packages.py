"""Packages beside the standard library, for a Python that was started without looking for them.

`scripts/gpulingo` starts it so, with `-S`: the light path needs none, and a Ctrl-C while Python looks for
them would end in a traceback of its own.
"""

from __future__ import annotations

import sys


def find_packages() -> None:
    """Let packages be imported, if Python was started without them."""
    if sys.flags.no_site and "site" not in sys.modules:
        import site

        site.main()
