"""Where base clusterings come from."""

from engine.generators.kmeans_runs import K_POLICIES, k_bounds, kmeans_ensemble
from engine.generators.pool_draws import draw

__all__ = ["K_POLICIES", "draw", "k_bounds", "kmeans_ensemble"]
