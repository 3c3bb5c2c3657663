"""The best strategy that can be found."""
