import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from data import Dataset
from engine import Monitor, evidence, partition, run_consensus
from engine.similarities import pair_evidence
from engine.similarities.trajectories import WalkParams
from tests.app.conftest import words
from ui.compute import pipeline
from ui.matrices import panels
from ui.matrices import views as matrix_views
from ui.parts.words import three_digits
from ui.session.query import from_query
from ui.why.reasons import Pair, reasons
from ui.why.reasons.matrices import values
from ui.why.reasons.votes import votes


@pytest.fixture(scope="module")
def run():
    config, _ = from_query({"data": "wine", "m": "10", "seed": "3"})
    made = pipeline.ensemble(config).future.result()
    result = run_consensus("lwea", made, 3, seed=3, record=("similarity",))
    return config, made, result


@pytest.fixture(params=[(0, 1), (0, 170), (5, 100)])
def pair(run, request):
    config, made, result = run
    return Pair(*request.param, made, result, pipeline.truth(config), config)


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
    assert found["locally weighted (LWCA), θ = 0.4"] == pytest.approx(weighted, abs=1e-6)
    assert found["trajectory similarity (PTS)"] == pytest.approx(_walked(pair), abs=1e-6)
    assert found["similarity of LWEA"] == pytest.approx(weighted, abs=1e-6)


def _walked(pair):
    """The pair's value in the whole matrix."""
    matrix = evidence.pairs.find_evidence("pts").matrix(pair.ensemble, WalkParams(), Monitor())
    return matrix[pair.a, pair.b]


def test_the_height_is_that_of_the_tree(pair):
    text = " ".join(item for reason in reasons() for item in reason.explain(pair) if isinstance(item, str))
    assert pair.a != pair.b
    found = partition.meeting(pair.result.trace["dendrogram"], pair.a, pair.b)
    assert f"similarity **{three_digits(found.similarity)}**" in text


def test_reasons_come_in_their_places_and_may_be_silent(run):
    config, made, result = run
    places = [reason.place for reason in reasons()]
    assert places == sorted(places)
    twin = int(np.flatnonzero(np.bincount(made.microclusters.assignment) > 1)[0])
    i, j = np.flatnonzero(made.microclusters.assignment == twin)[:2]
    text = " ".join(map(str, (x for r in reasons() for x in r.explain(Pair(i, j, made, result, None, config)))))
    assert "nothing can part them" in text
    assert "The tree joins" not in text


@pytest.mark.parametrize("order", ["truth", "consensus", "tree", "input"])
def test_pixels_are_means_of_the_expanded_matrix_in_every_order(run, order):
    config, made, result = run
    config = config.with_(order=order)
    joined = matrix_views.tree(made, result)
    objects = matrix_views.object_order(config, made, result, joined)
    assert sorted(objects.tolist()) == list(range(made.n_objects))
    for name in ("ca", "lwca", "pts", "similarity", "truth"):
        one = matrix_views.named(config, made, result, name, name).future.result()
        if name in pair_evidence():
            matrix = pair_evidence()[name].matrix(made, matrix_views.params_of(config, name), Monitor())
            full = made.microclusters.expand_matrix(matrix, objects, objects)
        else:
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
    assert at.number_input(key="pair_i_matrices").value == 6
    assert at.number_input(key="pair_j_matrices").value == 101
    labels = pipeline.ensemble(from_query({"data": "wine", "m": "10", "seed": "3"})[0]).future.result().labels
    together = int((labels[5] == labels[100]).sum())
    assert 0 <= together < 10
    assert f"**{together} of 10** base clusterings put them together" in words(at)


def test_a_pair_of_one_object_is_asked_to_change(app):
    assert "two different objects" in words(app("matrices", data="wine", m="10", seed="3", pair="5.5"))


def test_unknown_matrices_and_windows_fall_back(app):
    at = app("matrices", data="wine", m="10", left="nonsense", zoom="0.9999.0.5")
    assert at.selectbox(key="left").value == "ca"
    assert "178 x 178 objects" in words(at)


def test_a_zoom_from_the_url_is_shown(app):
    at = app("matrices", data="wine", m="10", zoom="0.20.30.90")
    assert "20 x 60 objects, true cells" in words(at)


