"""Trees of GoT: refined distances, and growing."""
