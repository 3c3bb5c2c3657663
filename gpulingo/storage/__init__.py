"""Files and their formats, independent of what they store."""
