"""Where base clusterings come from."""

from engine.generators.adaptive_subspaces import INVERSE_H_BOUNDS, LACResult, lac
from engine.generators.kmeans_runs import K_POLICIES, k_bounds, kmeans_ensemble, random_subspace_ensemble
from engine.generators.pool_draws import draw
from engine.generators.subspace_runs import (
    INVERSE_H,
    default_inverse_h,
    ensemble_of,
    lac_ensemble,
    lac_runs,
    spread_inverse_h,
)

__all__ = [
    "INVERSE_H",
    "INVERSE_H_BOUNDS",
    "K_POLICIES",
    "LACResult",
    "default_inverse_h",
    "draw",
    "ensemble_of",
    "k_bounds",
    "kmeans_ensemble",
    "lac",
    "lac_ensemble",
    "lac_runs",
    "random_subspace_ensemble",
    "spread_inverse_h",
]
