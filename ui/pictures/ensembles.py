"""Pictures of the ensemble: its clusters, its microclusters, what is missing, and who moves the consensus."""

import numpy as np

from ui.figures import bar_by_clustering, class_balance, cluster_cloud, histogram
from ui.figures.numbering import clusterings_on_hover
from ui.figures.spec import Figure
from ui.outside import html
from ui.pictures.catalog import picture
from ui.saying import counted, three_digits
from ui.scene import Scene


@picture("How many clusters have they?")
def clusters_of_each(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings by their number of clusters."""
    made = scene.everything and scene.everything.ensemble
    return made and histogram(made.n_clusters_each, theme, x_name="clusters k")


@picture("Clusters in each base clustering of the file")
def clusters_in_file(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings of the file by their number of clusters."""
    return None if scene.clusters_in_file is None else histogram(scene.clusters_in_file, theme, x_name="clusters k")


@picture("Labels missing in each base clustering")
def labels_missing_in_file(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings of the file by the share of their labels that are missing."""
    if scene.missing_in_file is None:
        return None
    figure = bar_by_clustering(scene.missing_in_file, theme, y_name="share of labels missing")
    return clusterings_on_hover(figure, scene.column_names)


@picture("Classes")
def classes(scene: Scene, theme: str) -> Figure | None:
    """Objects of every class."""
    return None if scene.truth is None else class_balance(np.bincount(scene.truth), scene.class_names, theme)


def _reliable(scene: Scene) -> str:
    if scene.reliability is None:
        return ""
    index = scene.reliability
    return (
        f"{len(index):,} clusters; reliability (ECI) {three_digits(index.min())} to {three_digits(index.max())}, "
        f"median {three_digits(float(np.median(index)))} at θ = {scene.config.theta:g}."
    )


@picture("Which clusters do the others confirm?", says=_reliable)
def cluster_reliability(scene: Scene, theme: str) -> Figure | None:
    """Every cluster by size and reliability."""
    made = scene.ensemble
    if made is None:
        return None
    owner = np.repeat([html(key) for key in scene.clustering_keys], made.n_clusters_each)
    return cluster_cloud(made.cluster_sizes, scene.uncertainty, scene.reliability, owner, theme)


@picture("Share of labels that are missing")
def missing_labels(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings by the share of their labels that are missing."""
    if scene.ensemble is None or scene.ensemble.complete:
        return None
    figure = bar_by_clustering((scene.ensemble.labels < 0).mean(axis=0), theme, y_name="share of labels missing")
    return clusterings_on_hover(figure, scene.clustering_names)


def _groups(scene: Scene) -> str:
    if scene.ensemble is None:
        return ""
    sizes = scene.ensemble.microclusters.sizes
    return (
        f"**{counted(len(sizes), 'microcluster')}** for {scene.ensemble.n_objects:,} objects: groups that no base "
        f"clustering tells apart. The largest has {counted(int(sizes.max()), 'object')}, "
        f"{int((sizes == 1).sum()):,} stand alone."
    )


@picture("Microclusters by size", says=_groups)
def microclusters(scene: Scene, theme: str) -> Figure | None:
    """Groups that no base clustering tells apart, by their number of objects."""
    if scene.ensemble is None:
        return None
    names = {"x_name": "objects in a microcluster", "y_name": "microclusters"}
    return histogram(scene.ensemble.microclusters.sizes, theme, **names)


def _moved(scene: Scene) -> str:
    moved = scene.influence
    if moved is None:
        return ""
    if not moved.any():
        return f"On none of them: leaving out any one of the {len(moved):,} changes nothing."
    changed = int((moved > 0).sum())
    words = f"Leaving one out changes the consensus for {changed:,} of {len(moved):,}"
    return f"{words} (1 - ARI between both, 0: not at all)."


@picture("Which base clustering does the consensus hang on?", says=_moved)
def influence(scene: Scene, theme: str) -> Figure | None:
    """How far the consensus moves when each base clustering is left out."""
    if scene.influence is None or not scene.influence.any():
        return None
    return clusterings_on_hover(bar_by_clustering(scene.influence, theme, y_name="1 - ARI"), scene.clustering_names)
