"""Ways to choose the guess of every candidate set: objectives and baselines, by name."""
