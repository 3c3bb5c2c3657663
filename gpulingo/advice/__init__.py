"""What people ask about a round: which words are left, what to guess, and how a guess was."""
