"""Published tables: do the published numbers come out again?"""

from functools import partial

import streamlit as st

import data
from ui.frame.shell import present
from ui.parts.try_this import Lesson
from ui.parts.words import counted
from ui.published import publishing
from ui.published.panels import _table_name, knobs, left_out, shown
from ui.session.state import change, config
from ui.studies import study_panel


def page() -> None:
    """The page, top to bottom."""
    st.title("Do the published numbers come out again?")
    tables = data.published_tables()
    if not config().table:
        change(table=publishing.first_here(tables))
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
    left_out(table)
    study_panel.workers()


LESSON = Lesson(
    "run two draws first, then as many as the paper: the dots move onto the line.",
    r"\left| \frac{1}{<R>} \sum_{r=1}^{<R>} s_r - \bar s_{\text{printed}} \right| \le "
    r"\max(\mathrm{sd}_{\text{ours}}, \mathrm{sd}_{\text{printed}}, 0.0005)",
    "A number counts as come out again if the mean over our R draws lies within the larger of both spreads, "
    "or of what three printed decimals round.",
    numbers={"R": lambda chosen: chosen.draws},
)

present(page, LESSON)
