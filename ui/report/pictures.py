"""The pictures of a report, each with its caption, drawn without a browser."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from engine.evidence import clustering_agreement, co_association
from engine.metrics import MEASURES
from engine.partition import leaf_order, linkage
from engine.runtime.errors import TooLargeError
from ui import figures
from ui.compute.pipeline import class_names, score, score_where_seen
from ui.consensus.views import confusion
from ui.figures.spec import Figure
from ui.figures.stills import still
from ui.figures.style import painted
from ui.howmany.views import criterion_row
from ui.report.session import Session

WIDE, HALF = 720, 470


class Picture(NamedTuple):
    """A figure as SVG, what stands above it, and whether it takes the paper's whole width."""

    caption: str
    svg: Markup
    wide: bool


#: Pixels along a matrix.
_PIXELS = 400
#: Dots drawn one by one; beyond them a fixed sample stands for all.
_DOTS = 5_000


def drawn(caption: str, figure: Figure, width: int = WIDE, height: int | None = None) -> Picture:
    """A picture with its caption."""
    return Picture(caption, Markup(still(figure, width, height)), width > HALF)


def objects(session: Session) -> Iterator[Picture]:
    """Truth and consensus, in the same colours."""
    points, axes, equal = session.placed
    options = {"axis_names": axes, "equal": equal, "height": 380, "max_points": _DOTS}
    if session.truth is not None:
        classes = class_names(session.config)
        yield drawn("The truth", figures.scatter(points, session.truth, "light", classes=classes, **options), HALF)
    options |= {"colors": session.colors, "truth": session.truth}
    picture = figures.scatter(points, session.labels, "light", **options)
    yield drawn("The consensus", picture, HALF if session.truth is not None else WIDE)


def ensemble(session: Session) -> Iterator[Picture]:
    """How many clusters base clusterings have, and how alike they are."""
    made = session.ensemble
    counts = figures.histogram(made.n_clusters_each, "light", x_name="clusters k")
    yield drawn("Clusters in a base clustering", counts, HALF, 300)
    if 1 < made.n_clusterings <= 400:
        alike = clustering_agreement(made)
        order = leaf_order(linkage(alike))
        image = figures.matrix_image(alike[np.ix_(order, order)], "light", name="NMI (max)", height=420)
        yield drawn("NMI between base clusterings, similar ones beside each other", image, HALF)


def scores(session: Session) -> Iterator[Picture]:
    """Base clusterings and consensus on one line."""
    truth, measure = session.truth, session.config.measure
    if truth is not None:
        base = np.array([score_where_seen(column, truth, measure) for column in session.ensemble.labels.T])
        words = f"{MEASURES[measure]} with the truth"
        strip = figures.score_strip(base, score(session.result.labels, truth, measure), "light", name=words, height=140)
        yield drawn("Base clusterings as dots, their mean as a line, the consensus as a bold line", strip)
        classes = class_names(session.config)
        yield drawn("Which class went where", confusion(session.labels, truth, classes, "light"))


def matrix(session: Session) -> Iterator[Picture]:
    """The co-association of the objects, cluster by cluster, inside of them as in a tree."""
    made, result = session.ensemble, session.result
    if len(made.microclusters) < 2:
        return
    try:
        similarity = co_association(made)
    except TooLargeError:
        return
    tree = result.trace.get("dendrogram") or linkage(similarity, made.microclusters.sizes, "average")
    rank = np.empty(tree.n_leaves, np.int64)
    rank[leaf_order(tree)] = np.arange(tree.n_leaves)
    order = np.lexsort((rank[made.microclusters.assignment], session.labels))
    pixels = made.microclusters.block_means(similarity, order, order, _PIXELS)
    places = np.linspace(0, len(order) - 1, len(pixels)).round().astype(int)
    strip, n = session.labels[order][places], len(order)
    image = figures.matrix_image(
        pixels,
        "light",
        row_labels=strip,
        column_labels=strip,
        colors=session.colors,
        borders=True,
        extent=(0, n, 0, n),
        name="co-association: the share of base clusterings that put two objects together",
        height=640,
    )
    yield drawn("Which pairs are together, objects by cluster", image)


def tree(session: Session) -> Iterator[Picture]:
    """The dendrogram with its cut."""
    result = session.result
    if "dendrogram" in result.trace:
        made = result.trace["dendrogram"]
        leaves = painted(session.labels, session.colors)[result.microclusters.representatives]
        given = made.merges, made.similarities, made.sizes, result.n_clusters, "light"
        yield drawn(
            "The last merges, coloured below the cut", figures.dendrogram_figure(*given, cluster_of_leaf=leaves)
        )


def silhouettes(session: Session) -> Iterator[Picture]:
    """How firmly every object sits."""
    if session.profile is not None:
        values = session.profile.silhouette
        figure = figures.silhouette_figure(values, session.labels, "light", colors=session.colors)
        yield drawn("Silhouettes on 1 - co-association", figure)


def criteria(session: Session) -> Iterator[Picture]:
    """One curve a criterion over k."""
    found = session.chosen
    if found is not None and len(found.ks) > 1:
        rows = [criterion_row(found, key) for key in found.curves]
        taken = min(session.result.n_clusters, int(found.ks[-1]))
        words = "One curve a criterion; the large dot is its pick, hollow where it is not counted"
        yield drawn(words, figures.criteria_figure(found.ks, rows, "light", taken=taken))
