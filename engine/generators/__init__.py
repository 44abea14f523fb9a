"""Where base clusterings come from."""

from .adaptive_subspaces import INVERSE_H_BOUNDS, LACResult, lac
from .kmeans_runs import kmeans_ensemble
from .leiden_runs import leiden_ensemble
from .pools import draw, mixed_ensemble
from .random_shares import random_subspace_ensemble, subsampled_ensemble
from .recipes import Recipe, generator_concepts
from .registry import K_POLICIES, Generator, KRange, find_generator, k_bounds, known_generators, make_ensemble
from .rival_runs import rpcl_ensemble
from .spectral_runs import uspec_ensemble
from .subspace_runs import (
    INVERSE_H,
    UNKNOWN_CLASSES,
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
    "UNKNOWN_CLASSES",
    "Generator",
    "KRange",
    "LACResult",
    "Recipe",
    "default_inverse_h",
    "draw",
    "ensemble_of",
    "find_generator",
    "generator_concepts",
    "k_bounds",
    "kmeans_ensemble",
    "known_generators",
    "lac",
    "lac_ensemble",
    "lac_runs",
    "leiden_ensemble",
    "make_ensemble",
    "mixed_ensemble",
    "random_subspace_ensemble",
    "rpcl_ensemble",
    "spread_inverse_h",
    "subsampled_ensemble",
    "uspec_ensemble",
]
