"""A consensus over tiles: the same for any storage, and as on one machine."""

import dask.array
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import Cancelled, Ensemble, InvalidParameterError, MissingEvidenceError, run_consensus
from engine.clusters.reliability import uncertainty_of_counts
from engine.distributed import METHODS, distributed_consensus
from engine.distributed.passes import _hashes
from engine.evidence import cluster_uncertainty, shared_objects
from engine.metrics import nmi
from engine.partition import clustering_weights
from tests.monitors import Heard, stopping_at_done

SMALL = {"sample": 1500, "tile": 1000}


@pytest.fixture(scope="module")
def matrix():
    """4,500 objects in 5 groups, 8 base clusterings that each err on a quarter; labels of odd values."""
    rng = np.random.default_rng(0)
    truth = rng.integers(5, size=4500)
    columns = [np.where(rng.random(4500) < 0.25, rng.integers(7, size=4500), truth) for _ in range(8)]
    return 3 * np.stack(columns, axis=1) + 100


def write_parquet(matrix, folder, sizes, group):
    """The rows in files of these sizes, whose row groups have at most `group` rows."""
    starts = np.cumsum([0, *sizes])
    for f, (first, stop) in enumerate(zip(starts[:-1], starts[1:], strict=True)):
        table = pa.table({f"b{m}": matrix[first:stop, m] for m in range(matrix.shape[1])})
        pq.write_table(table, folder / f"part_{f}.parquet", row_group_size=group)


@pytest.mark.parametrize("method", METHODS)
def test_what_fits_the_sample_is_answered_as_on_one_machine(method, matrix):
    alone = run_consensus(method, Ensemble.from_labels(matrix[:900]), 4, seed=3)
    over = distributed_consensus(matrix[:900], method, 4, seed=3, tile=200)
    assert over.labels.tolist() == alone.labels.tolist()
    assert (over.rounds, over.n_clusters, over.params) == (0, 4, alone.params)


def test_labels_may_lie_far_apart(matrix):
    lowest, highest = matrix.min(axis=0), matrix.max(axis=0)
    far = np.where(matrix == lowest, -(2**62), np.where(matrix == highest, 2**62, matrix.astype(np.int64)))
    over = distributed_consensus(far, "lwgp", 4, seed=3, sample=300, tile=200)
    assert nmi(over.labels, distributed_consensus(matrix, "lwgp", 4, seed=3, sample=300, tile=200).labels) > 0.995


@pytest.mark.parametrize("method", METHODS)
def test_rounds_over_tiles_come_to_the_partition_of_one_machine(method, matrix):
    alone = run_consensus(method, Ensemble.from_labels(matrix), 5)
    over = distributed_consensus(matrix, method, 5, **SMALL)
    assert over.rounds > 0
    assert nmi(over.labels, alone.labels) > 0.995  # single objects lie between two centres, up to where k-means stops
    assert over.labels[0] == 0


@pytest.mark.long
@pytest.mark.parametrize("method", ["lwgp", "kcc"])
def test_storage_and_threads_change_nothing(method, matrix, tmp_path, monkeypatch):
    expected = distributed_consensus(matrix, method, 5, **SMALL).labels.tolist()
    sources = [dask.array.from_array(matrix, chunks) for chunks in ((700, 8), ((1, 4499), (3, 5)))]
    for place, (sizes, group) in enumerate([([4500], 300), ([1, 999, 3500], 10_000), ([450] * 10, 77)]):
        folder = tmp_path / str(place)
        folder.mkdir()
        write_parquet(matrix, folder, sizes, group)
        sources.append(str(folder / "*.parquet"))
    np.save(tmp_path / "a.npy", matrix[:1234].astype(np.int16))
    np.save(tmp_path / "b.npy", matrix[1234:].astype(np.float32))
    sources.append([tmp_path / "a.npy", tmp_path / "b.npy"])
    for source in sources:
        assert distributed_consensus(source, method, 5, **SMALL).labels.tolist() == expected
    monkeypatch.setenv("CONCORD_THREADS", "1")
    assert distributed_consensus(matrix, method, 5, **SMALL).labels.tolist() == expected


def test_columns_are_read_by_their_names_whatever_their_order(matrix, tmp_path):
    for part, order in enumerate([range(8), range(7, -1, -1), np.random.default_rng(0).permutation(8)]):
        rows = matrix[1500 * part : 1500 * (part + 1)]
        pq.write_table(pa.table({f"b{m}": rows[:, m] for m in order}), tmp_path / f"part_{part}.parquet")
    found = distributed_consensus(tmp_path, "lwgp", 5, **SMALL)
    assert found.labels.tolist() == distributed_consensus(matrix, "lwgp", 5, **SMALL).labels.tolist()


def test_missing_labels_are_taken_where_the_graph_takes_them(matrix):
    holes = np.where(np.random.default_rng(1).random(matrix.shape) < 0.2, np.nan, matrix)
    alone = run_consensus("lwgp", Ensemble.from_labels(holes), 5)
    over = distributed_consensus(holes, "lwgp", 5, **SMALL)
    assert nmi(over.labels, alone.labels) > 0.98
    with pytest.raises(MissingEvidenceError, match="LWGP, U-SENC and HBGF take missing"):
        distributed_consensus(holes, "kcc", 5, **SMALL)


