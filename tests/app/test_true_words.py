"""Sentences are true of the state beside them, at the ends of its knobs as well."""

import re

import numpy as np
import pytest

from engine.partitions import partition_distances
from tests.app.conftest import at_rest, words
from tests.app.test_one_k import as_csv
from tests.scenes import scene_of
from ui.compute import uploads
from ui.figures import printed_figure
from ui.pictures import drawn, pictures
from ui.saying import all_alike


def said(picture, **settings):
    return pictures()[picture].sentence(scene_of(**settings))


def test_who_belongs_together_meets_more_often_and_no_more_is_claimed(app):
    """Of the moons 18 % of the pairs of one class meet in most base clusterings."""
    scene = scene_of(data="moons")
    meet = (scene.ensemble.labels[:, None] == scene.ensemble.labels).mean(axis=2)
    same = scene.truth[:, None] == scene.truth
    assert (meet[same] > 0.5).mean() < 0.5
    assert meet[same].mean() > 5 * meet[~same].mean()
    text = words(app())
    assert "meet in one cluster far more often than two that do not" in text
    assert "most clusterings" not in text


def test_equal_base_clusterings_do_not_disagree(app):
    at = at_rest(app, "start", data="moons", k_range="2-2")
    assert all_alike(scene_of(data="moons", k_range="2-2").ensemble)
    assert at.title[0].value == "20 clusterings that are all equal"
    assert "run with a different start" in words(at)
    assert "nothing to settle" in words(app("consensus", data="moons", k_range="2-2"))


@pytest.mark.parametrize(("method", "told"), [("lwea", "joins what meets most"), ("kcc", "that of KCC")])
def test_start_tells_of_the_method_that_answers(app, method, told):
    text = words(app(data="moons", method=method))
    assert told in text
    assert ("joins what meets most" in text) == (method == "lwea")
    assert "Nothing but the labels is used." in text


@pytest.mark.parametrize("method", ["weac", "gp_mgla"])
def test_weights_that_are_all_the_same_have_no_first_and_last(method):
    assert "agrees least" in said("clustering_weights", data="iris", method=method)
    equal = said("clustering_weights", data="iris", method=method, beta="0")
    assert equal == "All base clusterings count the same: β = 0, and agreement does not count."
    assert said("clustering_weights", data="iris", method=method, m="2") == "All base clusterings count the same."


def test_variants_of_ec_cms_are_told_as_they_are():
    told = {kind: said("certain", data="iris", ablation=kind) for kind in ("full", "no_laplacian", "no_completion")}
    held, spreads = ({kind: word in one for kind, one in told.items()} for word in ("held fast", "knowledge spreads"))
    assert held == {"full": True, "no_laplacian": True, "no_completion": False}
    assert spreads == {"full": True, "no_laplacian": False, "no_completion": True}
    assert "connected part" in said("residuals", data="iris")
    assert "connected part" not in said("residuals", data="iris", ablation="no_laplacian")


def test_at_alpha_0_pairs_are_those_that_ever_meet():
    scene = scene_of(data="iris", alpha="0")
    met = int((np.triu(scene.given.plain, 1) > 0).sum())
    assert (
        pictures()["certain"]
        .sentence(scene)
        .startswith(f"**{met:,} pairs** of microclusters share a cluster in one or more base clusterings")
    )


def test_one_base_clustering_under_soft_memberships_is_cut_and_not_joined(app):
    pytest.importorskip("pymetis")
    text = words(app("consensus", data="iris", m="1", generator="lac", method="wspa", k="2"))
    assert "it may part its clusters as well as join them" in text
    assert "two of them are joined" not in text


def test_without_classes_nothing_is_said_of_scores(app):
    from ui.compute import uploads

    rows = "".join(f"{i % 5},{i % 3}\n" for i in range(60))
    made = uploads.keep_file("two.csv", rows.encode(), "labels").id
    text = words(at_rest(app, "consensus", data=made, m="1", k="2"))
    assert "two of them are joined" in text
    assert "score less" not in text


def test_all_is_not_said_of_what_is_nearly_all():
    assert said("representation", data="moons", method="rsec").startswith("over 99% of what the mixtures hold")


