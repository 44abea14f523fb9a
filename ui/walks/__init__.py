"""What the pages on elite neighbours and trajectories need."""
