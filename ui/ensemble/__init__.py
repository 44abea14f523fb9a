"""What the Ensemble page alone needs."""
