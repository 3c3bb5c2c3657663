"""Below the command line no text names an option or a command: errors state facts."""

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "gpulingo"
NAMED = re.compile(r"(?<![\w(!-])--[a-z]|`gpulingo [a-z]")
# Files whose texts still name one; none may be added.
LEFT = {
    "bounds/arrays.py", "bounds/certificate.py", "bounds/formulas.py", "bounds/host_proof.py",
    "games/catalogue.py", "games/rules.py", "match/rounds.py", "match/sandbox.py", "optimise/lookahead.py",
    "optimise/solver.py", "strategies/registry.py", "strategies/tuned.py", "tensors/cuda/launch.py",
    "tensors/device.py", "tiles/rack_table.py", "trees/checkpoint.py", "trees/verify.py",
    "tuning/tuner.py", "report/opening_entries.py", "report/page.py", "report/results.py",
}  # fmt: skip
OTHERS = {"machines/ray_tasks.py"}  # of Ray


def texts(path: Path) -> list[str]:
    """The strings of a file, without docstrings."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone)
    return [node.value for node in strings if isinstance(node.value, str)]


def test_no_text_below_the_command_line_names_an_option_or_a_command():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(("cli/", "__main__")) and any(map(NAMED.search, texts(path))):
            found.add(name)
    assert found == LEFT | OTHERS
