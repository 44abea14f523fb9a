"""Before and after: the present setting is pinned as A, and pictures show A beside what the knobs make of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from data import Pool
from engine import consensus_methods
from engine.generators import generator_concepts
from engine.metrics import align, nmi
from engine.params import Words
from ui.figures.numbering import numbers
from ui.outside import markdown
from ui.saying import counted, three_digits
from ui.scene import Scene
from ui.session.run_config import MEASURES, RunConfig
from ui.session.settings import Places, method_concepts, settings
from ui.session.state import change_by
from ui.widgets.knobs import automatic
from ui.widgets.terms import note, say

_KEY = "_pinned"
#: Settings that decide any answer, beside what makes base clusterings, and the method with its parameters.
DECIDING = ("k", "switched_off")


def chosen(scene: Scene) -> str:
    """The method that answers on a page, where it is the one that was chosen."""
    return scene.config.method


def pinned(scene: Scene) -> RunConfig | None:
    """The setting that is pinned as A, if it is one of the present data set."""
    held: RunConfig | None = st.session_state.get(_KEY)
    return held if held is not None and held.data == scene.config.data else None


def _pin() -> None:
    change_by(_pinned)


def _pinned(now: RunConfig) -> RunConfig:
    st.session_state[_KEY] = now
    return now


def _unpin() -> None:
    st.session_state.pop(_KEY, None)


@dataclass(frozen=True)
class Pins:
    """What decides the answer of a page, and so tells A from B.

    `of` names the method that answers there: what others have for parameters decides nothing. `also` are settings that
    decide on this page; `alone`: nothing else does.
    """

    of: Callable[[Scene], str] = chosen
    also: tuple[str, ...] = ()
    alone: bool = False

    def bar(self, scene: Scene) -> None:
        """Pin the present setting, or say what is pinned and let go of it."""
        held = pinned(scene)
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
            differs = self.differences(self._a(held, scene), scene)
            words = f"A has {'; '.join(differs)}" if differs else "pinned as A. Move a knob to see B beside it"
            note(words, width="stretch")
            st.button("Pin this instead", key="pin", on_click=_pin, disabled=not differs, width="content")
            st.button("Unpin", key="unpin", on_click=_unpin, width="content")

    def on(self, scene: Scene) -> bool:
        """Whether there is an A that has something else than the present setting; so it is while A is drawn."""
        held = pinned(scene)
        return bool(scene.mark) or held is not None and bool(self._differing(self._a(held, scene), scene))

    def beside(self, scene: Scene, draw: Callable[[Scene], np.ndarray | None], stacked: bool = False) -> bool:
        """Draw what the settings come to; where another setting is pinned, A, B, and who moved. False while it is made.

        `draw` shows the pictures of a scene and returns the partition they show. Pictures that are wide are `stacked`,
        below each other. A is looked at as B is: the same pair, score and zoom.
        """
        held = pinned(scene)
        a = scene if held is None else self._a(held, scene)
        if held is None or not self._differing(a, scene):
            return draw(scene) is not None
        before, after = (st.container(), st.container()) if stacked else st.columns(2, gap="medium")
        with before:
            say("**A**, pinned")
            first = draw(a)
        with after:
            say("**B**, now")
            second = draw(scene)
        if first is not None and second is not None:
            say(moved(a, scene, first, second))
        return second is not None

    def differences(self, a: Scene, b: Scene) -> list[str]:
        """What A has otherwise, in words: "θ = 0.4 (B: 0.2)"."""
        return [f"{_name(name)} = {_text(a, name)} (B: {_text(b, name)})" for name in self._differing(a, b)]

    def _a(self, held: RunConfig, scene: Scene) -> Scene:
        """The scene of A: whatever decides no answer is as in that of B."""
        a = scene.varied("A", **{name: getattr(held, name) for name in self._knobs({"method", *method_concepts()})})
        return a if a.config.labelled == scene.config.labelled else _looked_at_as(scene, a)

    def _knobs(self, of_methods: set[str]) -> list[str]:
        """Settings that decide an answer, in the order of the URL."""
        if self.alone:
            return [name for name in settings() if name in self.also]
        knobs = {*of_methods, *DECIDING, *self.also}
        return [name for name, one in settings().items() if one.makes_ensemble or name in knobs]

    def _differing(self, a: Scene, b: Scene) -> list[str]:
        """Names of the settings that decide an answer, and differ."""
        answering = set() if self.alone else {self.of(a), self.of(b)}
        knobs = {spec.concept for method in answering for spec in consensus_methods()[method].params.specs()}
        found = self._knobs(knobs | ({"method"} if len(answering) > 1 else set()))
        unread = _of_generators() - _read_by_generator(a) - _read_by_generator(b)
        return [name for name in found if name not in unread and _differs(a, b, name)]


def moved(a: Scene, b: Scene, first: np.ndarray, second: np.ndarray) -> str:
    """How many objects are in another cluster in B than in A, the clusters of B named like those of A; both scores.

    Objects that are set aside in one of them are not followed.
    """
    _, in_first, in_second = np.intersect1d(_rows(a, len(first)), _rows(b, len(second)), return_indices=True)
    here, there = first[in_first], second[in_second]
    n = int((align(there, here) != here).sum())
    both = "" if len(here) == max(len(first), len(second)) else " that are in both"
    words = f"From A to B **{counted(n, 'object')}** of {len(here):,}{both} moved to another cluster; "
    words += f"A and B agree with NMI {three_digits(nmi(here, there, 'sqrt'))}."
    if b.truth is not None:
        before, after = (three_digits(one.score(labels)) for one, labels in ((a, first), (b, second)))
        words += f" {MEASURES[b.config.measure]} with the truth: A **{before}**, B **{after}**."
    return words


def _looked_at_as(b: Scene, a: Scene) -> Scene:
    """A with the picked objects and the pair of B, where others are set aside in one of them and places differ."""
    there, here = (_rows(one, one.source.n_objects) for one in (a, b))

    def places(objects: Any) -> np.ndarray:
        objects = np.asarray(objects, int)
        wanted = here[objects[objects < len(here)]]  # a link may say anything
        found = np.searchsorted(there, wanted)
        return found[np.take(there, found, mode="clip") == wanted]

    pair, picked = places(b.config.pair), places([] if b.picked is None else b.picked)
    alike = a.varied("A", pair=tuple(pair.tolist()) if len(pair) == 2 else ())
    return alike.with_given(picked=picked if len(picked) else None, earlier=None)


def _rows(scene: Scene, n: int) -> np.ndarray:
    """Where the n objects of a scene stand in their file."""
    rows = getattr(scene.source, "rows", None)
    return np.arange(n) if rows is None else rows


def _of_generators() -> set[str]:
    """Settings that decide base clusterings where they are made."""
    return {"generator", *generator_concepts()}


def _read_by_generator(scene: Scene) -> set[str]:
    """Those of them that decide these; a file's are there."""
    return set() if isinstance(scene.source, Pool) else {"generator", *(spec.concept for spec in scene.making_specs)}


