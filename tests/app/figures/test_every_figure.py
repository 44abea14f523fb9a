"""What every figure keeps to."""

import numpy as np

from tests.app.figures.checked import figures
from tests.app.figures.trees import hierarchy
from ui.figures import style
from ui.figures.spec import MOST_SVG


def every_figure(theme, rng):
    points, labels = rng.normal(size=(60, 2)), rng.integers(0, 3, 60)
    merges, similarities = hierarchy(rng, 12)
    yield figures.scatter(points, labels, theme, truth=labels[::-1], selected=labels == 0)
    yield figures.small_multiples(points, [labels, labels], ["k = 3", "k = 3"], theme)
    yield figures.score_strip(rng.random(20), 0.8, theme)
    yield figures.score_curve(np.arange(5), rng.random(5), theme, marked=2, spread=np.full(5, 0.1))
    yield figures.dendrogram_figure(merges, similarities, np.ones(12, int), 3, theme)
    yield figures.confusion_figure(rng.integers(0, 9, (3, 4)), "abc", "wxyz", theme)
    nested = {k: np.arange(60) * k // 60 for k in (2, 3, 4)}
    colors = {k: np.arange(k)[::-1] for k in nested}
    yield figures.tracking_figure(nested, colors, np.arange(60), theme)
    own = {k: rng.random(k) for k in nested}
    yield figures.cluster_consensus_figure(own, {k: np.full(k, 60 // k) for k in nested}, colors, theme)
    other = (labels + 1) % 3
    yield figures.item_consensus_figure(rng.random(60), rng.random(60), labels, other, np.arange(3), theme)
    yield figures.difference_figure(["A", "B"], [[-0.1, -0.2, 0.0], [-0.3, -0.4, -0.2]], theme, x_name="NMI less")
    alike = np.eye(6) / 2 + 0.5
    yield figures.cluster_similarity_figure(alike, np.arange(6)[::-1], np.repeat([0, 1], 3), theme, pair=(0, 4))
    yield figures.starts_figure(rng.random(8), theme)
    yield figures.lambda_figure(rng.random(30) + 0.1, 100.0, theme)
    yield figures.matrix_image(rng.random((20, 20)), theme, row_labels=np.repeat([0, 1], 10), borders=True)


def test_every_figure_keeps_the_rules(theme, rng):
    for fig in every_figure(theme, rng):
        assert fig.layout.uirevision == "keep"
        assert fig.layout.meta["alt"].endswith(".")
        assert fig.layout.template.layout.font.color == style.INKS[theme].text
        assert fig.layout.template.layout.paper_bgcolor == "rgba(0, 0, 0, 0)"
        assert all(axis.range is not None for axis in fig.select_xaxes())
        assert all(axis.range is not None for axis in fig.select_yaxes())


def test_numbers_travel_as_bytes(theme, rng):
    for fig in every_figure(theme, rng):
        for trace in fig.to_dict()["data"]:
            rows = isinstance(trace.get("customdata"), list)  # several numbers a dot: as bytes no click could name them
            if not rows and trace["type"] != "heatmap":
                assert "shape" not in trace.get("customdata", {}), trace["type"]
            for name in {"x", "y", "z", "customdata"} & trace.keys() - ({"customdata"} if rows else set()):
                assert set(trace[name]) >= {"dtype", "bdata"}, (trace["type"], name)
                assert trace[name]["dtype"] in {"f4", "u1", "i1", "i2", "i4"}


def test_a_cloud_of_very_many_clusters_draws_some_under_their_own_ids():
    n = 20_000
    rng = np.random.default_rng(0)
    sizes, index = rng.integers(1, 900, n), rng.random(n)
    cloud = figures.cluster_cloud(sizes, rng.random(n), index, np.repeat(np.arange(100), 200), "light")
    dots = cloud.data[0]
    assert len(dots["x"]) == MOST_SVG
    assert np.allclose(dots["y"], index[dots["customdata"]])
    assert np.array_equal(dots["x"], sizes[dots["customdata"]])
    assert "1,000 of 20,000 clusters drawn" in str(cloud.layout["annotations"])
    flat = figures.cluster_cloud(sizes[:9], rng.random(9), index[:9] / 40, np.arange(9), "light")
    assert index[:9].max() / 40 < flat.layout["yaxis"]["range"][1] < 0.03  # not a line at the bottom
    assert cloud.layout["yaxis"]["range"][1] == 1.04
    none = figures.cluster_cloud(sizes[:9], rng.random(9), np.zeros(9), np.arange(9), "light")
    assert none.layout["yaxis"]["range"][1] == 1.04  # theta so small that nothing is reliable
    few = figures.cluster_cloud(sizes[:9], rng.random(9), index[:9], np.arange(9), "light")
    assert few.data[0]["customdata"].tolist() == list(range(9))
    assert "drawn" not in str(few.layout.annotations)
