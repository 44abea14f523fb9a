"""What the Enhanced matrix page is made of, and the row of thresholds it computes ahead."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from engine.evidence import LinkQuality
from engine.similarities import find_evidence
from ui.compute.work import token
from ui.scene import Scene
from ui.scene.enhancement import VARIANTS, Enhanced
from ui.session.bound import bound
from ui.session.state import change
from ui.widgets.chart import sentence_of, show
from ui.widgets.knobs import brightness, knob
from ui.widgets.terms import note, say

#: Curves that differ by less say nothing.
SAME = 0.01
VARIANT_NAMES = {
    "full": "as published",
    "no_laplacian": "without spreading",
    "no_completion": "without keeping certain pairs",
}


def knobs(scene: Scene) -> None:
    """alpha, lambda, the input, and the colours of all pictures, in one row."""
    with st.container(key="enhanced_knobs"):
        for concept, column in zip(("alpha", "lam", "evidence"), columns := st.columns(4, gap="medium"), strict=False):
            with column:
                knob(scene, concept)
        with columns[3]:
            words = (
                "The brightest colour is the largest value of the input, in all pictures. Off: the value you choose."
            )
            brightness(scene, "brightest_enhanced", words, "all pictures")


def more_knobs(scene: Scene) -> None:
    """The variant, and what decides start and stop."""
    with st.expander("Variant, stop and start"):
        bound(
            st.selectbox,
            "Variant",
            "ablation",
            options=list(VARIANTS),
            format_func=VARIANT_NAMES.get,
            help="Leave a part of the method out, and see what it was for.",
        )
        inside = [spec.concept for spec in find_evidence(scene.config.evidence).params.specs()]
        for concept in (*inside, "tol", "max_iter"):
            knob(scene, concept)
        bound(
            st.toggle,
            "Start from the last solution",
            "warm",
            help="Fewer iterations, the same answer within the tolerance. Off, so that results never depend on what "
            "was shown before.",
        )
        if scene.config.method != "ec_cms":
            st.button("Use EC-CMS on every page", key="adopt", on_click=change, kwargs={"method": "ec_cms"})


def film(scene: Scene) -> None:
    """The input and what becomes of it: as a film; the two matrices where none was kept, in one order and scale."""
    if show(scene, "enhance_film", "enhanced_film", title=""):
        return
    titles = {"enhance_input": "Input", "enhance_output": "Enhanced"}
    for (name, title), column in zip(titles.items(), st.columns(2, gap="medium"), strict=True):
        with column:
            show(scene, name, f"enhanced_{title.lower()}", title=title, height="stretch")


def details(scene: Scene) -> None:
    """What is certain, what has changed, and the truth, each with its words."""
    pictures = [
        ("certain", "**What is certain (α)**", "enhanced_what"),
        ("enhance_change", "**What spreads**, enhanced minus input", "enhanced_enhanced_minus"),
    ]
    if scene.truth is not None:
        pictures.append(("same_class", "**Ground truth**", "enhanced_ground"))
    for (name, title, key), column in zip(pictures, st.columns(len(pictures), gap="medium"), strict=True):
        with column:
            say(title)
            show(scene, name, key, title="", height="stretch")
            note(sentence_of(scene, name) or "Pairs of one class.")


def entries(scene: Scene) -> None:
    """Precision and recall of the entries, where they are not the same before and after."""
    if scene.truth is None or scene.entry_quality is None:
        return
    if _one_curve(scene.entry_quality["input"], scene.entry_quality["enhanced"]):
        note("Precision against recall of the entries is nearly the same before and after, over all thresholds.")
    else:
        show(scene, "entries_right", "enhanced_pr")
        note(sentence_of(scene, "entries_right"))


def _one_curve(before: LinkQuality, after: LinkQuality) -> bool:
    """Whether precision against recall is the same for the eye: as far as both reach, and how far that is."""
    reach = before.recall[0], after.recall[0]
    at, precision = np.linspace(0, min(reach), 101), []
    for one in (before, after):
        there = one.pairs[::-1].cumsum() > 0  # of thresholds that no entry reaches nothing is right or wrong
        precision.append(np.interp(at, one.recall[::-1][there], one.precision[::-1][there]) if there.any() else 0 * at)
    return bool(abs(reach[0] - reach[1]) <= SAME and np.abs(precision[0] - precision[1]).max() <= SAME)


def stopping(scene: Scene) -> None:
    """Residuals, what their letters are, and what an early stop means."""
    show(scene, "residuals")
    note(
        "A is the input, C the enhanced matrix, E what C leaves out of A, F a copy of C that is kept symmetric and "
        "between 0 and 1. At the solution A = C + E and C = F; a curve says how far that is from true, or how much a "
        "matrix still changes."
    )
    with st.expander("What an early stop means"):
        say(
            "The enhanced matrix is the solution of a convex problem, and the iteration comes closer to it with every "
            "step. The published results stop when all five residuals are below 1 %, after some 40 to 80 iterations. "
            "Going on until nothing moves changes the matrix by another 4 to 25 %: the matrix that made the published "
            "numbers is an early stop, and stopping early is part of the method. Lower the tolerance above, raise the "
            "iterations, and watch both the curves and the score."
        )


_KEY = "_enhanced"


@dataclass(frozen=True, eq=False)
class _Held:
    """What a session enhanced last: from what, how, started where."""

    given: Hashable
    settings: tuple
    start: Enhanced | None
    found: Enhanced


def warmed(scene: Scene) -> Scene:
    """The scene, where that is asked one that starts from an earlier solution for the same input."""
    held = _held().get(scene.mark)
    if not scene.config.warm or held is None or scene.given is None or held.given != token(scene.given):
        return scene
    start = held.start if held.settings == _settings(scene) else held.found
    return scene if start is None else scene.with_given(before=start)


def keep_warm(scene: Scene) -> None:
    """Note what was enhanced, for the next start, where one is wanted: it is as large as the matrix."""
    if scene.config.warm:
        _held()[scene.mark] = _Held(token(scene.given), _settings(scene), scene.before, scene.enhanced)
    else:
        _held().pop(scene.mark, None)


def _settings(scene: Scene) -> tuple:
    chosen = scene.config
    return chosen.alpha, chosen.lam, chosen.tol, chosen.max_iter, chosen.ablation


def _held() -> dict[str, _Held]:
    """One for each scene of a page, by its mark."""
    return st.session_state.setdefault(_KEY, {})
