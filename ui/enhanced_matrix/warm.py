"""A warm start: enhancing begins at what this session enhanced last, which is faster but not the rule."""

from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st

from ui.compute.keys import token
from ui.scene import Scene
from ui.scene.enhancement import Enhanced

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


def keep(scene: Scene) -> None:
    """Note what was enhanced, for the next start."""
    _held()[scene.mark] = _Held(token(scene.given), _settings(scene), scene.before, scene.enhanced)


def _settings(scene: Scene) -> tuple:
    chosen = scene.config
    return chosen.alpha, chosen.lam, chosen.tol, chosen.max_iter, chosen.ablation


def _held() -> dict[str, _Held]:
    """One for each scene of a page, by its mark."""
    return st.session_state.setdefault(_KEY, {})
