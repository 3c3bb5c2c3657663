"""Work as tasks on the nodes of a cluster: Ray, and what a task is of plays, tunings and searches."""
