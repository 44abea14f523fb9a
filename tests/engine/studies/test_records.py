"""Records name their fields: they outlive the metrics of the version that wrote them, and the form of its table."""

import csv
import io
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import __version__
from engine.metrics import MEASURES
from engine.studies.__main__ import salvage
from engine.studies.records import COLUMNS, Record, record_of, to_csv, to_parquet
from engine.studies.store import Store, StoreError
from engine.studies.study import Study, expand
from tests.engine.studies.examples import sample

ROOT = Path(__file__).parents[3]
#: Three records as the form before has them, one with an error, one with every kind of score.
FORM_5 = Path(__file__).with_name("form_5.sqlite")
_OLD = {
    "dataset": "wine",
    "method": "lwea",
    "params": '{"theta": 0.4}',
    "n_clusterings": 10,
    "seed": 0,
    "version": "1.0",
}
OF_FORM_5 = [
    Record.of(
        **_OLD,
        **{"key": "3b0c", "repeat": 0, "k": 3, "seconds": 1.5, "peak_mb": 210.5},
        **{"nmi_max": 0.123456789012345, "ari": -0.25, "purity": 1.0, "margin": 0.25, "anmi": 0.5},
    ),
    Record.of(**_OLD, key="a1", repeat=1, error='he said "no",\nand left: ä', seconds=0.5),
    Record.of(**_OLD, key="f7", repeat=2, k=4, nmi_sqrt=0.5, stability=0.75, generator="random subspaces"),
]


def test_the_version_stands_in_one_place():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pyproject["project"]["version"] == __version__


def test_what_a_record_says_of_itself_stays(store, sources):
    (task,) = expand(Study(("blobs",), ("lwea",), repeats=1), sources)
    store.add([record_of(task, k=3), sample("b", generator="mine")])
    assert store.of([task, replace(task, key="b")])["b"].generator == "mine"
    assert store.find(["b"])["b"].params == "{}"


def test_scores_are_attributes_and_what_is_none_is_an_error(store):
    record = sample("a", k=np.int64(3), ari=np.float32(0.5), purity=float("nan"), nmi_max=None)
    assert (record.ari, record.purity, record.nmi_max, record.scores) == (0.5, None, None, {"ari": 0.5})
    assert pickle.loads(pickle.dumps(record)) == record == Record.of(**record.as_dict())
    with pytest.raises(AttributeError):
        record.arii  # noqa: B018
    store.add([record])
    assert store.all() == [record]


def test_scores_of_another_version_stay_and_are_exported(store, tmp_path):
    import pandas as pd

    store.add([sample("a"), sample("b", repeat=1, lucidity=0.5)])
    assert [record.as_dict().get("lucidity") for record in store.all()] == [None, 0.5]
    assert to_csv(store.all()).splitlines()[0] == ",".join([*COLUMNS, "lucidity"])
    (tmp_path / "t.parquet").write_bytes(to_parquet(store.all()))
    assert pd.read_parquet(tmp_path / "t.parquet").lucidity.isna().tolist() == [True, False]


@pytest.fixture
def old(tmp_path):
    return Path(shutil.copy(FORM_5, tmp_path / "old"))


def test_a_store_of_the_form_before_is_taken_over_as_it_is(old):
    for _ in range(2):
        with closing(Store(old)) as store:
            assert store.all() == OF_FORM_5
    with closing(Store(old)) as store:
        store.add([sample("d")])
    assert len(Store(old)) == 4


def test_a_store_of_the_form_before_that_may_not_be_written_is_named(old, monkeypatch):
    opened = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **how: opened(f"file:{path}?mode=ro", uri=True, **how))
    before = old.read_bytes()
    with pytest.raises(StoreError, match="could not be opened: it may not be written to. Open a copy of it"):
        Store(old)
    assert old.read_bytes() == before


def test_a_damaged_store_of_the_form_before_is_left_as_it_is_and_salvaged(old):
    with closing(sqlite3.connect(old)) as other:
        other.execute("UPDATE records SET ari = 0.9 WHERE repeat = 0")
        other.commit()
    before = old.read_bytes()
    with pytest.raises(StoreError, match="1 of 3 records are damaged. Save what is whole"):
        Store(old)
    assert old.read_bytes() == before
    found = salvage(old, old.with_name("new"))
    assert (found.kept, found.damaged, found.written) == (2, 1, 3)
    assert Store(old.with_name("new")).all() == OF_FORM_5[1:]


ADDED = """
import sys
import numpy as np
from engine import metrics
from engine.studies.records import record_of, to_csv
from engine.studies.units import Source
from engine.studies.store import Store
from engine.studies.study import Study, expand

store = Store(sys.argv[1])
before = store.all()
assert [record.jaccard for record in before] == [None] * len(before)
source = Source("mine", pool=np.array([[0, 0], [0, 1], [1, 1], [1, 0]]), truth=np.array([0, 0, 1, 1]))
(task,) = expand(Study(("mine",), ("eac",), repeats=1, n_clusterings=(2,), best_by="jaccard"), {"mine": source})
store.add([record_of(task, k=2, **metrics.scores([0, 0, 1, 0], source.truth))])
print(to_csv(store.all()))
"""


@pytest.mark.long
def test_a_new_metric_damages_no_record_and_neither_does_one_that_goes(old, tmp_path):
    """The entry of docs/adding_a_metric.md, put where it says, in a tree of its own."""
    function, entry = re.findall(r"```\w+\n(.*?)```", (ROOT / "docs/adding_a_metric.md").read_text(), re.S)
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "engine" / "metrics.py"
    parts = re.split(r"(?=^class Metric)|(?<=_purity\),\n)", file.read_text(), flags=re.M)
    assert len(parts) == 3
    file.write_text(parts[0] + function + "\n\n" + parts[1] + entry + parts[2])
    with closing(Store(old)) as store:
        before = store.all()
    done = subprocess.run(
        [sys.executable, "-c", ADDED, str(old)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]).index("jaccard") == 6 + len(MEASURES)
    assert [row["jaccard"] for row in rows] == ["0.25", *[""] * len(before)]
    with closing(Store(old)) as store:  # the metric is gone again
        assert [record for record in store.all() if record.dataset != "mine"] == before
        assert to_csv(store.all()).splitlines()[0].endswith(",stability,key,jaccard")
