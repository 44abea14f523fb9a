"""Small two-dimensional sets whose clusters differ in shape, size or density; all of fixed seed."""

import numpy as np

Labelled = tuple[np.ndarray, np.ndarray]

_TURN = 2 * np.pi


def moons() -> Labelled:
    """Return two interleaved half circles of 250 points each, noise sd 0.08: (500, 2)."""
    rng = np.random.default_rng(11)
    angle = np.linspace(0, np.pi, 250)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    return _noisy([upper, lower], 0.08, rng)


def spirals() -> Labelled:
    """Return three spiral arms of 200 points each, wound by three quarters of a turn.

    Returns
    -------
    features : ndarray of shape (600, 2)
    labels : ndarray of shape (600,), int
    """
    rng = np.random.default_rng(12)
    along = np.sqrt(np.linspace(0.03, 1, 200))  # even spacing along the arm
    arms = []
    for arm in range(3):
        angle = _TURN * (0.75 * along + arm / 3)
        arms.append(10 * along[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))
    return _noisy(arms, 0.25, rng)


def uneven_blobs() -> Labelled:
    """Return four Gaussian blobs of 300, 140, 60 and 30 points and of very different spread: (530, 2)."""
    rng = np.random.default_rng(13)
    blobs = [((0, 0), 2.0, 300), ((7, 4), 0.7, 140), ((7, -3), 0.35, 60), ((3.5, 7), 0.25, 30)]
    return _noisy([centre + sd * rng.standard_normal((n, 2)) for centre, sd, n in blobs], 0.0, rng)


def bridged_blobs() -> Labelled:
    """Return three blobs of 180 points, the first two joined by a thin bridge of 40.

    A bridge point has the label of the blob it is nearer to.

    Returns
    -------
    features : ndarray of shape (580, 2)
    labels : ndarray of shape (580,), int
    """
    rng = np.random.default_rng(14)
    centres = np.array([(0, 0), (8, 0), (4, 6.5)])
    blobs = [centre + rng.standard_normal((180, 2)) for centre in centres]
    bridge = np.column_stack([np.linspace(1.6, 6.4, 40), 0.15 * rng.standard_normal(40)])
    halves = [bridge[:20], bridge[20:], bridge[:0]]
    joined = [np.vstack(pair) for pair in zip(blobs, halves, strict=True)]
    return _noisy(joined, 0.0, rng)


def circles() -> Labelled:
    """Return two rings around one centre, radii 1 and 0.45, 300 and 200 points, noise sd 0.06: (500, 2)."""
    rng = np.random.default_rng(15)
    rings = []
    for radius, n in ((1.0, 300), (0.45, 200)):
        angle = np.linspace(0, _TURN, n, endpoint=False)
        rings.append(radius * np.column_stack([np.cos(angle), np.sin(angle)]))
    return _noisy(rings, 0.06, rng)


def _noisy(groups: list[np.ndarray], sd: float, rng: np.random.Generator) -> Labelled:
    """Return the groups as one set with Gaussian noise, labelled by group."""
    features = np.vstack(groups)
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return features + sd * rng.standard_normal(features.shape), labels
