"""What the Compare page alone needs."""
