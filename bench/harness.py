"""How a measurement is taken and written down."""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import numpy as np
import psutil


def interleaved(candidates: dict[str, Callable[[], object]], repeats: int = 5) -> dict[str, np.ndarray]:
    """Seconds of every candidate, (repeats,); one after the other in every round, so that all see the same machine."""
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(repeats):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: np.array(values) for name, values in seconds.items()}


def in_fresh_process(module: str, task: str) -> dict[str, float]:
    """What `python -m module --task task` prints (JSON), with the peak memory of that process in MB."""
    command = [sys.executable, "-m", module, "--task", task]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def report_task(result: dict[str, float]) -> None:
    """Print a task's result with the peak memory of this process, for `in_fresh_process`."""
    print(json.dumps({**result, "peak_mb": peak_mb()}))


def peak_mb() -> float:
    """Highest memory of this program so far, in MB (ru_maxrss would include the parent before exec)."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def cpu_seconds() -> float:
    """CPU seconds of this process and its helpers, those that have ended and those that wait for a next task."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for helper in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has just ended, and is counted with those
            spent = helper.cpu_times()
            total += spent.user + spent.system + spent.children_user + spent.children_system
    return total


def resident_mb() -> float:
    """Memory of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def seconds_text(values: np.ndarray) -> str:
    """Median and range: "1.23 s (1.20 to 1.31)"."""
    return f"{np.median(values):.3g} s ({values.min():.3g} to {values.max():.3g})"


def machine() -> str:
    """Processor, cores, memory and versions, in a line."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.machine(),
    )
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba", "scikit-learn"))
    cores = len(os.sched_getaffinity(0))
    return f"{model}, {cores} cores, {memory:.0f} GiB; Python {platform.python_version()}, {packages}"


def arguments() -> argparse.Namespace:
    """`--out FILE` for the table, `--task NAME` for one task in a fresh process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--task")
    return parser.parse_args()


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def publish(text: str, out: Path | None) -> None:
    """Print, and write to the file asked for."""
    print(text)
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text + "\n")


def pool(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Members (N, P) and truth (N,) of a published pool under CONCORD_DATA, such as "pools/lwea/LR"."""
    import data

    loaded = data.load(name)
    return loaded.members, loaded.labels
