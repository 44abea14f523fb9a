"""What the truth says of a consensus: every measure, the score against k, and which class went where."""

import pandas as pd
import streamlit as st

from engine.metrics import score
from ui.scene import Scene
from ui.scene.ensemble import base_scores
from ui.session.run_config import MEASURES
from ui.widgets.chart import show
from ui.widgets.terms import say


def metrics_table(scene: Scene) -> None:
    """Every measure for the consensus, the best and the mean base clustering."""
    base = {name: base_scores(scene.ensemble, scene.truth, name) for name in MEASURES}
    table = pd.DataFrame(
        {
            "consensus": [score(scene.consensus.labels, scene.truth, name) for name in MEASURES],
            "best base": [base[name].max() for name in MEASURES],
            "mean base": [base[name].mean() for name in MEASURES],
            "their sd": [base[name].std() for name in MEASURES],
        },
        index=list(MEASURES.values()),
    )
    say("**Scores against the truth**")
    st.dataframe(table.style.format("{:.3f}"), key="scores")


def by_k(scene: Scene) -> None:
    """Score for every number of clusters nearby."""
    show(scene, "score_of_k", "by_k")


def confusion(scene: Scene) -> None:
    """Classes against clusters."""
    show(scene, "confusion")
