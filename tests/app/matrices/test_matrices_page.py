import json

import numpy as np
import pytest

from data import Dataset
from engine import Ensemble, Monitor, evidence, partition
from engine.evidence import LinkQuality
from engine.similarities import pair_evidence
from engine.similarities.trajectories import WalkParams
from tests.app.conftest import words
from tests.scenes import scene_of
from tests.strategies import random_labels
from ui.consensus.panels import sentence
from ui.figures.numbering import FIRST
from ui.pictures import drawn, pictures
from ui.pictures.matrices import cell_words
from ui.saying import three_digits
from ui.scene import Scene
from ui.scene.matrices import evidence_matrix, matrix_params, truth_matrix
from ui.why import Pair, explanation, of_tree, values, votes


@pytest.fixture(scope="module")
def scene():
    here = scene_of(data="wine", m="10", seed="3", method="lwea")
    return here.with_given(consensus=here.recorded)


@pytest.fixture(params=[(0, 1), (0, 170), (5, 100)])
def pair(scene, request):
    return Pair(*request.param, scene)


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
    text = " ".join(of_tree(pair))
    assert pair.a != pair.b
    found = partition.meeting(pair.result.trace["dendrogram"], pair.a, pair.b)
    assert f"similarity **{three_digits(found.similarity)}**" in text


def test_reasons_may_be_silent(scene):
    made = scene.ensemble
    twin = int(np.flatnonzero(np.bincount(made.microclusters.assignment) > 1)[0])
    i, j = np.flatnonzero(made.microclusters.assignment == twin)[:2]
    unknown = scene.with_given(truth=None)
    text = " ".join(map(str, explanation(unknown, i, j)))
    assert "nothing can part them" in text
    assert "The tree joins" not in text


def test_soft_memberships_part_what_labels_cannot():
    soft = scene_of(data="iris", generator="lac", method="wspa", m="6")
    micro, labels = soft.ensemble.microclusters.assignment, soft.consensus.labels
    parted = [np.flatnonzero(micro == one) for one in range(micro.max() + 1) if len(set(labels[micro == one])) > 1]
    i, j = parted[0][0], next(j for j in parted[0] if labels[j] != labels[parted[0][0]])
    text = " ".join(map(str, explanation(soft, int(i), int(j))))
    assert "puts them **apart**" in text
    assert "only their soft memberships can part them" in text
    assert "WSPA joins 150 objects into" in sentence(soft)


@pytest.mark.parametrize("order", ["truth", "consensus", "tree", "input"])
def test_pixels_are_means_of_the_expanded_matrix_in_every_order(scene, order):
    made, scene = scene.ensemble, scene.varied(order=order)
    objects = scene.object_order
    assert sorted(objects.tolist()) == list(range(made.n_objects))
    for name in ("ca", "lwca", "pts", "similarity", "truth"):
        one = scene.varied(left=name).matrix_left
        if name in pair_evidence():
            matrix = pair_evidence()[name].matrix(made, matrix_params(scene.config, name), Monitor())
            full = made.microclusters.expand_matrix(matrix, objects, objects)
        else:
            matrix = one.matrix.toarray() if name == "truth" else one.matrix
            full = one.groups.expand_matrix(matrix, objects, objects)
        np.testing.assert_allclose(one.window(objects, (0, 178, 0, 178)), full, atol=1e-6)
        np.testing.assert_allclose(one.window(objects, (10, 40, 100, 178)), full[10:40, 100:178], atol=1e-6)


def test_clusters_stand_together_along_the_matrix(scene):
    made = scene.ensemble
    assert scene.tree is scene.consensus.trace["dendrogram"]
    for order, labels in (("truth", scene.truth), ("consensus", scene.consensus.labels)):
        objects = scene.varied(order=order).object_order
        assert (np.diff(labels[objects]) != 0).sum() == 2
    start, end = scene.leaf_spans
    objects = scene.varied(order="tree").object_order
    for leaf in (0, 7, 30):
        rows = np.flatnonzero(made.microclusters.assignment[objects] == leaf)
        assert (rows[0], rows[-1] + 1) == (start[leaf], end[leaf])


def test_objects_keep_their_places_while_a_knob_of_the_method_moves():
    """Two pictures stand side by side: the one that does not rest on theta must not change with it."""
    both = [scene_of(data="wine", m="20", method="lwea", k="3", theta=theta) for theta in ("0.5", "1.0")]
    assert both[0].consensus.labels.tolist() == both[1].consensus.labels.tolist()
    for order, stays in (("truth", True), ("consensus", True), ("input", True), ("tree", False)):
        places, then = (scene.varied(order=order).object_order.tolist() for scene in both)
        assert (places == then) == stays, order


