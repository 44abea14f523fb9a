"""What the page Published tables is made of."""

from functools import partial
from pathlib import PurePosixPath

import numpy as np
import streamlit as st

import data
from data import PublishedScore, PublishedTable
from engine import consensus_methods
from ui.figures import printed_figure
from ui.published_tables import publishing
from ui.saying import counted
from ui.session.bound import bound
from ui.session.run_config import MEASURES, RunConfig
from ui.session.state import adjust, change, theme
from ui.studies import study_panel, sweeps
from ui.widgets.chart import chart
from ui.widgets.terms import inform, meanings, note, say

#: What does not fit over a narrow column, shorter.
_HEADS = {"printed sd": "its sd", "difference": "differs"}


def filters(now: RunConfig) -> None:
    """Which table, which of its data sets and which of its methods; what a table does not have is forgotten."""
    tables = data.published_tables()
    known = publishing.run_already()
    rows = [row for key in ([now.table] if now.table else known) for row in tables[key].rows if row.method]
    sets = sorted({row.dataset for row in rows} - {""}, key=_set_name)
    methods = {key: one.title for key, one in consensus_methods().items() if any(row.method == key for row in rows)}
    stale = {"only": set(now.only) - set(sets), "printed_by": set(now.printed_by) - set(methods)}
    if any(stale.values()):
        adjust(**{name: tuple(one for one in getattr(now, name) if one not in gone) for name, gone in stale.items()})
        st.rerun()
    left, middle, right = st.columns(3, gap="medium")
    with left:
        names = {"": "All tables"} | {key: _table_name(table) for key, table in tables.items()}
        bound(
            st.selectbox, "Table", "table", options=list(names), format_func=names.get, help=meanings(*names.values())
        )
    with middle:
        bound(st.multiselect, "Data sets", "only", options=sets, format_func=_set_name, placeholder="All")
    with right:
        options = {"options": list(methods), "format_func": methods.get, "help": meanings(*methods.values())}
        bound(st.multiselect, "Methods", "printed_by", placeholder="All", **options)


def _set_name(dataset: str) -> str:
    """Name and pool of a data set, also where its file is not here."""
    path = PurePosixPath(dataset)
    return f"{path.name} ({path.parent.name})"


def _table_name(table: PublishedTable) -> str:
    return f"{table.title} (Table {table.table})"


def run_already(now: RunConfig) -> None:
    """What is printed beside what was found before: nothing has to run for it."""
    found = publishing.run_already()
    rows = [row for key in ([now.table] if now.table else found) for row in found.get(key, ())]
    wanted = set(publishing.chosen((row.printed for row in rows), now.only, now.printed_by))
    shown = [row for row in rows if row.printed in wanted]
    if now.table:
        table = data.published_tables()[now.table]
        note(f"**{_table_name(table)}**. {table.protocol}")
    if shown:
        titles = {row: table.title for table in data.published_tables().values() for row in table.rows}
        of = [] if now.table else [titles[row.printed] for row in shown]
        results(now.table or "published", shown, "printed", of)
        sentence(shown)
    else:
        inform("None of these numbers was run before. Choose another table, or fewer filters.")


def again(now: RunConfig) -> None:
    """The same numbers run again, where the pools are; else what would bring them."""
    with st.expander("Run a table again, with draws of your own", icon=":material/play_arrow:"):
        if not now.table:
            note("Choose one table above.")
            return
        table = data.published_tables()[now.table]
        every = publishing.repeatable(table)
        if not every:
            inform(
                "None of the data sets of this table is here. The environment variable `CONCORD_DATA` names a folder "
                "with the pools of base clusterings that the authors published."
            )
            return
        note(f"{len(every):,} of the {counted(len(table.rows), 'number')} of this table can be computed here.")
        scores = publishing.chosen(every, now.only, now.printed_by)
        if not scores:
            note("None of those that are chosen above is among them.")
            return
        _draws(now, scores)
        plan = publishing.plan(scores, now.draws, now.seed)
        found, running = study_panel.control(plan.studies, plan.all_tasks, live=partial(_shown, now.table, plan))
        if not running:
            _shown(now.table, plan, found)
        study_panel.failures(found)
        study_panel.workers()


