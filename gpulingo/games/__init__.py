"""Rules of games, one pair of words at a time; the tensors must equal them."""
