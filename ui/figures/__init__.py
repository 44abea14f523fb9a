"""Figures: pure functions from arrays to plotly figures, all of one style."""

from ui.figures.bars import class_balance, histogram
from ui.figures.confusion import confusion_figure
from ui.figures.dendrograms import dendrogram_figure
from ui.figures.matrices import matrix_image
from ui.figures.scatter import scatter, small_multiples
from ui.figures.strips import score_curve, score_strip
from ui.figures.style import PALETTE, UNASSIGNED, cluster_colors, template

__all__ = [
    "PALETTE",
    "UNASSIGNED",
    "class_balance",
    "cluster_colors",
    "confusion_figure",
    "dendrogram_figure",
    "histogram",
    "matrix_image",
    "scatter",
    "score_curve",
    "score_strip",
    "small_multiples",
    "template",
]
