"""Criteria for a choice among methods, each a `Criterion` that is found by looking."""
