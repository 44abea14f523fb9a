"""Studies: expansion, running, keeping, resuming; threads, processes and the command line."""

import csv
import io
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from engine import Cancelled, Ensemble, Monitor, consensus_methods, generators, metrics, run_consensus
from engine.errors import InvalidParameterError
from engine.experiments import running, units
from engine.experiments.peak_memory import PeakMemory
from engine.experiments.recipes import Recipe
from engine.experiments.records import COLUMNS, Record
from engine.experiments.running import run_study
from engine.experiments.sources import Source
from engine.experiments.store import Store, StoreError, to_csv, to_parquet
from engine.experiments.studies import InvalidStudyError, Study, expand, with_changes
from engine.experiments.study_files import read_study, write_study
from engine.sweeping import Outcome, run_settings

ROOT = Path(__file__).parents[2]


def blobs(seed: int = 0, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    return rng.normal(size=(n, 2)) + 4 * np.eye(3, 2)[truth], truth


@pytest.fixture
def sources():
    features, truth = blobs()
    pool = generators.kmeans_ensemble(features, 30, seed=9).labels
    return {"blobs": Source("blobs", features=features, truth=truth), "pool": Source("pool", pool=pool, truth=truth),
            "blind": Source("blind", features=features)}  # fmt: skip


@pytest.fixture
def store(tmp_path):
    kept = Store(tmp_path / "records.sqlite")
    yield kept
    kept.close()


def without_cost(records: list[Record]) -> list[dict]:
    return [{k: v for k, v in record.as_dict().items() if k not in ("seconds", "peak_mb")} for record in records]


# ---------------------------------------------------------------------------------------------- sweeping


@pytest.mark.parametrize("key", sorted(consensus_methods()))
def test_settings_together_are_the_settings_alone(key):
    method = consensus_methods()[key]
    if method.unavailable:
        pytest.skip(method.unavailable)
    features, _ = blobs(4)
    made = generators.lac_ensemble(features, 3, [0.5, 2, 9, 40, 100], seed=2)
    if "memberships" not in method.needs:
        made = generators.kmeans_ensemble(features, 8, seed=2)
    settings = [method.params()]
    for spec in method.params.specs():
        if spec.kind in ("int", "float") and spec.slider and spec.name != "max_iter":
            settings += [method.params.of({spec.name: value}) for value in spec.slider]
        settings += [method.params.of({spec.name: value}) for value in spec.choices if value != "published-code"]
    for outcome in run_settings(key, made, settings, [3, 2], seed=5):
        alone = run_consensus(key, made, outcome.n_clusters, settings[outcome.setting], seed=5)
        assert (outcome.labels == alone.labels).all()
        assert outcome.seconds >= 0


def test_a_sweep_shares_the_walk(monkeypatch):
    from engine.evidence import walk_panels
    from engine.methods.pta import PTAParams

    made = generators.kmeans_ensemble(blobs(1, 200)[0], 10, seed=1)
    steps = []
    step = walk_panels.GramPanels.step
    monkeypatch.setattr(walk_panels.GramPanels, "step", lambda self, monitor: (steps.append(1), step(self, monitor)))
    settings = [PTAParams(K=4, T=T) for T in range(1, 6)]
    assert len(list(run_settings("pta", made, settings, [2, 3]))) == 10
    assert len(steps) <= 5


def test_an_error_of_one_setting_leaves_the_others():
    made = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 2]])
    found = list(run_settings("lwea", made, [consensus_methods()["lwea"].params()], [9, 2, 3]))
    assert [one.labels is None for one in found] == [True, False, False]
    assert "InvalidParameterError: n_clusters must be at most 4" in found[0].error


# ----------------------------------------------------------------------------------------------- studies


def test_a_study_comes_to_all_combinations(sources):
    study = Study(("blobs", "pool"), ("eac", "lwea"), repeats=2, k=(2, 3), n_clusterings=(5, 9), seed=4,
                  grid={"lwea": {"theta": (0.2, 0.4, 1.0)}})  # fmt: skip
    tasks = expand(study, sources)
    assert len(tasks) == 2 * 2 * 2 * (1 + 3) * 2
    assert len({task.key for task in tasks}) == len(tasks)
    assert {task.seed for task in tasks} == {4, 5}
    assert {task.params for task in tasks if task.method == "lwea"} >= {'{"n_clusterings": 5, "theta": 0.2}'}


