"""What the truth says of a consensus: every measure, the score against k, and which class went where."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import pipeline
from ui.chart import chart
from ui.figures import confusion_figure, score_curve
from ui.progress import settle
from ui.run_config import MEASURES
from ui.state import config, theme


def metrics_table(made, result, classes) -> None:
    """Every measure for the consensus, the best and the mean base clustering."""
    key = pipeline.ensemble_key(config())
    base = {name: pipeline.base_scores(key, name, made, classes) for name in MEASURES}
    table = pd.DataFrame(
        {
            "consensus": [pipeline.score(result.labels, classes, name) for name in MEASURES],
            "best base": [base[name].max() for name in MEASURES],
            "mean base": [base[name].mean() for name in MEASURES],
            "their sd": [base[name].std() for name in MEASURES],
        },
        index=list(MEASURES.values()),
    )
    st.markdown("**Scores against the truth**")
    st.dataframe(table.style.format("{:.3f}"), key="scores")


def by_k(made, result, classes) -> None:
    """Score for every number of clusters nearby."""
    chosen = config()
    scores = settle(pipeline.scores_by_k(chosen, made, result, classes), "Trying numbers of clusters", "by_k")
    if scores is not None:
        st.markdown("**How the score depends on k**")
        figure = score_curve(pipeline.k_choices(made, chosen), scores, theme(), marked=result.n_clusters,
                             x_name="clusters k", y_name=MEASURES[chosen.measure], height=300)  # fmt: skip
        chart(figure, "by_k")


def confusion(labels, classes) -> None:
    """Classes against clusters."""
    counts = np.zeros((int(classes.max()) + 1, int(labels.max()) + 1), np.int64)
    np.add.at(counts, (classes, labels), 1)
    kept = counts.sum(axis=0) > 0
    names = np.asarray(pipeline.dataset(config()).labels)
    rows = [str(names[np.flatnonzero(classes == c)[0]]) for c in range(len(counts))]
    st.markdown("**Which class went where**")
    chart(confusion_figure(counts[:, kept], rows, [str(c) for c in np.flatnonzero(kept)], theme()), "confusion")
