"""Which method: the page says what the engine says, on data with and without features, structure and truth."""

from collections import Counter

import numpy as np
import pytest

from engine import consensus_methods
from engine.choosing_method import choose_method, expected_losses
from tests.app.compute.test_jobs import until
from tests.app.conftest import words
from tests.scenes import scene_of
from ui.compute import uploads
from ui.pictures import drawn, pictures
from ui.which_method import _not_asked
from ui.widgets import progress

IRIS = {"data": "iris", "m": "8", "budget": "2"}


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)


def settled(at, text):
    until(lambda: text in words(at.run()), 60)
    return at


@pytest.mark.long
def test_the_page_says_what_the_engine_says(app, patient):
    at = settled(app("which_method", **IRIS), "Nine of ten")
    scene = scene_of(**IRIS)
    found = choose_method(scene.ensemble, scene.n_clusters, scene.features, 2.0, scene.config.seed, leave_out=("iris",))
    for reason in found.reasons:
        assert reason in words(at)
    table = at.dataframe[0].value
    assert set(table["method"]) <= {one.title for one in consensus_methods().values()}
    losses = table["lost in the league"].dropna().to_numpy()
    assert (np.diff(losses) >= 0).all()
    if found.method is not None:
        at.button(key="take_method").click().run()
        assert at.session_state.run_config.method == found.method
    at.button(key="pick_shifting").click().run()
    assert "Picked" in words(at)


def test_what_a_method_lacks_ends_in_a_full_stop_or_in_the_line_that_installs_it(monkeypatch):
    ensemble, metis = scene_of(**IRIS).ensemble, consensus_methods()["cspa"]
    assert _not_asked("wspa", consensus_methods()["wspa"].unmet(ensemble)) == (
        "**WSPA**: needs soft memberships, as LAC makes them."
    )
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert _not_asked("cspa", metis.unmet(ensemble)) == (
        "**CSPA**: needs the package pymetis, which is not installed. Install it: pip install pymetis"
    )


@pytest.mark.long
def test_the_set_at_hand_does_not_speak_for_itself():
    scene = scene_of(**IRIS)
    some = np.arange(0, 150, 5)  # what a method lost elsewhere hangs on no object
    few, points = scene.ensemble.of_objects(some), scene.features[some]
    with_it, without = (
        choose_method(few, 3, points, methods=["eac", "lwea"], leave_out=left).rows[0].expected_loss
        for left in ((), ("iris",))
    )
    assert with_it != without
    assert without == expected_losses(["iris"])["lwea"].mean


@pytest.mark.long
def test_labels_alone_and_one_base_clustering_are_answered(app, patient):
    rows = "\n".join(",".join(str((i // (m + 2)) % 4) for m in range(5)) for i in range(40))
    data = uploads.keep_file("members.csv", rows.encode(), "labels").id
    settled(app("which_method", data=data, m="5", k="4", budget="2"), "No method is recommended")
    assert "its own consensus" in words(app("which_method", data="iris", m="1"))


@pytest.mark.long
def test_common_ground_is_full_and_what_shifts_is_pale():
    scene = scene_of(**IRIS)
    figure, common = drawn("common_ground", scene, "light"), scene.method_choice.common
    opacity = np.concatenate([np.broadcast_to(one["marker"]["opacity"], len(one["x"])) for one in figure.data[:1]])
    assert (opacity == opacity.max()).sum() == common.core.sum()
    found = zip(scene.method_choice.rows[0].labels, common.other, common.core, strict=True)
    shifts = Counter((min(one, other), max(one, other)) for one, other, core in found if not core and other >= 0)
    (pair, most), *others = shifts.most_common()  # how many there are hangs on what the time was enough for
    assert all(fewer < most for _, fewer in others)
    said = pictures()["common_ground"].sentence(scene)
    assert f"{shifts.total()} objects shift, most often between clusters {pair[0] + 1} and {pair[1] + 1}." in said
