"""Pictures of what Leiden finds at one resolution after the other."""

import numpy as np

from engine.partitions import CONSISTENT
from engine.runtime.wording import listed
from ui.figures.partitions.numbers_of_clusters import resolution_figure
from ui.figures.partitions.trees import partition_tree_figure
from ui.figures.spec import Figure
from ui.pictures.catalog import picture
from ui.pictures.objects import dots
from ui.saying import counted
from ui.scene import Scene


def _consistent(scene: Scene) -> str:
    """Which numbers of clusters do not depend on chance, and what a graph of nothing comes to."""
    if (found := scene.resolution_runs) is None:
        return ""
    own, null = found
    firm = sorted({int(k) for k, one in zip(own.n_clusters, own.found, strict=True) if one.consistent and k > 1})
    words = (
        f"Runs agree on {listed(f'{k:,}' for k in firm)} clusters." if firm else "At no resolution do the runs agree."
    )
    least = min((one.value for one, k in zip(null.found, null.n_clusters, strict=True) if k > 1), default=None)
    if least is None:
        return words
    return f"{words} On a graph by chance with as many links at every node their inconsistency is at least {least:.3f}."


@picture("How far do runs disagree that differ in chance alone? Inconsistency at every resolution", says=_consistent)
def resolution_curve(scene: Scene, theme: str) -> Figure | None:
    """Inconsistency at every resolution, with its bootstrap, and on a graph by chance."""
    if (found := scene.resolution_runs) is None:
        return None
    return resolution_figure(found.own, found.null, CONSISTENT, theme, taken=scene.config.leiden_resolution)


@picture("Do communities split as the resolution grows? A tree over resolutions")
def resolution_tree(scene: Scene, theme: str) -> Figure | None:
    """The best partition of every resolution, and the objects that go from its clusters to the next."""
    if (tree := scene.tree_of_resolutions) is None:
        return None
    return partition_tree_figure(tree, theme, row_name="resolution")


def _loose(scene: Scene) -> str:
    values = scene.object_consistency
    if values is None:
        return ""
    return (
        f"{counted(int((values < 0.5).sum()), 'object')} of {len(values):,} keep less than half of their company from "
        "one base clustering to another: they are pale."
    )


@picture("Who keeps their company? The paler, the less (element-centric consistency)", says=_loose)
def consistency(scene: Scene, theme: str) -> Figure | None:
    """The consensus, every object as firm as its company is the same over all base clusterings."""
    if scene.object_consistency is None or scene.consensus is None:
        return None
    firm = np.clip(scene.object_consistency, 0.12, 1)
    return dots(scene, scene.consensus.labels, theme, colors=scene.colors, opacity=firm)
