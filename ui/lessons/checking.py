"""Whether what lessons say is true: every state can be shown, and every claim holds over several seeds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from data import DataError
from engine import EngineError
from ui.lessons.claims import Claim
from ui.lessons.lesson import Broken, Lesson, Step
from ui.lessons.numbers import misread, unfounded
from ui.pictures import drawn
from ui.scene import Scene

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
    """What does not hold in a step: its pictures, its numbers, its claims."""
    scene = Scene(step.config)
    try:
        figures = {name: drawn(name, scene, "light") for name in step.shows}
        before = lesson.steps[number - 2] if number > 1 else None
        for words in (*misread(step, scene, figures), *unfounded(step, before, scene)):
            yield Failure(lesson.key, number, step.line, words)
        for claim in step.claims:
            found = seeds_that_hold(scene, claim)
            if not holds(found):
                shown = "" if found[0] else ", not with the seed shown"
                words = f"{claim.text}: holds with {sum(found)} of {len(found)} seeds{shown}; needs {LEAST}"
                yield Failure(lesson.key, number, step.line, words)
    except (EngineError, DataError, LookupError, TypeError) as error:
        yield Failure(lesson.key, number, step.line, f"cannot be shown: {error}")


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
