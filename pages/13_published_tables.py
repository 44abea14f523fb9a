"""Published tables: do the published numbers come out again?"""

from functools import partial

import streamlit as st

import data
from ui.frame.shell import present
from ui.published_tables import publishing
from ui.published_tables.panels import _table_name, knobs, left_out, shown
from ui.saying import counted
from ui.scene import Scene
from ui.session.state import change
from ui.studies import study_panel
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("Do the published numbers come out again?")
    tables = data.published_tables()
    key = scene.config.table or publishing.first_here(tables)
    if not scene.config.table:
        change(table=key)
    table = tables[key]
    st.markdown(f"**{_table_name(table)}**. {table.protocol}")
    every = publishing.repeatable(table)
    knobs(scene.config, tables, every)
    if not every:
        st.info(
            "None of the data sets of this table is here. The environment variable `CONCORD_DATA` names a folder with "
            "the pools of base clusterings that the authors published."
        )
        return
    st.caption(f"{len(every):,} of the {counted(len(table.rows), 'number')} of this table can be computed here.")
    plan = publishing.plan(publishing.repeatable(table, scene.config.only), scene.config.draws, scene.config.seed)
    wanted = plan.all_tasks
    found, running = study_panel.control(plan.studies, wanted, live=partial(shown, key, plan))
    if not running:
        shown(key, plan, found)
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
