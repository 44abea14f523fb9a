"""Compare: methods on data sets, over many draws, with honest statistics."""

from functools import partial

import numpy as np
import streamlit as st

import data
from engine import consensus_methods
from engine.experiments.store import to_csv
from engine.experiments.study_files import write_study
from ui import compare_panels, comparing, pipeline, reports, score_panels, score_tables, study_panel
from ui.method_menu import title
from ui.run_config import MEASURES, RunConfig
from ui.shell import present
from ui.state import config
from ui.sweep_knobs import POLICY_NAMES
from ui.widgets import bound, counted


def knobs() -> None:
    """Methods, data sets, draws, score, and how k is chosen."""
    left, right = st.columns(2, gap="large")
    with left:
        bound(st.multiselect, "Methods", "methods", options=list(consensus_methods()), format_func=title)
    with right:
        names = list(dict.fromkeys([*data.catalog(), config().data, *config().sets]))
        bound(st.multiselect, "Data sets", "sets", options=names, format_func=_set_title)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        bound(st.slider, "Draws", "draws", min_value=2, max_value=max(30, config().draws), width=220,
              help="Ensembles of every data set, each with a seed of its own.")  # fmt: skip
        bound(st.selectbox, "Score", "measure", options=list(MEASURES), format_func=MEASURES.get, width=220)
        bound(st.selectbox, "Clusters k", "policy", options=list(POLICY_NAMES), format_func=POLICY_NAMES.get, width=240)


def _set_title(name: str) -> str:
    return pipeline.title(RunConfig(data=name))


def export(study, found, rows, sets: list[str], figures) -> None:
    """The table as LaTeX, and everything as one HTML file."""
    titles = [title(method) for method in study.methods]
    measure = MEASURES[config().measure]
    words = [f"{measure}, mean and standard deviation over {study.repeats} draws, k: {POLICY_NAMES[config().policy]}."]
    make = partial(reports.report, "Comparison of consensus methods", words, score_tables.as_html(rows, titles, sets),
                   figures, write_study(study), to_csv(found))  # fmt: skip
    with st.container(horizontal=True):
        st.download_button("Table (CSV)", score_tables.as_csv(rows, titles, sets), "comparison_table.csv", "text/csv",
                           key="get_table", on_click="ignore", icon=":material/table:")  # fmt: skip
        st.download_button("Table (LaTeX)", score_tables.as_latex(rows, titles, sets, measure), "comparison.tex",
                           "text/plain", key="get_latex", on_click="ignore", icon=":material/functions:")  # fmt: skip
        st.download_button("Report (HTML)", make, "comparison.html", "text/html", key="get_report", on_click="ignore",
                           icon=":material/article:")  # fmt: skip


def results(study, found) -> None:
    """Table, ranks, cost and pairs, of the records there are."""
    scores = comparing.scores(study, found, config().measure)
    sets = [_set_title(name) for name in study.datasets]
    rows = score_panels.table(study, scores, sets)
    left, right = st.columns(2, gap="large")
    with left:
        ranks = score_panels.ranking(study, scores)
    with right:
        costs = score_panels.cost(study, found, scores)
    score_panels.pairs(study, scores)
    figures = [("Average ranks", ranks)] if ranks else []
    export(study, found, rows, sets, [*figures, ("Time and quality", costs)])


def live(study, found) -> None:
    """The table while it fills."""
    scores = comparing.scores(study, found, config().measure)
    if np.isfinite(scores).any():
        score_panels.table(study, scores, [_set_title(name) for name in study.datasets])


def page() -> None:
    """The page, top to bottom."""
    st.title("Which method would you bet on?")
    st.markdown("Every method on every data set, over several ensembles; differences count only if they repeat.")
    knobs()
    if not config().methods or not config().sets:
        st.info("Choose at least one method and one data set.")
        return
    study = comparing.study(config())
    wanted = study_panel.tasks(study)
    found, running = study_panel.control([study], wanted, live=partial(live, study))
    if found and not running:
        results(study, found)
    elif not running:
        st.caption(f"Here the table appears, over {counted(len(wanted), 'task')}.")
    study_panel.failures(found)
    study_panel.files(study, found, "comparison")
    study_panel.imported(comparing.taken_over, comparing.study)
    study_panel.workers()
    st.subheader("On the data set of the sidebar")
    compare_panels.on_this_ensemble()


present(page)
