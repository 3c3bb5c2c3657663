"""Players and referees: whole rounds of a game."""
