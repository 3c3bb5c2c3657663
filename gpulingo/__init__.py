"""Words become tensors: a strategy evaluator and optimiser for word-guessing games.

Importing it loads nothing else: a public name loads its module at the first use. The names come from
`__init__.pyi`, which type checkers read.

>>> import gpulingo
>>> gpulingo.simulate(["dents", "dozes", "reads"], "parts").mean_points
433.3333333333333
"""

with open(f"{__path__[0]}/__init__.pyi") as _stub:  # noqa: PTH123  (pathlib costs more than all of this)
    _rows = [_line.split() for _line in _stub if _line.startswith("from ")]
HOMES = {name: module for _, module, _, name, *_ in _rows}
__all__ = [*HOMES, "__version__"]


def __getattr__(name: str) -> object:
    """Load a public name from its module; later calls of it check their arguments."""
    from importlib import import_module

    from gpulingo.storage.arguments import checked

    if name == "__version__":
        return import_module("gpulingo.storage.printed").version()
    if name not in HOMES:
        raise AttributeError(f"module 'gpulingo' has no attribute {name!r}: it has {', '.join(HOMES)}")
    return globals().setdefault(name, checked(getattr(import_module(HOMES[name]), name), HOMES))


def __dir__() -> list[str]:
    """List the module's names and all public names."""
    return sorted({*globals(), *__all__})