def test_large_windows_say_that_they_show_means(app):
    assert "means of blocks" in words(app("matrices", data="digits", m="4", k_range="3-9"))


def test_labels_alone_have_no_truth_to_order_by(app):
    from ui.compute import uploads

    rows = "\n".join(",".join(str((i // (m + 2)) % 4) for m in range(5)) for i in range(40))
    at = app("matrices", data=uploads.keep_file("members.csv", rows.encode(), "labels").id, m="5")
    assert at.session_state.run_config.order == "tree"
    assert "ground truth" not in at.selectbox(key="left").options


def speak_of_links() -> None:
    import numpy as np

    from engine.evidence import LinkQuality
    from ui.parts import link_panel

    pairs, correct = np.array([10, 30, 0, 60, 0]), np.array([1, 15, 0, 45, 0])
    link_panel.words(LinkQuality(np.linspace(0.1, 0.9, 5), pairs, correct))


def test_the_strongest_links_are_those_there_are():
    at = AppTest.from_function(speak_of_links).run()
    assert not at.exception
    assert "strongest links are 60.0% of all and 75% of them join objects of one class" in words(at)
    assert "the weakest are 10.0%, and 10% do" in words(at)


def test_on_large_ensembles_the_panel_keeps_to_what_is_had_at_once(run, monkeypatch):
    config, made, result = run
    monkeypatch.setattr("ui.why.reasons.matrices.MOST_CLUSTERS", 5)
    found = values(Pair(0, 170, made, result, pipeline.truth(config), config))
    assert "co-association (CA)" in found
    assert "trajectory similarity (PTS)" not in found


def test_a_cell_says_both_objects_their_classes_and_both_values(run):
    _, made, result = run
    truth, names = np.arange(made.n_objects) % 3, ("oak", "<b>elm</b>")
    source = Dataset("trees", np.zeros((made.n_objects, 1)), truth, "typed in", class_names=names)
    called = ["oak", "&lt;b&gt;elm&lt;/b&gt;", "2"]
    shown = [matrix_views.evidence_matrix(made, "ca", pair_evidence()["ca"].chosen({})) for _ in range(2)]
    order, zoom = np.arange(made.n_objects)[::-1], (5, 15, 20, 40)
    pixels = [one.window(order, zoom) for one in shown]
    words = panels.cell_words(shown, pixels, order, zoom, source)
    assert words.shape == (10, 20)
    i, j = order[7], order[23]
    value = (made.labels[i] == made.labels[j]).mean()
    assert words[2, 3] == (
        f"object {i + 1} (class {called[truth[i]]}) and object {j + 1} (class {called[truth[j]]})"
        f"<br>{shown[0].title} {value:.3f}<br>{shown[0].title} {value:.3f}"
    )
    assert panels.cell_words(shown, pixels, order, (0, 178, 0, 178), source) is None


def limits(at):
    """The value with the brightest colour of both pictures."""
    specs = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
    return [100 * image["meta"]["unit"] for spec in specs for image in spec["data"] if "unit" in image.get("meta", {})]


def test_each_matrix_fits_its_colours_to_its_largest_value_between_two_objects(app):
    """On one scale up to 1 a locally weighted matrix is black."""
    at = app("matrices", data="wine", m="10", left="truth", right="lwca", theta="0.1")
    made = pipeline.ensemble(at.session_state.run_config).future.result()
    params = matrix_views.params_of(at.session_state.run_config, "lwca")
    matrix = matrix_views.evidence_matrix(made, "lwca", params).matrix
    expected = np.where(np.eye(len(matrix), dtype=bool) & (made.microclusters.sizes == 1), 0, matrix).max()
    assert limits(at) == pytest.approx([1, np.ceil(100 * expected) / 100])
    assert "brightest" not in at.query_params
    at.toggle(key="fit_brightest").set_value(False).run()
    assert limits(at) == pytest.approx([1, 1])
    at.select_slider(key="brightest").set_value(0.3).run()
    assert limits(at) == pytest.approx([0.3, 0.3])
    at.toggle(key="fit_brightest").set_value(True).run()
    assert limits(at)[1] == pytest.approx(np.ceil(100 * expected) / 100)
    assert "brightest" not in {one.key for one in at.select_slider}