def test_keys_hang_on_content_alone(sources):
    study = Study(("blobs",), ("lwea",), repeats=1)
    (one,) = expand(study, sources)
    same = {"blobs": Source("blobs", features=sources["blobs"].features.copy(), truth=sources["blobs"].truth)}
    assert expand(with_changes(study, name="another", grid={"lwea": {"theta": (0.4,)}}), same)[0].key == one.key
    moved = {"blobs": Source("blobs", features=sources["blobs"].features + 1e-9, truth=sources["blobs"].truth)}
    assert expand(study, moved)[0].key != one.key
    for change in (
        {"seed": 1},
        {"k": "best"},
        {"n_clusterings": (11,)},
        {"recipe": Recipe(k_range=(2, 5))},
        {"recipe": Recipe("subspaces")},
    ):
        assert expand(with_changes(study, **change), sources)[0].key != one.key


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"datasets": ()}, "at least one"),
        ({"methods": ("magic",)}, "Got magic"),
        ({"repeats": 0}, "repeats must be an integer of at least 1"),
        ({"n_clusterings": (0,)}, "n_clusterings"),
        ({"k": "most"}, '"true", "best"'),
        ({"k": (1,)}, "at least 2"),
        ({"grid": {"lwea": {"K": (3,)}}}, "Got K"),
        ({"grid": {"lwea": {"theta": (-1.0,)}}}, "theta must be a number in"),
        ({"grid": {"lwea": {"theta": ()}}}, "list of values"),
        ({"scaling": "log"}, "scaling must be one of"),
        ({"repeats": 10**6, "k": tuple(range(2, 9))}, "at most 1,000,000 tasks"),
    ],
)
def test_a_study_refuses_at_the_door(changes, words):
    with pytest.raises(InvalidStudyError, match=None) as caught:
        Study(**{"datasets": ("blobs",), "methods": ("lwea",), **changes})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"datasets": ("elsewhere",)}, "Got 'elsewhere'"),
        ({"datasets": ("blind",)}, "has none"),
        ({"datasets": ("pool",), "n_clusterings": (31,)}, "at most 30"),
    ],
)
def test_a_study_refuses_what_its_sources_lack(sources, changes, words):
    with pytest.raises(InvalidStudyError) as caught:
        expand(Study(**{"datasets": ("blobs",), "methods": ("lwea",), **changes}), sources)
    assert words in str(caught.value)


def test_a_study_file_is_read_as_it_was_written():
    study = Study(("wine", "pools/x"), ("pta", "got"), name='with "quotes"', n_clusterings=(5, 10), k=(2, 3), seed=3,
                  grid={"pta": {"K": (None, 5), "linkage": ("average", "single")}, "got": {"refine": (True, False)}},
                  scaling="minmax",
                  recipe=Recipe("lac", (2, 9), "k-means++", 3, 0.25, (0.5, 50.0), 4))  # fmt: skip
    assert read_study(write_study(study)) == study


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("datasets = [", "not valid TOML"),
        ('datasets = ["a"]', "Missing: methods"),
        ('datasets = ["a"]\nmethods = ["eac"]\ncolour = 1', "Got colour"),
        ('datasets = "a"\nmethods = ["eac"]', "datasets must be a list of names"),
        ('datasets = ["a"]\nmethods = ["eac"]\ngrid = 3', "one table a method"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[grid.lwea]\ntheta = 0.4', "must be a list of values"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nrepeats = "many"', "repeats must be an integer"),
        ('datasets = ["a"]\nmethods = ["lwea"]\ngenerator = "magic"', "generator must be one of"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nk_range = "cubic"', "k_range must be one of"),
        ('datasets = ["a"]\nmethods = ["lwea"]\ninverse_h = 4', "inverse_h must be a pair"),
    ],
)
def test_a_bad_study_file_is_explained(text, words):
    with pytest.raises(InvalidStudyError) as caught:
        read_study(text)
    assert words in str(caught.value)


# ----------------------------------------------------------------------------------------------- running