def _differs(a: Scene, b: Scene, name: str) -> bool:
    """Whether a setting comes to something else; where nobody chose, to what it is then."""
    chosen = [getattr(one.config, name) for one in (a, b)]
    return chosen[0] != chosen[1] and (None not in chosen or _comes_to(a, name) != _comes_to(b, name))


def _comes_to(scene: Scene, name: str) -> Any:
    """The value that counts; None for one that nobody knows yet."""
    known = {"k": "wanted_k", "m": "n_clusterings"}
    if name in known:
        return scene.get(known[name])
    value, spec = getattr(scene.config, name), method_concepts().get(name)
    return automatic(scene, spec) if value is None and spec is not None else value


def _name(name: str) -> str:
    spec = method_concepts().get(name) or generator_concepts().get(name)
    return (
        spec.symbol
        if spec
        else {"m": "M", "switched_off": "switched off", "lac_inverse_h": "1/h", "lac_k": "k of LAC"}.get(name, name)
    )


def _text(scene: Scene, name: str) -> str:
    """The value of a setting; what it counts from 0 is called as everywhere on the pages."""
    setting, value = settings()[name], getattr(scene.config, name)
    if value is None and (known := _comes_to(scene, name)) is not None:
        return f"{setting.text(None)}, {setting.text(known)}"
    if not isinstance(setting.kind, Places):
        titles = setting.kind.titles if isinstance(setting.kind, Words) else {}
        return titles.get(value) or setting.text(value) or "none"
    keys = scene.off_keys if name == "switched_off" else None
    return ", ".join(markdown(key) for key in (numbers(value) if keys is None else keys)) or "none"
