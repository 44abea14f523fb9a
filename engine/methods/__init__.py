"""One file a published method; each ends in a `ConsensusMethod` that `engine.consensus_methods` finds."""
