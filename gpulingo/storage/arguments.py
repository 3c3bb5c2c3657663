"""Check arguments of public functions: the annotation of an argument says which types are allowed.

The functions check ranges and forms. Calls inside the package skip this check.
"""

from __future__ import annotations

import collections.abc as abc
import os
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

PACKAGE = "gpulingo"  # with the public names
MOST_KINDS = 9  # types of items that a message lists


class _Named(type):
    """A class of torch by its name, so that an annotation does not load it."""

    def __instancecheck__(cls, value: object) -> bool:
        return any((own.__module__, own.__name__) == ("torch", cls.__name__) for own in type(value).__mro__)


def checked(thing: Any, homes: Mapping[str, str]) -> Any:
    """Decorator: reject arguments that the annotations do not allow, before any work.

    Args:
        thing: a function; or a class, whose constructor is checked from now on, and its methods that
            `CHECKED` names.
        homes: modules of the public names that annotations may use.
    """
    if not isinstance(thing, type):
        return _checked(thing, homes)
    maker = "__new__" if issubclass(thing, tuple) else "__init__"
    for name in (maker, *vars(thing).get("CHECKED", ())):
        if name in vars(thing) and not getattr(thing, "_is_protocol", False):
            setattr(thing, name, _checked(getattr(thing, name), homes))
    return thing


def _checked(function: Callable[..., Any], homes: Mapping[str, str]) -> Callable[..., Any]:
    from functools import update_wrapper

    hints: dict[str, tuple[Any, str]] = {}  # filled on the first call: annotations may load modules

    def call(*args: Any, **keywords: Any) -> Any:
        if not hints:
            hints.update(_hints(function, homes))
        row = [_argument(name, *hints[name], value) for name, value in zip(hints, args, strict=False)]
        for name in filter(hints.__contains__, keywords):
            keywords[name] = _argument(name, *hints[name], keywords[name])
        return function(*row, *args[len(row) :], **keywords)

    update_wrapper(call, function)
    call.__module__ = PACKAGE  # where pickle finds it
    return call


def _hints(function: Callable[..., Any], homes: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    """Return the type and the annotation of each argument by its name."""
    from importlib import import_module
    from inspect import signature, unwrap
    from types import SimpleNamespace

    of_torch = {name: _Named(name, (), {}) for name in ("Tensor", "device")}
    known = {**vars(abc), **unwrap(function).__globals__}
    known |= {"Any": object, "__builtins__": __builtins__, "os": os}  # a NamedTuple lacks builtins
    known = {"Tensor": of_torch["Tensor"], **known, "torch": SimpleNamespace(**of_torch)}
    hints = {}
    for name, argument in signature(function).parameters.items():
        hint = getattr(argument.annotation, "__forward_arg__", argument.annotation)
        text = hint if isinstance(hint, str) else getattr(hint, "__name__", str(hint))
        if isinstance(hint, str):
            code = compile(hint, name, "eval")
            for word in code.co_names:
                if word not in known and word in homes:
                    known[word] = getattr(import_module(homes[word]), word)
            hint = eval(code, known)
        hint = object if hint is argument.empty else hint
        hints[name] = (hint | None if argument.default is None else hint, text)
    return hints


def _argument(name: str, hint: Any, text: str, value: object) -> object:
    """Return an argument of the annotated type; numbers and arrays of other packages become Python's."""
    if _fits(value, hint):
        return value
    plain = _plain([_plain(item) for item in value] if isinstance(value, (list, tuple)) else value)
    if _fits(plain, hint):
        return plain
    raise TypeError(f"{name} is of type {_type_text(value)}, expected {text}")


def _type_text(value: object, depth: int = 2) -> str:
    """Return the type of a value as in an annotation."""
    name, items = type(value).__name__, _plain(value)
    if not isinstance(items, (list, tuple, set, frozenset)) or not items or not depth:
        return name
    kinds = [*islice(dict.fromkeys(_type_text(item, depth - 1) for item in items), MOST_KINDS)]
    return f"{name}[{' | '.join(kinds) if not isinstance(value, tuple) else ', '.join(kinds)}]"


def _plain(value: Any) -> object:
    return value.tolist() if hasattr(type(value), "tolist") and not hasattr(value, "is_meta") else value


def _fits(value: Any, hint: Any) -> bool:
    """Return True if a value has a type: a class, a union, or an abstract collection of types."""
    origin: Any = getattr(hint, "__origin__", None)
    parts: tuple[Any, ...] = getattr(hint, "__args__", ())
    if type(value) is hint or (hint is None and value is None):
        return True
    if origin is None and parts:
        return any(_fits(value, part) for part in parts)
    if origin is None:
        kinds = (int, float) if hint is float else hint
        return isinstance(value, kinds) and (hint not in (int, float) or not isinstance(value, bool))
    if origin is abc.Callable:
        return callable(value)
    if origin.__module__ == "numpy":  # an array of any numbers
        return isinstance(value, origin)
    if isinstance(value, (str, bytes)):
        return False  # a text is not a list of letters here
    if origin is tuple:
        parts = parts[:1] * len(value) if parts[-1] is ... and isinstance(value, (tuple, list)) else parts
        return isinstance(value, (tuple, list)) and len(value) == len(parts) and all(map(_fits, value, parts))
    rows = origin is abc.Sequence and all(hasattr(value, name) for name in ("__getitem__", "__len__"))
    if not isinstance(value, origin) and (not rows or hasattr(value, "keys") or hasattr(value, "tolist")):
        return False  # a WordList is a sequence without the base class
    if issubclass(origin, abc.Mapping):
        return all(_fits(key, parts[0]) and _fits(item, parts[1]) for key, item in value.items())
    items = value[:1] if isinstance(value, range) else value if hasattr(value, "__len__") else ()
    return all(_fits(item, parts[0]) for item in items)
