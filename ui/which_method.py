"""What the page Which method is made of."""

from hashlib import blake2b

import numpy as np
import pandas as pd
import streamlit as st

from engine import consensus_methods
from engine.choosing_method import ChosenMethod
from ui.figures.style import painted
from ui.pictures import methods as words
from ui.pictures.objects import colors_of
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.selection import pick
from ui.session.state import change, page_file
from ui.widgets import method_menu
from ui.widgets.chart import sentence_of, show, thumbnail
from ui.widgets.terms import meanings, note, say

#: Pixels of the picture of an answer.
PICTURE = (110, 60)


def knobs(scene: Scene) -> None:
    """The budget of time; the dearer methods are asked last."""
    bound(
        st.slider,
        "Time for asking, seconds",
        "budget",
        min_value=1,
        max_value=120,
        stretches=True,
        help="Seconds of one core. What methods cost is known beforehand: the cheapest are asked first.",
    )


def verdict(scene: Scene, found: ChosenMethod) -> None:
    """The one we would take, and why, in sentences; the button that takes it."""
    first = consensus_methods()[found.rows[0].method].title
    say(f"#### {words.verdict(found)}")
    say(" ".join(found.reasons))
    method_menu.of_all_objects(scene)
    if found.method is not None:
        taken = scene.config.method == found.method
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Taken" if taken else f"Take {first} on every page",
                key="take_method",
                disabled=taken,
                on_click=change,
                kwargs={"method": found.method},
            )
            if taken:
                st.page_link(page_file("consensus"), label="See its answer", icon=":material/arrow_forward:")


def common(scene: Scene, found: ChosenMethod) -> None:
    """What all agree on, and the way to pick the others."""
    if not show(scene, "common_ground"):
        return
    say(sentence_of(scene, "common_ground"))
    shifting = np.flatnonzero(~found.common.core)
    if len(shifting):
        st.button(
            "Pick those that shift",
            key="pick_shifting",
            on_click=pick,
            args=(shifting, "those that the methods do not agree on"),
            icon=":material/ads_click:",
        )


def table(scene: Scene, found: ChosenMethod) -> None:
    """One row a method: its answer, its record in the league, and what can be said without a truth."""
    points = None if scene.placed is None else scene.placed[0]
    answers = [None if points is None else _picture(scene, row.labels, points) for row in found.rows]
    rows = pd.DataFrame({"answer": answers, **words.columns_of(found)})
    raw = [name for name in rows if name.startswith("raw: ")]
    shown = [name for name in rows if name not in raw or st.session_state.get("raw_indexes")]
    columns = {
        "answer": st.column_config.ImageColumn("", width=80),
        "method": st.column_config.Column(width=92, pinned=True),
        "lost in the league": st.column_config.NumberColumn(format="%.3f", help=words.LOST),
        "95 %": st.column_config.Column(help="Of that mean, over the sets."),
        "rank there": st.column_config.Column(help="Mean rank by ARI in the league, 1 the best, and its 95 %."),
        "agreement": st.column_config.NumberColumn(format="%.2f", help="Mean ARI with the other families of methods."),
        "stability": st.column_config.NumberColumn(format="%.2f", help="Mean ARI of its answers to halves."),
        "seconds": st.column_config.NumberColumn(format="%.3f"),
    }
    columns |= {
        name: st.column_config.NumberColumn(format="%.1f" if name.startswith("z") else "%.3f", help=meanings(name))
        for name in rows
        if name.startswith(("z: ", "raw: "))
    }
    st.dataframe(
        rows,
        hide_index=True,
        column_order=shown,
        column_config=columns,
        row_height=44,
        height=420,
        placeholder="–",
        key="which_table",
    )
    st.toggle("Raw values too", key="raw_indexes", persist_state="session")
    note(words.Z_VALUES)
    if found.left_out:
        with st.expander(f"{counted(len(found.left_out), 'method')} not asked, or without an answer"):
            for key, why in found.left_out.items():
                say(_not_asked(key, why))


def _not_asked(key: str, why: str) -> str:
    """A method and its reason; one that ends in a line to be copied ends there."""
    return f"**{consensus_methods()[key].title}**: {why}{'' if 'pip install' in why else '.'}"


def _picture(scene: Scene, labels: np.ndarray, points: np.ndarray) -> str:
    """The URL of a small picture of an answer, in the colours of the others."""
    shown = painted(labels, colors_of(scene, labels))
    key = blake2b(shown.tobytes() + points.tobytes(), digest_size=8).hexdigest()
    return thumbnail(f"which_{key}", points, shown, *PICTURE)


def several(scene: Scene, found: ChosenMethod) -> None:
    """Two or three honest answers, where the methods fall into as many groups."""
    if len(found.opinions.medoids) < 2:
        note(words.ONE_OPINION)
        return
    say(words.several(found))
    names = ("first_opinion", "second_opinion", "third_opinion")[: len(found.opinions.medoids)]
    for name, column in zip(names, st.columns(len(names), gap="medium"), strict=True):
        with column:
            show(scene, name, title="")
            note(sentence_of(scene, name))
