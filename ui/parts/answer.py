"""The answer beside the mechanism: the partition that a page's settings come to, small, and its score."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from engine import Consensus, consensus_methods
from ui.compute import pipeline
from ui.figures import scatter
from ui.parts.chart import chart
from ui.parts.colours import stable
from ui.parts.words import counted, three_digits
from ui.session.run_config import MEASURES
from ui.session.selection import mask
from ui.session.state import config, theme

HEIGHT = 180


@dataclass(frozen=True, eq=False)
class Answer:
    """A partition (N,) and what made it: a method's key, or a mechanism."""

    labels: np.ndarray
    method: str


def answer(result: Answer | Consensus, placed, key: str, height: int = HEIGHT) -> None:
    """Draw a partition in the colours it has on every page, its score above it.

    Parameters
    ----------
    result : Answer or Consensus
    placed : tuple
        What `stages.layout` found.
    key : str
    height : int
    """
    points, _, equal = placed
    labels, known = result.labels, consensus_methods().get(result.method)
    of = known.title if known else result.method
    truth = pipeline.truth(config())
    st.markdown(f"**The answer** of {of}: {counted(len(np.unique(labels)), 'cluster')}{_scored(labels, truth)}")
    options = {
        "colors": stable(labels, truth, config()),
        "truth": truth,
        "equal": equal,
        "height": height,
        "selected": mask(len(points)),
    }
    figure = scatter(points, labels, theme(), remarks=False, **options)
    figure.update_xaxes(showticklabels=False)
    figure.update_yaxes(showticklabels=False)
    figure.layout["margin"] |= {"t": 4}
    chart(figure, key)


def score_of(labels: np.ndarray) -> float | None:
    """The measure shown, against the truth; None where no truth is known."""
    truth = pipeline.truth(config())
    return None if truth is None else pipeline.score(labels, truth, config().measure)


def _scored(labels: np.ndarray, truth: np.ndarray | None) -> str:
    score = score_of(labels)
    return "" if score is None else f", {MEASURES[config().measure]} **{three_digits(score)}**"
