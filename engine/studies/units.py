"""What a worker does: the tasks of one method on one ensemble, and the ensemble itself, made once.

Beside a task its peak memory is watched, though other threads run in the same process.
"""

import itertools
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
import psutil

from ..choosing_k import Effort, answer, ask, find_criterion
from ..choosing_k.choosing import DEFAULT_K_MAX
from ..confidence import internal_scores, stability
from ..consensus import find_method
from ..consensus.running import Outcome, in_words, run_settings
from ..ensemble import Ensemble
from ..generators import Recipe
from ..metrics import scores
from ..runtime.errors import Cancelled, EngineError, InvalidParameterError
from ..runtime.kernel_cache import seconds_worked
from ..runtime.monitor import SILENT, Monitor
from ..selection import selected
from .records import Record, record_of
from .sources import Source
from .study import BEST_UP_TO, Task

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_lock = threading.Lock()
_watching: "WeakSet[PeakMemory]" = WeakSet()


class PeakMemory:
    """A watch on the memory of this process; what other threads hold meanwhile counts too.

    Linux alone can start its high-water mark anew. Elsewhere the peak is that of the process so far (Windows), or of
    the moments at which somebody looked.
    """

    def __init__(self) -> None:
        with _lock:
            _share()  # what was before belongs to those who watched then
            with suppress(OSError):
                _RESET.write_text("5")
            self.highest = 0.0
            _watching.add(self)

    def read(self) -> float:
        """Highest resident memory since this watch began, MB."""
        with _lock:
            _share()
            return self.highest


def _share() -> None:
    """The mark is as old as the youngest watch: it holds for all of them."""
    now = _high_water()
    for watch in _watching:
        watch.highest = max(watch.highest, now)


def _high_water() -> float:
    """Most memory this process has held, MB: since the mark on Linux, ever on Windows; what it holds now elsewhere."""
    with suppress(OSError, StopIteration):
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    held = psutil.Process().memory_info()
    return getattr(held, "peak_wset", held.rss) / 1e6


class Ensembles:
    """The ensembles of a process, made once each and shared by all methods; the oldest go first."""

    def __init__(self, kept: int = 16):
        self._kept = kept
        self._lock = threading.Lock()
        self._made: OrderedDict[Any, tuple[threading.Lock, list[Ensemble]]] = OrderedDict()

    def get(
        self, source: Source, recipe: Recipe, m: int, most: int, seed: int, monitor: Monitor, selection: str = ""
    ) -> Ensemble:
        """An ensemble of m base clusterings: the first of `most`, where these do not depend on how many there are.

        With a `selection`, those of the m that it keeps.
        """
        nested = recipe.made_by.nested if source.pool is None else not source.redrawn(most)
        made = most if nested else m
        key = source.fingerprint, recipe, made, seed
        whole = self._once(key, lambda: source.ensemble(recipe, made, seed, monitor))
        first = whole if m == made else self._once((*key, m), lambda: whole.select(np.arange(m)))
        if not selection:
            return first
        return self._once((*key, m, selection), lambda: selected(first, selection, source.true_k, seed, monitor)[0])

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


@dataclass(frozen=True, eq=False)
class Unit:
    """Tasks that run together, with what they need: it travels to a worker as it is, the source apart."""

    tasks: Sequence[Task]
    recipe: Recipe
    most: int


def run_unit(
    tasks: Sequence[Task], source: Source, recipe: Recipe, most: int, monitor: Monitor = SILENT
) -> Iterator[Record]:
    """Records of tasks of one unit, as they are found; an ensemble that cannot be made is the error of its tasks."""
    by_m = itertools.groupby(sorted(tasks, key=lambda task: task.n_clusterings), key=lambda task: task.n_clusterings)
    for m, group in by_m:
        begun = seconds_worked()
        try:
            made = ENSEMBLES.get(source, recipe, m, most, tasks[0].seed, monitor, tasks[0].select)
        except Cancelled:
            raise
        except EngineError as error:
            ended = {"seconds": seconds_worked() - begun, "error": in_words(error)}
            yield from (record_of(task, **ended) for task in group)
        else:
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
                yield _record(task, source, made, found[outcome.setting], watch.read(), monitor)
            watch = PeakMemory()