def test_the_page_speaks_of_the_pair_in_the_url(app):
    at = app("matrices", data="wine", m="10", seed="3", pair="5.100")
    assert at.number_input(key="pair_i_matrices").value == 6
    assert at.number_input(key="pair_j_matrices").value == 101
    labels = scene_of(data="wine", m="10", seed="3").ensemble.labels
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


def test_the_strongest_links_are_those_there_are(scene):
    pairs, correct = np.array([10, 30, 0, 60, 0]), np.array([1, 15, 0, 45, 0])
    quality = LinkQuality(np.linspace(0.1, 0.9, 5), pairs, correct, 61)
    said = pictures()["values_left"].sentence(scene.with_given(quality_left=quality))
    assert "strongest links are 60.0% of all and 75% of them join objects of one class" in said
    assert "the weakest are 10.0%, and 10% do" in said


def test_links_are_in_words_and_in_a_table(app, scene):
    at = app("matrices", data="wine", m="10", seed="3")
    assert f"matrix, {scene.quality_left.pairs.sum():,} pairs of objects" in words(at)
    assert pictures()["values_left"].sentence(scene) in words(at)
    (table,) = (one.value for one in at.dataframe if "recall" in one.value.columns)
    assert table["value"].tolist() == scene.quality_left.values[::-1].tolist()


@pytest.mark.parametrize("left", ["ca", "truth"])
def test_where_no_truth_is_known_or_shown_no_links_are_counted(scene, left):
    silent = scene.with_given(truth=None) if left == "ca" else scene.varied(left=left)
    assert drawn("values_left", silent, "light") is None
    assert pictures()["values_left"].sentence(silent) == ""


def test_on_large_ensembles_the_panel_keeps_to_what_is_had_at_once(scene, monkeypatch):
    monkeypatch.setattr("ui.why.MOST_CLUSTERS", 5)
    found = values(Pair(0, 170, scene))
    assert "co-association (CA)" in found
    assert "trajectory similarity (PTS)" not in found


def test_a_cell_says_both_objects_their_classes_and_both_values(scene):
    made = scene.ensemble
    truth, names = np.arange(made.n_objects) % 3, ("oak", "<b>elm</b>")
    source = Dataset("trees", np.zeros((made.n_objects, 1)), truth, "typed in", class_names=names)
    called = ["oak", "&lt;b&gt;elm&lt;/b&gt;", "2"]
    order, zoom = np.arange(made.n_objects)[::-1], (5, 15, 20, 40)
    given = {"source": source, "ensemble": made, "consensus": scene.consensus, "object_order": order}
    shown = scene.varied(left="ca", right="ca").with_given(**given, window=zoom)
    words, title = cell_words(shown), shown.matrix_left.title
    assert words.shape == (10, 20)
    i, j = order[7], order[23]
    value = (made.labels[i] == made.labels[j]).mean()
    assert words[2, 3] == (
        f"object {i + 1} (class {called[truth[i]]}) and object {j + 1} (class {called[truth[j]]})"
        f"<br>{title} {three_digits(value)}<br>{title} {three_digits(value)}"
    )
    (cells,) = (one for one in drawn("matrix_right", shown, "light").data if one.get("name") == "cells")
    assert cells["text"].tolist() == words.ravel().tolist()
    whole = shown.with_given(window=(0, 178, 0, 178))
    assert cell_words(whole) is None
    assert "cells" not in {one.get("name") for one in drawn("matrix_right", whole, "light").data}


def beside(figure):
    """The strip beside the rows and what it says on hover, and how many lines lie across."""
    strip, lines = figure.data[1], [one for one in figure.data if one["type"] == "scatter" and one["mode"] == "lines"]
    said = strip.get("text", strip["hovertemplate"])
    return strip["z"].ravel() - FIRST, said, sum(int(np.isnan(one["x"]).sum()) for one in lines)


@pytest.mark.parametrize("order", ["truth", "consensus"])
def test_strips_and_borders_are_those_of_what_orders_the_rows(scene, order):
    shown = scene.varied(order=order).with_given(consensus=scene.consensus)
    ordering = {"truth": shown.truth, "consensus": shown.consensus.labels}[order]
    strip, said, n_borders = beside(drawn("matrix_left", shown, "light"))
    assert (shown.truth != shown.consensus.labels).any(), "or this shows nothing"
    assert strip.tolist() == ordering[shown.object_order].tolist()
    assert n_borders == 2
    if order == "truth":
        assert said.ravel().tolist() == [f"class {shown.class_names[one]}" for one in strip]
    else:
        assert said.startswith("cluster ")


