"""What the Subspaces page alone needs."""
