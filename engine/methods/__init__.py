"""One file a published method; each ends in a `METHOD` that `engine.consensus_methods` finds."""