def test_what_the_difference_shows_without_classes_is_what_is_said(app):
    from ui.compute import uploads

    made = uploads.keep_file(
        "x.csv", b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (i % 3, i % 4, i % 2) for i in range(40)), "labels"
    )
    scene = scene_of(data=made.id)
    assert (scene.windows["right"] - scene.windows["left"]).max() <= 1e-9
    assert "in clusters that no other clustering confirms" in words(at_rest(app, "matrices", data=made.id))


def labelled(*rows, times=1):
    """Data of labels alone, as somebody brings them."""
    return uploads.keep_file("brought.csv", as_csv(np.repeat(rows, times, axis=0)), "labels").id


def test_without_whom_there_is_no_consensus_is_named():
    scene = scene_of(data=labelled((0, 0, 1), (0, 1, 1), (1, 1, 0), times=10), k="3")
    assert np.isnan(scene.influence[1])
    told = pictures()["influence"].sentence(scene)
    assert "changes the consensus for 0 of 3" in told
    assert "Without base clustering c1 there is none" in told
    assert drawn("influence", scene, "light") is None
    assert "none" not in said("influence", data="iris", m="6")


def test_runs_that_find_one_cluster_agree():
    told = said("resolution_curve", data="communities_hard", generator="leiden", m="8")
    assert told.startswith(
        "Runs agree that all is one cluster where the resolution is low, and at no other resolution."
    )
    assert "where they part it, their inconsistency is at least" in told


def test_a_distance_and_a_mixture_are_no_links():
    for method, left in (("got", "refined_distance"), ("rsec", "representation")):
        scene = scene_of(data="iris", method=method, left=left)
        assert pictures()["values_left"].sentence(scene) == ""
        assert drawn("values_left", scene, "light") is None


def test_what_may_be_below_0_is_drawn_so():
    bar = drawn("matrix_left", scene_of(data="iris", method="rsec", left="representation"), "light").data[0]
    assert (bar["zmin"], bar["zmax"]) == (-100, 100)
    assert bar["colorbar"]["ticktext"][0].startswith("-")


def test_the_best_of_equals_are_all_of_them():
    scene = scene_of(data="moons", m="10")
    told = pictures()["selection_cloud"].sentence(scene)
    values = scene.selections.values
    assert sum(value == 1 for value in values.values()) == 3
    assert told.startswith("Best are *joint criterion*, *cluster and select (CAS)*, *most clusters*: ")
    hover = drawn("selection_cloud", scene, "light").data[1]["text"]
    assert any("1.000; 52 % of the random choices are worth less, ties by half" in one for one in hover)
    equal = scene_of(data=labelled((0,) * 6, (1,) * 6, (2,) * 6, times=5), k="3")
    assert pictures()["selection_cloud"].sentence(equal).startswith("All are worth the same: ")


def test_a_tree_that_is_not_cut_shows_where_it_would_be():
    figure = drawn("dendrogram", scene_of(data="communities", generator="leiden"), "light")
    (cut,) = (one["y0"] for one in figure.layout["shapes"] if one["name"] == "cut")
    tips = next(one["y"] for one in figure.data if one.get("hovertemplate") == "%{text}<extra></extra>")
    low, high = sorted(figure.layout["yaxis"]["range"])
    assert low < cut < tips[0] < high
    assert figure.layout["meta"]["alt"].endswith(", cut before the first.")


def test_one_plane_has_one_stress():
    scene = scene_of(data="spirals")
    points = scene.whole_map.points
    every = np.column_stack([scene.ensemble.labels, scene.consensus.labels, scene.truth])
    far, drawn_far = partition_distances(every), np.linalg.norm(points[:, None] - points, axis=2)
    stress = np.sqrt(((far - drawn_far) ** 2).sum() / (drawn_far**2).sum())
    assert f"Stress 1 of the map is {stress:.2f}" in pictures()["partition_map"].sentence(scene)
    assert f"{stress:.2f} in the plane" in pictures()["map_scree"].sentence(scene)
    assert drawn("map_scree", scene, "light").data[0]["y"][1] == pytest.approx(stress, abs=0.01)


def test_groups_are_what_labels_and_gaps_make_them():
    assert "groups that no base clustering tells apart" in said("microclusters", data="iris", m="4")
    gaps = said("microclusters", data="iris", m="4", generator="subsampling")
    assert "groups of the same labels and gaps" in gaps


