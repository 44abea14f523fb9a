"""What the statistics refuse."""

import math

import numpy as np
import pytest

from engine import InvalidParameterError, statistics


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: statistics.spread([[1, 2]]), r"values must be an array of 1 axes.*\(1, 2\)"),
        (lambda: statistics.spread([1, math.inf]), "values must be finite. Got inf"),
        (lambda: statistics.paired_verdict([1, 2], [1]), "same repeats. Got 2 and 1"),
        (lambda: statistics.paired_verdict([1, 2], [1, 3], alpha=1), "alpha must be between 0 and 1.*Got 1"),
        (lambda: statistics.win_tie_loss(np.ones((2, 3))), r"scores must be an array of 3 axes.*\(2, 3\)"),
        (lambda: statistics.win_tie_loss([[[1], [np.nan]], [[1], [1]]]), "none for method 1 in data set 2"),
        (lambda: statistics.win_tie_loss(np.ones((2, 1, 3)), alpha=0), "Got 0"),
        (lambda: statistics.tied_with_best([]), "scores must be an array of 2 axes"),
        (lambda: statistics.average_ranks([[1, 2]]), r"at least 2 blocks and 2 methods. Got shape \(1, 2\)"),
        (lambda: statistics.friedman([[1], [2]]), r"Got shape \(2, 1\)"),
        (lambda: statistics.friedman([[1, 2], [1, 2], [np.nan, 3]]), "none for method 1 in block 3, 1 missing"),
        (lambda: statistics.wilcoxon_holm([[1, 2], [1, np.nan]]), "none for method 2 in block 2"),
        (lambda: statistics.critical_difference(1, 5), "n_methods must be an integer of at least 2. Got 1"),
        (lambda: statistics.critical_difference(3, 2.5), "n_blocks must be an integer of at least 2. Got 2.5"),
        (lambda: statistics.critical_difference(3, 5, alpha=math.nan), "alpha .* Got nan"),
        (lambda: statistics.cliques([1, 2], 0), "cd positive.*Got .* 0"),
        (lambda: statistics.cliques([1, np.nan], 1), "ranks must be there"),
    ],
)
def test_refusals_name_the_rule_and_the_value(call, words):
    with pytest.raises(InvalidParameterError, match=words):
        call()


def test_what_a_mask_hides_is_no_score():
    hidden = np.ma.masked_equal([1.0, 3.0, 99.0], 99.0)
    assert statistics.spread(hidden) == statistics.spread([1.0, 3.0, math.nan])
    with pytest.raises(InvalidParameterError, match="must have a score"):
        statistics.friedman(np.ma.masked_equal([[1.0, 3.0, 99.0], [1.0, 2.0, 3.0]], 99.0))
