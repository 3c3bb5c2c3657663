"""Measuring, and what is shown of it."""
