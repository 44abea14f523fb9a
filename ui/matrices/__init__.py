"""What the Matrices page alone needs."""
