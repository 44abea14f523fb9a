"""Enhanced evidence: which links are certain, and how certainty spreads."""