def test_objects_alone_in_a_cluster_are_told_beside_those_that_would_go(app):
    scene = scene_of(data="iris", m="20", k="30")
    labels, below = scene.consensus.labels, scene.profile.margin < 0
    alone = below & (np.bincount(labels)[labels] == 1)
    assert 0 < alone.sum() < below.sum()
    text = words(app("consensus", data="iris", m="20", k="30"))
    assert f"(margin below 0), {alone.sum()} of them alone in a cluster." in text
    assert "alone in a cluster" not in words(app("consensus", data="iris", m="20"))


def test_equal_weights_agree_together():
    told = said("clustering_weights", data=labelled((0, 0, 1), (0, 0, 1), (1, 1, 0), (2, 2, 1)), method="gp_mgla")
    assert told.startswith("Base clustering c0, base clustering c1 agree most with the others and count each **1**; ")
    assert "base clustering c2 agrees least and counts" in told


def test_of_two_least_nobody_is_the_least():
    rng = np.random.default_rng(3)
    blobs = [rng.normal(at, 0.05, (25, 2)) for at in ((0, 0), (0, 3), (30, 0), (30, 3))]
    name = uploads.keep_file("pairs.csv", as_csv(np.concatenate(blobs)), "features").id
    scene = scene_of(data=name, scaling="none")
    pac, ks = scene.criteria.runs.pac(), scene.criteria.ks
    fewest = ks[pac == pac.min()].tolist()
    assert len(fewest) > 1
    assert f"undecided at k = {', '.join(map(str, fewest))}. PAC" in pictures()["consensus_cdf"].sentence(scene)
    assert f"for {', '.join(map(str, fewest))} clusters, 0 % for each" in scene.criteria.readings["pac"]


def test_ribbons_are_as_wide_as_those_who_have_a_label():
    for generator, across in (("kmeans", "150 a row"), ("subsampling", "objects, those with a label")):
        figure = drawn("members_tree", scene_of(data="iris", m="6", generator=generator), "light")
        assert across in figure.layout["xaxis"]["title"]["text"]


def test_halves_of_three_are_not_said_to_be_split(app):
    for m, many in (("3", "no"), ("4", r"\d+")):
        at = at_rest(app, "how_many", data="iris", m=m)
        assert re.search(rf"and set, {many} splits in halves\.", words(at))
        assert re.search(rf", {many} splits\.$", at.button(key="full_k").help)


def test_bars_of_weights_end_inside_their_picture():
    scene = scene_of(data="wine", lac_inverse_h="1")
    figure = drawn("weights", scene, "light")
    assert max(np.max(one["y"]) for one in figure.data if one["type"] == "bar") <= figure.layout["yaxis"]["range"][1]


@pytest.mark.parametrize("name", ["score_by_k", "score_by_m"])
def test_scores_below_chance_stand_inside_their_picture(name):
    figure = drawn(name, scene_of(data="circles", m="6", measure="ari"), "light")
    lowest = min(np.nanmin(one["y"]) for one in figure.data)
    assert lowest < 0 or name == "score_by_k"
    assert figure.layout["yaxis"]["range"][0] <= min(lowest, 0)


def test_what_is_not_judged_is_neither_within_nor_outside():
    given = [0.5, 0.6, 0.7], np.array([0.9, 0.62, 0.1]), [np.nan] * 3, np.full(3, np.nan)
    figure = printed_figure(*given, [None, True, False], ["a", "b", "c"], "light")
    counts = {one["name"]: len(one["x"]) for one in figure.data if one["mode"] == "markers"}
    assert counts == {"within the spread": 1, "outside": 1, "not judged yet": 1}


def test_nearly_all_of_the_variance_is_not_all():
    names = scene_of(data="wine", scaling="none").placed[1]
    assert "over 99% of variance" in names[0]
    assert "below 1% of variance" in names[1]


def test_what_weighs_nothing_holds_no_ellipse_back():
    scene = scene_of(data="wine", lac_inverse_h="500")
    outlines = [one for one in drawn("ellipses", scene, "light").data if len(one["x"]) == 97]
    assert len(outlines) >= 3
    assert all(np.ptp(one["x"]) > 0 and np.ptp(one["y"]) > 0 for one in outlines)


def test_weights_that_are_alike_name_no_feature():
    assert "cluster 1 weighs all features alike" in said("weights", data="iris", lac_inverse_h="0.0001")
    assert "cluster 1 puts **" in said("weights", data="iris")
