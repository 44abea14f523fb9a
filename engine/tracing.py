"""The trace of a run: which intermediates are kept, and in whose order."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.monitor import Monitor
from engine.vocabulary import LARGE, PER_CLUSTER, SMALL, VOCABULARY


class Trace(Monitor):
    """Passes ticks on, and keeps the intermediates that were asked for."""

    def __init__(self, outer: Monitor, record: Iterable[str]):
        self.outer = outer
        self.kept: dict[str, Any] = {}
        self.asked = frozenset(SMALL) | frozenset(record)
        if not self.asked <= VOCABULARY:
            unknown = ", ".join(sorted(self.asked - VOCABULARY))
            raise InvalidParameterError(
                f"record must name entries of the trace ({', '.join(sorted(LARGE))}). Got {unknown}"
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
        """The trace, with values per cluster in the order of the ensemble the caller gave."""
        return {
            name: _read_only_copy(ensemble.in_given_order(value)) if name in PER_CLUSTER else value
            for name, value in self.kept.items()
        }


def _read_only_copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.setflags(write=False)
    return value
