"""One rule a file for choosing some of the base clusterings; see docs/adding_a_selection.md."""
