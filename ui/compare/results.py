"""What the Compare page is made of."""

from functools import partial

import numpy as np
import streamlit as st

import data
from engine import consensus_methods
from engine.studies.files import write_study
from engine.studies.records import to_csv
from ui.compare import comparing, reports, score_panels
from ui.compute import pipeline
from ui.parts.method_menu import title
from ui.parts.widgets import bound
from ui.session.run_config import RunConfig
from ui.session.settings import settings
from ui.session.state import change, config
from ui.studies import score_tables, sweeps
from ui.studies.sweep_knobs import POLICY_NAMES, score_and_k


def preselect() -> None:
    """Once for every data set of the sidebar: it is among those compared, where nobody has chosen others."""
    chosen = config()
    seen = st.session_state.setdefault("_preselected", set())
    if chosen.data not in seen and chosen.sets == settings()["sets"].default:
        change(sets=tuple(dict.fromkeys([chosen.data, *chosen.sets])))
    seen.add(chosen.data)


def knobs() -> None:
    """Methods, data sets, draws, score, and how k is chosen."""
    preselect()
    left, right = st.columns(2, gap="large")
    with left:
        bound(st.multiselect, "Methods", "methods", options=list(consensus_methods()), format_func=title)
    with right:
        names = list(dict.fromkeys([*data.catalog(), config().data, *config().sets]))
        bound(st.multiselect, "Data sets", "sets", options=names, format_func=_set_title)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        bound(
            st.slider,
            "Draws",
            "draws",
            min_value=2,
            max_value=max(30, config().draws),
            width=220,
            help="Ensembles of every data set, each with a seed of its own.",
        )
        score_and_k(sweeps.has_classes(config().sets), width=240)


def _set_title(name: str) -> str:
    return pipeline.title(RunConfig(data=name))


def export(study, found, rows, sets: list[str], figures) -> None:
    """The table as LaTeX, and everything as one HTML file."""
    titles = [title(method) for method in study.methods]
    measure = sweeps.score_title(config(), config().sets)
    policy = POLICY_NAMES[sweeps.policy_of(config(), sweeps.has_classes(config().sets))]
    said = f"{measure}, mean and standard deviation over {study.repeats} draws, k: {policy}"
    said += f"; {words}" if (words := sweeps.drawn(study)) else ""
    make = partial(
        reports.report,
        "Comparison of consensus methods",
        [f"{said}."],
        score_tables.as_html(rows, titles, sets),
        figures,
        write_study(study),
        to_csv(found),
    )
    with st.container(horizontal=True):
        text = partial(score_tables.as_csv, rows, study, sets, found)
        st.download_button(
            "Table (CSV)",
            text,
            "comparison_table.csv",
            "text/csv",
            key="get_table",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "Table (LaTeX)",
            score_tables.as_latex(rows, titles, sets, said),
            "comparison.tex",
            "text/plain",
            key="get_latex",
            on_click="ignore",
            icon=":material/functions:",
        )
        st.download_button(
            "Report (HTML)",
            make,
            "comparison.html",
            "text/html",
            key="get_report",
            on_click="ignore",
            icon=":material/article:",
        )


def results(study, found) -> None:
    """Table, ranks, cost and pairs, of the records there are."""
    scores = comparing.scores(study, found, sweeps.score_of(config(), config().sets))
    sets = [_set_title(name) for name in study.datasets]
    rows = score_panels.table(study, scores, sets)
    left, right = st.columns(2, gap="large")
    with left:
        one = len(study.datasets) == 1
        ranks = (score_panels.differences if one else score_panels.ranking)(study, scores)
    with right:
        costs = score_panels.cost(study, found, scores)
    score_panels.pairs(study, scores)
    figures = [("Paired differences" if one else "Average ranks", ranks)] if ranks else []
    export(study, found, rows, sets, [*figures, ("Time and quality", costs)])


def live(study, found) -> None:
    """The table while it fills."""
    scores = comparing.scores(study, found, sweeps.score_of(config(), config().sets))
    if np.isfinite(scores).any():
        score_panels.table(study, scores, [_set_title(name) for name in study.datasets])
