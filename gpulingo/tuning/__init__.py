"""Pools and values fitted to a list."""
