"""Signatures of commands as typer reads them: options in place of their groups, a length by position too."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property, update_wrapper
from typing import Annotated, Any, get_type_hints

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage
from gpulingo.games.catalogue import is_of_codes
from gpulingo.player.options import OPTIONS, USUAL_PEGS

Command = Callable[..., None]


class Spread:
    """A command with the options of its groups, and a length as an argument too.

    Attributes:
        groups: parameter -> group. length: the parameter of a length by position. Both are those of the
            signature, which typer asks for before it calls the command.
    """

    def __init__(self, command: Command) -> None:
        update_wrapper(self, command)
        self.command, self.groups, self.length = command, dict[str, Any](), ""

    @cached_property
    def __signature__(self) -> inspect.Signature:
        """For typer, which asks for that of the command that is run only."""
        own = list[inspect.Parameter]()
        for name, each in inspect.signature(self.command, eval_str=True).parameters.items():
            if is_dataclass(each.annotation):
                self.groups[name] = each.annotation
                own += _flattened(each.annotation)
            elif each.default in (options.LENGTH, options.LENGTHS):
                self.length = name
                own += _by_position(each)
            elif isinstance(each.default, Field):
                own.append(_parameter(name, each.annotation, each.default))
            elif each.kind == each.VAR_KEYWORD:
                own += _of_table(*each.annotation.__metadata__)
            else:
                own.append(each)
        return inspect.Signature([each.replace(kind=each.KEYWORD_ONLY) for each in own])

    def __call__(self, **given: Any) -> None:
        """Run the command with the values of its options."""
        if self.length:
            game, command = given.get("game", ""), self.command.__name__
            given[self.length] = _length(given.pop("n"), given[self.length], game, command)
        self.command(**{name: _built(kind, given) for name, kind in self.groups.items()}, **given)


def _of_table(readers: str) -> Iterator[inspect.Parameter]:
    """The options of some readers of the table of `play` and `suggest`."""
    for name, (metavar, of, _) in OPTIONS.items():
        if {*of}.intersection(readers):
            kind = str | None if metavar else bool
            yield _parameter(name.replace("-", "_"), kind, options.light_option(name))


def _parameter(name: str, kind: Any, field: Field[Any]) -> inspect.Parameter:
    """The parameter of the field of an option."""
    made, names = field.metadata["made"], field.metadata["names"]
    if made.func is typer.Option and not any(each.startswith("--") for each in names):
        names = (f"--{name.replace('_', '-')}", *names)
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    among = field.metadata["among"] or options.COMPLETIONS.get(name)
    annotation = Annotated[kind, made(*names, autocompletion=among)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _flattened(group: Any) -> Iterator[inspect.Parameter]:
    """The options of a group and of the groups in it."""
    kinds = get_type_hints(group)
    for each in fields(group):
        kind = kinds[each.name]
        yield from _flattened(kind) if is_dataclass(kind) else [_parameter(each.name, kind, each)]


def _built(group: Any, given: dict[str, Any]) -> Any:
    """A group of the options that were given, which it takes out of them."""
    kinds = get_type_hints(group)
    own = {
        each.name: _built(kinds[each.name], given) if is_dataclass(kinds[each.name]) else given.pop(each.name)
        for each in fields(group)
    }
    return group(**own)


def _by_position(option: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """An argument for the length of words, and its option, either of which may be given."""
    parser = option.default.metadata["made"].keywords["parser"]
    text = "Word length, one." if parser else "Word length: 5, 4-13 or 4,6-8."
    first, kind = options.argument("N", text, parser=parser), option.annotation | None
    yield _parameter("n", kind, first)
    yield _parameter(option.name, kind, option.default).replace(default=None)


def _length(n: Any, other: Any, game: str, command: str) -> Any:
    """The length that was given by position or by option; that of usual codes where they are guessed.

    Raises:
        WrongUsage: neither was given, or both, and they differ.
    """
    if None not in (n, other) and n != other:
        raise WrongUsage(f"length given twice, as {n} and as --length {other}: keep one")
    length = other if n is None else n
    if length is None and not is_of_codes(game):
        raise WrongUsage(f"no word length: give one, for example `gpulingo {command} 5`")
    return USUAL_PEGS if length is None else length
