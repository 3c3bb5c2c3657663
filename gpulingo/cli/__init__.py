"""The command line: one file per command, and shared modules.

`request`, `pipes`, `suggest`, `terminal` and `wording` are the light path of `play` and `suggest`: standard
library alone.
"""
