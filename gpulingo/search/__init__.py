"""Building decision trees from strategies."""
