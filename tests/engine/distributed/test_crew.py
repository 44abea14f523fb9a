"""A tile that takes its workers along is an error in the end; rounds go on until the centres rest."""

from concurrent.futures import CancelledError, Future
from types import SimpleNamespace

import numpy as np
import pytest
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from engine.distributed.crew import Crew, Workers
from engine.distributed.passes import Sums
from engine.distributed.running import CutPlan
from engine.distributed.tiles import Tile
from engine.monitor import SILENT
from engine.studies.dask_workers import SchedulerError


class LostError(Exception):
    """A worker is gone."""


class Unlucky(Crew):
    """Workers of whom one tile has taken too many along."""

    lost = (LostError,)

    def give(self, function, tile, shared):
        found = Future()
        if tile.first == 5:
            found.set_exception(LostError())
        else:
            found.set_result(function(tile, *shared))
        return found


def test_workers_that_are_always_lost_are_an_error_of_the_tile_that_took_them_along():
    found = Unlucky(1, SILENT).over([Tile(0, 0), Tile(5, 0)], "x", lambda tile, more: tile.first + more, 1)
    assert next(found) == 1
    with pytest.raises(SchedulerError, match="x: workers were lost again and again over the same rows"):
        next(found)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (CancelledError(), "x: the scheduler was lost"),
        (CommClosedError(), "x: the scheduler was lost"),
        (KilledWorker("a", None, 1), "x: workers were lost again and again over the same rows"),
    ],
    ids=["its futures ended", "nobody is there", "a worker died"],
)
def test_what_was_lost_is_told_by_the_error_while_the_client_still_calls_itself_running(error, said):
    found = Future()
    found.set_exception(error)
    client = SimpleNamespace(status="running", nthreads=lambda: {"a": 1}, submit=lambda *_a, **_k: found)
    with pytest.raises(SchedulerError, match=said):
        list(Workers(client, SILENT).over([Tile(0, 0)], "x", max))


def test_centres_rest_only_when_they_have_stopped():
    points = np.random.default_rng(0).normal(size=(200, 2)) + 8 * (np.arange(200)[:, None] >= 100)
    plan = CutPlan(None, None, None, points, (np.arange(200) >= 30).astype(int))  # far from where they belong
    rests = []
    for _ in range(20):
        labels = ((points[:, None] - plan.shared()[-1]) ** 2).sum(axis=2).argmin(axis=1)
        members = np.eye(2)[labels]
        rests.append(plan.move(Sums(members.T @ points, members.sum(axis=0), 0.0, 0.0, points[0])))
        if rests[-1]:
            break
    assert rests[0] is False
    assert rests[-1] is True
    means = [points[100 * half : 100 * (half + 1)].mean(axis=0) for half in range(2)]
    np.testing.assert_allclose(plan.shared()[-1][np.argsort(plan.shared()[-1][:, 0])], means, atol=1e-9)


def test_an_emptied_part_begins_anew_at_the_costliest_row():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0]])
    plan = CutPlan(None, None, None, points, np.array([0, 1, 1]))
    assert not plan.move(Sums(np.array([[10.0, 9.0], [0.0, 0.0]]), np.array([3.0, 0.0]), 0.0, 5.0, points[2]))
    assert plan.shared()[-1].tolist() == [[10 / 3, 3.0], [9.0, 9.0]]


class Late(Crew):
    """Who hands back a task that ended with an error of its own."""

    def give(self, function, tile, shared):
        found = Future()
        found.set_exception(TimeoutError("a disk was slow"))
        return found


def test_a_task_that_ends_in_a_timeout_ends():
    with pytest.raises(TimeoutError, match="a disk was slow"):
        list(Late(1, SILENT).over([Tile(0, 0)], "x", max))


def test_nobody_is_waited_for_where_nobody_works(monkeypatch):
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr("engine.studies.dask_workers.time.monotonic", lambda: float(next(clock)))
    asked = []
    busy = [True, True, *[False] * 100]
    client = SimpleNamespace(
        nthreads=lambda: {"a": 1},
        submit=lambda *_a, **_k: Future(),
        processing=lambda: asked.append(1) or {"a": busy.pop(0)},
    )
    monkeypatch.setattr("engine.distributed.crew._LOOK", 0.001)
    with pytest.raises(SchedulerError, match="nobody at work for 20 s"):
        list(Workers(client, SILENT).over([Tile(0, 0)], "x", max))
    assert 2 < len(asked) < 20
