"""Help in panels: which panel an option is in, and the examples below it."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

ARGUMENTS, STRATEGY, SEARCH, GAME, WORDS, RUN, OUTPUT = (
    "Arguments", "Strategy", "Search", "Game", "Words", "Run", "Output",
)  # fmt: skip
PANELS = {
    ARGUMENTS: "n length lengths pegs history checkpoint played word_length player players rack draw rounds",
    STRATEGY: "strategy strategies opening host letter search",
    SEARCH: "objective opponent width openings gap fresh certificate part tree-only pools iterations all top",
    GAME: "game hard hard-from consistent first-letter must-start turns lives colours bag",
    WORDS: "wordlist targets without weights same words target min-length every",
    RUN: "all-words time timeout device seed ray shared memory jobs threads calls sizes resume port cwd loop",
}
PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}
# Of each command two: what to write, and what it does.
EXAMPLES = [
    tuple(line.split(" | "))
    for line in """\
suggest crane:BYBBG --game wordle | the next guess
suggest --length 5 | the first guess in Lingo
review --game wordle --target merge crane horse purge merge | a finished round
review --game wordle --file rounds.txt | many rounds, and their means
play --game wordle | at a terminal: it guesses, you type the marks
play 5 | on pipes: a player of the pit
web | serve the page on this machine
web --export page | write it as static files
simulate 5 | the best stored tree
simulate --length 4-13 -s parts | ten lengths and their total
compare --length 5 | every strategy over one list
compare 4-13 --strategies parts,entropy | two strategies over ten lists
openings 5 --top 20 | first guesses by their value
openings 5 --game absurdle --all | those that beat absurdle in the fewest guesses
report | results, trees and bounds as one page
report --out report.html | into a file of your choice
solve 13 | the best strategy, with proof
solve 5 --time 10m | the best found in ten minutes
prove 13 | check the stored tree and its bound
prove 5 --tree-only | replay the tree alone
tune 5 --time 5m | fit values to a list
tune 5 --iterations 100 --seed 1 | a run that can be repeated
words | the lists in use and their trees
words --wordlist mine.txt | a list of your own
show 5 --turns 2 --limit 20 | the top of a tree
show 5 --history tares:BBBYB | one branch of it
pit -P "gpulingo play" -P "python mine.py" --length 5 | a match of two players
pit -P "gpulingo play" --length 5 --rounds 10 | one player alone
tiles --rack AGZEQUI | the best words of a rack
tiles --all | every rack that can be drawn""".split("\n")
]


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
        """Give an option an empty value where none follows it and its value may be left out."""
        loose = {name for each in self.params if str(each.metavar)[:1] == "[" for name in each.opts}
        following = [*args[1:], "-"]
        given = [
            f"{arg}=" if arg in loose and after.startswith("-") else arg
            for arg, after in zip(args, following, strict=bool(args))
        ]
        return super().parse_args(ctx, given)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options by panel."""
        rows = []
        one: Any
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx)
            if one.param_type_name == "argument":
                record = (one.metavar or one.name, one.help or "")
            if record:
                rows.append((panel_of(one), record))
        sections(sorted(rows, key=lambda row: [*PANELS, OUTPUT].index(row[0])), formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples."""
        examples = [(f"gpulingo {line}", text) for line, text in EXAMPLES if line.split()[0] == self.name]
        if examples:
            with formatter.section("Examples"):
                formatter.write_dl(examples, col_max=70)


def panel_of(parameter: Any) -> str:
    """The panel of a parameter of a command."""
    names = [name.lstrip("-") for name in parameter.opts if name.startswith("--")] or [parameter.name]
    return next((PANEL_OF[name] for name in names if name in PANEL_OF), OUTPUT)
