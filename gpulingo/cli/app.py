"""The app with all commands, and help in panels.

Imports of a command happen when it runs: numba alone takes a quarter of a second.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO, cast

import typer
from typer.core import TyperCommand, TyperGroup

from gpulingo.cli.errors import Written, guarded, tell
from gpulingo.cli.options import spread
from gpulingo.storage.printed import version
from gpulingo.tensors.clock import when_compiling

ARGUMENTS, STRATEGY, SEARCH, GAME, WORDS, RUN, OUTPUT = (
    "Arguments", "Strategy", "Search", "Game", "Words", "Run", "Output",
)  # fmt: skip
PANELS = {
    ARGUMENTS: "n word_length played length checkpoint history player players rack draw rounds",
    STRATEGY: "strategy strategies opening together host search",
    SEARCH: "objective opponent width openings gap fresh certificate tree-only part iterations pools top all",
    GAME: "game hard hard-from consistent first-letter letter turns boards colours bag",
    WORDS: "wordlist targets without weights same words target min-length every",
    RUN: "all-words time timeout device seed ray memory jobs resume port host=ADDRESS cwd loop",
}
PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}
PLACES = [*PANEL_OF, "", "json", "help"]  # of options in the help; those of Output come last


def examples() -> list[tuple[str, str]]:
    """Return what to type and what it does, two for each command."""
    lines = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").splitlines()
    return [(typed, does) for typed, _, does in (line.partition(" | ") for line in lines)]


def sections(rows: list[tuple[str, tuple[str, str]]], formatter: Any) -> None:
    """Write rows (panel, (name, text)) as a section per panel, all with one column width."""
    width = max(len(name) for _, (name, _) in rows)
    panels: dict[str, list[tuple[str, str]]] = {}
    for panel, (name, text) in rows:
        panels.setdefault(panel, []).append((name.ljust(width), text))
    for panel in panels:
        with formatter.section(panel):
            formatter.write_dl(panels[panel], col_max=width)


class Panelled(TyperCommand):
    """A command whose help has its options in panels, and examples at the end."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert an empty value after an option whose value is optional and missing."""
        loose = {name for param in self.params if str(param.metavar)[:1] == "[" for name in param.opts}
        following = [*args[1:], "-"]
        given = [
            f"{arg}=" if arg in loose and after.startswith("-") else arg
            for arg, after in zip(args, following, strict=bool(args))
        ]
        return super().parse_args(ctx, given)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows, params = [], sorted(self.get_params(ctx), key=lambda one: PLACES.index(known_name(one)))
        one: Any
        for one in params:
            record = one.get_help_record(ctx)
            if one.param_type_name == "argument":
                record = (one.metavar or one.name, one.help or "")
            if record:
                rows.append((panel_of(one), record))
        sections(rows, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        rows = [(f"gpulingo {line}", text) for line, text in examples() if line.split()[0] == self.name]
        if rows:
            with formatter.section("Examples"):
                formatter.write_dl(rows, col_max=70)


def known_name(parameter: Any) -> str:
    """Return the name by which PLACES has an option, or empty."""
    names = [name.lstrip("-") for name in parameter.opts if name.startswith("--")] or [parameter.name]
    keys = (key for name in names for key in (f"{name}={parameter.metavar}", name))  # the metavar first
    return next((key for key in keys if key in PLACES), "")


def panel_of(parameter: Any) -> str:
    return PANEL_OF.get(known_name(parameter), OUTPUT)


class Unparsed(Panelled):
    """A command whose arguments the light path reads, so that every way to call it acts the same.

    For the shell's completion they are read here, as for any command.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the arguments unparsed, except for help."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        if {"--help", "-h"}.intersection(args):
            return super().parse_args(ctx, ["--help"])
        ctx.args = list(args)
        return []


DASHED = ("-word", "-player", "-rounds", "-debug", "-length")  # spelling of the pit's original engine
FIRST_EXAMPLES = [
    ("gpulingo suggest crane:BYBBG --game wordle", "the next guess"),
    ("gpulingo simulate --length 5", "mean score over every 5-letter word"),
    ("gpulingo solve 13", "the best strategy, with proof"),
]
MORE = """
`gpulingo COMMAND --help` shows options and examples; `gpulingo help TOPIC`
explains games, strategies, marks, lists, files and JSON.
"""


def commanded(args: Sequence[str]) -> list[str]:
    """Return a command line; `referee`, which the original's ranking script calls, becomes `pit`."""
    if [*args[:1]] != ["referee"]:
        return [*args]
    given = [f"-{arg}" if arg.partition("=")[0] in DASHED else arg for arg in args[1:]]
    seed = int.from_bytes(os.urandom(7))
    return ["pit", "--transcript", "--rounds=1", "--length=5", f"--seed={seed}", *given]


class Guard(TyperGroup):
    """The group of all commands; no user error leaves it as a traceback."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run a command and end the process, under one program name however it was started."""
        given = sys.argv[1:] if args is None else args
        run, words = super().main, commanded(given or ["--help"])
        extra |= {"prog_name": "gpulingo", "standalone_mode": False}
        out, err = (cast(TextIO, stream and Written(stream)) for stream in (sys.stdout, sys.stderr))
        with redirect_stdout(out), redirect_stderr(err):
            code = guarded(lambda: run(words, **extra))
        sys.exit(code)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands in groups, each with its complete first line, which typer's own list cuts."""
        shown: list[tuple[str, Any]] = [
            (name, entry) for name, entry in self.commands.items() if not entry.hidden
        ]
        rows = [(entry.rich_help_panel, (name, entry.help.split("\n\n")[0])) for name, entry in shown]
        sections(rows, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Examples"):
            formatter.write_dl(FIRST_EXAMPLES)
        formatter.write(MORE)


# Groups and order as in the help.
GROUPS = {
    "Help with a round": "suggest review play web",
    "Evaluate strategies": "simulate compare openings report",
    "Find the best strategy": "solve prove tune",
    "Words and trees": "words show",
    "Matches and other games": "pit tiles",
    "Hidden": "help precompile",
}
FILES = {"suggest": "play", "show": "words", "help": "topics"}  # of commands beside or under others


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"gpulingo {version()}")
        raise typer.Exit


def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Find, evaluate and prove strategies for word-guessing games."""
    when_compiling(tell)


def app_for(words: Sequence[str] = ()) -> typer.Typer:
    """Return the app for a command line: with its command, whose import is all it needs, or with all."""
    app = typer.Typer(
        cls=Guard,
        rich_markup_mode=None,  # plain help gives the texts twice the width
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
    )
    app.callback()(main)
    groups = {name: group for group, names in GROUPS.items() for name in names.split()}
    first = [name for name in commanded(words)[:1] if name in groups]
    for name in first or groups:
        module = import_module(f"gpulingo.cli.commands.{FILES.get(name, name)}")
        command = module.topics if name == "help" else getattr(module, name)
        app.command(
            rich_help_panel=groups[name],
            name=name if name == "help" else None,
            hidden=groups[name] == "Hidden",
            cls=Unparsed if name in ("play", "suggest") else Panelled,
            short_help=str(command.__doc__).split("\n")[0],  # otherwise completion cuts it at 45 characters
        )(spread(command))
    return app
