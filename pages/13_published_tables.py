"""Published tables: what the papers print, run again under their protocol, and set beside it."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import data
from ui import publishing, study_panel
from ui.chart import chart
from ui.figures import printed_figure
from ui.run_config import MEASURES
from ui.shell import present
from ui.state import change, config, theme
from ui.widgets import bound, counted

VERDICTS = {True: "within", False: "outside", None: ""}


def knobs(tables, scores) -> None:
    """Which table, which of its data sets, and over how many draws."""
    left, right = st.columns(2, gap="large")
    with left:
        bound(st.selectbox, "Table", "table", options=list(tables), format_func=lambda key: _table_name(tables[key]))
    with right:
        names = list(dict.fromkeys(score.dataset for score in scores))
        if not set(config().only) <= set(names):
            change(only=())
        bound(st.multiselect, "Data sets (none: all)", "only", options=names, format_func=data.title)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bound(st.slider, "Draws", "draws", min_value=2, max_value=max(100, config().draws), width=330,
              help="Fewer draws than the paper's give a first impression.")  # fmt: skip
        printed = max((score.draws for score in scores), default=0)
        if printed and config().draws != printed:
            st.button(f"As in the paper: {printed:,} draws", key="paper_draws", on_click=change,
                      kwargs={"draws": printed})  # fmt: skip


def _table_name(table) -> str:
    return f"{table.title} (Table {table.table})"


def results(rows: list[publishing.Comparison]) -> None:
    """The picture, what it comes to, and the numbers."""
    there = [row for row in rows if row.n]
    measure = MEASURES[rows[0].printed.measure]
    columns = ([row.printed.mean for row in rows], [row.mean for row in rows],
               [row.printed.sd or np.nan for row in rows], [row.sd for row in rows])  # fmt: skip
    names = [f"{row.printed.row}, {row.printed.column}" for row in rows]
    left, right = st.columns([5, 9], gap="medium")
    with left:
        figure = printed_figure(*map(np.array, columns), [row.within for row in rows], names, theme(), measure=measure)
        chart(figure, "printed")
    with right:
        shown = frame(rows)
        narrow = dict.fromkeys(shown.columns[2:], st.column_config.Column(width=68))
        st.dataframe(
            shown,
            hide_index=True,
            height=min(440, 35 * (len(shown) + 1) + 3),
            key="printed_table",
            column_config=narrow,
        )
    sentence(rows, there)
    st.download_button("This table (CSV)", partial(_csv, rows), f"{config().table}.csv", "text/csv", key="get_table",
                       on_click="ignore", icon=":material/download:")  # fmt: skip


def frame(rows: list[publishing.Comparison]) -> pd.DataFrame:
    """Printed, ours, difference, verdict: a row a number."""
    return pd.DataFrame(
        [
            {"row": row.printed.row, "column": row.printed.column, "printed": row.printed.mean, "sd": row.printed.sd,
             "ours": round(row.mean, 4), "sd ": round(row.sd, 4), "difference": round(row.difference, 4),
             "spread": VERDICTS[row.within], "draws": row.n}
            for row in rows
        ]
    )  # fmt: skip


def _csv(rows) -> bytes:
    return frame(rows).to_csv(index=False).encode()


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
        "where the paper prints none). The pools are those the authors published; which of their base clusterings they "
        "drew is not known, so the draws are our own."
    )


def _waiting(n: int) -> str:
    return f"{counted(n, 'number')} still to come." if n else "None is still to come."


def page() -> None:
    """The page, top to bottom."""
    st.title("Do the published numbers come out again?")
    tables = data.published_tables()
    table = tables[config().table]
    st.markdown(f"**{_table_name(table)}**. {table.protocol}")
    every = publishing.repeatable(table)
    knobs(tables, every)
    if not every:
        st.info(
            "None of the data sets of this table is here. The environment variable `CONCORD_DATA` names a folder with "
            "the pools of base clusterings that the authors published."
        )
        return
    st.caption(f"{len(every):,} of the {counted(len(table.rows), 'number')} of this table can be computed here.")
    plan = publishing.plan(publishing.repeatable(table, config().only), config().draws, config().seed)
    wanted = plan.all_tasks
    found, running = study_panel.control(plan.studies, wanted, live=partial(shown, plan))
    if not running:
        shown(plan, found)
    study_panel.failures(found)
    study_panel.workers()


def shown(plan: publishing.Plan, found) -> None:
    """All numbers of the plan, as far as ours are there."""
    results(publishing.comparisons(plan, {record.key: record for record in found}))


present(page)