def _ks(tasks: list[Task], source: Source, made: Ensemble) -> list[int]:
    """The numbers of clusters to try: those asked for, the true one, and all that might be best or picked."""
    ks = {task.k for task in tasks if not isinstance(task.k, str)}
    if find_method(tasks[0].method).finds_k:
        return sorted(int(k) for k in ks) or [2]  # of no account: every answer is the same
    policies = {task.k for task in tasks if isinstance(task.k, str)}
    n = len(made.microclusters)
    if "true" in policies:
        ks.add(source.true_k or 2)
    for policy in policies & set(BEST_UP_TO):
        top = BEST_UP_TO[policy](source.true_k or 2, made.n_objects)
        ks |= set(range(2, max(2, min(top, n)) + 1))
    if policies - {"true", *BEST_UP_TO}:
        ks |= set(range(2, max(2, min(DEFAULT_K_MAX, n)) + 1))
    return sorted(int(k) for k in ks)


def _record(
    task: Task, source: Source, made: Ensemble, outcomes: list[Outcome], peak_mb: float, monitor: Monitor
) -> Record:
    """The record of one task: the outcome of its k, the best of all by the measure it names, or a criterion's pick."""
    if find_method(task.method).finds_k:
        return _found(task, source, made, outcomes[0], peak_mb, monitor)
    if task.k in BEST_UP_TO:
        return _best(task, source, made, outcomes, peak_mb, monitor)
    ended: dict[str, Any] = {"peak_mb": peak_mb}
    k = source.true_k if task.k == "true" else task.k
    if isinstance(k, str):
        begun = seconds_worked()
        k, ended["error"] = _picked(task, made, outcomes, monitor)
        ended["seconds"] = sum(one.seconds for one in outcomes) + seconds_worked() - begun
        if k is None:
            return record_of(task, **ended)
    outcome = next(one for one in outcomes if one.n_clusters == k)
    ended = {"seconds": outcome.seconds, **ended, "error": outcome.error}
    return record_of(task, k=k, **ended, **_scores(task, outcome, source, made, monitor))


def _found(task: Task, source: Source, made: Ensemble, outcome: Outcome, peak_mb: float, monitor: Monitor) -> Record:
    """The record of a method that finds k itself: there is no other to be the best, and nothing for a criterion."""
    ended = {"seconds": outcome.seconds, "peak_mb": peak_mb, "error": outcome.error}
    k = None if outcome.labels is None else int(outcome.labels.max()) + 1
    return record_of(task, k=k, **ended, **_scores(task, outcome, source, made, monitor))


def _best(
    task: Task, source: Source, made: Ensemble, outcomes: list[Outcome], peak_mb: float, monitor: Monitor
) -> Record:
    ended = {"seconds": sum(one.seconds for one in outcomes), "peak_mb": peak_mb}
    scored = [(one, _scores(task, one, source, made, monitor)) for one in outcomes if one.labels is not None]
    if not scored:
        return record_of(task, **ended, error=outcomes[0].error)
    best, values = max(scored, key=lambda pair: (pair[1].get(task.best_by, -2.0), -pair[0].n_clusters))
    return record_of(task, k=best.n_clusters, **ended, **values)


def _picked(task: Task, made: Ensemble, outcomes: list[Outcome], monitor: Monitor) -> tuple[int | None, str]:
    """What a criterion picks among the outcomes there are; else none, and why."""
    criterion = find_criterion(str(task.k))
    found = {one.n_clusters: one.labels for one in outcomes if one.labels is not None}
    if not found:
        return None, outcomes[0].error
    try:
        question = ask(made, task.method, task.setting, max(found), None, task.seed, Effort(2, 0, 5))
        question.give_partitions({k: labels for k, labels in found.items() if k <= DEFAULT_K_MAX})
        curve = answer(question, [criterion.key], monitor)
    except EngineError as error:
        return None, in_words(error)
    if reason := curve.left_out.get(criterion.key):
        return None, f"{criterion.title} {reason}"
    pick = curve.picks.get(criterion.key)
    return pick, "" if pick else f"{criterion.title} prefers no number of clusters"


def _scores(task: Task, outcome: Outcome, source: Source, made: Ensemble, monitor: Monitor) -> dict[str, float]:
    """Internal scores, and those against the truth where it is known."""
    if outcome.labels is None:
        return {}
    against = {} if source.truth is None else scores(outcome.labels, source.truth)
    internal = internal_scores(made, outcome.labels) | _stability(task, outcome.n_clusters, made, monitor)
    return {name: float(value) for name, value in (against | internal).items()}


def _stability(task: Task, k: int, made: Ensemble, monitor: Monitor) -> dict[str, float]:
    """Mean stability, where the task asks for it; none where hardly any draw tells k groups apart."""
    if not task.stability or made.n_clusterings < 2:
        return {}
    try:
        found = stability(made, task.method, k, task.setting, task.stability, task.seed, monitor)
    except InvalidParameterError:  # the only one left: method, setting and k have just been run
        return {}
    return {"stability": float(found.mean())}
