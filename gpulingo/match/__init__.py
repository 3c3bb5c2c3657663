"""Programs of others: rounds, referees, what runs them and what they leave behind."""
