"""A kernel kept from earlier is not used once a file changed that it was compiled from."""

import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from numba import njit
from numba.extending import overload

from engine import Ensemble, consensus_methods, run_consensus
from engine.choosing_method import choose_method
from engine.consensus.running import run_settings
from engine.runtime import kernel_cache

_FILES = {
    "kernels.py": """
from numba import njit
from .constants import STEP
from .helpers import helped

@njit(cache=True)
def kernel(x):
    return helped(x) + STEP
""",
    "helpers.py": """
from numba import njit
from .built_in import added

@njit(cache=True)
def helped(x):
    return added(x) * 100
""",
    "built_in.py": """
from numba import types
from numba.extending import intrinsic

@intrinsic
def added(context, x):
    def code(context, builder, signature, arguments):
        return builder.add(arguments[0], arguments[0].type(10))
    return x(x), code
""",
    "constants.py": "STEP = 1",
    "__init__.py": "",
    "runtime/__init__.py": "",
}
_RUN = """
from lab.runtime import kernel_cache
kernel_cache.install()
kernel_cache.install()
from lab.kernels import kernel
print(kernel(2), sum(kernel.stats.cache_hits.values()))
"""


def answer(folder):
    said = subprocess.run([sys.executable, "-B", "-c", _RUN], cwd=folder, capture_output=True, text=True, check=True)
    return tuple(map(int, said.stdout.split()))


@pytest.fixture
def lab(tmp_path):
    """A package of two kernels, a constant and an intrinsic, each in a file of its own."""
    (tmp_path / "lab/runtime").mkdir(parents=True)
    for name, text in _FILES.items():
        (tmp_path / "lab" / name).write_text(text)
    shutil.copy(kernel_cache.__file__, tmp_path / "lab/runtime/kernel_cache.py")
    return tmp_path


@pytest.mark.long
def test_a_kept_kernel_follows_all_it_was_built_on(lab):
    assert answer(lab) == (1201, 0)
    assert answer(lab) == (1201, 1)  # kept
    for name, before, after, found in (
        ("constants.py", "STEP = 1", "STEP = 2", 1202),
        ("helpers.py", "* 100", "* 200", 2402),
        ("built_in.py", "type(10)", "type(20)", 4402),
    ):
        file = lab / "lab" / name
        file.write_text(file.read_text().replace(before, after))
        assert answer(lab) == (found, 0)
    assert answer(lab) == (4402, 1)


def test_the_clock_of_work_stands_still_while_kernels_are_compiled():
    """In the middle, too: whoever waits for it is told by another thread, which asks then."""
    seen, told = [], []

    @overload(_asked)
    def _of_asked():
        seen.append(kernel_cache.seconds_worked())
        told.append(kernel_cache.is_compiling())
        time.sleep(0.02)
        seen.append(kernel_cache.seconds_worked())
        return lambda: 1

    kernel, lasted, worked = njit(lambda x: x + _asked()), time.perf_counter(), kernel_cache.seconds_worked()
    assert kernel(1) == 2
    lasted, worked = time.perf_counter() - lasted, kernel_cache.seconds_worked() - worked
    assert seen[1] - seen[0] < 0.01
    assert worked < lasted - 0.02
    assert [*told, kernel_cache.is_compiling()] == [True, False]
    before = kernel_cache.seconds_worked()
    time.sleep(0.02)
    assert kernel_cache.seconds_worked() - before >= 0.02


def test_no_answer_counts_the_time_its_kernels_are_compiled(monkeypatch):
    made = Ensemble.from_labels(np.arange(60)[:, None] // [20, 15, 12])
    monkeypatch.setattr(kernel_cache._COMPILING, "seconds", time.perf_counter)  # as if nothing else went on
    counted = [run_consensus("eac", made, 3).seconds, choose_method(made, 3, methods=["eac"]).rows[0].seconds]
    counted += [one.seconds for one in run_settings("eac", made, [consensus_methods()["eac"].params.of(None)], [2, 3])]
    assert np.abs(counted).max() < 1e-4


def _asked():
    """Stands for what a kernel calls; numba asks for its meaning as it compiles."""
