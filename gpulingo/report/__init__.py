"""Measurements, and how they are shown."""
