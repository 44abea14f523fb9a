"""What the Compare page compares: its study, the scores as an array, and every method's answer on one ensemble."""

from collections.abc import Sequence

import numpy as np

from engine.metrics import MEASURES
from engine.studies.records import Record
from engine.studies.study import Study
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.studies import sweeps
from ui.studies.score_tables import Cell


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
        recipe=Scene(config).making,
        stability=sweeps.draws_of(config, config.sets),
    )


def own_rows(scene: Scene, given: Study) -> tuple[list[str], list[list[Cell]]]:
    """A person's own labels as rows of the table: what they are called, and their score on the data of the sidebar.

    On all its objects, as the study takes them, also where some are set aside on pages.
    """
    whole, score = scene.varied(labelled=False), sweeps.score_of(scene.config, given.datasets)
    if scene.config.data not in given.datasets or score not in MEASURES or whole.source_if_here is None:
        return [], []
    at, found = given.datasets.index(scene.config.data), whole.own_answers
    none = Cell(np.nan, np.nan, False, False, 0)
    scores = [Cell(whole.score(labels), np.nan, False, False) for labels in found.labels.values()]
    return found.titles(), [[score if j == at else none for j in range(len(given.datasets))] for score in scores]


def taken_over(config: RunConfig, given: Study) -> RunConfig:
    """The session as a study has it."""
    fields = sweeps.common_fields(given) | {"methods": given.methods, "sets": given.datasets}
    taken = config.with_(**fields)
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


def on_common_draws(table: np.ndarray) -> np.ndarray:
    """Scores (methods, data sets, draws), nan where a method with scores on the same data set has none on this draw.

    Who fails on the hard draws is not set beside others by the easy ones. Where no draw has them all, all stay.
    """
    there = np.isfinite(table)
    common = (there | ~there.any(axis=2, keepdims=True)).all(axis=0) & there.any(axis=0)
    return np.where(common | ~common.any(axis=1, keepdims=True), table, np.nan)
