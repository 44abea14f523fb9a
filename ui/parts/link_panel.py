"""How far the values of a matrix can be trusted: the picture and its sentence."""

import numpy as np
import pandas as pd
import streamlit as st

from engine.evidence import LinkQuality
from ui.figures import link_figure
from ui.parts.chart import chart
from ui.session.state import theme


def shares(quality: LinkQuality) -> tuple[np.ndarray, np.ndarray]:
    """Share of the links in each bin, and share of those that are correct (nan where there are none)."""
    share = quality.pairs / max(1, quality.pairs.sum())
    return share, np.divide(quality.correct, quality.pairs, out=np.full(len(share), np.nan), where=quality.pairs > 0)


def picture(quality: LinkQuality, name: str, key: str) -> None:
    """Links by value: how many, how many right, precision and recall from there up."""
    share, correct = shares(quality)
    figure = link_figure(quality.values, share, correct, quality.precision, quality.recall, theme(), name=name)
    chart(figure, key)


def words(quality: LinkQuality) -> None:
    """The strongest and the weakest links in a sentence, and everything as a table."""
    share, correct = shares(quality)
    there = np.flatnonzero(quality.pairs)
    weakest, strongest = there[0], there[-1]
    st.markdown(
        f"The strongest links are {share[strongest]:.1%} of all and {correct[strongest]:.0%} of them join objects of "
        f"one class; the weakest are {share[weakest]:.1%}, and {correct[weakest]:.0%} do."
    )
    with st.expander("The same as a table"):
        table = pd.DataFrame(
            {
                "value": quality.values,
                "share of links": share,
                "correct": correct,
                "precision": quality.precision,
                "recall": quality.recall,
            }
        ).iloc[::-1]
        st.dataframe(table.style.format("{:.3f}", na_rep="-"), hide_index=True, key="link_table")
