"""Concord's engine: ensembles, their evidence, and consensus methods. Imports neither streamlit nor plotly."""

from engine.consensus import Consensus, ConsensusMethod, consensus_methods, run_consensus
from engine.ensemble import Ensemble, Microclusters
from engine.errors import (
    Cancelled,
    EngineError,
    InvalidEnsembleError,
    InvalidParameterError,
    MissingEvidenceError,
    MissingExtraError,
    TooLargeError,
)
from engine.influence import leave_one_out
from engine.monitor import Monitor
from engine.params import Params
from engine.saving import load_ensemble, save_ensemble

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
    "MissingExtraError",
    "Monitor",
    "Params",
    "TooLargeError",
    "consensus_methods",
    "leave_one_out",
    "load_ensemble",
    "run_consensus",
    "save_ensemble",
]
