"""The batched operations in Triton."""
