"""The sidebar: data set, scaling, ensemble, seed; the same on every page."""

import random

import streamlit as st

import data
from data import DataError, Pool
from data.errors import shortened
from engine import consensus_methods
from engine.generators import KRange, known_generators
from ui.compute import pipeline, uploads
from ui.compute.jobs import State
from ui.outside import markdown
from ui.parts import method_menu
from ui.parts.ensemble_size import ensemble_size
from ui.parts.knobs import knob
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.run_config import RunConfig
from ui.session.state import change, config
from ui.why import panel as why

SCALING_NAMES = {"standard": "standard (mean 0, sd 1)", "minmax": "min-max (0 to 1)", "none": "none"}


def sidebar():
    """Draw the sidebar; returns the place of the summary."""
    chosen = config()
    with st.sidebar:
        bound(st.selectbox, "Data set", "data", options=_data_sets(chosen), format_func=_title)
        source = pipeline.dataset_if_here(chosen)  # the page says what is missing; here one can choose another
        if source is not None:
            _ensemble_settings(source)
        summary = st.empty()
        if source is not None and st.button("Why are two objects together?", key="why", width="stretch"):
            why.dialog()
    for problem in st.session_state.pop("url_problems", []):
        st.warning(f"In the link, {markdown(shortened(problem, 200))}", icon=":material/link_off:")
    return summary


def _ensemble_settings(source) -> None:
    """Widgets of the generator; a pool of base clusterings made elsewhere has only a size and a seed."""
    is_pool = isinstance(source, Pool)
    if not is_pool:
        bound(
            st.selectbox,
            "Scaling",
            "scaling",
            options=data.SCALINGS,
            format_func=SCALING_NAMES.get,
            help="How features are brought to one scale before clustering.",
        )
        known = known_generators()
        bound(
            st.selectbox,
            "Base clusterings from",
            "generator",
            options=list(known),
            help=_generator_help(),
            format_func=lambda key: known[key].title,
        )
    ensemble_size("m", 100)
    specs = [] if is_pool else known_generators()[config().generator].params.specs()
    for spec in specs:
        if isinstance(spec.kind, KRange):
            knob(spec.concept)
    _seed()
    if specs:
        with st.expander("How base clusterings are made"):
            for spec in specs:
                if not isinstance(spec.kind, KRange):
                    knob(spec.concept)


def _generator_help() -> str:
    return " ".join(f"**{one.title}**: {one.summary}" for one in known_generators().values())


def _seed() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bound(
            st.number_input,
            "Seed",
            "seed",
            min_value=0,
            max_value=2**31 - 1,
            step=1,
            help="The same seed gives the same clusterings, always.",
        )
        st.button("", icon=":material/casino:", key="dice", on_click=_roll, help="Another seed", width="content")


def _roll() -> None:
    change(seed=random.randrange(10_000))


def fill_summary(place) -> None:
    """A caption once the page is drawn: how many objects, base clusterings and microclusters."""
    chosen = config()
    source = pipeline.dataset_if_here(chosen)
    if source is None:
        return
    words = f"{source.n_objects:,} objects"
    if not isinstance(source, Pool):
        words += f", {source.n_features:,} features"
    m = pipeline.n_clusterings(chosen)
    if isinstance(source, Pool) and m < source.n_clusterings:
        words += f", {m:,} of the {source.n_clusterings:,} base clusterings in the file, drawn at random"
    else:
        words += f", {counted(m, 'base clustering')}"
    job = pipeline.ensemble_so_far(chosen)
    if job is not None and job.state is State.DONE:
        n = len(job.future.result().microclusters)
        words += f", {n:,} microclusters ({n / source.n_objects:.{0 if 100 * n >= source.n_objects else 2}%})"
    if told := method_menu.expectation():
        words += f". {consensus_methods()[chosen.method].title}: {told}"
    place.caption(words)


def _data_sets(chosen: RunConfig) -> list[str]:
    """The catalog, this session's uploads, and whatever the URL names."""
    names = data.catalog() + list(st.session_state.get("uploads", []))
    return names if chosen.data in names else [*names, chosen.data]


def _title(name: str) -> str:
    if not name.startswith(uploads.PREFIX):
        try:
            return data.title(name)
        except DataError:
            return f"{name} (not here)"
    try:
        return uploads.find(name).filename
    except uploads.MissingUploadError:
        return "an uploaded file (not here)"
