"""Whatever can be shown between two objects: kinds of `PairEvidence`, found by looking."""

from .registry import PairEvidence, find_evidence, pair_evidence
