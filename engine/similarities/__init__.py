"""Whatever can be shown between two objects: one file a kind, each ends in an `EVIDENCE` that is found by looking."""

from .registry import PairEvidence, find_evidence, pair_evidence
