"""What the Start page is made of."""

import numpy as np
import streamlit as st

from data import Pool
from engine import consensus_methods
from ui.figures.style import painted
from ui.pictures.objects import FIRST_ONES, base
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.run_config import RunConfig
from ui.session.state import change, theme
from ui.widgets.chart import chart, sentence_of, show, thumbnail
from ui.widgets.dots import dots, remember_colors
from ui.widgets.knobs import ensemble_size
from ui.widgets.terms import say

PRESETS = ("moons", "spirals", "uneven_blobs", "digits")
PICTURE = 300


def presets(scene: Scene) -> None:
    """A row of thumbnails that are the buttons of the preset data sets."""
    st.html(f"<style>{''.join(_face(name) for name in PRESETS)}</style>")
    with st.container(horizontal=True, key="presets"):
        for name in PRESETS:
            st.button(
                scene.varied(data=name).title,
                key=f"preset_{name}",
                type="primary" if scene.config.data == name else "secondary",
                on_click=change,
                kwargs={"data": name},
            )


@st.cache_data(show_spinner=False, max_entries=16)
def _face(name: str) -> str:
    """The rule that draws a data set on its button: our own SVG, as an address."""
    preset = Scene(RunConfig(data=name))
    image = thumbnail(name, preset.placed[0], preset.truth)
    return f'.st-key-preset_{name} button {{ background-image: url("{image}"); }}'


def agreement(scene: Scene) -> None:
    """The slider of M beside the strip of scores it moves, and a sentence with the live numbers."""
    left, right = st.columns([1, 2.4], gap="large", vertical_alignment="center")
    with left:
        ensemble_size(scene, "start_m", 50)
        if scene.truth is not None:
            bound(st.toggle, "Show the truth", "truth", key="show_truth")
    with right:
        if scene.truth is None:
            say(sentence_of(scene, "strip"))
        else:
            show(scene, "strip", "start_strip", title="", height=132)
    if scene.truth is not None:
        say(sentence_of(scene, "strip"))


def picture(scene: Scene) -> None:
    """Base clusterings, the consensus, and the truth, in the same colours."""
    agreed = painted(scene.consensus.labels, scene.colors)
    remember_colors(scene, agreed)
    known = scene.truth is not None
    left, middle, *right = st.columns([1.15, 1, 1] if known else [1.15, 2], gap="medium")
    with left:
        first = f"the first {FIRST_ONES}, " if scene.ensemble.n_clusterings > FIRST_ONES else ""
        say(f"**Base clusterings** ({first}k" + (", score" if known else "") + ")")
        chart(base(scene, theme(), agreed, panel_height=68), "start_base")
    with middle:
        say("**What they agree on**")
        dots(scene, "agreed", "start_consensus", "the consensus", height=PICTURE)
    if not known:
        return
    with right[0]:
        say("**The truth**")
        if scene.config.truth:
            dots(scene, "truth", "start_truth", "the truth", height=PICTURE)


def explanation(scene: Scene) -> None:
    """What one is looking at, for somebody who has never met the idea."""
    alike = scene.agreement
    no_two = alike is not None and alike[~np.eye(len(alike), dtype=bool)].max(initial=0) < 1 - 1e-9
    two = f"{'No two agree' if no_two else 'They need not agree'}, and none has to be right. But as a rule two points "
    two += "that belong together meet in one cluster far more often than two that do not"
    if alike is not None and len(alike) == 1:
        two = "Here is just one, and it need not be right"
    say(
        f"Each small picture is one *clustering* of the same points: {_made_by(scene)}. {two}. How often a pair is put "
        "together is its *co-association* (for two objects: the share of base clusterings that put them into the same "
        f"cluster). {_counted(scene)}"
    )


def _counted(scene: Scene) -> str:
    """What the method makes of it, in words."""
    method = consensus_methods()[scene.config.method]
    if method.key == "lwea":
        words = "Concord trusts clusters that others confirm more, and joins what meets most."
    else:
        words = f"The answer here is that of {method.title}. {method.summary}"
    return words if {"memberships", "graph"} & method.needs else f"{words} Nothing but the labels is used."


def _made_by(scene: Scene) -> str:
    """Where the base clusterings come from, in words."""
    if isinstance(scene.source, Pool):
        return "one of those that came with the file"
    if scene.making.generator == "kmeans":
        if scene.ensemble.n_clusterings == 1:
            return "k-means"
        several = len(set(scene.ensemble.n_clusters_each.tolist())) > 1
        return f"k-means, run with a different {'number of clusters and a different ' * several}start"
    return f"{scene.making.made_by.title}, run anew for each of them"
