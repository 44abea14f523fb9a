"""What a worker does: the tasks of one method on one ensemble, and the ensemble itself, made once."""

import itertools
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.ensemble import Ensemble
from engine.experiments.peak_memory import PeakMemory
from engine.experiments.recipes import Recipe
from engine.experiments.records import Record, record_of
from engine.experiments.sources import Source
from engine.experiments.studies import BEST_K_UP_TO, Task
from engine.metrics import scores
from engine.monitor import SILENT, Monitor
from engine.sweeping import Outcome, run_settings


class Ensembles:
    """The ensembles of a process, made once each and shared by all methods; the oldest go first."""

    def __init__(self, kept: int = 16):
        self._kept = kept
        self._lock = threading.Lock()
        self._made: OrderedDict[Any, tuple[threading.Lock, list[Ensemble]]] = OrderedDict()

    def get(self, source: Source, recipe: Recipe, m: int, most: int, seed: int, monitor: Monitor) -> Ensemble:
        """An ensemble of m base clusterings: the first of `most`, where these do not depend on how many there are."""
        made = most if recipe.nested or source.pool is not None else m
        key = source.fingerprint, recipe, made, seed
        whole = self._once(key, lambda: source.ensemble(recipe, made, seed, monitor))
        return whole if m == made else self._once((*key, m), lambda: whole.select(np.arange(m)))

    def _once(self, key: Any, make: Any) -> Ensemble:
        with self._lock:
            lock, made = self._made.setdefault(key, (threading.Lock(), []))
            self._made.move_to_end(key)
            while len(self._made) > self._kept:
                self._made.popitem(last=False)
        with lock:  # whoever comes second waits, and finds it made
            if not made:
                made.append(make())
            return made[0]


ENSEMBLES = Ensembles()


def run_unit(
    tasks: Sequence[Task], source: Source, recipe: Recipe, most: int, monitor: Monitor = SILENT
) -> Iterator[Record]:
    """Records of tasks of one unit, as they are found.

    Parameters
    ----------
    tasks : sequence of Task
        Of one data set, repeat and method.
    source : Source
    recipe : Recipe
    most : int
        Base clusterings of the largest ensemble of the study: smaller ones are its first.
    monitor : Monitor, optional

    Raises
    ------
    Cancelled
    """
    by_m = itertools.groupby(sorted(tasks, key=lambda task: task.n_clusterings), key=lambda task: task.n_clusterings)
    for m, group in by_m:
        made = ENSEMBLES.get(source, recipe, m, most, tasks[0].seed, monitor)
        yield from _on_ensemble(list(group), source, made, monitor)


def _on_ensemble(tasks: list[Task], source: Source, made: Ensemble, monitor: Monitor) -> Iterator[Record]:
    settings = list(dict.fromkeys(task.setting for task in tasks))
    ks = _ks(tasks, source, made)
    wanted = {setting: [task for task in tasks if task.setting == setting] for setting in settings}
    found: dict[int, list[Outcome]] = {}
    watch = PeakMemory()
    for outcome in run_settings(tasks[0].method, made, settings, ks, tasks[0].seed, monitor):
        found.setdefault(outcome.setting, []).append(outcome)
        if len(found[outcome.setting]) == len(ks):  # all k of this setting are there
            for task in wanted[settings[outcome.setting]]:
                yield _record(task, source, found[outcome.setting], watch.read())
            watch = PeakMemory()


def _ks(tasks: list[Task], source: Source, made: Ensemble) -> list[int]:
    """The numbers of clusters to try: those asked for, the true one, or all that might be best."""
    ks = {task.k for task in tasks if not isinstance(task.k, str)}
    policies = {task.k for task in tasks if isinstance(task.k, str)}
    if "true" in policies:
        ks.add(source.true_k or 2)
    if "best" in policies:
        top = max(2 * (source.true_k or 2), BEST_K_UP_TO)
        ks |= set(range(2, max(2, min(top, len(made.microclusters))) + 1))
    return sorted(int(k) for k in ks)


def _record(task: Task, source: Source, outcomes: list[Outcome], peak_mb: float) -> Record:
    """The record of one task: the outcome of its k, or the best of all by NMI (max)."""
    if task.k != "best":
        k = source.true_k if task.k == "true" else task.k
        outcome = next(one for one in outcomes if one.n_clusters == k)
        ended = {"seconds": outcome.seconds, "error": outcome.error, "peak_mb": peak_mb}
        return record_of(task, k=k, **ended, **_scores(outcome, source))
    ended = {"seconds": sum(one.seconds for one in outcomes), "peak_mb": peak_mb}
    scored = [(one, _scores(one, source)) for one in outcomes if one.labels is not None]
    if not scored:
        return record_of(task, **ended, error=outcomes[0].error)
    best, values = max(scored, key=lambda pair: (pair[1]["nmi_max"], -pair[0].n_clusters))
    return record_of(task, k=best.n_clusters, **ended, **values)


def _scores(outcome: Outcome, source: Source) -> dict[str, float]:
    if outcome.labels is None or source.truth is None:
        return {}
    return {name: float(value) for name, value in scores(outcome.labels, source.truth).items()}
