"""What the Enhanced matrix page alone needs."""
