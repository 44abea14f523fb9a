"""What the Consensus page and a report of it both show."""

from collections.abc import Sequence

import numpy as np

from ui.figures import confusion_figure
from ui.figures.numbering import number
from ui.figures.spec import Figure


def confusion(labels: np.ndarray, truth: np.ndarray, classes: Sequence[str], theme: str) -> Figure:
    """Objects of every class in every cluster there is.

    Parameters
    ----------
    labels, truth : (N,) int arrays
        Clusters, and classes numbered from 0.
    classes : sequence of str
        What the data call the classes, in their order.
    theme : {"light", "dark"}
    """
    clusters, column = np.unique(labels, return_inverse=True)
    counts = np.zeros((int(truth.max()) + 1, len(clusters)), np.int64)
    np.add.at(counts, (truth, column), 1)
    return confusion_figure(counts, classes, [number(c) for c in clusters], theme)
