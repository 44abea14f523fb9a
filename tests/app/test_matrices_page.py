import numpy as np
import pytest

from engine import evidence, partition, run_consensus
from tests.app.conftest import words
from ui import link_panel, matrix_views, pipeline
from ui.query import from_query
from ui.reasons import Pair, reasons
from ui.reasons.matrices import values
from ui.reasons.votes import votes
from ui.widgets import three_digits


@pytest.fixture(scope="module")
def run():
    config, _ = from_query({"data": "wine", "m": "10", "seed": "3"})
    made = pipeline.ensemble(config).future.result()
    result = run_consensus("lwea", made, 3, seed=3, record=("similarity",))
    return config, made, result


@pytest.fixture(params=[(0, 1), (0, 170), (5, 100)])
def pair(run, request):
    config, made, result = run
    return Pair(*request.param, made, result, pipeline.truth(config), 0.4)


def test_the_votes_are_those_of_the_labels(pair):
    labels = pair.ensemble.labels
    table = votes(pair).sort_values("no.")
    assert table["together"].tolist() == (labels[pair.i] == labels[pair.j]).tolist()
    eci = evidence.ensemble_driven_cluster_index(pair.ensemble, 0.4)
    assert table["ECI, i"].tolist() == eci[pair.ensemble.cluster_index[pair.i]].tolist()
    assert table["size, i"].tolist() == pair.ensemble.cluster_sizes[pair.ensemble.cluster_index[pair.i]].tolist()


def test_the_values_are_those_of_the_matrices(pair):
    micro = pair.ensemble.microclusters
    found = values(pair)
    plain, weighted = (
        micro.expand_matrix(matrix, [pair.i], [pair.j])[0, 0]
        for matrix in (evidence.co_association(pair.ensemble), evidence.locally_weighted_co_association(pair.ensemble))
    )
    assert found["co-association (CA)"] == pytest.approx(plain)
    assert found["locally weighted (LWCA, θ = 0.4)"] == pytest.approx(weighted, abs=1e-6)
    assert found["similarity of LWEA"] == pytest.approx(weighted, abs=1e-6)


def test_the_height_is_that_of_the_tree(pair):
    text = " ".join(item for reason in reasons() for item in reason.explain(pair) if isinstance(item, str))
    if pair.a == pair.b:
        assert "microcluster" in text
        return
    found = partition.meeting(pair.result.trace["dendrogram"], pair.a, pair.b)
    assert f"similarity **{three_digits(found.similarity)}**" in text


def test_reasons_come_in_their_places_and_may_be_silent(run):
    config, made, result = run
    places = [reason.place for reason in reasons()]
    assert places == sorted(places)
    twin = int(np.flatnonzero(np.bincount(made.microclusters.assignment) > 1)[0])
    i, j = np.flatnonzero(made.microclusters.assignment == twin)[:2]
    text = " ".join(map(str, (x for r in reasons() for x in r.explain(Pair(i, j, made, result, None, 0.4)))))
    assert "nothing can part them" in text
    assert "The tree joins" not in text


@pytest.mark.parametrize("order", ["truth", "consensus", "tree", "input"])
def test_pixels_are_means_of_the_expanded_matrix_in_every_order(run, order):
    config, made, result = run
    config = config.with_(order=order)
    joined = matrix_views.tree(config, made, result).future.result()
    objects = matrix_views.object_order(config, made, result, joined)
    assert sorted(objects.tolist()) == list(range(made.n_objects))
    for name in ("co_association", "lwca", "similarity", "truth"):
        one = matrix_views.named(config, made, result, name).future.result()
        full = one.groups.expand_matrix(one.matrix, objects, objects)
        np.testing.assert_allclose(one.window(objects, (0, 178, 0, 178)), full, atol=1e-6)
        np.testing.assert_allclose(one.window(objects, (10, 40, 100, 178)), full[10:40, 100:178], atol=1e-6)


def test_clusters_stand_together_along_the_matrix(run):
    config, made, result = run
    joined = result.trace["dendrogram"]
    for order, labels in (("truth", pipeline.truth(config)), ("consensus", result.labels)):
        objects = matrix_views.object_order(config.with_(order=order), made, result, joined)
        assert (np.diff(labels[objects]) != 0).sum() == 2
    start, end = matrix_views.leaf_spans(made, joined)
    objects = matrix_views.object_order(config.with_(order="tree"), made, result, joined)
    for leaf in (0, 7, 30):
        rows = np.flatnonzero(made.microclusters.assignment[objects] == leaf)
        assert (rows[0], rows[-1] + 1) == (start[leaf], end[leaf])


def test_the_page_speaks_of_the_pair_in_the_url(app):
    at = app("matrices", data="wine", m="10", seed="3", pair="5.100")
    assert at.number_input(key="pair_i_matrices").value == 5
    assert at.number_input(key="pair_j_matrices").value == 100
    assert "of 10** base clusterings put them together" in words(at) or "All 10" in words(at)


def test_a_pair_of_one_object_is_asked_to_change(app):
    assert "two different objects" in words(app("matrices", data="wine", m="10", seed="3", pair="5.5"))


def test_unknown_matrices_and_windows_fall_back(app):
    at = app("matrices", data="wine", m="10", left="nonsense", zoom="0.9999.0.5")
    assert at.selectbox(key="left").value == "co_association"
    assert "178 x 178 objects" in words(at)


def test_a_zoom_from_the_url_is_shown(app):
    at = app("matrices", data="wine", m="10", zoom="0.20.30.90")
    assert "20 x 60 objects, true cells" in words(at)


def test_large_windows_say_that_they_show_means(app):
    assert "means of blocks" in words(app("matrices", data="digits", m="4", krange="3-9"))


def test_labels_alone_have_no_truth_to_order_by(app):
    from ui import uploads

    rows = "\n".join(",".join(str((i // (m + 2)) % 4) for m in range(5)) for i in range(40))
    at = app("matrices", data=uploads.keep("members.csv", rows.encode(), "labels").id, m="5")
    assert at.query_params["order"] in ("tree", ["tree"])
    assert "ground truth" not in at.selectbox(key="left").options


def test_the_strongest_links_are_those_there_are(monkeypatch):
    said = []
    monkeypatch.setattr(link_panel.st, "markdown", said.append)
    quality = evidence.LinkQuality(np.array([0.2, 0.4, 0.6]), np.array([0, 30, 0]), np.array([0, 15, 0]))
    link_panel.words(quality)
    assert "strongest links are 100.0% of all and 50% of them" in said[0]
    assert "the weakest are 100.0%, and 50% do" in said[0]
