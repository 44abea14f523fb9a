"""Where an optional package is not installed, the rest works, and what needs it names the line that installs it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
import numpy as np
from engine import Ensemble, MissingExtraError, consensus_methods, run_consensus
labels = np.random.default_rng(0).integers(4, size=(60, 5))
{then}
"""


def without(*names: str, then: str) -> str:
    """What a process prints that cannot import some packages."""
    code = WITHOUT.format(names=names, then=then)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def test_without_metis_its_methods_say_so_and_others_run():
    said = without(
        "pymetis",
        then="""
for key, params in (("cspa", {}), ("mcla", {}), ("hbgf", {"partitioner": "metis"})):
    try:
        run_consensus(key, Ensemble.from_labels(labels), 3, params)
    except MissingExtraError as error:
        print(error)
print(run_consensus("lwea", Ensemble.from_labels(labels), 3).n_clusters)
print(run_consensus("hbgf", Ensemble.from_labels(labels), 3, {"partitioner": "spectral"}).n_clusters)
print(consensus_methods()["cspa"].unavailable)
""",
    ).splitlines()
    assert all("pip install pymetis" in line for line in (*said[:3], said[5]))
    assert said[3:5] == ["3", "3"]


def test_without_metis_a_cut_says_so():
    said = without(
        "pymetis",
        then="""
from scipy import sparse
from engine.partition import metis_bipartite, metis_partition
rng, ones = np.random.default_rng(0), np.ones(4, int)
for cut, n_columns in ((metis_partition, 4), (metis_bipartite, 3)):
    graph = sparse.csr_array(np.ones((4, n_columns)))
    try:
        cut(graph, ones, 2, rng)
    except MissingExtraError as error:
        print(error)
    print(cut(graph, ones, 1, rng)[0].tolist())
""",
    ).splitlines()
    assert (
        said[0] == said[2] == "METIS needs the package pymetis, which is not installed. Install it: pip install pymetis"
    )
    assert said[1] == said[3] == "[0, 0, 0, 0]"


#: Unlike a module that is None, which scikit-learn stumbles over: as where it was never installed.
NOT_INSTALLED = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "pyarrow", "h5py"):
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Hidden())
from engine.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "command", [["consensus", "{file}", "--k", "2"], ["choose-k", "{file}"], ["ensemble", "{file}"]]
)
def test_without_pandas_the_command_reads_csv(command, tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "a.csv").write_text("\n".join(["id,a,b", *(f"o{i},{i % 2},{rng.integers(2)}" for i in range(30))]))
    given = [word.format(file=tmp_path / "a.csv") for word in command] + ["--out", str(tmp_path / "out")]
    whole = [sys.executable, "-c", NOT_INSTALLED, *given]
    done = subprocess.run(whole, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").stat().st_size > 100
