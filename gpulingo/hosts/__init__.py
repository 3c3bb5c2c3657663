"""Hosts who choose the word as they go, at a terminal or on pipes: standard library alone."""
