"""Kinds of evidence between two objects as plain data, found like methods."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..params import Params, one_of
from ..runtime.discovery import declared
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class PairEvidence:
    """A similarity between objects that an ensemble gives, described.

    Attributes
    ----------
    key, title : str
        Name in code ("lwca") and on pages ("locally weighted (LWCA)").
    params : type of Params
        Its parameters; those that methods have too share their concepts.
    matrix : callable
        `matrix(ensemble, params, monitor)`: between microclusters, (n, n) float32; on the diagonal the value between
        two objects of one microcluster.
    value : callable
        `value(ensemble, params, i, j)`: between two objects, without the matrix.
    weights : callable, optional
        `weights(ensemble, params, monitor)`: where S = B diag(w) B' / M with B the incidence of objects and clusters,
        the factor's w, (K,).
    place : int
        Where it stands in menus, lower first.
    takes_missing : bool
        Whether labels may be missing; else a MissingEvidenceError says that they may not.
    """

    key: str
    title: str
    params: type[Params]
    matrix: Callable[[Ensemble, Any, Monitor], NDArray]
    value: Callable[[Ensemble, Any, int, int], float]
    weights: Callable[[Ensemble, Any, Monitor], NDArray] | None = None
    place: int = 100
    takes_missing: bool = True

    def chosen(self, values: Mapping[str, Any]) -> Params:
        """Its parameters out of values by concept; defaults for those that are not there.

        Parameters
        ----------
        values : mapping of str to value
            Values by concept; concepts that it does not know are left out.

        Returns
        -------
        Params
            Checked, of its own kind.

        Raises
        ------
        InvalidParameterError
            If a value is not allowed.
        """
        specs = self.params.specs()
        return self.params.of({spec.name: values[spec.concept] for spec in specs if spec.concept in values})


@cache
def pair_evidence() -> dict[str, PairEvidence]:
    """All kinds by key, in their places: every `PairEvidence` in this package.

    >>> list(pair_evidence())[:2]
    ['ca', 'lwca']
    """
    return {one.key: one for one in sorted(declared(__package__, PairEvidence), key=lambda one: (one.place, one.key))}


def find_evidence(key: str) -> PairEvidence:
    """The kind under a key."""
    return pair_evidence()[one_of("evidence", key, pair_evidence())]
