"""Sentences are true of the state beside them, at the ends of its knobs as well."""

import numpy as np
import pytest

from tests.app.conftest import at_rest, words
from tests.scenes import scene_of
from ui.pictures import pictures
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
