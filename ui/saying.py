"""Numbers in words."""

import math

import numpy as np

from engine import Consensus, Ensemble, consensus_methods

#: No score and no time is smaller; sums of equal numbers are apart by as much.
ROUNDING = 1e-12


def three_digits(value: float) -> str:
    """A number with three significant digits; what is left of rounding is 0, and what has no end ∞.

    >>> three_digits(0.012345), three_digits(5.55e-17), three_digits(math.inf)
    ('0.0123', '0', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return "0" if abs(value) < ROUNDING else f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def score_words(value: float) -> str:
    """A score as tables have it, with three decimals; what rounds to 0 has no sign.

    >>> score_words(1.0), score_words(-0.0003)
    ('1.000', '0.000')
    """
    return f"{round(value, 3) + 0.0:.3f}"


def duration(seconds: float) -> str:
    """A time for people: 26.0 ms, 4.12 s."""
    return f"{three_digits(1000 * seconds)} ms" if seconds < 1 else f"{three_digits(seconds)} s"


def roughly(seconds: float) -> str:
    """A time nobody measured yet: 30 ms, 12 s, 4 min, 2.5 h."""
    for unit, factor in (("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= 1.5 * factor:
            return f"{float(f'{seconds / factor:.2g}'):g} {unit}"
    return f"{float(f'{1000 * seconds:.2g}'):g} ms"


def bytes_words(n_bytes: float) -> str:
    """Bytes for people: 1.2 GB, 85 MB."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= factor:
            return f"{n_bytes / factor:.3g} {unit}"
    return f"{n_bytes:.0f} bytes"


def counted(n: int, noun: str, many: str = "") -> str:
    """A count with its noun: 1 object, 1,200 objects; `many` where an s does not do."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {many or noun + 's'}"


def groups_of(made: Ensemble) -> str:
    """What the microclusters of an ensemble are: a missing label is one more thing that tells objects apart."""
    return "groups that no base clustering tells apart" if made.complete else "groups of the same labels and gaps"


def percent(part: float, whole: float) -> str:
    """A share in percent, in which 100% is all, and 0% is none.

    >>> percent(2, 3), percent(999, 1000), percent(1, 1000), percent(0, 0)
    ('67%', 'over 99%', 'below 1%', '0%')
    """
    if 0 < 100 * part < whole:
        return "below 1%"
    if 99 * whole < 100 * part < 100 * whole:
        return "over 99%"
    return f"{round(100 * part / whole) if whole else 0}%"


def spread_words(values: np.ndarray) -> str:
    """Mean and standard deviation of several scores.

    >>> spread_words(np.full(3, 0.1 + 0.2))
    'their mean is 0.300 (sd 0)'
    """
    return f"their mean is {three_digits(float(values.mean()))} (sd {three_digits(float(values.std()))})"


def all_alike(made: Ensemble) -> bool:
    """Whether all base clusterings are one and the same partition.

    >>> all_alike(Ensemble.from_labels([[0, 1], [0, 1], [1, 0]])), all_alike(Ensemble.from_labels([[0, 1], [0, 0]]))
    (True, False)
    """
    return bool(len(made.microclusters) == made.n_clusters_each.max() == made.n_clusters_each.min())


def alone(made: Ensemble, result: Consensus, scored: bool) -> str:
    """What the consensus of a single base clustering is, and why it may have another score, where there are scores."""
    why = " That is why it can score less than the one it is made of." * scored
    if "memberships" in consensus_methods()[result.method].needs:
        return f"The method cuts by soft memberships: it may part its clusters as well as join them.{why}"
    own, k = int(made.n_clusters_each[0]), result.n_clusters
    if own == k:
        return "With nobody to agree with, the consensus repeats it."
    often = "once" if own - k == 1 else f"{own - k} times"
    return (
        f"It has {counted(own, 'cluster')}, and the consensus must have {k}: {often} two of them are joined, and "
        f"nothing says which two, for no other clustering ever put their objects together.{why}"
    )
