"""Which base clusterings to keep, each a `Strategy` that is found by looking; see docs/adding_a_selection.md."""
