"""Measuring: rates and reports."""
