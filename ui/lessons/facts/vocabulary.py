"""What a fact is, and the list of all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from engine import consensus_methods
from engine.params import Int, Kind
from engine.selection import known_strategies
from engine.similarities import pair_evidence
from ui.saying import three_digits
from ui.scene import Scene
from ui.session.settings import Among, value_of

Form = Literal["score", "share", "count", "value"]

#: What may stand in the brackets of a fact, and how it is read.
WORDS: dict[str, Kind] = {
    "method": Among(offered=consensus_methods),
    "evidence": Among(offered=lambda: [*pair_evidence(), "truth"]),
    "draws": Int(low=1, high=200),
    "copies": Int(low=2, high=50),
    "strategy": Among(offered=lambda: [key for key in known_strategies() if key != "random"]),
}


#: A smaller value is not written out.
_LEAST = 0.001


@dataclass(frozen=True)
class Fact:
    """A measurable number: `measure` takes a scene and what stands in its brackets.

    `form` is how it is written; `words` are what its brackets take, in order, of `WORDS`: the first may be all there
    is.
    """

    name: str
    measure: Callable[..., float]
    form: Form
    words: tuple[str, ...]
    sentence: str

    def write(self, value: float) -> str:
        """The number as it stands in a text."""
        if self.form == "count":
            return f"{value:,.0f}"
        if self.form == "share":
            return f"{value:.1%}" if 0 < value < 0.1 else f"{value:.0%}"
        if self.form == "value" and 0 < abs(value) < _LEAST:
            return f"less than {_LEAST}"
        return f"{value:.2f}" if self.form == "score" else three_digits(value)


_facts: dict[str, Fact] = {}


def facts() -> Mapping[str, Fact]:
    """All of them by name."""
    return _facts


def fact(form: Form, *words: str) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Enter a function into the vocabulary, under its own name."""

    def enter(measure: Callable[..., float]) -> Callable[..., float]:
        name = measure.__name__  # type: ignore[attr-defined]
        if name in _facts:
            raise ValueError(f"two facts are called {name!r}")
        _facts[name] = Fact(name, measure, form, words, (measure.__doc__ or "").split("\n")[0])
        return measure

    return enter


def measured(name: str, scene: Scene, words: tuple[str, ...]) -> float:
    """A fact of a scene, by its name."""
    one = _facts[name]
    return float(
        one.measure(scene, *(value_of(WORDS[kind], word) for kind, word in zip(one.words, words, strict=False)))
    )
