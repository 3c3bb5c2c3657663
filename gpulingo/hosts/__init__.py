"""Hosts that choose the word during the round, at a terminal or on pipes: standard library alone."""
