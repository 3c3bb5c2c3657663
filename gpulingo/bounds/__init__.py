"""What no strategy exceeds, and its proof; does not know how strategies are searched."""
