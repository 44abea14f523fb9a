"""What the Compare page compares: its study, the scores as an array, and every method's answer on one ensemble."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from engine import EngineError, Ensemble, Monitor, Params, consensus_methods, metrics, run_consensus
from engine.monitor import SILENT, Quiet
from engine.studies.records import Record
from engine.studies.study import Study
from ui.compute import pipeline
from ui.compute.jobs import Job
from ui.compute.work import start
from ui.session import state
from ui.session.run_config import RunConfig
from ui.studies import sweeps


def study(config: RunConfig) -> Study:
    """Every method, with its knobs as they stand in this session, on every data set."""
    chosen = {method: config.chosen_params(method) for method in config.methods}
    grid = {method: {name: (value,) for name, value in values.items()} for method, values in chosen.items() if values}
    policy = sweeps.k_of(config, config.sets)
    return Study(
        datasets=config.sets,
        methods=config.methods,
        name="comparison",
        n_clusterings=(sweeps.m_of(config, config.sets),),
        repeats=config.draws,
        k=policy,
        seed=config.seed,
        grid=grid,
        scaling=config.scaling,
        recipe=config.recipe,
        stability=sweeps.draws_of(config, config.sets),
    )


def taken_over(given: Study) -> RunConfig:
    """The session as a study has it."""
    fields = sweeps.common_fields(given) | {"methods": given.methods, "sets": given.datasets}
    taken = state.config().with_(**fields)
    for method in given.methods:
        taken = taken.with_defaults(method)
    for method in given.methods:
        taken = sweeps.with_fixed_params(taken, given, method)
    return taken


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

    @cached_property
    def agreement(self) -> np.ndarray:
        """NMI (max) between the answers: (n, n)."""
        found = list(self.labels.values())
        return np.array([[metrics.nmi(a, b, "max") for b in found] for a in found])


def answers(config: RunConfig, made: Ensemble) -> Job:
    """Job: Answers of the methods compared, on the ensemble of the page."""
    k = min(pipeline.wanted_k(config), len(made.microclusters))
    settings = tuple((method, config.params_of(method)) for method in config.methods)
    return start(ask_all, made, settings, k, config.seed)


def ask_all(
    made: Ensemble, settings: Sequence[tuple[str, Params]], k: int, seed: int, monitor: Monitor = SILENT
) -> Answers:
    """What every method answers under its parameters, or why it does not."""
    found = Answers({}, {})
    for done, (method, params) in enumerate(settings):
        monitor.tick("asking every method", done, len(settings))
        quiet = Quiet(partial(monitor.tick, "asking every method", done, len(settings)))
        try:
            found.labels[method] = run_consensus(method, made, k, params, seed, quiet).labels
        except EngineError as error:
            found.reasons[consensus_methods()[method].title] = str(error)
    return found


def pair(config: RunConfig, found: Answers) -> tuple[str, str]:
    """The two methods looked at: those chosen; else those whose answers agree least, and so have something to show."""
    chosen = [method for method in config.flow if method in found.labels]
    if len(chosen) == 2:
        return chosen[0], chosen[1]
    methods, apart = list(found.labels), found.agreement.copy()
    np.fill_diagonal(apart, np.inf)
    row = methods.index(chosen[0]) if chosen else int(apart.min(axis=1).argmin())
    return methods[row], methods[int(apart[row].argmin())]
