"""Work on machines: kernels compiled ahead, and tasks of plays, tunings and searches on a Ray cluster."""
