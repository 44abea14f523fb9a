"""Figures: pure functions from arrays to plotly figures, all of one style."""

from ui.figures.bars import class_balance, histogram
from ui.figures.clusters import bar_by_clustering, cluster_cloud
from ui.figures.comparisons import agreement_figure, flow_figure, time_quality_figure
from ui.figures.confusion import confusion_figure
from ui.figures.curves import precision_recall, residual_figure
from ui.figures.dendrograms import dendrogram_figure
from ui.figures.forests import decision_graph, forest_film, margin_figure
from ui.figures.graphs import graph_figure
from ui.figures.links import link_figure
from ui.figures.matrices import matrix_image
from ui.figures.printed import printed_figure
from ui.figures.rank_diagrams import critical_difference_figure
from ui.figures.scatter import scatter, small_multiples
from ui.figures.side_trees import add_side_tree
from ui.figures.strips import score_curve, score_strip
from ui.figures.style import PALETTE, UNASSIGNED, cluster_colors, template
from ui.figures.subspaces import coordinate_figure, ellipse_figure, error_figure, weight_figure
from ui.figures.tuning import tuning_heatmap, tuning_line
from ui.figures.walks import line_figure, matrix_film, walk_film, walk_heatmaps

__all__ = [
    "PALETTE",
    "UNASSIGNED",
    "add_side_tree",
    "agreement_figure",
    "bar_by_clustering",
    "class_balance",
    "cluster_cloud",
    "cluster_colors",
    "confusion_figure",
    "coordinate_figure",
    "critical_difference_figure",
    "decision_graph",
    "dendrogram_figure",
    "ellipse_figure",
    "error_figure",
    "flow_figure",
    "forest_film",
    "graph_figure",
    "histogram",
    "line_figure",
    "link_figure",
    "margin_figure",
    "matrix_film",
    "matrix_image",
    "precision_recall",
    "printed_figure",
    "residual_figure",
    "scatter",
    "score_curve",
    "score_strip",
    "small_multiples",
    "template",
    "time_quality_figure",
    "tuning_heatmap",
    "tuning_line",
    "walk_film",
    "walk_heatmaps",
    "weight_figure",
]
