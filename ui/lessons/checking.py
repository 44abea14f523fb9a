"""Whether what lessons say is true: states can be shown, claims hold over seeds, numbers in texts stand beside them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from data import DataError
from engine import EngineError
from ui.figures.spec import Figure
from ui.lessons.facts import facts
from ui.lessons.lesson import Broken, Claim, Lesson, Quantity, Step, Text
from ui.pictures import drawn, pictures
from ui.scene import Scene
from ui.scene.data_set import NotThereError
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


def unsettled(step: Step, scene: Scene) -> Iterator[str]:
    """Quantities that go with the knob where the words beside them name the value at which it begins."""
    if step.knob is None:
        return
    name, begins = step.knob.name, getattr(step.config, step.knob.name)
    for words, quantities in _sentences(step):
        known = {*_numbers([begins])} - _ENDS
        for quantity in quantities if any(value in known for value in _open(words, quantities, name)) else ():
            stops = {quantity.written(scene.varied(**{name: value})) for value in step.knob.values}
            if len(stops) > 1 and name not in dict(quantity.changes):
                beside = f"beside words that say {name} = {settings()[name].text(begins)}"
                yield f"{{{quantity.text}}} goes with the knob {beside}: give it this value in its brackets"


def _open(words: str, quantities: list[Quantity], name: str) -> Iterator[float]:
    """Numbers of a sentence whose quantity (the next one, else the last) does not have them as its setting."""
    for found in _TYPED.finditer(words) if quantities else ():
        its_own = quantities[min(words[: found.start()].count("{}"), len(quantities) - 1)]
        settled = set(_numbers(value for changed, value in its_own.changes if changed == name))
        yield from (value for value, _ in typed(found[0]) if value not in settled)


def _sentences(step: Step) -> Iterator[tuple[str, list[Quantity]]]:
    """Every sentence of a step with its quantities; the reason of an answer is read with what was asked."""
    yield from _parted(step.text)
    for choice in step.asks.choices if step.asks else ():
        yield from ((f"{step.asks.text} {choice.text} {words}", found) for words, found in _parted(choice.why))


def _parted(text: Text) -> Iterator[tuple[str, list[Quantity]]]:
    quantities = iter(text.quantities)
    for sentence in re.split(r"(?<=[.?!])\s+", "{}".join(text.pieces)):
        yield sentence, list(islice(quantities, sentence.count("{}")))


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


#: A claim is looked at with the seed of its step and those that follow: so many in all ...
SEEDS = 10
#: ... and holds if it does with the seed shown and with at least so many of them.
LEAST = 8


@dataclass(frozen=True)
class Failure:
    """What does not hold, and where."""

    lesson: str
    step: int
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.lesson}, step {self.step} (line {self.line}): {self.words}"


@dataclass(frozen=True)
class Report:
    """What was looked at, and what failed."""

    lessons: int
    steps: int
    claims: int
    failures: tuple[Failure | Broken, ...]

    @property
    def words(self) -> str:
        """The last line: 8 lessons, 51 steps, 34 claims hold."""
        shown = f"{_counted(self.lessons, 'lesson')}, {_counted(self.steps, 'step')}, {_counted(self.claims, 'claim')}"
        if not self.failures:
            return f"{shown} {'holds' if self.claims == 1 else 'hold'}"
        return f"{shown}: {len(self.failures)} of all this {'fails' if len(self.failures) == 1 else 'fail'}"


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def seeds_that_hold(scene: Scene, claim: Claim, seeds: int = SEEDS) -> list[bool]:
    """Whether a claim is true with the seed of a step's scene, and with those that follow."""
    first = scene.config.seed
    return [claim.holds(scene.varied(seed=first + offset)) for offset in range(seeds)]


def holds(seeds: list[bool]) -> bool:
    """Whether that is enough: what is shown is true, and it was not luck."""
    return seeds[0] and sum(seeds) >= LEAST


def check_step(lesson: Lesson, number: int, step: Step) -> Iterator[Failure]:
    """What does not hold in a step: its pictures, its numbers, its claims, and what its knob leads to."""
    scene = Scene(step.config)
    try:
        figures = _shown(step, scene)
        before = lesson.steps[number - 2] if number > 1 else None
        for words in (*misread(step, scene, figures), *unfounded(step, before, scene), *unsettled(step, scene)):
            yield Failure(lesson.key, number, step.line, words)
        for claim in step.claims:
            found = seeds_that_hold(scene, claim)
            if not holds(found):
                shown = "" if found[0] else ", not with the seed shown"
                words = f"{claim.text}: holds with {sum(found)} of {len(found)} seeds{shown}; needs {LEAST}"
                yield Failure(lesson.key, number, step.line, words)
    except (EngineError, DataError, LookupError, TypeError) as error:
        yield Failure(lesson.key, number, step.line, f"cannot be shown: {error}")
        return
    for value in step.knob.values if step.knob else ():
        try:
            _shown(step, scene.varied(**{step.knob.name: value}))
        except (EngineError, DataError, LookupError, TypeError) as error:
            stop = f"{step.knob.name} = {settings()[step.knob.name].text(value)}"
            yield Failure(lesson.key, number, step.line, f"at {stop}, cannot be shown: {error}")


def _shown(step: Step, scene: Scene) -> dict[str, Figure]:
    """The pictures of a step, its quantities worked out beside them; as long as one is missing, NotThereError."""
    found = {name: drawn(name, scene, "light") for name in step.shows}
    figures = {name: figure for name, figure in found.items() if figure is not None}
    if len(figures) < len(found):
        raise NotThereError("a picture has nothing to show of this state")
    for quantity in step.quantities:
        quantity.written(scene)
    return figures


def check(found: Iterable[Lesson | Broken], say: Callable[[str], None] = lambda words: None) -> Report:
    """Look at every step of every lesson; `say` hears each failure at once, and each lesson that is through."""
    failures: list[Failure | Broken] = []
    counts = [0, 0, 0]
    for lesson in found:
        if isinstance(lesson, Broken):
            failures.append(lesson)
            say(str(lesson))
            continue
        here = [bad for number, step in enumerate(lesson.steps, 1) for bad in check_step(lesson, number, step)]
        failures.extend(here)
        for bad in here:
            say(str(bad))
        claims = sum(len(step.claims) for step in lesson.steps)
        counts = [counts[0] + 1, counts[1] + len(lesson.steps), counts[2] + claims]
        say(f"{lesson.key}: {_counted(len(lesson.steps), 'step')}, {_counted(claims, 'claim')}")
    return Report(counts[0], counts[1], counts[2], tuple(failures))
