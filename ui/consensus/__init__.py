"""What the Consensus page alone needs."""
