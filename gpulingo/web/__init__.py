"""Pages in a browser, by default served only to this machine."""
