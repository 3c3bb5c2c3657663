"""Source texts as trees: each is parsed once by all tests of a process."""

import ast
from functools import cache

parsed = cache(ast.parse)


@cache
def nodes(source: str) -> list[ast.AST]:
    """All nodes of a source's tree."""
    return list(ast.walk(parsed(source)))
