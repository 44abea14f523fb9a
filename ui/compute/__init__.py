"""Background jobs, and the stages every page computes."""
