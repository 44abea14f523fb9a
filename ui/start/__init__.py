"""What the Start page alone needs."""
