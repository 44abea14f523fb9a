"""One criterion a file; see docs/adding_a_criterion.md."""
