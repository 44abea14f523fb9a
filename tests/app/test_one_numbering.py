"""A cluster has one number: on a page, in hover, in tables, in a report, in a file, in `Consensus.labels`."""

import numpy as np
import pytest

from engine import run_consensus
from engine.metrics import align
from tests.app.conftest import charts
from ui.compute import uploads
from ui.consensus.downloads import labels_csv
from ui.figures import class_balance, scatter
from ui.figures.numbering import FIRST
from ui.figures.scores.bars import NAMED_BARS
from ui.figures.style import alike
from ui.report import tables
from ui.report.making import gathered
from ui.scene import Scene
from ui.session.run_config import from_query

SETS = ("digits", "iris")


def in_the_file(labels) -> np.ndarray:
    return np.array([int(row.split(b",")[-1]) for row in labels_csv(labels).splitlines()[1:]])


@pytest.mark.parametrize("name", SETS)
def test_page_report_and_file_number_clusters_alike(app, name):
    config, _ = from_query({"data": name})
    session = gathered(config)
    found = run_consensus(
        "lwea", session.ensemble, session.consensus.n_clusters, config.method_params, config.seed
    ).labels
    filed = in_the_file(session.consensus.labels)
    assert (filed == found).all()
    assert (align(found, session.truth) != found).any(), "the classes are numbered otherwise, or this shows nothing"
    sizes = {row[0]: row[1] for row in tables.cluster_rows(session)}
    assert sizes == {str(c + FIRST): f"{n:,}" for c, n in enumerate(np.bincount(filed))}
    at = app("consensus", data=name)
    dots = charts(at)["consensus_labels"]["data"][0]
    shown = np.full(len(found), -1)
    shown[np.array(dots["customdata"]) - FIRST] = np.array(dots["marker"]["color"]) - FIRST
    assert (shown == filed).all()
    table = next(frame.value for frame in at.dataframe if "support, sd" in frame.value)
    assert dict(zip(table.index - FIRST, table["objects"], strict=True)) == dict(enumerate(np.bincount(filed)))


def test_a_cluster_has_the_colour_of_its_class_and_its_own_number():
    truth, labels = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 1, 1, 0, 0, 1])
    points = np.arange(12.0).reshape(6, 2)
    dots, rings = scatter(points, labels, "light", colors=alike(labels, truth), truth=truth).data
    assert np.array(dots["marker"]["color"]).tolist() == (labels + FIRST).tolist()
    own = scatter(points, truth, "light").data[0]["marker"]["colorscale"]
    assert {color for _, color in dots["marker"]["colorscale"]} == {color for _, color in own}
    assert np.array(rings["customdata"]).tolist() == [5 + FIRST]


@pytest.mark.parametrize("name", SETS)
def test_a_base_clustering_is_numbered_as_its_file(app, name):
    config, _ = from_query({"data": name})
    made = Scene(config).ensemble
    panels = charts(app("ensemble", data=name))["ensemble_base"]["data"]
    for m, panel in enumerate(panels[:3]):
        assert (np.array(panel["marker"]["color"]) - FIRST == made.labels[:, m]).all()


@pytest.mark.parametrize(("first", "second"), [("7", "3"), ("later", "earlier"), ("grade 10", "grade 9")])
def test_classes_stand_in_the_order_of_their_labels_whatever_the_file_begins_with(app, first, second):
    rows = [f"{i % 5},{i // 6},{word}" for i, word in enumerate([first] * 6 + [second] * 6)]
    name = uploads.keep_file("classes.csv", "\n".join(["x,y,class", *rows]).encode(), "features").id
    config, _ = from_query({"data": name})
    assert Scene(config).class_names == [second, first]
    assert Scene(config).truth.tolist() == [1] * 6 + [0] * 6
    assert (gathered(config).truth == Scene(config).truth).all()


@pytest.mark.parametrize("k", [3, NAMED_BARS + 5])
def test_bars_of_classes_have_their_names_however_many_there_are(k):
    counts, names = np.arange(k) + 1, [f"<{c}>" for c in range(k)]
    figure = class_balance(counts, names, "light").to_plotly()
    (bars,), axis = figure.data, figure.layout.yaxis
    assert list(bars.hovertext) == [f"&lt;{c}&gt;" for c in range(k)]
    assert bars.hovertemplate.startswith("class %{hovertext}<br>")
    assert bars.y.tolist() == list(range(FIRST, k + FIRST))
    if k <= NAMED_BARS:
        assert dict(zip(axis.tickvals, axis.ticktext, strict=True)) == dict(zip(bars.y, bars.hovertext, strict=True))
    else:
        assert axis.ticktext is None
