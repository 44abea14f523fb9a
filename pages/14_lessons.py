"""Lessons: what would you like to understand?"""

from ui.frame.shell import present
from ui.lessons import panels
from ui.lessons.library import kept_to_step, present_lesson, present_number
from ui.lessons.panels import overview, step
from ui.scene import Scene
from ui.widgets.terms import inform


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    lesson = present_lesson(scene.config)
    if lesson is not None:
        if scene.config.notes:
            panels.second_window(lesson, present_number(lesson, scene.config))
            return
        now = kept_to_step(lesson, scene.config)
        step(lesson, now)
        panels.tell_second_window(lesson, present_number(lesson, now))
        return
    if scene.config.lesson:
        inform(f"There is no lesson called {scene.config.lesson!r} here. These are there.")
    overview()


present(page)
