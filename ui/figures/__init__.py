"""Figures: pure functions from arrays to figures as plain data, all of one style."""

from ui.figures.objects.dendrograms import dendrogram_figure
from ui.figures.objects.density import density
from ui.figures.objects.forests import decision_graph, forest_film, margin_figure
from ui.figures.objects.graphs import graph_figure, walk_film, walk_heatmaps
from ui.figures.objects.matrices import (
    add_cells,
    add_side_tree,
    add_ticks,
    enhancement_film,
    matrix_film,
    matrix_image,
    residual_figure,
)
from ui.figures.objects.scatter import cluster_cloud, cluster_similarity_figure, scatter, small_multiples
from ui.figures.objects.subspaces import coordinate_figure, ellipse_figure, error_figure, weight_figure
from ui.figures.partitions.confusion import confusion_figure
from ui.figures.partitions.numbers_of_clusters import cdf_figure, criteria_figure, matrix_strip
from ui.figures.partitions.trees import cluster_consensus_figure, item_consensus_figure, tracking_figure
from ui.figures.scores.bars import bar_by_clustering, class_balance, histogram, lambda_figure, silhouette_figure
from ui.figures.scores.comparisons import (
    agreement_figure,
    difference_figure,
    flow_figure,
    printed_figure,
    time_quality_figure,
)
from ui.figures.scores.curves_and_strips import (
    line_figure,
    link_figure,
    precision_recall,
    score_curve,
    score_strip,
    starts_figure,
)
from ui.figures.scores.rank_diagrams import critical_difference_figure
from ui.figures.scores.tuning import tuning_heatmap, tuning_line
from ui.figures.style import PALETTE, UNASSIGNED, cluster_colors, template

__all__ = [
    "PALETTE",
    "UNASSIGNED",
    "add_cells",
    "add_side_tree",
    "add_ticks",
    "agreement_figure",
    "bar_by_clustering",
    "cdf_figure",
    "cluster_consensus_figure",
    "item_consensus_figure",
    "tracking_figure",
    "class_balance",
    "cluster_cloud",
    "cluster_colors",
    "cluster_similarity_figure",
    "confusion_figure",
    "coordinate_figure",
    "criteria_figure",
    "critical_difference_figure",
    "decision_graph",
    "dendrogram_figure",
    "density",
    "ellipse_figure",
    "error_figure",
    "difference_figure",
    "flow_figure",
    "enhancement_film",
    "forest_film",
    "graph_figure",
    "histogram",
    "lambda_figure",
    "line_figure",
    "link_figure",
    "margin_figure",
    "matrix_film",
    "matrix_image",
    "matrix_strip",
    "precision_recall",
    "printed_figure",
    "residual_figure",
    "scatter",
    "score_curve",
    "score_strip",
    "silhouette_figure",
    "small_multiples",
    "starts_figure",
    "template",
    "time_quality_figure",
    "tuning_heatmap",
    "tuning_line",
    "walk_film",
    "walk_heatmaps",
    "weight_figure",
]