def test_records_are_what_one_call_at_a_time_gives(sources, store):
    study = Study(("blobs", "pool"), ("lwea", "lwgp"), repeats=2, seed=3, n_clusterings=(6,),
                  grid={"lwea": {"theta": (0.2, 1.0)}})  # fmt: skip
    records = run_study(study, sources, store)
    assert len(records) == len(expand(study, sources)) == len(store)
    for task, record in zip(expand(study, sources), records, strict=True):
        source = sources[task.dataset]
        made = source.ensemble(Recipe(), 6, task.seed)
        labels = run_consensus(task.method, made, 3, task.setting, seed=task.seed).labels
        expected = metrics.scores(labels, source.truth)
        assert {name: getattr(record, name) for name in expected} == pytest.approx(expected)
        assert (record.k, record.error, record.key) == (3, "", task.key)
        assert record.peak_mb > 10


def test_peak_memory_is_that_of_the_time_watched():
    outer = PeakMemory()
    before = outer.read()
    big = np.ones(25_000_000)  # 200 MB
    del big
    inner = PeakMemory()
    assert outer.read() > before + 150
    assert inner.read() < before + 100
    big = np.ones(40_000_000)  # 320 MB
    del big
    assert inner.read() == outer.read() > before + 270


def test_best_k_is_the_best_of_all(sources, store):
    (record,) = run_study(Study(("blobs",), ("lwea",), repeats=1, k="best"), sources, store)
    made = sources["blobs"].ensemble(Recipe(), 10, 0)
    top = min(30, len(made.microclusters))
    by_k = {k: metrics.nmi(run_consensus("lwea", made, k).labels, sources["blobs"].truth, "max")
            for k in range(2, top + 1)}  # fmt: skip
    assert record.nmi_max == max(by_k.values())
    assert record.k == max(by_k, key=lambda k: (by_k[k], -k))


def test_smaller_ensembles_are_the_first_of_the_largest(sources, store):
    many = run_study(Study(("pool",), ("eac",), repeats=2, n_clusterings=(4, 20)), sources, store)
    small = [record for record in many if record.n_clusterings == 4]
    alone = run_study(Study(("pool",), ("eac",), repeats=2, n_clusterings=(4,)), sources, store)
    assert [record.ari for record in small] == [record.ari for record in alone]


def test_lac_ensembles_feed_soft_methods(sources, store):
    study = Study(("blobs",), ("wbpa", "lwea"), repeats=2, recipe=Recipe("lac"), n_clusterings=(4, 6))
    records = run_study(study, sources, store)
    assert [record.error for record in records] == [""] * 8
    hard = run_study(with_changes(study, recipe=Recipe()), sources, store)
    assert {record.error.split(":")[0] for record in hard if record.method == "wbpa"} == {"MissingEvidenceError"}


@pytest.mark.parametrize(
    "changes",
    [{"generator": "subspaces", "feature_fraction": 1.0}, {"init": "k-means++"}, {"n_init": 4}, {"k_range": (3, 4)},
     {"generator": "lac", "inverse_h": (1.0, 5.0)}, {"generator": "lac", "lac_k": 5}],
)  # fmt: skip
def test_every_part_of_a_recipe_decides_the_ensembles(sources, changes):
    base = Recipe(changes.get("generator", "kmeans"))
    recipe, source = Recipe(**changes), sources["blobs"]
    other, plain, later = (source.ensemble(one, 6, seed) for one, seed in ((recipe, 0), (base, 0), (recipe, 1)))
    assert (other.labels != plain.labels).any()
    assert (other.labels != later.labels).any()
    keys = [expand(Study(("blobs",), ("eac",), repeats=1, recipe=one), sources)[0].key for one in (recipe, base)]
    assert keys[0] != keys[1]


def test_parts_of_a_recipe_that_another_generator_uses_change_nothing(sources):
    recipes = [Recipe(), Recipe(feature_fraction=0.9, inverse_h=(1.0, 2.0), lac_k=7)]
    keys = [expand(Study(("blobs",), ("eac",), repeats=1, recipe=one), sources)[0].key for one in recipes]
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    "changes",
    [{"generator": "x"}, {"init": "x"}, {"n_init": 0}, {"n_init": True}, {"feature_fraction": 0}, {"lac_k": 1},
     {"feature_fraction": "a"}, {"inverse_h": (2.0, 1.0)}, {"inverse_h": (0, 1)}, {"inverse_h": 3.0}, {"k_range": "x"}],
)  # fmt: skip
def test_a_recipe_refuses_what_makes_no_sense(changes):
    with pytest.raises(InvalidParameterError, match=next(iter(changes))):
        Recipe(**changes)


