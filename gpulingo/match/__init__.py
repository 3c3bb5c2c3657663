"""Programs of other people: rounds, referees, the processes that run them, their results."""
