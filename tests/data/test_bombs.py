"""Small files that would come to gigabytes or minutes are refused in words, soon, and in little memory."""

import json
import subprocess
import sys

import numpy as np
import pytest

from data import limits
from tests.data.bombs import BOMBS, hdf5
from tests.data.test_refusals import refused

MAKING = "import sys; sys.path.insert(0, '.'); from tests.data import bombs; bombs.read_all(bombs.Path(sys.argv[1]))"


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bombs")
    for name, make in BOMBS.items():
        content = make()
        assert len(content) < 2**20
        (folder / name).write_bytes(content)
    done = subprocess.run([sys.executable, "-c", MAKING, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_within_five_seconds_and_two_gigabytes(ends, name):
    end, seconds = ends[name]
    assert end.startswith("DataError"), end
    assert "more memory than there is" not in end, end  # refused for what it is, before anything is allocated
    assert seconds < 5


def test_the_limit_is_on_what_reading_makes():
    with pytest.raises(ValueError, match=r"200,000,000 values; reading it takes 3.0 GiB, and the limit is 1 GiB"):
        limits.check_size(200_000, 1000, "features")
    limits.check_size(200_000, 335, "features")
    limits.check_size(1_000_000, 100, "labels")


def test_unallocated_values_are_said_to_be_so():
    refused("a.mat", hdf5(lambda f: f.create_dataset("fea", (40, 3), "f8")), match="does not hold")
    refused("a.mat", hdf5(lambda f: f.create_dataset("fea", (40, 3), "f8", chunks=(4, 3))), match="does not hold")


def test_many_small_chunks_are_read_as_long_as_they_are_not_tiny():
    whole = np.arange(60_000.0).reshape(20_000, 3)
    content = hdf5(lambda f: f.create_dataset("fea", data=whole, chunks=(50, 3), compression="gzip"))
    from data import read_upload

    assert np.array_equal(read_upload("a.mat", content, "features").features, whole)
