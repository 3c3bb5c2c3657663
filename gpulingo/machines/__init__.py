"""Work as tasks on the nodes of a cluster: Ray, and the tasks of plays, tunings and searches."""
