"""The sidebar: data set, scaling, ensemble, seed; the same on every page."""

import random

import streamlit as st

import data
from data import DataError, Pool
from engine.generators import INVERSE_H, K_POLICIES, k_bounds
from ui import pipeline, selection, uploads, why
from ui.jobs import State
from ui.run_config import GENERATORS, INITS, SCALINGS, RunConfig
from ui.state import change, config, write_url
from ui.widgets import bound, show

SCALING_NAMES = {"standard": "standard (mean 0, sd 1)", "minmax": "min-max (0 to 1)", "none": "none"}
GENERATOR_NAMES = {"kmeans": "k-means", "subspaces": "k-means, random subspaces", "lac": "LAC, weighted features"}
GENERATOR_HELP = (
    "k-means uses all features alike. In random subspaces every clustering sees some of them. LAC weighs features for "
    "each cluster, and also says how strongly every object belongs (soft memberships)."
)
POLICY_NAMES = {
    "sqrt": "2 to √N",
    "half_sqrt": "2 to min(√N / 2, 50)",
    "fixed_sqrt": "always min(√N, 50)",
    "own": "own range",
}


def sidebar():
    """Draw the sidebar, and make the URL say what the session shows; returns the place of the summary."""
    chosen = config()
    with st.sidebar:
        bound(st.selectbox, "Data set", "data", options=_data_sets(chosen), format_func=_title)
        try:
            source = pipeline.dataset(chosen)
        except DataError:
            source = None  # the page says what is missing; the sidebar still lets one choose another
        if source is not None:
            _ensemble_settings(source)
        summary = st.empty()
        selection.summary()
        if source is not None and st.button("Why are two objects together?", key="why", width="stretch"):
            why.dialog()
    for problem in st.session_state.pop("url_problems", []):
        st.warning(f"In the link, {problem}", icon=":material/link_off:")
    write_url()
    return summary


def _ensemble_settings(source) -> None:
    """Widgets of the generator; a pool of base clusterings made elsewhere has only a size and a seed."""
    is_pool = isinstance(source, Pool)
    if not is_pool:
        bound(st.selectbox, "Scaling", "scaling", options=SCALINGS, format_func=SCALING_NAMES.get,
              help="How features are brought to one scale before clustering.")  # fmt: skip
    if not is_pool:
        bound(st.selectbox, "Base clusterings from", "generator", options=GENERATORS, format_func=GENERATOR_NAMES.get,
              help=GENERATOR_HELP)  # fmt: skip
    _size(source if is_pool else None)
    if not is_pool and config().generator != "lac":
        _k_range(source)
    _seed()
    if not is_pool:
        with st.expander("How base clusterings are made"):
            (_lac_settings if config().generator == "lac" else _kmeans_settings)(source)


def _kmeans_settings(source) -> None:
    if config().generator == "subspaces":
        bound(st.slider, "Share of features", "subspace", min_value=0.1, max_value=1.0, step=0.05,
              help="Every base clustering sees so many of the features, drawn at random.")  # fmt: skip
    bound(st.selectbox, "Start of k-means", "init", options=INITS,
          help="Random starts give more varied clusterings than k-means++.")  # fmt: skip
    bound(st.slider, "Starts tried", "ninit", min_value=1, max_value=20, help="The best of so many is kept.")


def _lac_settings(source) -> None:
    """Range of 1/h, and the clusters of each; the number of base clusterings is the number of values of 1/h."""
    stops = sorted({*INVERSE_H, config().hlow, config().hhigh})
    show("h_range", (config().hlow, config().hhigh))
    st.select_slider(
        "Range of 1/h", stops, (stops[0], stops[-1]), key="h_range", on_change=_store_h_range,
        format_func=lambda h: f"{h:g}",
        help="Low: all features count alike. High: only the tightest feature of a cluster counts. It is relative to "
             "the scaling above.",
    )  # fmt: skip
    show("lac_k", pipeline.lac_k(config()))
    st.slider("Clusters in each, k", 2, max(20, pipeline.lac_k(config())), key="lac_k", on_change=_store_lac_k)


def _store_h_range() -> None:
    low, high = st.session_state["h_range"]
    change(hlow=low, hhigh=high)


def _store_lac_k() -> None:
    change(lack=st.session_state["lac_k"])


def _size(pool: Pool | None) -> None:
    label, hint = "Base clusterings M", "More clusterings settle the consensus, and cost time."
    if pool is None:
        top = max(100, config().m)
        bound(st.slider, label, "m", min_value=1, max_value=top, help=hint)
        return
    if config().m > pool.n_clusterings:
        change(m=pool.n_clusterings)
    if pool.n_clusterings > 1:
        bound(st.slider, label, "m", min_value=1, max_value=pool.n_clusterings,
              help="Drawn at random from those in the file; at the top, all of them.")  # fmt: skip


def _k_range(source) -> None:
    """Policy by name, or an own range."""
    current = config().krange
    own = current not in K_POLICIES
    show("krange_policy", "own" if own else current)
    st.selectbox("Clusters in each, k", list(POLICY_NAMES), key="krange_policy", format_func=POLICY_NAMES.get,
                 on_change=_store_policy, args=(source.n_objects,),
                 help="k is drawn at random from this range for every base clustering.")  # fmt: skip
    if own:
        low, high = config().k_range
        top = max(high, min(source.n_objects, 100))
        show("krange_own", (low, high))
        st.slider("Range of k", 2, top, key="krange_own", on_change=_store_own)


def _store_policy(n_objects: int) -> None:
    policy = st.session_state["krange_policy"]
    if policy == "own":
        low, high = k_bounds("sqrt", n_objects)
        policy = f"{low}-{max(low + 1, min(high, 20))}"
    change(krange=policy)


def _store_own() -> None:
    low, high = st.session_state["krange_own"]
    change(krange=f"{low}-{high}")


def _seed() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bound(st.number_input, "Seed", "seed", min_value=0, max_value=2**31 - 1, step=1,
              help="The same seed gives the same clusterings, always.")  # fmt: skip
        st.button("", icon=":material/casino:", key="dice", on_click=_roll, help="Another seed", width="content")


def _roll() -> None:
    change(seed=random.randrange(10_000))


def fill_summary(place) -> None:
    """A caption once the page is drawn: how many objects, base clusterings and microclusters."""
    chosen = config()
    try:
        source = pipeline.dataset(chosen)
    except DataError:
        return
    words = f"{source.n_objects:,} objects"
    if not isinstance(source, Pool):
        words += f", {source.n_features:,} features"
    words += f", {chosen.m:,} base clusterings"
    job = pipeline.jobs().find(pipeline.ensemble_key(chosen))
    if job is not None and job.state is State.DONE:
        n = len(job.future.result().microclusters)
        words += f", {n:,} microclusters ({n / source.n_objects:.0%})"
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
