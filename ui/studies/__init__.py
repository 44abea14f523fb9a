"""What Tuning, Compare and Published tables share."""
