"""Before and after: the present setting is pinned as A, and pictures show A beside what the knobs make of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from engine.generators import generator_concepts
from engine.metrics import align, nmi
from ui.parts.answer import score_of
from ui.parts.words import counted, three_digits
from ui.session.run_config import MEASURES, RunConfig
from ui.session.settings import method_concepts, settings
from ui.session.state import config, looking_at, now

_KEY = "_pinned"
#: Settings that decide an answer, beside what makes base clusterings and the parameters of methods.
DECIDING = ("method", "k", "switched_off", "ablation", "roots")


def pinned() -> RunConfig | None:
    """The setting that is pinned as A, if it is one of the present data set."""
    held: RunConfig | None = st.session_state.get(_KEY)
    return held if held is not None and held.data == now().data else None


def bar(also: tuple[str, ...] = ()) -> None:
    """Pin the present setting, or say what is pinned and let go of it; `also`: what decides on this page alone."""
    held = pinned()
    with st.container(horizontal=True, vertical_alignment="center", key="pin_bar"):
        if held is None:
            st.button(
                "Pin as A",
                key="pin",
                on_click=_pin,
                icon=":material/keep:",
                width="content",
                help="Keeps this setting as A; then move a knob, and A and B stand beside each other.",
            )
            return
        differs = differences(held, now(), also)
        words = f"A has {'; '.join(differs)}" if differs else "pinned as A. Move a knob to see B beside it"
        st.caption(words, width="stretch")
        st.button("Pin this instead", key="pin", on_click=_pin, disabled=not differs, width="content")
        st.button("Unpin", key="unpin", on_click=_unpin, width="content")


def _pin() -> None:
    st.session_state[_KEY] = config()


def _unpin() -> None:
    st.session_state.pop(_KEY, None)


def on(also: tuple[str, ...] = ()) -> bool:
    """Whether there is an A that has something else than the present setting."""
    held = pinned()
    return held is not None and bool(differences(held, now(), also))


def beside(draw: Callable[[], Any], stacked: bool = False, also: tuple[str, ...] = ()) -> Any:
    """Draw what the settings come to, and return it; where another setting is pinned, A, B, and who moved.

    `draw` shows the pictures of `config()` and returns what they show, with the consensus as `result`; None while it
    is computed. Pictures that are wide are `stacked`, below each other. A is looked at as B is: the same pair, score
    and zoom. `also` names settings that decide on this page alone.
    """
    held = pinned()
    if held is None or not differences(held, now(), also):
        return draw()
    before, after = (st.container(), st.container()) if stacked else st.columns(2, gap="medium")
    with before, looking_at(_seen_as_now(held, also), "A"):
        st.markdown("**A**, pinned")
        first = draw()
        score = first and score_of(first.result.labels)
    with after:
        st.markdown("**B**, now")
        second = draw()
    if first is not None and second is not None:
        st.markdown(moved(first.result.labels, second.result.labels, score, score_of(second.result.labels)))
    return second


def _seen_as_now(held: RunConfig, also: tuple[str, ...]) -> RunConfig:
    """The present session with what decides the answer taken from A."""
    return config().with_(**{name: getattr(held, name) for name in _deciding(also)})


def moved(first: np.ndarray, second: np.ndarray, before: float | None, after: float | None) -> str:
    """How many objects are in another cluster in B than in A, the clusters of B named like those of A; both scores."""
    n = int((align(second, first) != first).sum())
    words = f"From A to B **{counted(n, 'object')}** of {len(first):,} moved to another cluster; "
    words += f"A and B agree with NMI {three_digits(nmi(first, second, 'sqrt'))}."
    if before is not None and after is not None:
        words += f" {MEASURES[config().measure]} with the truth: A **{three_digits(before)}**, "
        words += f"B **{three_digits(after)}**."
    return words


def differences(held: RunConfig, present: RunConfig, also: tuple[str, ...] = ()) -> list[str]:
    """What A has otherwise, in words: "θ = 0.4 (B: 0.2)"."""
    return [
        f"{_name(name)} = {_text(held, name)} (B: {_text(present, name)})"
        for name in _deciding(also)
        if getattr(held, name) != getattr(present, name)
    ]


def _deciding(also: tuple[str, ...]) -> list[str]:
    """Names of the settings that decide an answer."""
    knobs = {*method_concepts(), *DECIDING, *also}
    return [name for name, one in settings().items() if one.makes_ensemble or name in knobs]


def _name(name: str) -> str:
    spec = method_concepts().get(name) or generator_concepts().get(name)
    return (
        spec.symbol
        if spec
        else {"m": "M", "switched_off": "switched off", "lac_inverse_h": "1/h", "lac_k": "k of LAC"}.get(name, name)
    )


def _text(chosen: RunConfig, name: str) -> str:
    return settings()[name].text(getattr(chosen, name)) or "none"
