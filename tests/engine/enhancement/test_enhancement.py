import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Cancelled, Ensemble, InvalidParameterError, TooLargeError, evidence, run_consensus
from engine.enhancement import laplacian_system
from engine.evidence import require_enhancement
from engine.runtime import memory
from engine.runtime.memory import ACCOUNT
from tests import naive
from tests.monitors import Heard
from tests.strategies import label_matrices, random_labels

alphas = st.sampled_from([0.2, 0.4, 0.5, 0.7, 0.8, 1.0])
lambdas = st.sampled_from([0.01, 0.1, 0.4, 2.0])


def inputs(labels, dtype=np.float64, theta=0.4):
    """A, plain co-association, sizes and the microclusters of an ensemble."""
    ensemble = Ensemble.from_labels(labels)
    plain = evidence.co_association(ensemble, dtype=dtype)
    weighted = evidence.locally_weighted_co_association(ensemble, theta, dtype=dtype)
    return weighted, plain, ensemble.microclusters.sizes, ensemble.microclusters


def on_objects(matrix, micro):
    everyone = np.arange(len(micro.assignment))
    return micro.expand_matrix(matrix, everyone, everyone)


def distance(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


@given(label_matrices(), alphas)
def test_high_confidence_equals_the_paper(labels, alpha):
    _, plain, _, micro = inputs(labels)
    expected, _ = naive.high_confidence(labels, alpha)
    np.testing.assert_allclose(on_objects(evidence.high_confidence(plain, alpha), micro), expected, atol=1e-12)


@pytest.mark.parametrize("count", range(21))
def test_float32_counts_pass_their_own_share(count):
    labels = np.zeros((2, 20), int)
    labels[1, count:] = 1
    plain = evidence.co_association(Ensemble.from_labels(labels))
    if len(plain) == 2:
        assert evidence.high_confidence(plain, count / 20)[0, 1] == np.float32(count / 20)
        assert evidence.high_confidence(plain, (count + 0.01) / 20)[0, 1] == 0


@pytest.mark.long
@settings(max_examples=60)
@given(label_matrices(), alphas, lambdas, st.integers(1, 12))
def test_the_collapsed_path_is_algorithm_1_on_objects(labels, alpha, lam, iterations):
    a, plain, sizes, micro = inputs(labels)
    expected, residuals = naive.enhance(on_objects(a, micro), labels, alpha, lam, iterations)
    ours = evidence.enhance(a, plain, sizes, alpha, lam, tol=1e-300, max_iter=iterations)
    np.testing.assert_allclose(on_objects(ours.matrix, micro), expected, atol=1e-10)
    ours_bounded, bounded = np.minimum(ours.residuals, 1e6), np.minimum(residuals[: ours.iterations], 1e6)
    clear = (bounded > 1e-6) & (ours_bounded > 0)  # rounding decides the rest
    np.testing.assert_allclose(ours_bounded[clear], bounded[clear], rtol=1e-6)


@pytest.mark.long
def test_many_tiles_and_components_equal_algorithm_1_too():
    labels = random_labels(400, 8, 6, seed=3, noise=0.25)
    a, plain, sizes, micro = inputs(labels)
    assert len(micro) > 260
    expected, _ = naive.enhance(on_objects(a, micro), labels, 0.6, 0.4, 15)
    ours = evidence.enhance(a, plain, sizes, 0.6, 0.4, tol=1e-300, max_iter=15)
    assert 1 < ours.n_components < len(micro)
    np.testing.assert_allclose(on_objects(ours.matrix, micro), expected, atol=1e-8)


def test_dense_components_are_solved_like_sparse_ones(monkeypatch):
    a, plain, sizes, _ = inputs(random_labels(400, 12, 3, seed=5, noise=0.3))
    inverted, invert = [], laplacian_system.invert
    monkeypatch.setattr(laplacian_system, "invert", lambda matrix, *more: inverted.append(1) or invert(matrix, *more))
    dense = evidence.enhance(a, plain, sizes, 0.5, max_iter=10)
    assert inverted  # one component is large and full enough
    monkeypatch.setattr(laplacian_system, "_DENSE_SHARE", 2)
    np.testing.assert_allclose(evidence.enhance(a, plain, sizes, 0.5, max_iter=10).matrix, dense.matrix, atol=1e-12)
    assert len(inverted) == 1


@pytest.mark.parametrize("n", [1, 127, 128, 129, 300])
def test_inversion(n):
    matrix = -np.random.default_rng(n).random((n, n))
    np.fill_diagonal(matrix, 1 - matrix.sum(axis=1) + np.diag(matrix))
    inverse = matrix.copy()
    laplacian_system.invert(inverse)
    np.testing.assert_allclose(inverse @ matrix, np.eye(n), atol=1e-9)


@pytest.mark.parametrize("lam", [0.1, 0.4, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_optimum_agrees_with_a_generic_solver(seed, lam):
    labels = random_labels(12, 5, 3, seed=seed, noise=0.3)
    a, plain, sizes, micro = inputs(labels)
    for laplacian, completion in ((True, True), (True, False), (False, True)):
        switches = {"laplacian": laplacian, "completion": completion}
        ours = evidence.enhance(a, plain, sizes, 0.6, lam, tol=1e-10, max_iter=50_000, **switches)
        expected = naive.enhanced_optimum(on_objects(a, micro), labels, 0.6, lam, **switches)
        assert ours.converged
        np.testing.assert_allclose(on_objects(ours.matrix, micro), expected, atol=1e-6)


@pytest.mark.parametrize(("alpha", "lam"), [(0.8, 0.4), (0.5, 0.1)])
def test_certificate_of_optimality(alpha, lam):
    labels = random_labels(60, 8, 4, seed=2, noise=0.2)
    a, plain, sizes, micro = inputs(labels)
    c = on_objects(evidence.enhance(a, plain, sizes, alpha, lam, tol=1e-10, max_iter=50_000).matrix, micro)
    a = on_objects(a, micro)
    h, omega = naive.high_confidence(labels, alpha)
    assert (c == c.T).all()
    assert c.min() > -1e-7
    assert c.max() < 1 + 1e-7
    np.testing.assert_allclose(c[omega], a[omega], atol=1e-7)
    pull = 2 * (np.diag(h.sum(axis=1)) - h) @ c
    gradient = (pull + pull.T) / 2 - lam * (a - c)
    inside = ~omega & (c > 1e-5) & (c < 1 - 1e-5)
    assert inside.any()
    assert np.abs(gradient[inside]).max() < 1e-5
    assert gradient[~omega & (c <= 1e-5)].min(initial=0) > -1e-5
    assert gradient[~omega & (c >= 1 - 1e-5)].max(initial=0) < 1e-5


def test_without_the_laplacian_nothing_is_left_to_do():
    a, plain, sizes, _ = inputs(random_labels())
    ours = evidence.enhance(a, plain, sizes, tol=1e-9, max_iter=10_000, laplacian=False)
    np.testing.assert_allclose(ours.matrix, a, atol=1e-6)
    assert ours.n_components == len(a)


def test_without_completion_certain_pairs_move():
    a, plain, sizes, _ = inputs(random_labels())
    omega = evidence.high_confidence(plain, 0.8) > 0
    held = evidence.enhance(a, plain, sizes, tol=1e-8, max_iter=10_000).matrix
    loose = evidence.enhance(a, plain, sizes, tol=1e-8, max_iter=10_000, completion=False).matrix
    np.testing.assert_allclose(held[omega], a[omega], atol=1e-5)
    assert np.abs(loose - a)[omega].max() > 0.01


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("name", "value"), [("lam", 0.5), ("alpha", 0.75)])
def test_a_start_nearby_saves_iterations_and_finds_the_same(dtype, name, value):
    a, plain, sizes, _ = inputs(random_labels(300, 10, 5, seed=4), dtype)
    tol = 1e-4
    setting = {"alpha": 0.8, "lam": 0.4, "tol": tol, "max_iter": 5000}
    before = evidence.enhance(a, plain, sizes, **setting)
    setting[name] = value
    cold = evidence.enhance(a, plain, sizes, **setting)
    warm = evidence.enhance(a, plain, sizes, **setting, start=before.matrix)
    assert cold.converged
    assert warm.converged
    assert warm.iterations < cold.iterations
    assert distance(warm.matrix, cold.matrix) < 10 * tol


def test_a_start_at_the_optimum_stays_there():
    a, plain, sizes, _ = inputs(random_labels(100, 8, 4))
    best = evidence.enhance(a, plain, sizes, tol=1e-10, max_iter=50_000)
    again = evidence.enhance(a, plain, sizes, tol=1e-4, start=best.matrix)
    assert again.iterations <= 3
    assert distance(again.matrix, best.matrix) < 1e-5


def test_float32_is_close_to_float64():
    labels = random_labels(200, 10, 5)
    single, double = (evidence.enhance(*inputs(labels, dtype)[:3]) for dtype in (np.float32, np.float64))
    assert single.matrix.dtype == np.float32
    assert single.iterations == double.iterations
    np.testing.assert_allclose(single.matrix, double.matrix, atol=1e-5)


def test_iterations_asked_for_are_kept():
    a, plain, sizes, _ = inputs(random_labels())
    ours = evidence.enhance(a, plain, sizes, keep=(1, 5, 1000))
    assert set(ours.snapshots) == {1, 5}
    for iteration, matrix in ours.snapshots.items():
        alone = evidence.enhance(a, plain, sizes, max_iter=iteration)
        assert (alone.matrix == matrix).all()
        assert not alone.converged


def test_inputs_stay_as_they_were():
    a, plain, sizes, _ = inputs(random_labels())
    start = a.copy()
    copies = [x.copy() for x in (a, plain, start)]
    evidence.enhance(a, plain, sizes, start=start)
    assert all((x == y).all() for x, y in zip((a, plain, start), copies, strict=True))


def test_unanimous_clusterings_stop_at_once():
    a, plain, sizes, _ = inputs(np.repeat([[0] * 6, [1] * 6], 10, axis=0), np.float32)
    ours = evidence.enhance(a, plain, sizes)
    assert ours.converged
    np.testing.assert_allclose(ours.matrix, a, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"alpha": 1.1}, "alpha"),
        ({"alpha": np.nan}, "alpha"),
        ({"lam": 0}, "lam"),
        ({"tol": 0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"sizes": [1, 2]}, "sizes"),
        ({"co_association": np.eye(3)}, "co_association"),
        ({"similarity": np.ones((2, 3))}, "similarity"),
        ({"start": np.eye(60, dtype=np.float32)}, "start"),
    ],
)
def test_bad_values_are_refused_by_name(change, match):
    a, plain, sizes, _ = inputs(random_labels())
    given_values = {"similarity": a, "co_association": plain, "sizes": sizes} | change
    with pytest.raises(InvalidParameterError, match=match):
        evidence.enhance(**given_values)


