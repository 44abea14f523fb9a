"""Which differences between methods are real."""
