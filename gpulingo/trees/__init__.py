"""Decision trees: as arrays, as files, as text; replayed by the reference rule."""
