"""The command line: one file per command, and shared modules.

`arguments`, `pipes`, `suggest`, `terminal` and `wording` are the light path of `play` and `suggest`: standard
library alone.
"""
