"""What is special in a method stands on the Consensus page, follows its knobs, and picks objects."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine import Ensemble, consensus_methods, run_consensus
from tests.app.conftest import at_rest, words
from tests.app.figures.checked import figures
from ui.consensus import specifics
from ui.pictures import drawn, pictures
from ui.pictures.special import brightest
from ui.scene import Scene
from ui.scene.consensus import MOST, cluster_sequence, trace_wanted
from ui.session.run_config import RunConfig

SECTIONS = {
    "wct": "Which clusters does it take for alike?",
    "ecpcs_mc": "Which clusters does it take for alike?",
    "weac": "Whom does the crowd agree with?",
    "gp_mgla": "Whom does the crowd agree with?",
    "kcc": "starts reached the best objective",
    "sec": "starts reached the best objective",
    "drec": "Is anything learnt?",
    "spce": "Which links has it learnt?",
    "trce": "Which links has it learnt?",
}


@pytest.fixture(scope="module")
def made():
    return Scene(RunConfig(data="iris", m=6)).ensemble


@pytest.mark.parametrize(("key", "said"), SECTIONS.items())
def test_every_kind_of_intermediate_has_its_picture(app, key, said):
    text = words(app("consensus", data="iris", m="6", method=key))
    assert f"What is special in {consensus_methods()[key].title}" in text
    assert said in text


def test_a_method_without_anything_special_has_no_section(app):
    assert "What is special" not in words(app("consensus", data="iris", m="6", method="eac"))


def test_a_run_that_did_not_settle_says_so():
    def told(method, **trace):
        return " ".join(specifics.doubts(SimpleNamespace(method=method, trace=trace)))

    assert "TRCE was stopped before it settled" in told("trce", unsettled=1)
    assert "In 2 rounds" in told("spce", unsettled=0, breaches=2)
    assert "fewer than 4 objects" in told("ecmc", smallest_group=4.0)
    assert not told("kcc", unsettled=3, objectives=np.ones(5))  # said beside the picture
    assert not told("eac")


def test_starts_that_differ_by_rounding_stand_on_one_line():
    trace = {"objectives": np.array([700.0, 700 + 1e-12, 700 - 1e-12])}
    scene = Scene(RunConfig(data="iris", m=6), consensus=SimpleNamespace(trace=trace))
    low, high = drawn("objectives", scene, "light").layout["yaxis"]["range"]
    assert high - low > 0.5
    assert "3 of 3" in pictures()["objectives"].sentence(scene)


def test_the_pictures_follow_the_knobs(app):
    texts = [words(app("consensus", data="iris", m="6", method="drec", drec_lam=lam)) for lam in ("100.0", "0.5")]
    assert "λ = 100 lies above" in texts[0]
    assert "λ = 0.5 lies above" in texts[1]


def test_a_pair_of_clusters_is_explained_and_its_shared_objects_picked(app, made):
    i, j = 0, int(made.offsets[1])
    at = app("consensus", data="iris", m="6", method="gp_mgla", cluster_pair=f"{i}.{j}")
    both = np.flatnonzero((made.labels[:, 0] == 0) & (made.labels[:, 1] == 0))
    assert len(both)
    assert f"They share **{len(both)} object" in words(at)
    at.button(key="pick_clusters").click().run()
    assert f"Picked: {len(both):,} objects" in words(at)
    at.number_input(key="cluster_j").set_value(2).run()
    assert at.session_state.run_config.cluster_pair == (0, 1)
    assert "Clusters of one base clustering share no object" in words(at)


def test_clusters_in_both_and_in_either(made):
    both, either = specifics.shared(made, (0, int(made.offsets[1])))
    first, second = made.labels[:, 0] == 0, made.labels[:, 1] == 0
    assert both.tolist() == np.flatnonzero(first & second).tolist()
    assert either.tolist() == np.flatnonzero(first | second).tolist()


def test_the_tree_puts_alike_clusters_beside_each_other():
    def ordered(by):
        return cluster_sequence(SimpleNamespace(trace={"cluster_similarity": similarity}), by)

    groups = np.array([0, 1, 0, 1, 0])
    similarity = np.where(groups[:, None] == groups, 0.9, 0.1)
    np.fill_diagonal(similarity, 1)
    assert (np.diff(groups[ordered("tree")]) != 0).sum() == 1
    assert ordered("clustering").tolist() == [0, 1, 2, 3, 4]


def test_the_brightest_value_is_that_of_different_clusters():
    assert brightest(np.array([[1, 0.17], [0.17, 1]])) == 0.17
    assert brightest(np.eye(3)) == 1.0


def test_pictures_that_would_be_too_large_are_not_asked_for(app, made, monkeypatch):
    assert trace_wanted("wct", made) == ("cluster_similarity",)
    monkeypatch.setitem(MOST, "clusters", 5)
    assert trace_wanted("wct", made) == ()
    text = words(app("consensus", data="iris", m="6", method="wct"))
    assert "A picture is left out: it is drawn up to" in text
    assert "Which clusters" not in text


def test_a_click_reports_the_clusters_of_the_cell(made):
    similarity = run_consensus("wct", made, 3, record=("cluster_similarity",)).trace["cluster_similarity"]
    order = np.arange(len(similarity))[::-1]
    figure = figures.cluster_similarity_figure(similarity, order, specifics.clustering_of(made), "light", pair=(2, 5))
    (pairs,) = (trace for trace in figure.data if trace.name == "pairs")
    for cell in (0, 7, len(order) + 3):
        row, column = int(pairs.y[cell]), int(pairs.x[cell])
        assert divmod(int(pairs.customdata[cell]), len(order)) == (order[row], order[column])
    (chosen,) = (trace for trace in figure.data if trace.name == "chosen")
    assert chosen.x.tolist() == [len(order) - 3 + 0.5, len(order) - 6 + 0.5]


def test_the_best_start_stands_out():
    figure = figures.starts_figure(np.array([3.0, 1.0, 2.0]), "dark")
    assert np.argmax(figure.data[0].marker.size) == 1


def test_all_microclusters_are_counted_by_their_lambda():
    stars = np.geomspace(0.1, 1.5, 23)
    figure = figures.lambda_figure(stars, 100.0, "light")
    assert figure.data[0].y.sum() == 23
    assert figure.layout.shapes[0].x0 == pytest.approx(2)


def test_that_mirror_images_are_a_toss_is_said_as_the_command_says_it(app, tmp_path, monkeypatch):
    crossed = np.column_stack([np.arange(30) // 10, np.arange(30) % 10])
    said = Ensemble.from_labels(crossed).form.symmetry
    assert "toss" in said
    np.savetxt(tmp_path / "crossed_members.csv", crossed, "%d", ",")
    np.savetxt(
        tmp_path / "plain_members.csv", np.arange(30)[:, None] // 10 + (np.arange(30)[:, None] < [3, 4]), "%d", ","
    )
    monkeypatch.setenv("CONCORD_DATA", str(tmp_path))
    assert said in words(at_rest(app, "consensus", data="crossed_members", method="eac"))
    assert "toss" not in words(at_rest(app, "consensus", data="plain_members", method="eac"))
