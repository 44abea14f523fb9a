"""Jobs: a step with its pictures and numbers, ready to be shown; and the step after it, made while one reads."""

from collections.abc import Mapping
from dataclasses import dataclass

from data.records import Content
from engine import Monitor
from engine.monitor import SILENT
from ui.compute.jobs import Job
from ui.compute.work import release, start
from ui.figures.spec import Figure
from ui.lessons.lesson import Step, read_quantity
from ui.pictures import drawn
from ui.scene import AtOnce, Scene
from ui.scene.data_set import NotThereError
from ui.session.run_config import RunConfig, from_query

#: The slots of the step that is shown, and of the one that is made ahead.
SHOWN, AHEAD = "lesson_step", "lesson_ahead"


@dataclass(frozen=True, eq=False)
class Staged:
    """Figures of a step in one theme, by name, and its numbers as they are written."""

    figures: Mapping[str, Figure]
    numbers: Mapping[str, str]


def stage(
    query: Mapping[str, str],
    source: Content,
    shows: tuple[str, ...],
    quantities: tuple[str, ...],
    theme: str,
    monitor: Monitor = SILENT,
) -> Staged:
    """What a step shows in a state; `source` is its data set, which decides the result with the query."""
    scene = Scene(from_query(query)[0], AtOnce(monitor), source_if_here=source)
    numbers = {}
    for done, text in enumerate(quantities):
        monitor.tick("measuring", done, len(quantities) + len(shows))
        numbers[text] = read_quantity(text).written(scene)
    figures = {}
    for done, name in enumerate(shows):
        monitor.tick("drawing", len(quantities) + done, len(quantities) + len(shows))
        figure = drawn(name, scene, theme)
        if figure is None:
            raise NotThereError(f"{scene.title} has nothing that the picture {name!r} could show")
        figures[name] = figure
    return Staged(figures, numbers)


def staged(step: Step, config: RunConfig, theme: str, slot: str = SHOWN) -> Job:
    """Job: Staged, for the step's own state or for one in which its knob was moved."""
    return start(stage, *given(step, config), theme, slot=slot)


def given(step: Step, config: RunConfig) -> tuple[Mapping[str, str], Content, tuple[str, ...], tuple[str, ...]]:
    """What `stage` is told of a step in a state."""
    left_out = {"lesson", "step", "lecture"}
    query = {name: text for name, text in config.to_query().items() if name not in left_out}
    return query, Scene(config).source, step.shows, tuple(quantity.text for quantity in step.quantities)


def ahead(step: Step | None, theme: str) -> None:
    """Begin with the step that follows; without one, let go of what was begun."""
    if step is None:
        release(AHEAD)
    else:
        staged(step, step.config, theme, AHEAD)
