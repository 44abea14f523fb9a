"""Concord's engine: ensembles, their evidence, and consensus methods. Imports neither streamlit nor plotly."""

from . import confidence
from .confidence.prediction import consensus_of_sample
from .consensus import Consensus, ConsensusMethod, consensus_methods, leave_one_out, run_consensus
from .ensemble import Ensemble, Graph, Microclusters
from .ensemble.saving import load_ensemble, save_ensemble
from .params import Params
from .runtime import kernel_cache
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

#: The same as in pyproject.toml; every record and study file names it.
__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "Consensus",
    "ConsensusMethod",
    "EngineError",
    "Ensemble",
    "Graph",
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

kernel_cache.install()
