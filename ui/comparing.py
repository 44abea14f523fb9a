"""What the Compare page compares: its study, the scores as an array, and every method's answer on one ensemble."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import Cancelled, EngineError, Ensemble, consensus_methods, metrics, run_consensus
from engine.experiments.records import Record
from engine.experiments.studies import Study
from ui import generating, pipeline, state, sweeps
from ui.jobs import Job
from ui.run_config import RunConfig


def study(config: RunConfig) -> Study:
    """Every method with its defaults (the session's own with its parameters) on every data set."""
    grid = {config.method: {name: (value,) for name, value in config.params}} if config.params else {}
    policy = (pipeline.wanted_k(config),) if config.policy == "page" else config.policy
    return Study(
        datasets=config.sets, methods=config.methods, name="comparison", n_clusterings=(config.m,),
        repeats=config.draws, k=policy, seed=config.seed, grid={m: v for m, v in grid.items() if m in config.methods},
        scaling=config.scaling, recipe=generating.recipe(config),
    )  # fmt: skip


def taken_over(given: Study) -> RunConfig:
    """The session as a study has it."""
    fields = sweeps.common_fields(given) | {"methods": given.methods, "sets": given.datasets}
    set_by_hand = next((method for method in given.methods if given.grid.get(method)), state.config().method)
    return sweeps.with_fixed_params(state.config().with_(**fields, method=set_by_hand, params=()), given)


def scores(given: Study, records: Sequence[Record], column: str) -> np.ndarray:
    """One column of the records: (methods, data sets, draws); nan where there is none."""
    table = np.full((len(given.methods), len(given.datasets), given.repeats), np.nan)
    for record in records:
        value = getattr(record, column)
        if value is not None:
            table[given.methods.index(record.method), given.datasets.index(record.dataset), record.repeat] = value
    return table


@dataclass(frozen=True, eq=False)
class Answers:
    """What every method says on one ensemble: labels by key, or why there are none."""

    labels: dict[str, np.ndarray]
    reasons: dict[str, str]

    def agreement(self) -> np.ndarray:
        """NMI (max) between the answers: (n, n)."""
        found = list(self.labels.values())
        return np.array([[metrics.nmi(a, b, "max") for b in found] for a in found])


def answers(config: RunConfig, made: Ensemble) -> Job:
    """Job: Answers of the methods compared, on the ensemble of the page."""
    k = min(pipeline.wanted_k(config), len(made.microclusters))
    own = config.method_params
    key = "answers", pipeline.ensemble_key(config), config.methods, config.method, own, k, config.seed

    def compute(monitor) -> Answers:
        found = Answers({}, {})
        for done, method in enumerate(config.methods):
            monitor.tick("asking every method", done, len(config.methods))
            try:
                params = own if method == config.method else None
                found.labels[method] = run_consensus(method, made, k, params, config.seed, _Quiet(monitor)).labels
            except Cancelled:
                raise
            except EngineError as error:
                found.reasons[consensus_methods()[method].title] = str(error)
        return found

    return pipeline.start(key, compute, "answers")


class _Quiet(pipeline.Monitor):
    """Passes on whether to stop, not how far a single method is."""

    def __init__(self, outer):
        self.outer = outer

    def tick(self, stage: str, done: int, total: int) -> None:
        if self.outer.stop.is_set():
            raise Cancelled


def flow_pair(config: RunConfig, found: Answers) -> tuple[str, str]:
    """The two methods chosen for the flow; else the first two that answered."""
    chosen = [method for method in config.flow if method in found.labels]
    rest = [method for method in found.labels if method not in chosen]
    first, second = (chosen + rest)[:2]
    return first, second


def two_best(found: Answers, classes: np.ndarray, measure: str) -> tuple[str, str]:
    """The two methods whose answers score highest on this ensemble."""
    ranked = sorted(found.labels, key=lambda method: -pipeline.score(found.labels[method], classes, measure))
    return ranked[0], ranked[1]
