"""Pictures of links by value: how many, how many right."""

import numpy as np

from engine.evidence import LinkQuality
from ui.figures import link_figure
from ui.figures.spec import Figure
from ui.pictures.catalog import Reading, picture
from ui.scene import Scene

#: A weight of so much and less is a weak link; above the other, a strong one.
WEAK, STRONG = 0.2 + 1e-9, 0.8 + 1e-9


def shares(quality: LinkQuality) -> tuple[np.ndarray, np.ndarray]:
    """Share of the links in each bin, and share of those that are correct (nan where there are none)."""
    share = quality.pairs / max(1, quality.pairs.sum())
    return share, np.divide(quality.correct, quality.pairs, out=np.full(len(share), np.nan), where=quality.pairs > 0)


def link_picture(quality: LinkQuality, name: str, theme: str) -> Figure:
    """Links by value: how many, how many right, precision and recall from there up."""
    share, correct = shares(quality)
    return link_figure(quality.values, share, correct, quality.precision, quality.recall, theme, name=name)


_WEAK = {"weak_links": Reading(lambda fig, *_: float(np.sum(fig.data[0]["y"][fig.data[0]["x"] <= WEAK])))}


@picture("Links by weight: how many, how many right", reads=_WEAK)
def link_weights(scene: Scene, theme: str) -> Figure | None:
    """All links by weight, with precision and recall."""
    return scene.pruning and link_picture(scene.pruning[0], "weight", theme)


def _quality(scene: Scene) -> LinkQuality | None:
    """How often pairs of each value of the left matrix are right; None where nobody knows, or nothing is linked."""
    if scene.truth is None or scene.config.left == "truth" or scene.quality_left is None:
        return None
    return scene.quality_left if scene.quality_left.pairs.sum() else None


def trusted(scene: Scene) -> str:
    """The strongest and the weakest links of the left matrix in a sentence."""
    quality = _quality(scene)
    if quality is None:
        return ""
    share, correct = shares(quality)
    there = np.flatnonzero(quality.pairs)
    weakest, strongest = there[0], there[-1]
    return (
        f"The strongest links are {share[strongest]:.1%} of all and {correct[strongest]:.0%} of them join objects of "
        f"one class; the weakest are {share[weakest]:.1%}, and {correct[weakest]:.0%} do."
    )


@picture("How far can a value be trusted?", says=trusted)
def values_left(scene: Scene, theme: str) -> Figure | None:
    """Values of the left matrix: how many, how many right, precision and recall."""
    quality = _quality(scene)
    if quality is None:
        return None
    title = scene.matrix_left.title
    figure = link_picture(quality, title, theme)
    links = f"Links of the {title} matrix, {quality.pairs.sum():,} in all"
    if quality.n_rows is not None:
        n = len(scene.ensemble.microclusters)
        links += f": those of a sample of {quality.n_rows:,} of the {n:,} microclusters"
    figure.layout["meta"]["title"] = f"How far can a value be trusted? {links}"
    return figure
