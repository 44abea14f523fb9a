"""Numbers of a step: those its texts hold, against what stands beside them in the pictures, the state and the facts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ui.figures.spec import Figure
from ui.lessons.claims import Quantity
from ui.lessons.facts import facts
from ui.lessons.lesson import Step
from ui.pictures import pictures
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.settings import settings

#: A number as it is typed, with what makes it a share; "1/h" is a name.
_TYPED = re.compile(r"(?<![\w.,/])(\d[\d,]*\.?\d*|\.\d+)(?:\s?(%))?(?![\w/])")
#: The two ends of every scale may be typed anywhere.
_ENDS = {0.0, 1.0}
#: Settings that are places, counted from 0: what pages say is another number.
_PLACES = {"pair", "pick", "roots", "switched_off"}
#: What a step says of its range of k: the most and the fewest clusters a reader has been told.
_ENDS_OF_RANGE = {"fewest_clusters": 0, "most_clusters": 1}


def misread(step: Step, scene: Scene, figures: Mapping[str, Figure]) -> Iterator[str]:
    """Quantities of the texts that say something else than a picture or the range of k beside them."""
    for quantity in step.quantities:
        said = quantity.written(scene)
        for where, value in _seen(quantity, scene, figures):
            if said != (seen := facts()[quantity.name].write(value)):
                yield f"{{{quantity.text}}} says {said}, {where} {seen}"


def _seen(quantity: Quantity, scene: Scene, figures: Mapping[str, Figure]) -> Iterator[tuple[str, float]]:
    """Where else a reader finds the number of a quantity, and what stands there."""
    moved = {name for name, value in quantity.changes if value != getattr(scene.config, name)}
    varied = scene.varied(**dict(quantity.changes))
    for name, figure in figures.items():
        reading = pictures()[name].reads.get(quantity.name)
        if reading is not None and moved <= set(reading.along):
            value = reading.read(figure, varied, quantity.words)
            if value is not None:
                yield f"the picture {name}", value
    k_range = varied.config.k_range
    if quantity.name in _ENDS_OF_RANGE and isinstance(k_range, tuple) and varied.config.m > 1:  # one run has one k
        yield "the range of k", float(k_range[_ENDS_OF_RANGE[quantity.name]])


def unfounded(step: Step, before: Step | None, scene: Scene) -> Iterator[str]:
    """Typed numbers that are no setting of the step or of the one before it, and no number of its facts either."""
    known = _ENDS | {value for one in (step, before) if one is not None for value in _of_state(one)}
    known |= {value for quantity in step.quantities for value, _ in typed(quantity.written(scene))}
    known |= {value for quantity in step.quantities for value, _ in typed(facts()[quantity.name].sentence)}
    for text in _told(step):
        for value, words in typed(text):
            if value not in known:
                yield f"the number {words} in {text.strip()[:40]!r} is no setting, quantity or claim of this step"


def typed(text: str) -> list[tuple[float, str]]:
    """Every number in a text and how it is typed.

    >>> typed("At 1/h = .1 of 1,000, 0.01 % or 8.4%")
    [(0.1, '.1'), (1000.0, '1,000'), (0.0001, '0.01 %'), (0.084, '8.4%')]
    """
    found = [(one[1].rstrip(",.").replace(",", ""), one[2], one[0].rstrip(",.")) for one in _TYPED.finditer(text)]
    return [(round(float(digits) / (100 if share else 1), 12), words) for digits, share, words in found]


def _told(step: Step) -> Iterator[str]:
    """What a step tells as true: wrong answers are guesses, notes are the lecturer's."""
    yield from (step.heading, "; ".join(step.text.pieces))
    if step.asks is not None:
        yield step.asks.text
        for choice in step.asks.choices:
            yield from ("; ".join(choice.why.pieces), *([choice.text] if choice.right else []))


def _of_state(step: Step) -> Iterator[float]:
    """Numbers that the state of a step holds, its knob offers, and its quantities and claims name."""
    chosen = step.config
    yield from _numbers(value for name, value in _chosen(chosen).items() if name not in _PLACES)
    yield from _numbers(step.knob.values if step.knob else ())
    sides = [side for claim in step.claims for side in (claim.left, claim.right)]
    yield from (abs(side.plus) for side in sides)
    for quantity in (*step.quantities, *(side.quantity for side in sides if side.quantity)):
        yield from _numbers(value for _, value in quantity.changes)
        yield from (value for word in quantity.words for value, _ in typed(word))


def _chosen(config: RunConfig) -> dict[str, Any]:
    """The settings that an address names, and those with which base clusterings are made."""
    made = {name: getattr(config, name) for name in config.to_query()}
    return made | {name: value for name, value in config.recipe.params.as_dict().items() if name in settings()}


def _numbers(values: Iterable[Any]) -> Iterator[float]:
    for value in values:
        if isinstance(value, tuple):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield float(value)
