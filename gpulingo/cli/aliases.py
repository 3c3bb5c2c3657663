"""Old names of commands and games, which work as the new ones do."""

from __future__ import annotations

import os
from collections.abc import Sequence

from gpulingo.games.catalogue import old_name
from gpulingo.player.arguments import asked_game

FOLDER, TREE_ONLY = "simulate --save FOLDER", "prove --tree-only"
NEW = {"build": ["simulate", "--folder", "checkpoints"], "verify": TREE_ONLY.split(), "referee": ["pit"]}
MOVED = {"build": FOLDER, "verify": TREE_ONLY}  # for one more version; the original's script calls `referee`
DASHED = ("-word", "-player", "-rounds", "-debug", "-length")  # as the original spells them


def renamed(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """A command line by the new names, and lines to print of the old ones."""
    told = [line] if (line := old_name(asked_game([arg for arg in args if " " not in arg]))) else []
    if not args or args[0] not in NEW:
        return [*args], told
    (old, *given), new = args, NEW[args[0]]
    if old in MOVED:
        now = f"`gpulingo {old}` is now `gpulingo {MOVED[old]}`"
        told.append(f"{now}; the old name works for one more version")
    else:
        given = [f"-{arg}" if arg.partition("=")[0] in DASHED else arg for arg in given]
        new = [*new, "--transcript", "--rounds=1", "--length=5", f"--seed={int.from_bytes(os.urandom(7))}"]
    return [*new, *given], told
