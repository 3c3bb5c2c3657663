"""Options of the table of `play` and `suggest` as parameters of commands, which typer reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage
from gpulingo.games.catalogue import LINGO, is_of_codes
from gpulingo.games.rules import UsageError, asked_rule
from gpulingo.player.arguments import Arguments
from gpulingo.player.options import HOSTS, OPTIONS, SHORT, SPELLINGS, USUAL_PEGS
from gpulingo.words.weights import BY_LEVEL

COMPLETIONS = {
    "game": options.a_game, "targets": options.a_level, "strategy": options.a_strategy,
    "device": options.a_device, "weights": options.one_of(BY_LEVEL),
    "host": options.one_of(*HOSTS, "exact"),
}  # fmt: skip


def with_options(readers: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of some readers, for its help and the shell's completion."""

    def given(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [each for each in signature.parameters.values() if each.kind != each.VAR_KEYWORD]
        own += [_parameter(name) for name, (_, of, _) in OPTIONS.items() if {*of}.intersection(readers)]
        setattr(command, "__signature__", signature.replace(parameters=own))  # noqa: B010  # mypy knows none
        return command

    return given


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command options in place of its parameter `rule`, and a length as an argument too."""
    command = _with_length(command)
    if "rule" not in command.__annotations__:
        return command
    signature, own, asking = inspect.signature(command, eval_str=True), list[inspect.Parameter](), list[str]()
    for each in signature.parameters.values():
        names = each.annotation.__metadata__[0] if each.name == "rule" else ()
        own += [_parameter(name).replace(kind=each.kind) for name in names] or [each]
        asking += [name.replace("-", "_") for name in names]

    @wraps(command)
    def asked(**given: Any) -> None:
        try:
            rule = asked_rule(**{name: given.pop(name) for name in asking})
        except UsageError as error:
            raise WrongUsage(str(error)) from None
        command(rule=rule, **given)

    setattr(asked, "__signature__", signature.replace(parameters=own))  # noqa: B010  # mypy knows none
    return asked


def _with_length(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command whose option --length is required the same as an argument.

    Raises:
        WrongUsage: by the command: neither or both were given, and both differ.
    """
    signature = inspect.signature(command, eval_str=True)
    name = next((each for each in ("length", "lengths") if each in signature.parameters), "")
    if not name or signature.parameters[name].default is not inspect.Parameter.empty:
        return command
    given_as = signature.parameters[name].annotation
    kind, option = given_as.__origin__ | None, given_as.__metadata__[0]
    text = "Word length, one." if option.parser else "Word length: 5, 4-13 or 4,6-8."
    argument = typer.Argument(metavar="N", help=text, show_default=False, parser=option.parser)
    spelled: Any = Annotated[kind, option]
    own = [
        each.replace(default=None, annotation=spelled) if each.name == name else each
        for each in signature.parameters.values()
    ]
    first = inspect.Parameter(
        "n", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, argument]
    )

    @wraps(command)
    def asked(*, n: Any = None, **given: Any) -> None:
        other = given.pop(name)
        if None not in (n, other) and n != other:
            raise WrongUsage(f"length given twice, as {n} and as --length {other}: keep one")
        length = other if n is None else n
        if length is None and is_of_codes(given.get("game") or LINGO):
            length = [USUAL_PEGS] if name == "lengths" else USUAL_PEGS
        if length is None:
            raise WrongUsage(f"no word length: give one, for example `gpulingo {command.__name__} 5`")
        command(**{name: length}, **given)

    made = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    setattr(asked, "__signature__", signature.replace(parameters=[first, *made]))  # noqa: B010
    return asked


def _parameter(name: str) -> inspect.Parameter:
    """The parameter of an option of the table."""
    kind, _, text = OPTIONS[name]
    spelled = [f"--{each}" for each in (name, *(SPELLINGS if name == "length" else ()))]
    spelled += [short for short, long in SHORT.items() if long == spelled[0]]
    more: dict[str, Any] = {"metavar": kind, "autocompletion": COMPLETIONS.get(name)} if kind else {}
    usual = vars(Arguments()).get(name)
    default = (f"{usual}".removesuffix(".0") if usual else None) if kind else False
    option = typer.Option(*spelled, help=text, **more)
    return inspect.Parameter(
        name.replace("-", "_"), inspect.Parameter.KEYWORD_ONLY, default=default,
        annotation=Annotated[str | None if kind else bool, option],
    )  # fmt: skip
