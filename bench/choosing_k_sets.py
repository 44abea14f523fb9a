"""Twenty generated sets with a known number of groups, one of them (twice) being one group."""

from collections.abc import Callable
from functools import partial

import numpy as np

#: Least distance of two centres, in standard deviations of a group.
_APART = 5.0


def gaussians(rng: np.random.Generator, k: int, d: int, n: int = 300, uneven: bool = False) -> np.ndarray:
    """K Gaussians of sd 1, centres at random but at least 5 apart; uneven: each half as large as the one before."""
    centres: list[np.ndarray] = []
    side = 3.0 * _APART * k ** (1 / d)
    while len(centres) < k:
        candidate = rng.uniform(0, side, d)
        if all(np.linalg.norm(candidate - other) >= _APART for other in centres):
            centres.append(candidate)
    weights = 0.5 ** np.arange(k) if uneven else np.ones(k)
    group = rng.choice(k, n, p=weights / weights.sum())
    return np.array(centres)[group] + rng.normal(size=(n, d))


def moons(rng: np.random.Generator, n: int = 300) -> np.ndarray:
    """Two interleaved half circles."""
    angle = rng.uniform(0, np.pi, n)
    lower = rng.random(n) < 0.5
    points = np.column_stack(
        [np.where(lower, 1 - np.cos(angle), np.cos(angle)), np.where(lower, 0.5 - np.sin(angle), np.sin(angle))]
    )
    return points + rng.normal(0, 0.07, (n, 2))


def spirals(rng: np.random.Generator, n: int = 300) -> np.ndarray:
    """Three arms."""
    turn, arm = rng.uniform(0.25, 1, n), rng.integers(3, size=n)
    angle = 1.5 * np.pi * turn + arm * 2 * np.pi / 3
    return np.column_stack([turn * np.cos(angle), turn * np.sin(angle)]) + rng.normal(0, 0.02, (n, 2))


def one_group(rng: np.random.Generator, d: int, n: int = 200) -> np.ndarray:
    """One Gaussian, with correlations every other time."""
    mixing = rng.normal(size=(d, d)) if rng.random() < 0.5 else np.eye(d)
    return rng.normal(size=(n, d)) @ mixing


GENERATED: dict[str, tuple[Callable[[np.random.Generator], np.ndarray], int]] = {
    **{f"{k} Gaussians, {d} features": (partial(gaussians, k=k, d=d), k) for k in range(2, 9) for d in (2, 5)},
    "3 uneven Gaussians": (partial(gaussians, k=3, d=2, uneven=True), 3),
    "5 uneven Gaussians": (partial(gaussians, k=5, d=5, uneven=True), 5),
    "two moons": (moons, 2),
    "three spirals": (spirals, 3),
    "one group, 2 features": (partial(one_group, d=2), 1),
    "one group, 8 features": (partial(one_group, d=8), 1),
}
