"""What the Data page alone needs."""
