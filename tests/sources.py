"""Source texts as trees: each is parsed once by all tests of a process."""

import ast
from functools import cache

parsed = cache(ast.parse)
