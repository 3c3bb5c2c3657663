"""Rules of the games: marks, turns, points. Search and word lists stay out."""
