"""The worked example of Huang, Wang and Lai (2018), Fig. 2 and Table I.

The paper prints cluster sizes, two contingencies and the resulting uncertainties, not the memberships. These
sixteen objects were found by search: pi^1 has clusters of 8, 3 and 5 objects; C_1^1 meets pi^2 as 2 : 3 : 3 and
pi^3 as 4 : 4; C_2^1 (uncertainty 0) lies in one cluster of each; the 0.72 of C_3^1 is a split of 4 : 1 in one of the
two. Only one joint table (up to the names of clusters) then gives all nine printed uncertainties.
"""

import numpy as np

from engine import Ensemble, evidence
from tests.golden.sixteen_objects import LABELS

UNCERTAINTY = [2.56, 0.00, 0.72, 0.97, 0.92, 1.95, 1.85, 1.44, 0.00]
ECI_AT_HALF = [0.18, 1.00, 0.62, 0.52, 0.54, 0.27, 0.29, 0.38, 1.00]


def test_uncertainties_are_those_of_table_1():
    uncertainty = evidence.cluster_uncertainty(Ensemble.from_labels(LABELS))
    np.testing.assert_array_equal(uncertainty.round(2), UNCERTAINTY)


def test_indices_are_those_of_table_1():
    index = evidence.ensemble_driven_cluster_index(Ensemble.from_labels(LABELS), theta=0.5)
    np.testing.assert_array_equal(index.round(2), ECI_AT_HALF)


def test_the_first_cluster_is_as_the_text_says():
    first = LABELS[:, 0] == 0
    assert np.bincount(LABELS[:, 0]).tolist() == [8, 3, 5]
    assert np.bincount(LABELS[first, 1]).tolist() == [2, 3, 3]
    assert np.bincount(LABELS[first, 2]).tolist() == [4, 4]
