"""Hosts without a word in mind: shortest lines against the largest class, misses that can be forced."""
