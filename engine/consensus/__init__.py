"""Running a consensus method: once, with its trace, for many settings, and without one base clustering."""

from .method import EXTRAS, FAMILIES, ConsensusMethod, always, never
from .running import (
    Consensus,
    check_n_clusters,
    check_needs,
    consensus_methods,
    find_method,
    leave_one_out,
    run_consensus,
    several_clusters,
    takers_of_missing,
)