def test_of_equal_scores_the_fewest_clusters_are_best(sources):
    (task,) = expand(Study(("blobs",), ("lwea",), repeats=1, k="best"), sources)
    source = sources["blobs"]
    outcomes = [Outcome(0, k, source.truth.astype(np.int32), 0.5) for k in (7, 4, 9)]
    record = units._record(task, source, outcomes, 10.0)
    assert (record.k, record.nmi_max, record.seconds, record.peak_mb) == (4, pytest.approx(1.0), 1.5, 10.0)


@pytest.mark.parametrize(("classes", "top"), [(3, 30), (20, 40)])
def test_the_best_k_is_looked_for_up_to_30_or_twice_the_classes(classes, top):
    labels = np.arange(200)
    source = Source("many", pool=labels[:, None] // np.array([1, 2, 3]), truth=labels % classes)
    (task,) = expand(Study(("many",), ("lwea",), repeats=1, k="best", n_clusterings=(3,)), {"many": source})
    assert units._ks([task], source, source.ensemble(Recipe(), 3, 0)) == list(range(2, top + 1))


def test_a_setting_named_twice_runs_once(sources):
    study = Study(("blobs",), ("lwea",), repeats=1, grid={"lwea": {"theta": (0.2, 0.2, 0.4)}})
    assert [task.setting.theta for task in expand(study, sources)] == [0.2, 0.4]


def test_the_largest_ensemble_is_made_once_for_all_sizes(sources, store, monkeypatch):
    monkeypatch.setattr(units, "ENSEMBLES", units.Ensembles())
    sizes = []
    make = Source.ensemble
    monkeypatch.setattr(Source, "ensemble", lambda self, recipe, m, *a: (sizes.append(m), make(self, recipe, m, *a))[1])
    run_study(Study(("blobs", "pool"), ("eac",), repeats=1, n_clusterings=(4, 9, 20)), sources, store)
    assert sizes == [20, 20]


def test_only_so_many_ensembles_are_kept(sources):
    kept = units.Ensembles(kept=2)
    for seed in range(4):
        kept.get(sources["blobs"], Recipe(), 3, 3, seed, Monitor())
    assert len(kept._made) == 2


def test_one_ensemble_serves_all_methods(sources, store, monkeypatch):
    monkeypatch.setattr(units, "ENSEMBLES", units.Ensembles())
    calls = []
    make = Source.ensemble
    monkeypatch.setattr(Source, "ensemble", lambda self, *a: (calls.append(self.name), make(self, *a))[1])
    run_study(Study(("blobs",), ("eac", "lwea", "lwgp"), repeats=3), sources, store)
    assert calls == ["blobs"] * 3


def test_only_what_is_missing_runs(sources, store, monkeypatch):
    study = Study(("blobs",), ("lwea",), repeats=3, grid={"lwea": {"theta": (0.2, 0.4)}})
    first = run_study(study, sources, store)
    store.forget([first[1].key, first[4].key])
    ran = []
    run_unit = running.run_unit
    monkeypatch.setattr(running, "run_unit", lambda tasks, *rest: (ran.extend(tasks), run_unit(tasks, *rest))[1])
    again = run_study(study, sources, store)
    assert {task.key for task in ran} == {first[1].key, first[4].key}
    assert without_cost(again) == without_cost(first)


def test_a_method_that_raises_becomes_a_record(sources, store, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("by nothing")

    broken = consensus_methods()["eac"].__class__("eac", "EAC", consensus_methods()["eac"].params, fail, "x")
    monkeypatch.setitem(consensus_methods(), "eac", broken)
    records = run_study(Study(("blobs",), ("eac", "lwea"), repeats=1), sources, store)
    assert records[0].error == "ZeroDivisionError: by nothing"
    assert records[0].nmi_max is None
    assert records[1].error == ""


def test_more_clusters_than_microclusters_is_a_record_too(sources, store):
    records = run_study(Study(("blobs",), ("lwea",), repeats=1, k=(3, 5000)), sources, store)
    assert [bool(record.error) for record in records] == [False, True]
    assert "n_clusters must be at most" in records[1].error


def test_without_classes_there_are_no_scores(sources, store):
    (record,) = run_study(Study(("blind",), ("lwea",), repeats=1, k=(3,)), sources, store)
    assert (record.k, record.error, record.ari) == (3, "", None)


class Stop(Monitor):
    """Asks to stop once so many tasks are done."""

    def __init__(self, after: int):
        self.after, self.asked_at = after, 0.0

    def tick(self, stage, done, total):
        if done >= self.after:
            self.asked_at = self.asked_at or time.monotonic()
            raise Cancelled


def test_a_cancel_is_heard_within_a_second_and_loses_nothing(store):
    rng = np.random.default_rng(0)
    slow = {"big": Source("big", pool=rng.integers(40, size=(3000, 20)), truth=rng.integers(4, size=3000))}
    study = Study(("big",), ("lwea", "ec_cms"), repeats=4, n_clusterings=(8,))
    stop = Stop(after=2)
    with pytest.raises(Cancelled):
        run_study(study, slow, store, stop)
    assert time.monotonic() - stop.asked_at < 1
    assert 2 <= len(store) < 8


def test_one_word_is_enough_to_stop_all_threads(store):
    features, truth = blobs(3, 300)
    study = Study(("big",), ("lwea", "lwgp"), repeats=2, grid={m: {"theta": tuple(np.linspace(0.1, 2, 100).tolist())}
                                                                for m in ("lwea", "lwgp")})  # fmt: skip

    class Once(Monitor):
        told = 0

        def tick(self, stage, done, total):
            if done > 2 and not self.told:
                self.told += 1
                raise Cancelled

    with pytest.raises(Cancelled):
        run_study(study, {"big": Source("big", features=features, truth=truth)}, store, Once())
    time.sleep(0.5)
    assert 2 < len(store) < 30


def test_tasks_without_a_record_are_counted(sources, store, monkeypatch):
    monkeypatch.setattr(running, "_run_in_threads", lambda *a: None)
    with pytest.raises(running.LostWorkersError, match="2 of 2 tasks have no record"):
        run_study(Study(("blobs",), ("eac",), repeats=2), sources, store)


def test_progress_counts_tasks(sources, store):
    heard = []

    class Listen(Monitor):
        def tick(self, stage, done, total):
            heard.append((done, total))

    run_study(Study(("blobs",), ("lwea",), repeats=4), sources, store, Listen())
    assert heard[0] == (0, 4)
    assert heard[-1] == (4, 4)
    assert heard == sorted(heard)


# ------------------------------------------------------------------------------------------------- store


def sample(key: str = "a", **changes) -> Record:
    return Record(**{"key": key, "dataset": "wine", "method": "lwea", "params": "{}", "n_clusterings": 10, "repeat": 0,
                     "seed": 0, "k": 3, "ari": 0.123456789012345, "seconds": 1.5, **changes})  # fmt: skip


def test_a_record_comes_back_as_it_was(store):
    records = [sample("a"), sample("b", k=None, error='he said "no",\nand left', ari=None)]
    store.add(records)
    assert store.find(["a", "b", "c"]) == {"a": records[0], "b": records[1]}
    store.add([sample("a", k=9)])
    assert store.find(["a"])["a"].k == 3
    assert Store(store.path).all() == store.all()


def test_many_keys_are_found_and_readers_do_not_wait_for_writers(store):
    store.add([sample(str(i)) for i in range(1200)])
    assert len(store.find(str(i) for i in range(1100))) == 1100
    writer = sqlite3.connect(store.path)
    writer.execute("BEGIN EXCLUSIVE")  # somebody writes, and has not finished
    assert len(Store(store.path)) == 1200
    writer.close()


def test_an_empty_store_exports_the_header_alone(store):
    assert to_csv(store.all()) == ",".join(COLUMNS) + "\n"
    assert ",".join(COLUMNS) == (
        "dataset,method,params,repeat,seed,k,nmi_max,nmi_arithmetic,nmi_sqrt,ari,pairwise_f,accuracy,purity,seconds,error"
    )


def test_exports_hold_every_number(store, tmp_path):
    import pandas as pd

    store.add([sample("a"), sample("b", repeat=1, error="x, y")])
    rows = list(csv.DictReader(io.StringIO(to_csv(store.all()))))
    assert (float(rows[0]["ari"]), rows[1]["error"]) == (0.123456789012345, "x, y")
    (tmp_path / "t.parquet").write_bytes(to_parquet(store.all()))
    frame = pd.read_parquet(tmp_path / "t.parquet")
    assert frame.ari[0] == 0.123456789012345
    assert len(frame) == 2


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "text").write_text("not a database at all, but long enough to be taken for one" * 50)
    with pytest.raises(StoreError, match="the file is damaged"):
        Store(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE t (a)")
    other.commit()
    with pytest.raises(StoreError, match="another program"):
        Store(tmp_path / "other")
    later = Store(tmp_path / "later")
    later._connection.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(StoreError, match="another version"):
        Store(tmp_path / "later")


def test_a_damaged_page_is_a_message_never_a_wrong_table(tmp_path):
    kept = Store(tmp_path / "s")
    kept.add([sample(str(i), error="x" * 500) for i in range(200)])
    kept.close()
    content = bytearray((tmp_path / "s").read_bytes())
    content[8192:20000] = content[8192:8200] + b"\xff" * (20000 - 8200)
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(StoreError, match="the file is damaged"):
        Store(tmp_path / "s").all()


def test_a_full_disk_is_a_message_and_keeps_what_was_there(store):
    store.add([sample("a")])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="Make room"):
        store.add([sample(str(i), error="x" * 1000) for i in range(1000)])
    assert [record.key for record in store.all()] == ["a"]


def test_a_folder_that_cannot_be_written_is_named():
    with pytest.raises(StoreError, match="/proc/nowhere"):
        Store("/proc/nowhere/records.sqlite")


def test_the_store_is_where_the_environment_says(monkeypatch, tmp_path):
    from engine.experiments.store import default_path

    monkeypatch.setenv("CONCORD_STORE", str(tmp_path / "mine"))
    assert default_path() == tmp_path / "mine"
    monkeypatch.delenv("CONCORD_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "concord" / "records.sqlite"


def test_threads_may_write_at_once(store):
    def write(start):
        for i in range(50):
            store.add([sample(f"{start}-{i}")])

    threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store) == 200


WRITER = """
import sys
from engine.experiments.records import Record
from engine.experiments.store import Store
store = Store(sys.argv[1])
for i in range(150):
    store.add([Record(f"{sys.argv[2]}-{i}", "d", "m", "{}", 1, 0, 0)])
"""


def test_two_processes_may_write_at_once(tmp_path):
    path = tmp_path / "s"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], cwd=ROOT) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(Store(path)) == 300


