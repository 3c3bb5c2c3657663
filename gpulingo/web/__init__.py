"""Pages in a browser, served to this machine alone unless told otherwise."""
