"""The command line: one file per command, and the few pieces they share.

`arguments`, `pipes`, `suggest`, `terminal` and `wording` are the light path of `play` and `suggest`: standard
library alone.
"""
