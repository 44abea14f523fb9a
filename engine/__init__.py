"""Concord's engine: ensembles, their evidence, and consensus methods. Imports neither streamlit nor plotly."""

from engine.consensus import Consensus, ConsensusMethod, consensus_methods, run_consensus
from engine.ensemble import Ensemble, Microclusters
from engine.errors import (
    Cancelled,
    EngineError,
    InvalidEnsembleError,
    InvalidParameterError,
    MissingEvidenceError,
    TooLargeError,
)
from engine.influence import leave_one_out
from engine.monitor import Monitor
from engine.params import Params

__all__ = [
    "Cancelled",
    "Consensus",
    "ConsensusMethod",
    "EngineError",
    "Ensemble",
    "InvalidEnsembleError",
    "InvalidParameterError",
    "Microclusters",
    "MissingEvidenceError",
    "Monitor",
    "Params",
    "TooLargeError",
    "consensus_methods",
    "leave_one_out",
    "run_consensus",
]
