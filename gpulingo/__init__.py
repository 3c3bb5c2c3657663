"""Words become tensors: a strategy evaluator and optimiser for word-guessing games.

Importing it loads nothing else: a public name loads its module when it is first used.
"""

PUBLIC = {
    "Lingo": "gpulingo.rules.lingo",
    "Tree": "gpulingo.trees.tree",
    "feedback": "gpulingo.rules.lingo",
    "read_checkpoint": "gpulingo.trees.checkpoint",
    "write_checkpoint": "gpulingo.trees.checkpoint",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    if name not in PUBLIC:
        raise AttributeError(f"module 'gpulingo' has no attribute {name!r}: it has {', '.join(PUBLIC)}")
    from importlib import import_module

    return getattr(import_module(PUBLIC[name]), name)


def __dir__() -> list[str]:
    """The public names beside the module's own."""
    return sorted([*globals(), *PUBLIC])
