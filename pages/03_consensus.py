"""Consensus: which partition settles it?"""

from typing import NamedTuple

import numpy as np
import streamlit as st

from engine import Consensus, Ensemble
from engine.confidence import Profile
from ui.compute import pipeline
from ui.consensus import confidence_panels, downloads, specifics, verdicts
from ui.consensus.panels import knobs, picture, remarks, sentence
from ui.consensus.tree_panel import tree
from ui.frame.shell import present
from ui.parts import method_menu, pins, stages, starting_k
from ui.parts.colours import stable
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson, of_method
from ui.report.gathering import on_page
from ui.session.state import config


class Shown(NamedTuple):
    """Ensemble, consensus, the colours of its clusters, where objects stand, and how sure each of them is."""

    made: Ensemble
    result: Consensus
    colors: np.ndarray
    found: tuple
    sure: Profile | None


def page() -> None:
    """The page, top to bottom."""
    st.title("Which partition settles it?")
    say("The base clusterings vote; the method decides how their votes are counted.")
    main, side = st.columns([8, 3], gap="large")
    with side:
        knobs()
        starting_k.remark()
        confidence_panels.switch()
    with main:
        made = stages.ensemble()
        if made is None or method_menu.lacking(made):
            return
        shown = pins.beside(mechanism)
        if shown is None:
            return
        pins.bar()
        remarks(made, shown.result)
        columns = confidence_panels.columns(made, shown.result, shown.sure)
        downloads.offer(on_page(config(), *shown, columns.get("stability")), columns)
    more(shown)


def mechanism() -> Shown | None:
    """The partition and its score, under the settings that are looked at."""
    chosen, made = config(), stages.ensemble()
    if made is None:
        return None
    record = () if pipeline.sample_size(chosen, made) else specifics.asked(chosen, made)
    result = settle(pipeline.consensus(chosen, made, record=record), "Finding the consensus", "consensus")
    found = result and stages.layout(made)
    if not found:
        return None
    truth = pipeline.truth(chosen)
    colors = stable(result.labels, truth, chosen)
    sure = confidence_panels.profile(made, result)
    picture(found, result.labels, colors, truth, confidence_panels.opacity(sure), alone=pins.on())
    sentence(made, result, truth)
    return Shown(made, result, colors, found, sure)


def more(shown: Shown) -> None:
    """What stands below the fold: the method's own pictures, scores, the tree, and what is sure."""
    made, result, colors, found, sure = shown
    truth, sampled = pipeline.truth(config()), "sampled_objects" in result.trace
    if not sampled:
        specifics.views(made, result, colors, found)
    left, right = st.columns(2, gap="large")
    if truth is not None:
        with left:
            verdicts.metrics_table(made, result, truth)
    if truth is not None and not sampled:
        with right:
            verdicts.by_k(made, result, truth)
    if "dendrogram" in result.trace:
        tree(result, colors)
    if sure is not None:
        confidence_panels.bars(sure, result.labels, colors)
    if sure is not None and not sampled:
        confidence_panels.stability(made, result)
    if truth is not None:
        verdicts.confusion(result.labels, truth)


def lesson() -> Lesson:
    """That of the chosen method."""
    return of_method(config().method)


present(page, lesson)
