"""Racks of tiles that are drawn from a bag: the best words of each, and of all of them."""
