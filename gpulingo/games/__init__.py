"""Rules of games, for one pair of words at a time; the tensor operations must agree with them."""
