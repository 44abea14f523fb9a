"""A real scheduler and two workers on loopback, and somebody who kills one."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from engine.studies import dask_workers
from tests.monitors import Once

ROOT = Path(__file__).parents[2]


def killing_half_way(victim: subprocess.Popen) -> Once:
    """Kills a worker once a third of the tasks are done; looking at the files first is none."""
    return Once(
        lambda heard: heard.total > 2 and heard.done >= heard.total // 3, lambda: victim.send_signal(signal.SIGKILL)
    )


def start(*arguments, log):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CONCORD_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
    )


@contextmanager
def running_cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """Address of a scheduler with two workers, and their processes."""
    with scheduler_and_workers(tmp_path) as (address, processes):
        yield address, processes[1:]


@contextmanager
def scheduler_and_workers(
    tmp_path: Path, names: Sequence[str] = ("one", "two")
) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """Address of a scheduler, its process, and those of its workers."""
    processes = []
    with (tmp_path / "log").open("w+") as log:
        try:
            processes.append(start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", log=log))
            address = _address(tmp_path / "log")
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path)]
            processes += [start("worker", address, "--name", name, *options, log=log) for name in names]
            with dask_workers.connect(address) as client:
                if names:
                    client.wait_for_workers(len(names), timeout=60)
            yield address, processes
        finally:
            for process in processes:
                process.kill()
                process.wait()


def _address(log: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if found := re.search(r"Scheduler at: +(tcp://127\.0\.0\.1:\d+)", log.read_text()):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text())
