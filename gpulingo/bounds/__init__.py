"""Upper bounds on any strategy's value, with certificates. Must not import search."""
