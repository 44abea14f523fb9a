"""Own labels: base clusterings from a file, their consensus, and how sure it is of every object.

Run it at the top of the checkout: `python -m examples.own_labels [FILE]`.

FILE holds one object a row and one base clustering a column (CSV, NPY, MAT, ...); a column of names is found by itself.
Without one, eight careless copies of a grouping of 60 objects are written to a file first.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import data
from engine import Ensemble, confidence, run_consensus


def example_file(folder: Path) -> Path:
    """Three groups of 20 objects; every base clustering misplaces about one object in seven."""
    rng, groups = np.random.default_rng(0), np.repeat([0, 1, 2], 20)
    members = [np.where(rng.random(60) < 0.15, rng.integers(0, 3, 60), groups) for _ in range(8)]
    rows = [f"bottle {i}," + ",".join(map(str, row)) for i, row in enumerate(np.transpose(members))]
    file = folder / "labels.csv"
    file.write_text("name," + ",".join(f"run{m}" for m in range(8)) + "\n" + "\n".join(rows) + "\n")
    return file


def main(file: Path) -> None:
    """Read, agree, and look at who is unsure."""
    pool = data.read_upload(file.name, file.read_bytes(), "labels")
    ensemble = Ensemble.from_labels(pool.members)
    found = run_consensus("lwea", ensemble, n_clusters=3)
    margin = confidence.margin(ensemble, found.labels)
    print(f"{pool.n_objects} objects in {pool.n_clusterings} base clusterings: {', '.join(pool.clustering_names)}")
    print(f"clusters of {', '.join(map(str, np.bincount(found.labels)))} objects")
    for place in np.argsort(margin)[:3]:
        print(f"unsure: {pool.identifiers[place] if pool.identifiers is not None else place} ({margin[place]:.2f})")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as aside:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else example_file(Path(aside)))
