"""Figures as plain data say what plotly's own objects would."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly import io
from plotly.subplots import make_subplots

from ui import figures
from ui.figures import spec
from ui.figures.spec import MOST_SVG
from ui.figures.style import finish


def as_plotly(fig):
    """Everything a spec says, checked by plotly."""
    return fig.to_plotly().to_dict()


def test_a_grid_is_plotlys_grid():
    ours, theirs = (
        spec.grid(2, 3, gap_x=0.02, gap_y=0.1),
        make_subplots(2, 3, horizontal_spacing=0.02, vertical_spacing=0.1),
    )
    for panel in range(6):
        row, col = divmod(panel, 3)
        ours.add_trace(spec.bar(y=[panel]), row=row + 1, col=col + 1)
        theirs.add_trace(go.Bar(y=[panel]), row=row + 1, col=col + 1)
    ours, theirs = as_plotly(ours), theirs.to_dict()
    axes = [[(one.get("xaxis", "x"), one.get("yaxis", "y")) for one in fig["data"]] for fig in (ours, theirs)]
    assert axes[0] == axes[1]
    for name in (f"{letter}axis{place}" for letter in "xy" for place in ("", "2", "3", "4", "5", "6")):
        assert ours["layout"][name]["anchor"] == theirs["layout"][name]["anchor"]
        np.testing.assert_allclose(ours["layout"][name]["domain"], theirs["layout"][name]["domain"], atol=1e-12)


def test_shared_axes_move_together_and_only_the_lowest_has_numbers():
    axes = as_plotly(spec.grid(3, 1, gap_y=0.1, shared_x=True))["layout"]
    assert [axes[f"xaxis{place}"].get("matches") for place in ("", "2", "3")] == ["x3", "x3", None]
    assert [axes[f"xaxis{place}"]["showticklabels"] for place in ("", "2", "3")] == [False, False, True]


def test_titles_stand_in_the_middle_above_their_panels():
    theirs = make_subplots(1, 2, horizontal_spacing=0.04, subplot_titles=("a", "b")).layout.annotations
    ours = spec.grid(1, 2, gap_x=0.04, titles=("a", "b")).to_plotly().layout.annotations
    assert [(one.text, one.x, one.y, one.xanchor) for one in ours] == [
        (one.text, one.x, one.y, one.xanchor) for one in theirs
    ]


def test_what_is_none_is_not_said():
    """A range that is said to be none stops plotly.js from drawing the next layout."""
    fig = spec.Figure([spec.scatter(x=[1, None], y=[2, 3], customdata=[None, 1])])
    fig.update_yaxes(range=None, title_text="height")
    sent = fig.as_it_is().to_dict()
    assert sent["layout"]["yaxis"] == {"title": {"text": "height"}}
    assert sent["data"][0]["x"] == [1, None]
    assert sent["data"][0]["customdata"] == [None, 1]


def test_an_underscore_goes_a_level_deeper_and_changes_join():
    fig = spec.Figure([spec.scatter(x=[1], marker_color="red", error_y={"array": [1]})])
    fig.update_layout(margin_t=3, paper_bgcolor="white")
    fig.update_layout(margin_b=4)
    fig.update_yaxes(title_text="height")
    assert fig.data[0]["marker"] == {"color": "red"}
    assert fig.layout == {
        "xaxis": {},
        "yaxis": {"title": {"text": "height"}},
        "margin": {"t": 3, "b": 4},
        "paper_bgcolor": "white",
    }
    as_plotly(fig)


def test_merging_leaves_what_was_given_alone():
    shared = {"size": 3}
    first, second = spec.scatter(marker=shared), spec.scatter(marker=shared)
    spec.merge(first, {"marker": {"color": "red"}})
    assert (shared, second["marker"]) == ({"size": 3}, {"size": 3})
    assert first["marker"] == {"size": 3, "color": "red"}


def test_lines_across_run_through_every_panel():
    fig = spec.grid(2, 1)
    fig.add_vline(0.5, line={"width": 1})
    fig.add_hline(2.0)
    shapes = as_plotly(fig)["layout"]["shapes"]
    assert [(one["xref"], one["yref"]) for one in shapes] == [
        ("x", "y domain"),
        ("x2", "y2 domain"),
        ("x domain", "y"),
        ("x2 domain", "y2"),
    ]


def test_a_page_pays_for_no_check_and_sends_the_same(rng):
    z = rng.integers(0, 200, (3, 4)).astype(np.uint8)
    fig = spec.Figure(
        [
            spec.scatter(x=np.arange(3), y=rng.random(3), customdata=np.arange(3) + 70_000, mode="markers"),
            spec.heatmap(z=z, x=np.array(["a", "b", "c", "d"]), zmin=np.float32(0.5)),
            spec.scatter(x=np.empty(0), y=[np.int64(4)]),
        ]
    )
    fig.update_xaxes(range=[0, 1])
    fig.update_yaxes(range=[0, 1])
    finish(fig, "light", "three dots.", height=200)
    ours, theirs = (json.loads(io.to_json(sent, validate=False)) for sent in (fig.as_it_is().to_dict(), as_plotly(fig)))
    assert ours == theirs


@pytest.mark.parametrize(("each", "kind"), [(MOST_SVG // 2, "scatter"), (MOST_SVG // 2 + 1, "scattergl")])
def test_few_dots_take_no_canvas_of_webgl_from_the_browser(each, kind):
    dots = spec.scattergl(x=np.arange(each), y=np.arange(each), mode="markers")
    sent = spec.Figure([dots, dots, spec.bar(x=[1], y=[1])]).as_it_is().to_dict()
    assert [one["type"] for one in sent["data"]] == [kind, kind, "bar"]
    assert dots["type"] == "scattergl"  # what is drawn elsewhere is as it was


def test_films_keep_the_kind_of_trace_their_frames_have():
    dots = spec.scattergl(x=np.arange(3), y=np.arange(3))
    sent = spec.Figure([dots], frames=[spec.frame("1", [dots], [0])]).as_it_is().to_dict()
    assert sent["data"][0]["type"] == sent["frames"][0]["data"][0]["type"] == "scattergl"


def test_frames_are_sent_as_bytes_too():
    fig = spec.Figure([spec.scatter(x=np.arange(3))], frames=[spec.frame("1", [spec.scatter(x=np.arange(3))], [0])])
    sent = fig.as_it_is().to_dict()
    assert sent["frames"][0]["data"][0]["x"] == sent["data"][0]["x"] == {"dtype": "i1", "bdata": "AAEC"}


def test_axes_of_one_unit_are_ranged_anew_with_every_size():
    """A range that grew to fill a narrow box stays grown in a wide one, unless Plotly is told where it begins."""
    points = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 0.5]])
    one, two = (figures.scatter(points, np.array([0, 0, 1]), "light", equal=equal) for equal in (True, False))
    x_range = one.layout["xaxis"]["range"]
    graph = figures.graph_figure(points, np.ones(3, int), np.array([[0, 1]]), np.ones(1), "light", equal=True)
    for figure in (one, graph):
        sent = figure.as_it_is().to_dict()["layout"]
        for axis in ("xaxis", "yaxis"):
            low, high = sent[axis]["range"]
            assert sent[axis]["autorange"]
            assert sent[axis]["autorangeoptions"] == {"include": [low, high], "clipmin": low, "clipmax": high}
        figure.to_plotly()  # checked by plotly
    assert one.layout["xaxis"]["range"] == x_range
    assert "autorange" not in one.layout["xaxis"]  # what is drawn elsewhere is as it was
    assert "autorange" not in two.as_it_is().to_dict()["layout"]["xaxis"]
    panels = figures.small_multiples(points, [np.array([0, 0, 1])] * 2, ["a", "b"], "light", equal=True)
    sent = panels.as_it_is().to_dict()["layout"]
    assert all(sent[name]["autorange"] for name in sent if name.startswith(("xaxis", "yaxis")))
