"""GoT's published-code variant beside what the published MATLAB code answered (see arrays/SOURCE.md)."""

from engine import Ensemble, run_consensus
from tests.strategies import same_partition


def test_labels_of_the_published_variant(oracle):
    """Every partition, the leftover cluster k + 1 included."""
    ensemble = Ensemble.from_labels(oracle["E"])
    assert oracle["GoT_ok"].all()
    for column, k in enumerate(oracle["ks"]):
        ours = run_consensus("got", ensemble, int(k), {"variant": "published-code"}).labels
        assert same_partition(ours, oracle["GoT_labels"][:, column])
