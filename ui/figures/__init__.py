"""Figures: pure functions from arrays to figures as plain data, all of one style."""

from ui.figures.bars import class_balance, histogram, silhouette_figure
from ui.figures.clusters import bar_by_clustering, cluster_cloud
from ui.figures.comparisons import agreement_figure, difference_figure, flow_figure, time_quality_figure
from ui.figures.confusion import confusion_figure
from ui.figures.curves import link_figure, precision_recall
from ui.figures.dendrograms import dendrogram_figure
from ui.figures.density import density
from ui.figures.enhancement import enhancement_film, residual_figure
from ui.figures.forests import decision_graph, forest_film, margin_figure
from ui.figures.graphs import graph_figure
from ui.figures.matrices import add_cells, add_side_tree, add_ticks, matrix_image
from ui.figures.numbers_of_clusters import cdf_figure, criteria_figure, matrix_strip
from ui.figures.printed import printed_figure
from ui.figures.rank_diagrams import critical_difference_figure
from ui.figures.scatter import scatter, small_multiples
from ui.figures.specifics import cluster_similarity_figure, lambda_figure, starts_figure
from ui.figures.strips import score_curve, score_strip
from ui.figures.style import PALETTE, UNASSIGNED, cluster_colors, template
from ui.figures.subspaces import coordinate_figure, ellipse_figure, error_figure, weight_figure
from ui.figures.tracking import cluster_consensus_figure, item_consensus_figure, tracking_figure
from ui.figures.tuning import tuning_heatmap, tuning_line
from ui.figures.walks import line_figure, matrix_film, walk_film, walk_heatmaps

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
