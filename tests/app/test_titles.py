"""What stands on pages for people: titles of methods, counts, plain numbers along axes."""

import numpy as np
import pandas as pd
import pytest

from engine import Ensemble, run_consensus
from engine.consensus.method import LARGE
from engine.generators import generator_concepts
from tests.app.conftest import words
from tests.app.figures.checked import figures
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.settings import method_concepts
from ui.studies import sweeps
from ui.why import explanation

SMALL = Ensemble.from_labels([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 2, 0], [1, 2, 2]])


@pytest.mark.parametrize(("key", "title"), [("ec_cms", "EC-CMS"), ("got", "GoT")])
def test_matrices_and_sweeps_have_the_methods_title(key, title):
    result = run_consensus(key, SMALL, 2, record=tuple(LARGE))
    scene = Scene(RunConfig(), ensemble=SMALL, consensus=result, recorded=result, truth=None)
    assert any(name.endswith(f" of {title}") for name in scene.matrix_titles.values())
    said = explanation(scene, 0, 1)
    tables = "\n".join(str(item.to_dict()) if isinstance(item, pd.DataFrame) else item for item in said)
    assert f" of {title}" in tables
    for text in (tables, *scene.matrix_titles.values(), sweeps.study(RunConfig(data="iris", method=key)).name):
        assert key.upper() not in text
    assert sweeps.study(RunConfig(data="iris", method=key)).name == f"{title} on Iris"


def test_one_cluster_is_no_clusters():
    result = run_consensus("eac", Ensemble.from_labels([[0], [0], [1], [1]]), 2)
    made = Ensemble.from_labels([[0], [0], [1], [1]])
    scene = Scene(RunConfig(), ensemble=made, recorded=result, truth=None)
    said = "\n".join(map(str, explanation(scene, 0, 2)))
    assert "up to 1 cluster, and apart" in said


def test_axes_have_plain_numbers():
    ones = np.ones(3)
    fig = figures.tuning_line((0.0001, 0.0002, 0.0003), ones, ones, ones, "light", x_name="lam", y_name="NMI")
    for axis in (fig.layout.template.layout.xaxis, fig.layout.template.layout.yaxis):
        assert axis.exponentformat == "none"  # 0.00035, not 350µ
        assert axis.separatethousands


def test_the_truth_has_classes_where_a_consensus_has_clusters():
    points, labels = np.zeros((3, 2)), np.array([0, 1, 1])
    named = figures.scatter(points, labels, "light", classes=["<b>oak", "elm"]).data[0]
    assert list(named.text) == ["class &lt;b&gt;oak", "class elm", "class elm"]
    assert "cluster %{marker.color}" in figures.scatter(points, labels, "light").data[0].hovertemplate


def test_knobs_have_symbols_and_words_of_the_field():
    labels = {spec.concept: spec.label for spec in {**method_concepts(), **generator_concepts()}.values()}
    assert labels["lam"] == "λ (lambda)"
    assert labels["theta"] == "θ (theta)"
    assert labels["n_init"] == "starts tried"
    assert labels["K"] == "K"
    assert not [label for label in labels.values() if "_" in label]


def test_one_base_clustering_has_no_spread(app):
    text = words(app(data="iris", m="1"))
    assert "its only base clustering scores" in text
    assert "1 base clusterings" not in text
    text = words(app("consensus", data="iris", m="1", k="2"))
    assert "its only base clustering" in text
    assert "1 base clusterings" not in text


def test_a_tree_that_hangs_on_ties_says_so(app):
    text = words(app("consensus", data="iris", m="8", method="eac", linkage="complete"))
    assert "merges happen at exactly the similarity of another one" in text
    assert "merges happen at exactly" not in words(app("consensus", data="iris", m="8", method="lwgp"))
