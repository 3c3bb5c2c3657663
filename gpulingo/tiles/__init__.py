"""Racks of tiles drawn from a bag: the best words of one rack, and of all racks."""
