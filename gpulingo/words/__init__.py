"""Words: lists, their fingerprints, and letters as numbers."""
