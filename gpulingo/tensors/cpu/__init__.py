"""The batched operations in numba."""
