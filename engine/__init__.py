"""Concord's engine: ensembles, their evidence, and consensus methods. Imports neither streamlit nor plotly."""

from . import confidence
from .consensus import Consensus, ConsensusMethod, consensus_methods, run_consensus
from .ensemble import Ensemble, Microclusters
from .influence import leave_one_out
from .params import Params
from .runtime.errors import (
    Cancelled,
    EngineError,
    InvalidEnsembleError,
    InvalidParameterError,
    MissingEvidenceError,
    MissingExtraError,
    PartitionerError,
    TooLargeError,
)
from .runtime.monitor import Monitor
from .sampling import consensus_of_sample
from .saving import load_ensemble, save_ensemble

#: The same as in pyproject.toml; every record and study file names it.
__version__ = "0.1.0"

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
    "PartitionerError",
    "TooLargeError",
    "__version__",
    "confidence",
    "consensus_of_sample",
    "consensus_methods",
    "leave_one_out",
    "load_ensemble",
    "run_consensus",
    "save_ensemble",
]
