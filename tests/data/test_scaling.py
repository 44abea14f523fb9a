import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import data

FINITE = st.floats(allow_nan=False, allow_infinity=False)
MATRICES = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=FINITE)


def test_standard():
    features = np.random.default_rng(1).normal(3, 5, (60, 4))
    scaled = data.scale(features, "standard")
    assert scaled == pytest.approx((features - features.mean(axis=0)) / features.std(axis=0))


def test_minmax():
    scaled = data.scale([[1, -3], [2, 0], [5, 3]], "minmax")
    assert scaled.tolist() == [[0, 0], [0.25, 0.5], [1, 1]]


def test_none_is_a_copy():
    features = np.arange(6.0).reshape(3, 2)
    scaled = data.scale(features, "none")
    assert np.array_equal(scaled, features)
    assert not np.shares_memory(scaled, features)


@pytest.mark.parametrize("how", ["standard", "minmax"])
def test_a_constant_column_becomes_zero(how):
    features = np.column_stack([np.full(7, 0.1), np.arange(7)])
    assert np.array_equal(data.scale(features, how)[:, 0], np.zeros(7))


@given(MATRICES)
@pytest.mark.parametrize("how", ["none", "standard", "minmax"])
def test_finite_in_finite_out(how, features):
    before = features.copy()
    assert np.isfinite(data.scale(features, how)).all()
    assert np.array_equal(features, before)


@pytest.mark.parametrize("features", [[1, 2], [[np.nan, 1]], np.zeros((0, 3))])
def test_refuses_what_is_no_finite_matrix(features):
    with pytest.raises(data.DataError, match="finite"):
        data.scale(features, "standard")


def test_refuses_an_unknown_scaling():
    with pytest.raises(data.DataError, match="standard, minmax, none, got 'robust'"):
        data.scale([[1.0]], "robust")
