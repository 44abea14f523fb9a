"""What the truth says of a consensus: every measure, the score against k, and which class went where."""

import pandas as pd
import streamlit as st

from ui.compute import pipeline
from ui.consensus import views
from ui.figures import score_curve
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.session.run_config import MEASURES
from ui.session.state import config, theme


def metrics_table(made, result, truth) -> None:
    """Every measure for the consensus, the best and the mean base clustering."""
    base = {name: pipeline.base_scores(name, made, truth) for name in MEASURES}
    table = pd.DataFrame(
        {
            "consensus": [pipeline.score(result.labels, truth, name) for name in MEASURES],
            "best base": [base[name].max() for name in MEASURES],
            "mean base": [base[name].mean() for name in MEASURES],
            "their sd": [base[name].std() for name in MEASURES],
        },
        index=list(MEASURES.values()),
    )
    st.markdown("**Scores against the truth**")
    st.dataframe(table.style.format("{:.3f}"), key="scores")


def by_k(made, result, truth) -> None:
    """Score for every number of clusters nearby."""
    chosen = config()
    scores = settle(pipeline.scores_by_k(chosen, made, result, truth), "Trying numbers of clusters", "by_k")
    if scores is not None:
        st.markdown("**How the score depends on k**")
        figure = score_curve(
            pipeline.k_choices(made, chosen),
            scores,
            theme(),
            marked=result.n_clusters,
            x_name="clusters k",
            y_name=MEASURES[chosen.measure],
            height=300,
        )
        chart(figure, "by_k")


def confusion(labels, truth) -> None:
    """Classes against clusters."""
    st.markdown("**Which class went where**")
    chart(views.confusion(labels, truth, pipeline.class_names(config()), theme()), "confusion")
