"""Files and their formats; knows nothing of what is in them."""
