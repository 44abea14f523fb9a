"""Consensus: which partition settles it?"""

import numpy as np
import streamlit as st

from engine import consensus_methods
from ui.consensus import downloads, panels, specifics
from ui.consensus.downloads import tree
from ui.consensus.panels import knobs, picture, remarks, sentence
from ui.frame.shell import present
from ui.scene import Scene
from ui.widgets import method_menu, stages
from ui.widgets.pins import Pins
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson, of_method

PINS = Pins(also=("sample",))


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Which partition settles it?")
    say("The base clusterings vote; the method decides how their votes are counted.")
    if scene.source is None:
        return
    main, side = st.columns([8, 3], gap="large")
    with side:
        knobs(scene)
        stages.k_remark(scene)
        panels.confidence_switch()
    with main:
        if stages.ensemble(scene) is None or stages.inseparable(scene, "there is nothing to settle"):
            return
        if method_menu.lacking(scene):
            return
        if not PINS.beside(scene, mechanism):
            return
        PINS.bar(scene)
        remarks(scene)
        offered = downloads.offer(scene)
    more(scene)
    if scene.profile is not None and scene.known("stability") is not None and "stability" not in offered:  # found since
        st.rerun()


def mechanism(scene: Scene) -> np.ndarray | None:
    """The partition and its score."""
    if not picture(scene, alone=PINS.on(scene)):
        return None
    say(sentence(scene))
    return scene.consensus.labels


def more(scene: Scene) -> None:
    """What stands below the fold: the method's own pictures, scores, the tree, and what is sure."""
    sampled = scene.sample_size is not None
    if not sampled:
        specifics.views(scene)
    left, right = st.columns(2, gap="large")
    if scene.truth is not None:
        with left:
            panels.metrics_table(scene)
    asked_for_k = not sampled and not consensus_methods()[scene.config.method].finds_k
    if scene.truth is not None:
        with right:
            (panels.by_k if asked_for_k else panels.confusion)(scene)
    if "dendrogram" in scene.consensus.trace:
        tree(scene)
    if scene.profile is not None:
        panels.confidence_bars(scene)
    if scene.profile is not None and not sampled:
        panels.stability(scene)
    if scene.truth is not None and asked_for_k:
        panels.confusion(scene)


def lesson(scene: Scene) -> Lesson:
    """That of the chosen method."""
    return of_method(scene.config.method)


present(page, lesson)
