"""How many base clusterings are enough: what the consensus is worth against their number."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.reading_labels import label_vector
from ..params import Params
from ..runtime.blocks import kept_threads
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor, Quiet
from .judging import Judge, check_count

#: The band holds the middle four fifths of the subsets.
BAND = (10.0, 90.0)
#: A band is flat where it stays as near to the median of all.
FLAT = 0.01
#: Sizes looked at unless told otherwise.
SIZES = 12


@dataclass(frozen=True, eq=False)
class Enough:
    """What the consensus of random subsets is worth, size by size.

    Attributes
    ----------
    sizes : (s,) int64
        Numbers of base clusterings, ascending; the last is M. A method that joins nothing so few have in common has
        no answer to them: such sizes are left out.
    values : (s, repeats) float64
        Score or stability of each subset's consensus.
    title : str
        What a value is.
    unanswered : tuple of int
        The sizes that were looked at and left out.
    """

    sizes: NDArray[np.int64]
    values: NDArray[np.float64]
    title: str
    unanswered: tuple[int, ...] = ()

    @property
    def median(self) -> NDArray[np.float64]:
        """Of the subsets of every size: (s,)."""
        return np.median(self.values, axis=1)

    @property
    def band(self) -> NDArray[np.float64]:
        """10th and 90th percentile of the subsets of every size: (2, s)."""
        return np.percentile(self.values, BAND, axis=1)

    @property
    def flat_from(self) -> int | None:
        """The smallest size from which the whole band stays within .01 of the median at M; None if only M does."""
        away = np.abs(self.band - self.median[-1]).max(axis=0)
        flat = np.logical_and.accumulate((away <= FLAT + 1e-12)[::-1])[::-1]
        return int(self.sizes[np.flatnonzero(flat)[0]]) if flat[:-1].any() else None

    @property
    def sentence(self) -> str:
        """How many are enough, in words."""
        most, repeats = int(self.sizes[-1]), self.values.shape[1]
        if len(self.sizes) == 1:
            fewer = ": the method has no answer to fewer" if self.unanswered else ""
            return f"With {most:,} base clusterings there is nothing to leave out{fewer}."
        shown = f"{self.title} of the consensus of {repeats:,} random subsets of each size"
        if self.flat_from is None:
            low, high = self.band[:, -2]
            return (
                f"{shown}: not flat before all {most:,}; of {int(self.sizes[-2]):,}, four fifths lie between "
                f"{low:.3f} and {high:.3f}."
            )
        return (
            f"{shown}: from {self.flat_from:,} on, four fifths lie within .01 of the median of all {most:,}. "
            "Subsets of nearly all share most of their members, so the band must narrow to the right."
        )


@kept_threads()
def enough(
    ensemble: Ensemble,
    method: str,
    n_clusters: int,
    sizes: Sequence[int] | None = None,
    repeats: int = 30,
    truth: ArrayLike | None = None,
    score: str = "nmi_max",
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Enough:
    """What the consensus is worth against the number of base clusterings it is made of.

    Parameters
    ----------
    ensemble : Ensemble
        Of M >= 2 base clusterings.
    method, n_clusters, params
        As for `engine.run_consensus`; a subset that tells fewer than k groups apart is cut into these.
    sizes : sequence of int, optional
        From 2 to M; M is always looked at. By default about twelve, evenly spaced on a logarithmic axis.
    repeats : int
        Random subsets of each size.
    truth : (N,) labels, optional
        With it a subset is worth its score; without it its stability, the ARI between the consensus of one half of it
        and of the other.
    score : str
        One of `engine.metrics.MEASURES`.
    seed : int
    monitor : Monitor, optional

    Returns
    -------
    Enough

    Raises
    ------
    InvalidParameterError
        If a name is unknown or a number out of range. And what `run_consensus` raises.

    Notes
    -----
    sizes x repeats consensus runs, twice as many without a truth; with one, all M are run once.

    References
    ----------
    fern2008selection; hennig2007stability.
    """
    classes = None if truth is None else label_vector(truth)
    judge = Judge(ensemble, method, n_clusters, params, classes, score, seed)
    check_count("repeats", repeats, 1)
    shown = _sizes(ensemble.n_clusterings, sizes)
    values, whole = np.full((len(shown), repeats), np.nan), len(shown) * repeats
    rng = np.random.default_rng(seed)
    for row, size in enumerate(shown):
        last = size == ensemble.n_clusterings
        for repeat in range(repeats):
            ask = partial(monitor.tick, "trying numbers of base clusterings", row * repeats + repeat, whole)
            ask()
            if last and classes is not None and repeat:
                values[row, repeat] = values[row, 0]  # the same choice again
                continue
            choice, own = judge.drawn(size, rng), judge.resplit(int(rng.integers(2**31)))
            with nullcontext() if last else suppress(InvalidParameterError):
                values[row, repeat] = own.value(choice, Quiet(ask), 1)
    answered = np.isfinite(values).all(axis=1)
    looked_at = np.array(shown, dtype=np.int64)
    return Enough(looked_at[answered], values[answered], judge.title, tuple(looked_at[~answered].tolist()))


def _sizes(m: int, sizes: Sequence[int] | None) -> list[int]:
    """The sizes as given and M, or about twelve of 2 to M."""
    if sizes is not None:
        if not isinstance(sizes, Iterable):
            raise InvalidParameterError(f"sizes must be integers from 2 to {m:,}. Got {shown(sizes)}")
        return sorted({check_count("sizes", size, 2, m) for size in sizes} | {m})
    return sorted(set(np.geomspace(2, m, SIZES).round().astype(int).tolist())) if m > SIZES else list(range(2, m + 1))
