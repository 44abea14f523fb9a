"""Which number of clusters: criteria, and the question whether there are clusters at all."""

from .choosing import EFFORTS, ChosenK, Effort, answer, ask, choose_k
from .pair_agreement import ConsensusRuns, consensus_runs
from .registry import Band, Criterion, Curve, find_criterion, known_criteria
from .structure_test import Structure, principal_scores, structure, without_clusters

__all__ = [
    "EFFORTS",
    "Band",
    "ChosenK",
    "ConsensusRuns",
    "Criterion",
    "Curve",
    "Effort",
    "Structure",
    "answer",
    "ask",
    "choose_k",
    "consensus_runs",
    "find_criterion",
    "known_criteria",
    "principal_scores",
    "structure",
    "without_clusters",
]
