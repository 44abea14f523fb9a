"""A kernel kept from earlier is not used once a file changed that it was compiled from."""

import shutil
import subprocess
import sys

import pytest

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