# ------------------------------------------------------------------------------------------ command line

STUDY = """
name = "small"
datasets = ["iris"]
methods = ["lwea", "lwgp"]
n_clusterings = 10
repeats = 3
k = "true"
seed = 0
[grid.lwea]
theta = [0.2, 0.4, 1.0]
"""


def command(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "engine.experiments", *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, check=False, **options)  # fmt: skip


def test_the_command_line_runs_and_exports(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    done = command("run", tmp_path / "study.toml", "--store", tmp_path / "s")
    assert done.returncode == 0, done.stderr
    assert "12 of 12" in done.stderr
    assert command("export", "--store", tmp_path / "s", "--csv", tmp_path / "out.csv").returncode == 0
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert len(rows) == 12
    assert {row["params"] for row in rows if row["method"] == "lwgp"} == {"{}"}
    assert all(float(row["nmi_max"]) > 0.5 and row["k"] == "3" for row in rows)


@pytest.mark.parametrize(
    ("text", "words"), [("datasets = [", "not valid TOML"), (STUDY.replace("iris", "irish"), "irish")]
)
def test_the_command_line_says_what_is_wrong(tmp_path, text, words):
    (tmp_path / "study.toml").write_text(text)
    done = command("run", tmp_path / "study.toml", "--store", tmp_path / "s")
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_killed_study_goes_on_where_it_was(tmp_path):
    text = STUDY.replace('["iris"]', '["digits"]').replace("repeats = 3", "repeats = 8").replace('"lwgp"', '"pta"')
    (tmp_path / "study.toml").write_text(text)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert command("run", tmp_path / "study.toml", "--store", whole).returncode == 0
    process = subprocess.Popen([sys.executable, "-m", "engine.experiments", "run", str(tmp_path / "study.toml"),
                                "--store", str(broken)], cwd=ROOT, stderr=subprocess.DEVNULL)  # fmt: skip
    while not broken.exists() or len(Store(broken)) < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = Store(broken).all()
    assert 3 <= len(kept) < 32
    assert command("run", tmp_path / "study.toml", "--store", broken).returncode == 0
    assert without_cost(Store(broken).all()) == without_cost(Store(whole).all())
    assert {record.key: record.seconds for record in kept}.items() <= {
        record.key: record.seconds for record in Store(broken).all()
    }.items()  # what was there was not computed again