def test_what_does_not_fit_is_refused_with_the_largest_n(monkeypatch):
    a, plain, sizes, _ = inputs(random_labels(), np.float32)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "20K")
    assert evidence.enhancement_limit() == 32
    assert len(a) > 32
    with pytest.raises(TooLargeError, match="at most 27 fit"):  # beside the two matrices given
        evidence.enhance(a, plain, sizes)


def test_cancel_is_heard_inside_an_iteration():
    labels = random_labels(500, 10, 5, noise=0.3)
    monitor = Heard(lambda heard: heard.stages.count("enhancing the matrix") == 3)
    with pytest.raises(Cancelled):
        evidence.enhance(*inputs(labels)[:3], monitor=monitor)
    assert monitor.stages.count("enhancing the matrix") == 3


@pytest.mark.parametrize("kind", ["lwca", "ca", "pts"])
def test_the_method_enhances_the_evidence_chosen(kind):
    labels = random_labels(150, 10, 4, noise=0.25)
    ensemble = Ensemble.from_labels(labels)
    record = ("similarity", "co_association", "high_confidence", "enhanced")
    result = run_consensus("ec_cms", ensemble, 4, {"evidence": kind}, record=record)
    trace = result.trace
    assert set(record) | {"dendrogram", "residuals"} <= set(trace)
    assert ("cluster_weights" in trace) == (kind == "lwca")
    assert trace["residuals"].shape[1] == 5
    sizes = ensemble.microclusters.sizes
    again = evidence.enhance(trace["similarity"].copy(), trace["co_association"].copy(), sizes)
    assert (again.matrix == trace["enhanced"]).all()
    np.testing.assert_array_equal(trace["high_confidence"], evidence.high_confidence(trace["co_association"], 0.8))


