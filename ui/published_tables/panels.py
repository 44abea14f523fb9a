"""What the page Published tables is made of."""

from functools import partial

import numpy as np
import streamlit as st

import data
from ui.figures import printed_figure
from ui.published_tables import publishing
from ui.saying import counted
from ui.session.bound import bound
from ui.session.run_config import MEASURES, RunConfig
from ui.session.state import change, theme
from ui.widgets.chart import chart


def knobs(chosen: RunConfig, tables, scores) -> None:
    """Which table, which of its data sets, and over how many draws."""
    left, right = st.columns(2, gap="large")
    with left:
        bound(st.selectbox, "Table", "table", options=list(tables), format_func=lambda key: _table_name(tables[key]))
    with right:
        names = list(dict.fromkeys(score.dataset for score in scores))
        if not set(chosen.only) <= set(names):
            change(only=())
            st.rerun()
        if names:
            bound(st.multiselect, "Data sets (none: all)", "only", options=names, format_func=data.title)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bound(
            st.slider,
            "Draws",
            "draws",
            min_value=2,
            max_value=max(100, chosen.draws),
            width=330,
            help="Fewer draws than the paper's give a first impression.",
        )
        printed = max((score.draws for score in scores), default=0)
        if printed and chosen.draws != printed:
            st.button(
                f"As in the paper: {printed:,} draws", key="paper_draws", on_click=change, kwargs={"draws": printed}
            )


def _table_name(table) -> str:
    return f"{table.title} (Table {table.table})"


def left_out(table) -> None:
    """Which numbers of a table are not here, and why."""
    missing = table.left_out
    if not missing:
        return
    n = sum(map(len, missing.values()))
    with st.expander(f"{counted(n, 'cell')} of this table left out"):
        st.caption(
            "In the copy at hand cells were lost, and those behind them moved up: a number is taken only where both "
            "its neighbours are there, so that none stands in a wrong column. Some cells hold no number in print."
        )
        st.dataframe(
            {"row": list(missing), "left out": [", ".join(columns) for columns in missing.values()]},
            hide_index=True,
            column_config={"row": st.column_config.Column(width=110)},
        )


def results(name: str, rows: list[publishing.Comparison]) -> None:
    """The picture, what it comes to, and the numbers."""
    there = [row for row in rows if row.n]
    measure = MEASURES[rows[0].printed.measure]
    printed, ours, printed_sd, our_sd = (
        np.array(column)
        for column in (
            [row.printed.mean for row in rows],
            [row.mean for row in rows],
            [row.printed.sd or np.nan for row in rows],
            [row.sd for row in rows],
        )
    )
    within = [row.within for row in rows]
    names = [f"{row.printed.row}, {row.printed.column}" for row in rows]
    left, right = st.columns([5, 9], gap="medium")
    with left:
        if there:
            figure = printed_figure(printed, ours, printed_sd, our_sd, within, names, theme(), measure=measure)
            chart(figure, "printed")
        else:
            st.info(
                f"Here a dot appears for every number: the printed {measure} across, ours up, with both spreads; on "
                "the dotted line they agree."
            )
    with right:
        shown = publishing.frame(rows)
        narrow = dict.fromkeys(shown.columns[2:], st.column_config.Column(width=68))
        numbers = list(shown.select_dtypes("number").columns)
        st.dataframe(
            shown.style.format(precision=3, na_rep="", subset=numbers),
            hide_index=True,
            height=min(440, 35 * (len(shown) + 1) + 3),
            key="printed_table",
            column_config=narrow,
        )
    sentence(rows, there)
    st.download_button(
        "This table (CSV)",
        partial(publishing.as_csv, rows),
        f"{name}.csv",
        "text/csv",
        key="get_table",
        on_click="ignore",
        icon=":material/download:",
    )


def sentence(rows, there) -> None:
    """How many numbers come out as printed."""
    if not there:
        return
    judged = [row for row in there if row.within is not None]
    inside = sum(bool(row.within) for row in judged)
    typical = float(np.median([abs(row.difference) for row in there]))
    st.markdown(
        f"**{inside:,} of {len(judged):,}** numbers lie within the spread of the printed ones; the median difference "
        f"is {typical:.3f}. {_waiting(len(rows) - len(there))}"
    )
    st.caption(
        "Within: ours differs from the printed mean by at most the larger of the two standard deviations (of ours, "
        "where the paper prints none), or by less than print rounds. Best-k is the best of 2 to √N, of every draw: the "
        "papers do not say their range, and with this one their numbers for single link come out again. The pools are "
        "those the authors published; which of their base clusterings they drew is not known, so the draws are our own."
    )


def _waiting(n: int) -> str:
    return f"{counted(n, 'number')} still to come." if n else "None is still to come."


def shown(name: str, plan: publishing.Plan, found) -> None:
    """All numbers of the plan, as far as ours are there."""
    results(name, publishing.comparisons(plan, {record.key: record for record in found}))