def test_without_classes_no_border_is_drawn_in_rows_that_a_tree_orders(scene):
    shown = scene.varied(order="truth").with_given(consensus=scene.consensus, truth=None)
    strip, said, n_borders = beside(drawn("matrix_left", shown, "light"))
    assert strip.tolist() == shown.consensus.labels[shown.object_order].tolist()
    assert (said.partition(" ")[0], n_borders) == ("cluster", 0)


def test_strips_beside_the_matrices_of_ec_cms_say_class(scene):
    figure = drawn("same_class", scene, "light")
    assert set(figure.data[1]["text"].ravel()) == {f"class {name}" for name in scene.class_names}


def limits(at):
    """The value with the brightest colour of both pictures."""
    specs = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
    return [100 * image["meta"]["unit"] for spec in specs for image in spec["data"] if "unit" in image.get("meta", {})]


def test_each_matrix_fits_its_colours_to_its_largest_value_between_two_objects(app):
    """On one scale up to 1 a locally weighted matrix is black."""
    at = app("matrices", data="wine", m="10", left="truth", right="lwca", theta="0.1")
    made = Scene(at.session_state.run_config).ensemble
    params = matrix_params(at.session_state.run_config, "lwca")
    matrix = evidence_matrix(made, "lwca", params, Monitor()).matrix
    expected = np.where(np.eye(len(matrix), dtype=bool) & (made.microclusters.sizes == 1), 0, matrix).max()
    first, second = limits(at)
    assert (first, expected <= second <= 1.1 * expected) == (1, True)
    assert "brightest" not in at.query_params
    at.toggle(key="fit_brightest").set_value(False).run()
    assert limits(at) == pytest.approx([1, 1])
    at.select_slider(key="brightest").set_value(0.3).run()
    assert limits(at) == pytest.approx([0.3, 0.3])
    at.toggle(key="fit_brightest").set_value(True).run()
    assert limits(at)[1] == second
    assert "brightest" not in {one.key for one in at.select_slider}


def test_a_difference_fits_its_colours_to_its_own_largest_value(scene):
    """Not to that of the matrix on the right alone."""
    shown = scene.varied(left="truth", right="lwca", right_minus_left=True)
    right, left = shown.windows["right"], shown.windows["left"]
    order = shown.object_order
    largest = np.abs(right - left)[order[:, None] != order].max()
    image = drawn("matrix_right", shown, "light").data[0]
    assert largest <= 100 * image["meta"]["unit"] <= 1.1 * largest
    assert largest > right[order[:, None] != order].max()


def test_colours_fit_values_of_thousandths_too(scene):
    """Many fine base clusterings weigh nearly nothing: their matrix was one dark square, its scale up to 1 %."""
    fine = Ensemble.from_labels(random_labels(scene.ensemble.n_objects, 12, 8, seed=3, noise=1))
    shown = scene.varied(left="lwca").with_given(ensemble=fine)
    image, order = drawn("matrix_left", shown, "light").data[0], shown.object_order
    levels = np.asarray(image["z"])[order[:, None] != order]
    assert shown.windows["left"][order[:, None] != order].max() < 0.005
    assert levels.max() > 90


def test_a_side_makes_one_matrix_at_a_time(app):
    at = app("matrices", data="wine", m="10", left="pts")
    jobs = {"evidence_matrix_left", "factor_left"}
    assert jobs & at.session_state["_held_jobs"].keys() == {"evidence_matrix_left"}
    at.selectbox(key="left").set_value("ca").run()
    assert jobs & at.session_state["_held_jobs"].keys() == {"factor_left"}
    at.selectbox(key="left").set_value("truth").run()
    assert not jobs & at.session_state["_held_jobs"].keys()


def test_links_of_a_weighted_matrix_are_all_that_are_not_zero():
    scene = scene_of(data="iris", left="lwca")
    micro = scene.ensemble.microclusters
    own = evidence.locally_weighted_co_association(scene.ensemble, scene.config.theta)
    matrix = micro.expand_matrix(own, np.arange(150), np.arange(150))
    above, truth = np.triu(matrix > 1e-6, 1), scene.truth
    quality = scene.quality_left
    assert quality.pairs.sum() == above.sum()
    assert quality.correct.sum() == (above & (truth[:, None] == truth)).sum()
    assert quality.values[1] == 0.02


def test_a_window_as_thin_as_a_line_is_drawn_as_blocks(app):
    at = app("matrices", data="digits", m="10", zoom="0.2.0.1700", order="input")
    assert not at.exception
    assert "means of blocks" in words(at)


def test_classes_of_one_object_each_take_no_square():
    alone = truth_matrix(np.arange(5_000))
    assert alone.matrix.nnz == 5_000
    assert alone.window(np.arange(5_000), (0, 4, 2, 5)).tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
