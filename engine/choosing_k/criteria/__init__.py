"""Criteria for k, each a `Criterion` that is found by looking; see docs/adding_a_criterion.md."""
