"""A study on a cluster: methods on several draws, run by Dask's workers, kept in a file that goes on where it ended.

Run it at the top of the checkout: `python -m examples.study_on_a_cluster [tcp://SCHEDULER:8786]`.

Start `dask scheduler` on one machine and `dask worker tcp://SCHEDULER:8786` on the others, with this package and the
variable CONCORD_THREADS=1. Without an address the study runs in threads of this process.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import data
from engine.renumbering import first_appearance
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import Study


def source(name: str) -> Source:
    """A bundled data set, scaled as the study says."""
    found = data.load(name)
    return Source(name, features=data.scale(found.features, "standard"), truth=first_appearance(found.labels))


def main(scheduler: str | None, folder: Path) -> None:
    """Run what the store lacks, and print mean and spread over the draws."""
    study = Study(datasets=("iris", "wine"), methods=("eac", "lwea", "lwgp"), repeats=3)
    store = Store(folder / "records.sqlite")
    records = run_study(study, {name: source(name) for name in study.datasets}, store, scheduler=scheduler)
    for name in study.datasets:
        for method in study.methods:
            scores = [one.nmi_max for one in records if (one.dataset, one.method) == (name, method)]
            print(f"{name:5} {method:5} NMI {np.mean(scores):.3f} (sd {np.std(scores):.3f}, {len(scores)} draws)")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as aside:
        main(sys.argv[1] if len(sys.argv) > 1 else None, Path(aside))
