"""At the end of every page: one thing to try, and the formula behind it, once more with one's own numbers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine import consensus_methods
from engine.generators import generator_concepts
from engine.params import ParamSpec
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.settings import method_concepts
from ui.widgets.terms import say

#: Symbols that LaTeX writes otherwise than people do.
_LATEX = {"dc": "d_c", "λ₁": r"\lambda_1", "λ₂": r"\lambda_2", "low": r"\text{low}", "high": r"\text{high}"}
_NAME = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class Lesson:
    """What a page, or a method, is about; `try_this` is a clause that follows "Try this:".

    A name in angle brackets in `formula` (LaTeX) is a parameter, or M, N, n, k: `<theta>` is shown as its symbol, and
    once more as its value. `concepts`: what a name is called in the session; `numbers`: further values, from its
    RunConfig.
    """

    try_this: str
    formula: str = ""
    words: str = ""
    concepts: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, Callable[[RunConfig], Any]] = field(default_factory=dict)


def of_method(key: str, try_this: str = "", words: str = "") -> Lesson:
    """What a method says of itself, unless a page about it has words of its own."""
    one = consensus_methods()[key]
    concepts = {spec.name: spec.concept for spec in one.params.specs()}
    return Lesson(try_this or one.try_this, one.formula, words, concepts=concepts)


def draw(scene: Scene, lesson: Lesson | Callable[[Scene], Lesson]) -> None:
    """The prompt, and the formula in an expander."""
    shown = lesson if isinstance(lesson, Lesson) else lesson(scene)
    say(f"> **Try this**: {shown.try_this}")
    if shown.formula:
        with st.expander("The formula, with your numbers"):
            formula(scene, shown)


def formula(scene: Scene, lesson: Lesson) -> None:
    """With its symbols, with the numbers of this session, and what the letters mean."""
    names = set(_NAME.findall(lesson.formula))
    plain = filled_in(lesson.formula, {name: _symbol(lesson.concepts.get(name, name)) for name in names})
    filled = filled_in(lesson.formula, {name: _number(scene, name, lesson) for name in names})
    st.latex(plain)
    if filled != plain:
        st.latex(filled)
    if lesson.words:
        say(lesson.words)


def filled_in(latex: str, words: Mapping[str, str]) -> str:
    """A formula with words in place of names.

    >>> filled_in("x < <theta> y", {"theta": "0.4"})
    'x < 0.4 y'
    """
    return _NAME.sub(lambda found: words[found[1]], latex)


def _spec(concept: str) -> ParamSpec | None:
    return method_concepts().get(concept) or generator_concepts().get(concept)


def _symbol(name: str) -> str:
    """As a paper writes it."""
    spec = _spec(name)
    symbol = spec.symbol if spec else name
    return _LATEX.get(symbol, symbol)


def _number(scene: Scene, name: str, lesson: Lesson) -> str:
    """A value as it stands in the formula."""
    if name in lesson.numbers:
        return str(lesson.numbers[name](scene.config))
    return _value(scene, lesson.concepts.get(name, name))


def _value(scene: Scene, name: str) -> str:
    """What it is here; its symbol as long as nobody knows."""
    spec = _spec(name)
    made = None if scene.source_if_here is None else scene.known("ensemble")
    if spec is None:
        value = None if made is None else _count(scene, name)
    else:
        value = getattr(scene.config, name)
        if value is None and spec.automatic is not None and made is not None:
            value = spec.automatic(made, None)
    if value is None:
        return _symbol(name)
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _count(scene: Scene, name: str) -> int:
    """M, N, n or k."""
    made = scene.ensemble
    counts = {"M": made.n_clusterings, "N": made.n_objects, "n": len(made.microclusters), "k": scene.n_clusters}
    return counts[name]
