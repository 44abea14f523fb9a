"""Figures: what they send to the browser, and what they claim about the data."""

import tomllib
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ui import figures
from ui.figures import style
from ui.figures.tree_layout import dendrogram_tree

ROOT = Path(__file__).parents[2]
RNG_SEED = 5

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear_rgb(colors):
    rgb = np.array([list(bytes.fromhex(color[1:])) for color in colors]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def cielab(linear):
    ratio = np.clip(linear, 0, 1) @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def ciede2000(one, two):
    """Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = np.moveaxis(one, -1, 0), np.moveaxis(two, -1, 0)
    mean7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(mean7 / (mean7 + 25.0**7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    hue, chroma, light = (h1 + turn / 2) % 360, (c1 + c2) / 2, (l1 + l2) / 2
    cosines = sum(
        w * np.cos(np.radians(m * hue + p)) for w, m, p in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2) / (1 + 0.015 * chroma * (1 + cosines))
    blue = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * blue
    return np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def closest(colors, vision=None):
    """Smallest pairwise difference of colours under a kind of vision."""
    seen = linear_rgb(colors)
    lab = cielab(seen if vision is None else seen @ vision.T)
    return ciede2000(lab[:, None], lab[None])[np.triu_indices(len(colors), 1)].min()


def contrast(one, two):
    bright, dark = sorted((linear_rgb([c])[0] @ TO_XYZ[1] for c in (one, two)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.fixture
def rng():
    return np.random.default_rng(RNG_SEED)


@pytest.fixture
def points(rng):
    return rng.normal(size=(300, 2))


@pytest.fixture
def labels(rng):
    return rng.integers(0, 5, 300)


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return request.param


def hierarchy(rng, n):
    """Random merges with falling similarities, SciPy's ids."""
    alive, merges = list(range(n)), []
    for t in range(n - 1):
        pair = [alive.pop(rng.integers(len(alive))) for _ in range(2)]
        merges.append(pair)
        alive.append(n + t)
    return np.array(merges), np.sort(rng.random(n - 1))[::-1]


def leaves_under(merges, node):
    n = len(merges) + 1
    return {node} if node < n else set.union(*(leaves_under(merges, int(c)) for c in merges[node - n]))


# Colours


def test_ciede2000_reference_pairs():
    one = np.array([[50, 2.6772, -79.7751], [50, 2.5, 0], [22.7233, 20.0904, -46.6940]])
    two = np.array([[50, 0, -82.7485], [73, 25, -18], [23.0331, 14.9730, -42.5619]])
    assert_allclose(ciede2000(one, two), [2.0425, 27.1492, 2.0373], atol=1e-4)


@pytest.mark.parametrize("vision", [DEUTERANOPIA, PROTANOPIA])
def test_first_eight_apart_for_colour_blind(vision):
    assert closest(style.PALETTE[:8], vision) > 11


def test_palette_apart_for_normal_vision():
    assert len(set(style.PALETTE)) == 32
    assert closest(style.PALETTE[:8]) > 20
    assert closest((*style.PALETTE, style.UNASSIGNED)) > 9


def test_palette_stands_off_both_papers():
    papers = [ink.paper for ink in style.INKS.values()]
    assert min(contrast(color, paper) for color in style.PALETTE[:8] for paper in papers) >= 2.5
    assert min(contrast(color, paper) for color in style.PALETTE for paper in papers) >= 2


def test_inks_readable(theme):
    ink = style.INKS[theme]
    assert min(contrast(tone, ink.paper) for tone in (ink.text, ink.muted, ink.accent)) >= 4.5


def test_config_agrees_with_style(theme):
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    look, ink = config["theme"], style.INKS[theme]
    mine = look[theme]
    assert (mine["backgroundColor"], mine["textColor"]) == (ink.paper, ink.text)
    assert tuple(look["chartCategoricalColors"]) == style.PALETTE[:8]
    assert contrast("#FFFFFF", mine["primaryColor"]) >= 4.5
    for paper in (ink.paper, mine["sidebar"]["backgroundColor"], mine["secondaryBackgroundColor"]):
        assert contrast(mine["linkColor"], paper) >= 4.5
        assert contrast(mine["textColor"], paper) >= 7


def test_config_is_closed():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["enableXsrfProtection"] is True
    assert config["server"]["enableCORS"] is True
    assert config["client"]["showErrorDetails"] == "none"


def test_cluster_colors_stable():
    few, many = style.cluster_colors(3), style.cluster_colors(40)
    assert_array_equal(few, many[:3])
    assert many[32] == many[0]
    assert style.cluster_colors(np.array([2, -1])).tolist() == [few[2], style.UNASSIGNED]


def seen_color(marks, label):
    """The colour plotly picks from a marker's scale for a value."""
    position = (label - marks["cmin"]) / (marks["cmax"] - marks["cmin"])
    return next(color for stop, color in reversed(marks["colorscale"]) if stop < position)


@pytest.mark.parametrize("top", [0, 4, 40])
def test_cluster_marks_show_cluster_colors(top):
    ids = np.arange(-1, top + 1)
    marks = style.cluster_marks(ids)
    assert [seen_color(marks, label) for label in ids] == style.cluster_colors(ids).tolist()


def test_ink_on_is_readable():
    for scale in (*style.SHARE_SCALES.values(), style.SIMILARITY_SCALE):
        cells = style.scale_color(scale, np.linspace(0, 1, 21))
        backs = ["#" + bytes(np.rint(cell).astype(np.uint8)).hex() for cell in cells]
        assert min(contrast(*pair) for pair in zip(style.ink_on(cells), backs, strict=True)) >= 4


def test_difference_scales_centre_on_neutral(theme):
    scale = style.DIFFERENCE_SCALES[theme]
    assert scale[len(scale) // 2][0] == 0.5
    assert np.ptp(list(bytes.fromhex(scale[len(scale) // 2][1][1:]))) < 20


# What every figure shares


def every_figure(theme, rng):
    points, labels = rng.normal(size=(60, 2)), rng.integers(0, 3, 60)
    merges, similarities = hierarchy(rng, 12)
    yield figures.scatter(points, labels, theme, truth=labels[::-1], selected=labels == 0)
    yield figures.small_multiples(points, [labels, labels], ["k = 3", "k = 3"], theme)
    yield figures.score_strip(rng.random(20), 0.8, theme)
    yield figures.score_curve(np.arange(5), rng.random(5), theme, marked=2, spread=np.full(5, 0.1))
    yield figures.dendrogram_figure(merges, similarities, np.ones(12, int), 3, theme)
    yield figures.confusion_figure(rng.integers(0, 9, (3, 4)), "abc", "wxyz", theme)
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
            for name in {"x", "y", "z", "customdata"} & trace.keys():
                assert set(trace[name]) >= {"dtype", "bdata"}, (trace["type"], name)
                assert trace[name]["dtype"] in {"f4", "u1", "i1", "i2", "i4"}


# Scatter


def test_scatter_colours_do_not_depend_on_other_clusters(points, labels):
    whole = figures.scatter(points, labels, "light").data[0].marker
    part = figures.scatter(points[labels < 2], labels[labels < 2], "light").data[0].marker
    pick = [seen_color(m.to_plotly_json() | {"colorscale": m.colorscale}, 1) for m in (whole, part)]
    assert pick == [style.PALETTE[1]] * 2


def test_scatter_rings_only_known_disagreements(points, labels):
    truth, found = labels.copy(), labels.copy()
    truth[[3, 5]] = (truth[[3, 5]] + 1) % 5
    found[5], truth[7] = -1, -1
    fig = figures.scatter(points, found, "light", truth=truth)
    assert fig.data[1].customdata.tolist() == [3]
    assert "1 objects" in fig.layout.annotations[0].text


def test_scatter_names_unassigned(points, labels):
    labels[0] = -1
    dots = figures.scatter(points, labels, "dark").data[0]
    assert dots.text[0] == "not yet assigned"
    assert dots.text[1] == f"cluster {labels[1]}"


def test_scatter_fades_what_is_not_selected(points, labels):
    fig = figures.scatter(points, labels, "dark", selected=labels == 1)
    assert_array_equal(fig.data[0].marker.opacity, np.where(labels == 1, 1, np.float32(0.15)))


def test_scatter_samples_says_so_and_keeps_indices(points, labels):
    fig = figures.scatter(points, labels, "light", max_points=50)
    again = figures.scatter(points, labels, "light", max_points=50)
    drawn = fig.data[0].customdata
    assert "50 of 300 objects" in fig.layout.annotations[0].text
    assert len(np.unique(drawn)) == 50
    assert_array_equal(drawn, again.data[0].customdata)
    assert_array_equal(fig.data[0].x, points[drawn, 0].astype(np.float32))
    assert_array_equal(fig.data[0].marker.color, labels[drawn])
    assert not figures.scatter(points, labels, "light", max_points=300).layout.annotations


def test_scatter_range_ignores_sampling(points, labels):
    few, all_ = (figures.scatter(points, labels, "light", max_points=m) for m in (10, 300))
    assert few.layout.xaxis.range == all_.layout.xaxis.range
    assert few.layout.xaxis.range[0] < points[:, 0].min()


def test_scatter_equal_units(points, labels):
    assert figures.scatter(points, labels, "light", equal=True).layout.yaxis.scaleanchor == "x"
    assert figures.scatter(points, labels, "light").layout.yaxis.scaleanchor is None


def test_small_multiples_share_axes(points, labels):
    titles = [f"k = {k}" for k in range(2, 9)]
    fig = figures.small_multiples(points, [labels] * 7, titles, "light", columns=3, equal=True)
    assert [trace.type for trace in fig.data] == ["scattergl"] * 7
    assert len({trace.xaxis for trace in fig.data}) == 7
    assert len({trace_axis.range for trace_axis in fig.select_xaxes()}) == 1
    assert [note.text for note in fig.layout.annotations] == titles


def test_small_multiples_refuse_too_many(points, labels):
    with pytest.raises(ValueError, match="at most 12"):
        figures.small_multiples(points, [labels] * 13, ["k"] * 13, "light")


def test_small_multiples_say_that_they_sample(points, labels):
    fig = figures.small_multiples(points, [labels] * 2, ["a", "b"], "light", max_points=100)
    assert len(fig.data[0].x) == 50
    assert "50 of 300 objects" in fig.layout.annotations[-1].text


# Strips and curves


def test_score_strip_lines_are_where_the_scores_are(theme):
    fig = figures.score_strip(np.array([0.2, 0.4]), 0.9, theme)
    dots, mean, consensus = fig.data
    assert_allclose(dots.x, [0.2, 0.4], rtol=1e-6)
    assert_allclose([mean.x[0], consensus.x[0]], [0.3, 0.9], rtol=1e-6)
    assert "0.900" in fig.layout.annotations[0].text
    assert "mean 0.300" in fig.layout.xaxis.title.text


def test_score_strip_without_consensus_and_below_zero():
    fig = figures.score_strip(np.array([-0.1, 0.4]), None, "light")
    assert len(fig.data) == 2
    assert not fig.layout.annotations
    assert fig.layout.xaxis.range[0] < -0.1
    assert figures.score_strip(np.array([0.4, 0.5]), None, "light").layout.xaxis.range == (-0.02, 1.02)


def test_score_curve_marks_nearest_value():
    fig = figures.score_curve([2, 3, 4], [0.1, 0.5, 0.3], "light", marked=3.2, x_name="k", y_name="NMI")
    assert fig.data[-1].x.tolist() == [3]
    assert "k = 3: 0.500" in fig.layout.annotations[0].text
    assert len(figures.score_curve([2, 3], [0, 1], "light").data) == 1


# Dendrogram


@pytest.mark.parametrize("k", [1, 2, 5, 39, 40])
def test_cut_separates_k_subtrees(rng, k):
    merges, similarities = hierarchy(rng, 40)
    tree = dendrogram_tree(merges, similarities, np.ones(40, int), k)
    assert len(np.unique(tree.cluster[:40])) == k
    if k == 1:
        assert tree.cut is None
        return
    assert (similarities < tree.cut).sum() == k - 1
    roots = [c for pair in merges[40 - k :] for c in pair if c < 80 - k]
    assert len(roots) == k
    for root in roots:
        assert len({int(tree.cluster[leaf]) for leaf in leaves_under(merges, int(root))}) == 1


def test_cut_line_is_drawn_at_the_cut(rng):
    merges, similarities = hierarchy(rng, 40)
    fig = figures.dendrogram_figure(merges, similarities, np.ones(40, int), 5, "light")
    assert fig.layout.shapes[0].y0 == pytest.approx(similarities[34:36].mean())
    assert "k = 5" in fig.layout.annotations[0].text


def test_dendrogram_counts_all_objects(rng):
    merges, similarities = hierarchy(rng, 200)
    sizes = rng.integers(1, 50, 200)
    tree = dendrogram_tree(merges, similarities, sizes, 3, top=20)
    assert len(tree.tips) == 21
    assert tree.objects[tree.tips].sum() == sizes.sum()
    for tip in tree.tips:
        assert tree.objects[tip] == sizes[list(leaves_under(merges, int(tip)))].sum()


def test_dendrogram_draws_enough_for_the_cut(rng):
    merges, similarities = hierarchy(rng, 100)
    assert len(dendrogram_tree(merges, similarities, np.ones(100, int), 50, top=10).tips) > 50


def test_dendrogram_branches_do_not_cross(rng):
    merges, similarities = hierarchy(rng, 60)
    tree = dendrogram_tree(merges, similarities, np.ones(60, int), 4)
    for node in range(60, 119):
        spots = np.sort(tree.x[list(leaves_under(merges, node))])
        assert_array_equal(np.diff(spots), 1)


def test_dendrogram_traces_per_colour_not_per_branch(rng):
    counts = []
    for n in (20, 400):
        merges, similarities = hierarchy(rng, n)
        fig = figures.dendrogram_figure(merges, similarities, np.ones(n, int), 4, "light", top=300)
        counts.append(len(fig.data))
    assert counts == [7, 7]


def test_dendrogram_colours_stay_on_their_side(rng):
    merges, similarities = hierarchy(rng, 50)
    tree = dendrogram_tree(merges, similarities, np.ones(50, int), 6)
    fig = figures.dendrogram_figure(merges, similarities, np.ones(50, int), 6, "dark")
    for trace in fig.data[:-2]:
        y = trace.y[~np.isnan(trace.y)]
        if trace.line.color == style.INKS["dark"].muted:
            assert y.max() <= tree.cut + 1e-6
        else:
            assert y.min() >= tree.cut - 1e-6


def test_dendrogram_takes_given_clusters(rng):
    merges, similarities = hierarchy(rng, 30)
    own = dendrogram_tree(merges, similarities, np.ones(30, int), 3).cluster[:30]
    fig = figures.dendrogram_figure(merges, similarities, np.ones(30, int), 3, "light", cluster_of_leaf=own + 7)
    colors = {trace.line.color for trace in fig.data[:-2]} - {style.INKS["light"].muted}
    assert colors == set(style.PALETTE[7:10])


# Confusion


def test_confusion_numbers_sit_in_their_cells(theme):
    counts = np.array([[1204, 0], [3, 40]])
    fig = figures.confusion_figure(counts, ["a", "b"], ["0", "1"], theme)
    written = {
        (int(y), int(x)): text
        for trace in fig.data[1:]
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    }
    assert written == {(0, 0): "1,204", (0, 1): "0", (1, 0): "3", (1, 1): "40"}
    assert_allclose(fig.data[0].z.sum(axis=1), 1)
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]


@pytest.mark.parametrize(("columns", "numbered"), [(30, True), (31, False)])
def test_confusion_drops_numbers_when_wide(columns, numbered):
    counts = np.arange(2 * columns).reshape(2, columns)
    fig = figures.confusion_figure(counts, ["a", "b"], [str(c) for c in range(columns)], "light")
    assert (len(fig.data) > 1) == numbered


def test_confusion_survives_an_empty_class():
    fig = figures.confusion_figure(np.array([[0, 0], [1, 2]]), "ab", "xy", "light")
    assert np.isfinite(fig.data[0].z).all()


# Matrices


def test_matrix_sends_bytes_on_a_fixed_range(theme):
    values = np.array([[0, 0.5], [1.0, 0.254]])
    image = figures.matrix_image(values, theme).data[0]
    assert image.z.dtype == np.uint8
    assert_array_equal(image.z, [[0, 50], [100, 25]])
    assert (image.zmin, image.zmax) == (0, 100)
    assert list(image.colorbar.ticktext) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert_allclose(image.colorbar.tickvals, np.arange(0, 101, 20))


def test_matrix_range_never_follows_the_data():
    low, high = (figures.matrix_image(np.full((3, 3), v), "light").data[0] for v in (0.1, 0.9))
    assert (low.zmin, low.zmax) == (high.zmin, high.zmax)


def test_difference_is_centred(theme):
    values = np.array([[-0.5, 0], [0.5, 0.25]])
    image = figures.matrix_image(values, theme, scale="difference", limit=0.5).data[0]
    assert image.z.dtype == np.int8
    assert_array_equal(image.z, [[-100, 0], [100, 50]])
    assert image.zmin == -image.zmax
    assert list(image.colorbar.ticktext) == ["-0.5", "-0.25", "0", "0.25", "0.5"]
    assert "of 0.5" in image.hovertemplate


def test_matrix_cells_fill_their_extent():
    image = figures.matrix_image(np.zeros((4, 4)), "light", extent=(100, 140, 200, 220)).data[0]
    assert (image.y0 - image.dy / 2, image.y0 + 3.5 * image.dy) == (100, 140)
    assert (image.x0 - image.dx / 2, image.x0 + 3.5 * image.dx) == (200, 220)


def test_matrix_strips_and_borders():
    labels = np.array([0, 0, 1, 2])
    fig = figures.matrix_image(np.zeros((4, 4)), "light", row_labels=labels, column_labels=labels, borders=True)
    assert [type(trace) for trace in fig.data] == [go.Heatmap] * 3 + [go.Scatter]
    assert fig.data[1].z.shape == (4, 1)
    assert fig.data[2].z.shape == (1, 4)
    assert np.isnan(fig.data[3].x).sum() == np.isnan(fig.data[3].x[2::3]).sum() == 2
    assert set(fig.data[3].y[:6][~np.isnan(fig.data[3].x[:6])]) == {2, 3}
    assert fig.layout.yaxis.scaleanchor == "x"
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
