"""Elite neighbours, transitions between them, and trajectories."""