def test_the_trace_holds_the_matrix_at_chosen_iterations_on_request():
    from tests.strategies import random_labels

    ensemble = Ensemble.from_labels(random_labels(60, 6, 4, noise=0.3))
    asked = run_consensus("ec_cms", ensemble, 3, record=("iterations", "enhanced"))
    plain = run_consensus("ec_cms", ensemble, 3, record=("enhanced",))
    assert "iterations" not in plain.trace
    assert (asked.labels == plain.labels).all()
    n = len(asked.trace["residuals"])
    assert list(asked.trace["iterations"]) == [
        t for t in (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 80, 100) if t <= n
    ]
    capped = run_consensus("ec_cms", ensemble, 3, {"max_iter": 6}, record=("enhanced",))
    np.testing.assert_allclose(asked.trace["iterations"][6], capped.trace["enhanced"], atol=1e-6)


@pytest.mark.parametrize("n_more", [0, 3])
def test_what_is_said_to_fit_fits_and_one_more_does_not(monkeypatch, n_more):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10G")
    monkeypatch.setattr(ACCOUNT, "_held", 0)  # what other tests have left
    with pytest.raises(TooLargeError) as refused:
        require_enhancement(60_000, n_more=n_more)
    said = int(re.search(r"at most ([\d,]+) fit", str(refused.value))[1].replace(",", ""))
    require_enhancement(said, n_more=n_more)
    with pytest.raises(TooLargeError):
        require_enhancement(said + 1, n_more=n_more)


def test_what_fits_is_said_of_the_memory_that_refused(monkeypatch):
    falling = iter([64 << 30, 4 << 30, 4 << 30])  # as when kept results go and the system keeps their pages
    monkeypatch.setattr(memory, "memory_limit", lambda _age=0.0: next(falling, 1 << 30))
    monkeypatch.setattr(ACCOUNT, "_held", 63 << 30)
    monkeypatch.setattr(ACCOUNT, "_made_room", lambda: True)
    with pytest.raises(TooLargeError) as refused:
        require_enhancement(20_000)
    said = int(re.search(r"at most ([\d,]+) fit", str(refused.value))[1].replace(",", ""))
    assert said < 20_000