@pytest.mark.parametrize("missing", [0, 0.3])
def test_uncertainty_follows_from_the_counts(missing, matrix):
    labels = np.where(np.random.default_rng(2).random(matrix.shape) < missing, -1, matrix)
    ensemble = Ensemble.from_labels(labels)
    found = uncertainty_of_counts(shared_objects(ensemble), ensemble.offsets)
    np.testing.assert_allclose(found, cluster_uncertainty(ensemble), atol=1e-12)


@pytest.mark.parametrize("polish", [True, False])
@pytest.mark.parametrize("utility", ["U_c", "U_H", "NU_c", "NU_H"])
def test_kcc_ends_where_no_row_is_nearer_to_another_centre(utility, polish, matrix):
    labels = distributed_consensus(matrix, "kcc", 5, {"utility": utility, "polish": polish}, **SMALL).labels
    ensemble = Ensemble.from_labels(matrix)
    members, rows = np.eye(5)[labels], ensemble.incidence.toarray().astype(float)
    shares = (rows.T @ members) / members.sum(axis=0)
    values = np.repeat(clustering_weights(ensemble, utility), ensemble.n_clusters_each)[:, None]
    if utility.endswith("H"):
        distances = -rows @ (values * np.log2(shares + 2.0**-52))
    else:
        distances = (values * shares**2).sum(axis=0) - 2 * rows @ (values * shares)
    assert (distances[np.arange(len(labels)), labels] <= distances.min(axis=1) + 1e-9).all()


@pytest.mark.parametrize("name", ["labels.npy", "labels.parquet"])
def test_labels_are_written_as_they_would_be_handed_back(name, matrix, tmp_path):
    held = distributed_consensus(matrix, "usenc", 5, **SMALL)
    written = distributed_consensus(matrix, "usenc", 5, out=tmp_path / name, **SMALL)
    path = tmp_path / name
    found = np.load(path) if path.suffix == ".npy" else pq.read_table(path)["label"].to_numpy()
    assert found.dtype == np.int32
    assert found.tolist() == held.labels.tolist()
    assert written.labels is None
    assert written.n_clusters == held.n_clusters == 5
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_cancel_is_heard_and_leaves_nothing(matrix, tmp_path):
    with pytest.raises(Cancelled):
        distributed_consensus(matrix, "lwgp", 5, out=tmp_path / "x.npy", monitor=stopping_at_done(4), **SMALL)
    assert not list(tmp_path.iterdir())


def test_progress_is_said_of_every_pass(matrix):
    heard = Heard()
    distributed_consensus(matrix, "lwgp", 5, monitor=heard, **SMALL)
    stages = list(dict.fromkeys(heard.stages))
    assert stages[:4] == [
        "looking through the labels",
        "drawing a sample",
        "counting what clusters share",
        "joining clusters through objects",
    ]
    assert stages[-1] == "labelling"
    assert (heard.done, heard.total) == (5, 5)


@pytest.mark.parametrize("utility", ["U_c", "U_H", "NU_H"])
def test_a_label_that_the_sample_of_a_cluster_lacks_scatters_nothing(utility):
    """It costs 52 bits in entropies of the sample, wherever else all labels of a row may point."""
    rng = np.random.default_rng(0)
    planted = rng.integers(4, size=600)
    noisy = [np.where(rng.random(600) < 0.2, rng.integers(6, size=600), planted) for _ in range(10)]
    found = distributed_consensus(np.column_stack(noisy), "kcc", 4, {"utility": utility}, sample=250)
    assert nmi(found.labels, planted) > 0.99


def test_the_sample_is_spread_evenly():
    hashes = _hashes(10**9, 200_000)
    assert abs(np.histogram(hashes, 10, (0, 1))[0] / 20_000 - 1).max() < 0.03
    assert _hashes(10**9 + 7, 5).tolist() == hashes[7:12].tolist()


@pytest.mark.parametrize(
    ("method", "k", "params", "words"),
    [
        ("eac", 3, None, "one of lwgp, usenc"),
        ("hbgf", 3, {"partitioner": "metis"}, "METIS sees the whole graph"),
        ("lwgp", 1, None, "at least 2"),
        ("lwgp", True, None, "at least 2"),
        ("lwgp", 999, None, "at most"),
        ("lwgp", 3, {"theta": -1}, "theta"),
    ],
)
def test_what_cannot_be_done_is_refused(method, k, params, words, matrix):
    with pytest.raises(InvalidParameterError, match=words):
        distributed_consensus(matrix, method, k, params, **SMALL)


@pytest.mark.parametrize("name", ["labels.csv", "folder", "no/where.npy"])
def test_a_place_that_will_not_do_is_refused_before_work(name, matrix, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidParameterError):
        distributed_consensus(object, "lwgp", 3, out=tmp_path / name)
