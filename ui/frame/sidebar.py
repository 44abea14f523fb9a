"""The sidebar: data set, scaling, ensemble, seed; the same on every page."""

import random
from collections.abc import Sequence

import streamlit as st

import data
from data import Pool
from engine import consensus_methods
from engine.generators import KRange, known_generators
from ui import why
from ui.outside import markdown
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.state import change, complaints
from ui.widgets import method_menu
from ui.widgets.around import beside, named
from ui.widgets.knobs import ensemble_size, knob
from ui.widgets.terms import explained, helped, meanings, warn

SCALING_NAMES = {"standard": "standard (mean 0, sd 1)", "minmax": "min-max (0 to 1)", "none": "none"}


def sidebar(section: Sequence = ()):
    """Draw the sidebar, the pages of the section first; returns the place of the summary."""
    scene = beside()
    with st.sidebar:
        with st.container(key="section_pages", gap=None):
            for page in section:
                if page.visibility == "visible":
                    st.page_link(page, help=meanings(page.title))
            with st.container(horizontal=True, gap=None, key="pages_behind"):
                for page in section:
                    if page.visibility == "hidden":
                        st.page_link(page, help=meanings(page.title), width="content")
        names = named(scene.config)
        bound(st.selectbox, "Data set", "data", options=list(names), format_func=names.get)
        source = scene.source_if_here  # the page says what is missing; here one can choose another
        if source is not None:
            _ensemble_settings(scene)
        summary = st.empty()
        if source is not None:
            why.dialog(st.button("Why are two objects together?", key="why", width="stretch"))
    for problem in complaints():
        warn(f"In the link, {markdown(problem)}", icon=":material/link_off:")
    return summary


def _ensemble_settings(scene: Scene) -> None:
    """Widgets of the generator; a pool of base clusterings made elsewhere has only a size and a seed."""
    is_pool = isinstance(scene.source, Pool)
    if scene.has_features:
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
    elif not is_pool:
        _of_edges_alone(scene)
    ensemble_size(scene, "m", 100)
    specs = [] if is_pool else scene.making_specs
    for spec in specs:
        if isinstance(spec.kind, KRange):
            knob(scene, spec.concept)
    _seed()
    if specs:
        with st.expander("How base clusterings are made"):
            for spec in specs:
                if not isinstance(spec.kind, KRange):
                    knob(scene, spec.concept)


def _of_edges_alone(scene: Scene) -> None:
    """What makes base clusterings of a graph without features."""
    able = {key: one.title for key, one in known_generators().items() if one.takes_graph}
    st.selectbox(
        "Base clusterings from",
        list(able),
        list(able).index(scene.making.generator),
        key="generator_of_edges",
        format_func=able.get,
        disabled=len(able) == 1,
        help="A graph without features has communities alone: all other generators need features.",
    )


def _generator_help() -> str:
    known = known_generators().values()
    makers = " ".join(f"**{one.title}**: {one.summary}" for one in known)
    return helped(makers, "base clustering")


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
    scene = beside()
    source = scene.source_if_here
    if source is None:
        return
    words = counted(source.n_objects, "object")
    words += "" if scene.linked is None else f", {counted(scene.linked.n_edges, 'edge')}"
    words += f", {counted(source.n_features, 'feature')}" if scene.has_features else ""
    m = scene.n_clusterings
    if isinstance(source, Pool) and m < source.n_clusterings:
        words += f", {m:,} of the {source.n_clusterings:,} base clusterings in the file, drawn at random"
    else:
        words += f", {counted(m, 'base clustering')}"
    if scene.off:
        words += f" ({len(scene.off):,} switched off)"
    if (made := scene.known("ensemble")) is not None:
        n = len(made.microclusters)
        words += f", {counted(n, 'microcluster')} ({n / source.n_objects:.{0 if 100 * n >= source.n_objects else 2}%})"
    if told := method_menu.expectation(scene):
        words += f". {consensus_methods()[scene.config.method].title}: {told}"
    place.caption(explained(words, {}), unsafe_allow_html=True)  # whatever the page explained above it
