"""Decision trees: as arrays, as files, as text; replayed by the plain rule."""
