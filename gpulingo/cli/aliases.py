"""Old names of commands, which work as the new ones do."""

from __future__ import annotations

import os
from collections.abc import Sequence

FOLDER, TREE_ONLY = "simulate --save FOLDER", "prove --tree-only"
NEW = {"build": ["simulate", "--folder", "checkpoints"], "verify": TREE_ONLY.split(), "referee": ["pit"]}
MOVED = {"build": FOLDER, "verify": TREE_ONLY}  # for one more version; the original's script calls `referee`
DASHED = ("-word", "-player", "-rounds", "-debug", "-length")  # as the original spells them


def renamed(args: Sequence[str]) -> tuple[list[str], str]:
    """A command line by the new names, and what to say of an old one, if anything."""
    if not args or args[0] not in NEW:
        return [*args], ""
    (old, *given), told = args, ""
    new = NEW[old]
    if old in MOVED:
        told = f"`gpulingo {old}` is now `gpulingo {MOVED[old]}`; the old name works for one more version"
    else:
        given = [f"-{arg}" if arg.partition("=")[0] in DASHED else arg for arg in given]
        new = [*new, "--transcript", "--rounds=1", f"--seed={int.from_bytes(os.urandom(7))}"]
        new += ["--length=5"] * (not any(arg.partition("=")[0] == "--word" for arg in given))
    return [*new, *given], told
