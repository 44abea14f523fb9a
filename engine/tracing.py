"""The trace of a run: which intermediates are kept, and in whose order."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .ensemble import Ensemble
from .runtime.errors import InvalidParameterError
from .runtime.monitor import Monitor
from .vocabulary import BETWEEN_CLUSTERS, LARGE, PER_CLUSTER, PER_CLUSTERING, SMALL, VOCABULARY


class Trace(Monitor):
    """Passes ticks on, and keeps the intermediates that were asked for."""

    def __init__(self, outer: Monitor, record: Iterable[str]):
        self.outer = outer
        self.kept: dict[str, Any] = {}
        self.asked = frozenset(SMALL) | frozenset(record)
        if not self.asked <= VOCABULARY:
            unknown = ", ".join(sorted(self.asked - VOCABULARY))
            raise InvalidParameterError(
                f"record must name entries of the trace ({', '.join(sorted(LARGE | BETWEEN_CLUSTERS))}). Got {unknown}"
            )

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        self.outer.tick(stage, done, total)

    def record(self, name: str, value: Any) -> None:
        """Keep what was asked for; a function is called only then."""
        if name not in VOCABULARY:
            raise KeyError(f"{name!r} is not in engine.vocabulary")
        if name in self.asked:
            value = value() if callable(value) else value
            self.kept[name] = _read_only_copy(value)
            self.outer.record(name, self.kept[name])

    def in_order_of(self, ensemble: Ensemble) -> dict[str, Any]:
        """The trace, with values of clusters and base clusterings in the order of the ensemble the caller gave."""
        return {name: _in_given_order(name, value, ensemble) for name, value in self.kept.items()}


def _in_given_order(name: str, value: Any, ensemble: Ensemble) -> Any:
    if name in PER_CLUSTER:
        return _read_only_copy(ensemble.in_given_order(value))
    if name in BETWEEN_CLUSTERS:
        return _read_only_copy(ensemble.in_given_order(ensemble.in_given_order(value).T).T)
    if name in PER_CLUSTERING:
        return _read_only_copy(value[np.argsort(ensemble.form.clusterings)])
    return value


def _read_only_copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.setflags(write=False)
    return value
