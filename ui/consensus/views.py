"""What the Consensus page and a report of it both show."""

import numpy as np

from ui.figures import confusion_figure
from ui.figures.spec import Figure


def confusion(labels: np.ndarray, truth: np.ndarray, classes: np.ndarray, theme: str) -> Figure:
    """Objects of every class in every cluster there is.

    Parameters
    ----------
    labels, truth : (N,) int arrays
        Clusters, and classes numbered from 0.
    classes : (N,) array
        The classes as the data call them.
    theme : {"light", "dark"}
    """
    clusters, column = np.unique(labels, return_inverse=True)
    counts = np.zeros((int(truth.max()) + 1, len(clusters)), np.int64)
    np.add.at(counts, (truth, column), 1)
    names = [str(classes[np.flatnonzero(truth == c)[0]]) for c in range(len(counts))]
    return confusion_figure(counts, names, [str(c) for c in clusters], theme)