def _draws(now: RunConfig, scores: list[PublishedScore]) -> None:
    """Over how many draws, with those of the paper at hand."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        sweeps.draws("Fewer draws than the paper's give a first impression.", most=100, width=330)
        printed = max(score.draws for score in scores)
        if now.draws != printed:
            st.button(
                f"As in the paper: {printed:,} draws", key="paper_draws", on_click=change, kwargs={"draws": printed}
            )


def _shown(name: str, plan: publishing.Plan, found) -> None:
    """All numbers of the plan, as far as ours are there."""
    records = {record.key: record for record in found}
    rows = publishing.comparisons(plan, records)
    results(name, rows, "again")
    there = [row for row in rows if row.n]
    if there:
        coming = sum(any(task.key not in records for task in tasks) for _, tasks in plan.tasks)
        words = " None is still to come."
        if coming:
            words = f" {counted(coming, 'number')} still to come, or draws of them."
        if not coming and len(there) < len(rows):
            words += f" {counted(len(rows) - len(there), 'number')} could not be computed."
        sentence(there, words)


def left_out(table: PublishedTable) -> None:
    """Which numbers of a table are not here, and why."""
    missing = table.left_out
    if not missing:
        return
    n = sum(map(len, missing.values()))
    with st.expander(f"{counted(n, 'cell')} of this table left out"):
        note(
            "In the copy at hand cells were lost, and those behind them moved up: a number is taken only where both "
            "its neighbours are there, so that none stands in a wrong column. Some cells hold no number in print."
        )
        st.dataframe(
            {"row": list(missing), "left out": [", ".join(columns) for columns in missing.values()]},
            hide_index=True,
            column_config={"row": st.column_config.Column(width=110)},
        )


def results(name: str, rows: list[publishing.Comparison], key: str, tables: list[str] | None = None) -> None:
    """The picture beside the numbers; `tables` are those of the rows, where they are of several."""
    measures = {row.printed.measure for row in rows}
    measure = MEASURES[measures.pop()] if len(measures) == 1 else "score"
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
    left, right = st.columns([4, 8], gap="medium")
    with left:
        if any(row.n for row in rows):
            figure = printed_figure(
                printed, ours, printed_sd, our_sd, within, names, theme(), measure=measure, height=380
            )
            chart(figure, key)
        else:
            inform(
                f"Here a dot appears for every number: the printed {measure} across, ours up, with both spreads; on "
                "the dotted line they agree."
            )
    with right:
        shown = publishing.frame(rows).assign(**{"table": tables} if tables else {})
        narrow = {name: st.column_config.Column(_HEADS.get(name), width=54) for name in shown.columns[2:9]}
        numbers = list(shown.select_dtypes("number").columns.drop("draws"))
        st.dataframe(
            shown.style.format(precision=3, subset=numbers),
            hide_index=True,
            placeholder="–",
            height=min(380, 35 * (len(shown) + 1) + 3),
            key=f"{key}_table",
            column_config=narrow,
        )
        st.download_button(
            "This table (CSV)",
            partial(publishing.as_csv, rows, tables),
            f"{name}.csv",
            "text/csv",
            key=f"get_{key}",
            on_click="ignore",
            icon=":material/download:",
        )


def sentence(rows: list[publishing.Comparison], rest: str = "") -> None:
    """How many numbers come out as printed."""
    judged = [row for row in rows if row.within is not None]
    inside = sum(bool(row.within) for row in judged)
    typical = float(np.median([abs(row.difference) for row in rows]))
    say(
        f"**{inside:,} of {len(judged):,}** numbers lie within the spread of the printed ones; the median difference "
        f"is {typical:.3f}.{rest}"
    )
    note(
        "Within: ours differs from the printed mean by at most the larger of the two standard deviations (of ours, "
        "where the paper prints none), or by less than print rounds. Best-k is the best of 2 to √N, of every draw: the "
        "papers do not say their range, and with this one their numbers for single link come out again (runs from "
        "before that was known looked up to the larger of 30 and twice the classes, by NMI in every table). The pools "
        "are those the authors published; which of their base clusterings they drew is not known, so the draws are our "
        "own."
    )
