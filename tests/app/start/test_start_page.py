import numpy as np

from tests.app.conftest import at_rest, words
from tests.app.test_one_k import as_csv
from ui.compute import uploads
from ui.report.making import gathered
from ui.saying import three_digits
from ui.scene import Scene
from ui.session.run_config import from_query


def test_it_shows_a_consensus_without_a_click(app):
    at = app()
    assert at.title[0].value == "20 clusterings disagree. What do they agree on?"
    assert "The consensus scores **1.00**" in words(at)
    assert "of its 20 base clusterings it beats 20" in words(at)


def test_fewer_base_clusterings_than_clusters_needed_is_no_failure(app):
    at = app(m="1", data="spirals", k_range="2-2")
    assert at.title[0].value == "One clustering alone"
    assert not at.error


def test_moving_m_changes_the_words(app):
    at = app()
    at.slider(key="start_m").set_value(5).run()
    assert at.title[0].value.startswith("5 clusterings disagree")
    assert at.sidebar.slider(key="m").value == 5
    assert at.query_params["m"] in ("5", ["5"])


def test_who_is_switched_off_does_not_disagree(app):
    at = app(data="iris", m="8", switched_off="1.3.5")
    assert at.title[0].value.startswith("5 clusterings disagree")
    assert app(data="iris", m="2", switched_off="1").title[0].value == "One clustering alone"


def test_a_missing_upload_is_asked_for(app):
    at = app(data="upload-0123456789abcdef")
    assert "uploaded in another session" in at.error[0].value
    assert at.title[0].value == "What do many clusterings agree on?"


def test_consensus_has_no_knobs_of_what_is_not_here(app):
    at = app("consensus", data="upload-0123456789abcdef")
    assert "uploaded in another session" in at.error[0].value
    assert [box.key for box in at.selectbox] == ["data"]


def test_without_classes_it_says_how_far_base_clusterings_and_consensus_agree(app):
    columns = np.stack([np.repeat([0, 1, 2], 20), np.repeat([0, 1, 2, 3], 15), np.repeat([0, 1], 30)], axis=1)
    made = uploads.keep_file("votes.csv", as_csv(columns), "labels").id
    at = at_rest(app, "start", data=made)
    scene = gathered(from_query({"data": made})[0])
    between, beside = scene.mean_agreement.mean(), scene.likeness.mean()
    assert f"agree by {three_digits(between)} on average" in words(at)
    assert f"with them by **{three_digits(beside)}**" in words(at)
    assert "The truth" not in words(at)


def test_an_unknown_data_set_is_named(app):
    at = app(data="moonz")
    assert "moonz" in at.error[0].value


def test_bad_values_in_a_link_are_reported_and_replaced(app):
    at = app(m="900000", theta="-3", colour="red", method="magic")
    text = "\n".join(w.value for w in at.warning).replace("\\", "")
    for part in (
        "m=900000: must be an integer in [1, 1000]",
        "theta=-3: must be a number in (0, inf)",
        "colour=red: nothing here has that name",
        "method=magic: must be one of",
    ):
        assert part in text
    assert "The consensus scores" in words(at)


def test_labels_that_were_brought_are_not_called_k_means(app):
    rows = b"\n".join(b"%d,%d" % (i // 4, i // 6) for i in range(24))
    brought = uploads.keep_file("brought.csv", rows, "labels").id
    assert "came with the file" in words(app(data=brought, m="2"))
    assert "k-means" not in words(app(data=brought, m="2"))
    assert "k-means, run with" in words(app(data="iris", m="4"))


def test_the_consensus_of_one_clustering_explains_its_score(app):
    at = app(m="1", data="moons")
    made = Scene(from_query({"m": "1", "data": "moons"})[0]).ensemble
    k = made.n_clusters_each[0]
    assert k > 2
    for page in (at, app("consensus", m="1", data="moons")):
        assert f"It has {k} clusters, and the consensus must have 2: {k - 2} times two of them are joined" in words(
            page
        )
