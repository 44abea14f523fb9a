"""Dendrograms: what they say of all objects, and where they are cut."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.app.figures.checked import figures
from tests.app.figures.trees import hierarchy, leaves_under
from ui.figures import style
from ui.figures.objects.dendrograms import dendrogram_tree


@pytest.mark.parametrize("k", [2, 5, 39, 40])
def test_cut_separates_k_subtrees(rng, k):
    merges, similarities = hierarchy(rng, 40)
    tree = dendrogram_tree(merges, similarities, np.ones(40, int), k)
    assert len(np.unique(tree.cluster[:40])) == k
    assert (similarities < tree.cut).sum() == k - 1
    roots = [c for pair in merges[40 - k :] for c in pair if c < 80 - k]
    assert len(roots) == k
    for root in roots:
        assert len({int(tree.cluster[leaf]) for leaf in leaves_under(merges, int(root))}) == 1


def test_one_cluster_is_not_cut(rng):
    merges, similarities = hierarchy(rng, 40)
    tree = dendrogram_tree(merges, similarities, np.ones(40, int), 1)
    assert tree.cut is None
    assert set(tree.cluster[:40]) == {0}


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


def test_an_opened_branch_shows_what_the_whole_shows_of_it(rng):
    """Same colours, heights and cut; dots keep the names of the whole tree."""
    merges, similarities = hierarchy(rng, 80)
    sizes = rng.integers(1, 9, 80)
    whole = dendrogram_tree(merges, similarities, sizes, 4)
    for node in range(80, 159):
        part = dendrogram_tree(merges, similarities, sizes, 4, opened=node)
        leaves = sorted(leaves_under(merges, node))
        assert part.nodes[-1] == node
        assert_array_equal(part.cluster, whole.cluster[part.nodes])
        assert_array_equal(part.height, whole.height[part.nodes])
        assert part.objects[-1] == sizes[leaves].sum()
        assert part.n_clusters == len({*whole.cluster[leaves].tolist()})
        assert part.cut == (whole.cut if part.n_clusters > 1 else None)


def test_dots_of_an_opened_branch_say_their_node(rng):
    merges, similarities = hierarchy(rng, 80)
    node = int(merges[-1][1])
    fig = figures.dendrogram_figure(merges, similarities, np.ones(80, int), 4, "light", opened=node)
    nodes = {int(row[0]) for trace in fig.data if trace.customdata is not None for row in trace.customdata}
    assert max(nodes) == node
    under = leaves_under(merges, node)
    assert all(leaves_under(merges, one) <= under for one in nodes)
