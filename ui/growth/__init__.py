"""What the Growing trees page alone needs."""
