"""What several methods answer on one ensemble."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from engine import EngineError, Ensemble, Monitor, Params, consensus_methods, metrics, run_consensus
from engine.monitor import Quiet
from ui.session.run_config import RunConfig


@dataclass(frozen=True, eq=False)
class Answers:
    """What every method says on one ensemble: labels by key, or why there are none."""

    labels: dict[str, np.ndarray]
    reasons: dict[str, str]

    @cached_property
    def agreement(self) -> np.ndarray:
        """NMI (max) between the answers: (n, n)."""
        found = list(self.labels.values())
        return np.array([[metrics.nmi(a, b, "max") for b in found] for a in found])


def asked_methods(config: RunConfig) -> tuple[tuple[str, Params], ...]:
    """The methods compared, each with its knobs as they stand."""
    return tuple((method, config.params_of(method)) for method in config.methods)


def answers(
    ensemble: Ensemble,
    asked_methods: Sequence[tuple[str, Params]],
    n_clusters: int,
    seed: int,
    monitor: Monitor,
) -> Answers:
    """Asking every method: what each answers under its parameters, or why it does not."""
    found = Answers({}, {})
    for done, (method, params) in enumerate(asked_methods):
        monitor.tick("asking every method", done, len(asked_methods))
        quiet = Quiet(partial(monitor.tick, "asking every method", done, len(asked_methods)))
        try:
            found.labels[method] = run_consensus(method, ensemble, n_clusters, params, seed, quiet).labels
        except EngineError as error:
            found.reasons[consensus_methods()[method].title] = str(error)
    return found


def two_methods(answers: Answers, flow: tuple[str, ...]) -> tuple[str, str]:
    """The two that are looked at: those chosen; else those whose answers agree least, and so have something to show."""
    chosen = [method for method in flow if method in answers.labels]
    if len(chosen) == 2:
        return chosen[0], chosen[1]
    methods, apart = list(answers.labels), answers.agreement.copy()
    np.fill_diagonal(apart, np.inf)
    row = methods.index(chosen[0]) if chosen else int(apart.min(axis=1).argmin())
    return methods[row], methods[int(apart[row].argmin())]
