"""What the Compare page is made of."""

from functools import partial

import numpy as np
import streamlit as st

import data
from engine import consensus_methods
from engine.studies.files import write_study
from engine.studies.records import to_csv
from ui.compare import comparing, reports, score_panels
from ui.compute import data_sets
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.run_config import RunConfig
from ui.session.settings import settings
from ui.session.state import change
from ui.studies import score_tables, sweeps
from ui.studies.sweep_knobs import POLICY_NAMES, score_and_k
from ui.widgets.method_menu import title
from ui.widgets.terms import meanings


def preselect(chosen: RunConfig) -> None:
    """Once for every data set of the sidebar: it is among those compared, where nobody has chosen others."""
    seen = st.session_state.setdefault("_preselected", set())
    if chosen.data not in seen and chosen.sets == settings()["sets"].default:
        seen.add(chosen.data)
        change(sets=tuple(dict.fromkeys([chosen.data, *chosen.sets])))
        st.rerun()
    seen.add(chosen.data)


def methods_knob() -> None:
    """The methods that are set beside each other."""
    keys = list(consensus_methods())
    bound(st.multiselect, "Methods", "methods", options=keys, format_func=title, help=meanings(*map(title, keys)))


def knobs(chosen: RunConfig) -> None:
    """Data sets, draws, score, and how k is chosen."""
    preselect(chosen)
    names = data.titles(graphs=True)
    names |= {name: data_sets.title_of(name) for name in (chosen.data, *chosen.sets) if name not in names}
    bound(st.multiselect, "Data sets", "sets", options=list(names), format_func=names.get)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        bound(
            st.slider,
            "Draws",
            "draws",
            min_value=2,
            max_value=max(30, chosen.draws),
            width=200,
            help="Ensembles of every data set, each with a seed of its own.",
        )
        score_and_k(chosen, sweeps.has_classes(chosen.sets), width=200)


def export(scene: Scene, study, found, rows, sets: list[str], figures) -> None:
    """The table as LaTeX, and everything as one HTML file, a person's own labels below the methods."""
    chosen, (own, own_cells) = scene.config, comparing.own_rows(scene, study)
    titles, shown = [*(title(method) for method in study.methods), *own], [*rows, *own_cells]
    measure = sweeps.score_title(chosen, chosen.sets)
    policy = POLICY_NAMES[sweeps.policy_of(chosen, sweeps.has_classes(chosen.sets))]
    said = f"{measure}, mean and standard deviation over {study.repeats} draws, k: {policy}"
    said += f"; {words}" if (words := sweeps.drawn(study)) else ""
    make = partial(
        reports.report,
        "Comparison of consensus methods",
        [f"{said}."],
        score_tables.as_html(shown, titles, sets),
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
            score_tables.as_latex(shown, titles, sets, said),
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


def results(scene: Scene, study, found) -> None:
    """Table, ranks, cost and pairs, of the records there are."""
    chosen = scene.config
    scores = comparing.scores(study, found, sweeps.score_of(chosen, chosen.sets))
    sets = [data_sets.title_of(name) for name in study.datasets]
    rows = score_panels.table(scene, study, scores, sets)
    left, right = st.columns(2, gap="large")
    with left:
        one = len(study.datasets) == 1
        ranks = (score_panels.differences if one else score_panels.ranking)(chosen, study, scores)
    with right:
        costs = score_panels.cost(chosen, study, found, scores)
    score_panels.pairs(study, scores)
    figures = [("Paired differences" if one else "Average ranks", ranks)] if ranks else []
    export(scene, study, found, rows, sets, [*figures, ("Time and quality", costs)])


def live(scene: Scene, study, found) -> None:
    """The table while it fills."""
    scores = comparing.scores(study, found, sweeps.score_of(scene.config, scene.config.sets))
    if np.isfinite(scores).any():
        score_panels.table(scene, study, scores, [data_sets.title_of(name) for name in study.datasets])
