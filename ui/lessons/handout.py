"""A lesson on paper: one HTML file with pictures and questions, the answers at its end, and no network."""

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from ui.figures.copies import standalone
from ui.learn import cited, entries
from ui.lessons.lesson import Lesson, Step, Text
from ui.pictures import drawn, pictures, title_of
from ui.scene import Scene

_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
#: Pixels of a picture on paper, and of a flat one.
TALL, FLAT = 380, 170


def handout(lesson: Lesson) -> str:
    """The lesson as HTML, its numbers those of its own states."""
    first, steps = True, []
    for number, step in enumerate(lesson.steps, 1):
        scene, drawings = Scene(step.config), []
        for name in step.shows:
            figure = drawn(name, scene, "light")
            figure.layout["height"] = FLAT if pictures()[name].flat else TALL
            drawings.append((title_of(name, figure), Markup(standalone(figure, first))))
            first = False
        steps.append(_printed(number, step, scene, drawings))
    page = _TEMPLATES.get_template("handout.html")
    return page.render(lesson=lesson, paper=html(reference(lesson)), steps=steps)


def _printed(number: int, step: Step, scene: Scene, drawings: list) -> dict:
    """What the template needs of a step."""
    found = {"number": number, "heading": step.heading, "text": html(filled(step.text, scene)), "pictures": drawings}
    if step.asks is not None:
        found["question"] = html(step.asks.text)
        found["choices"] = [
            {"text": html(one.text), "right": one.right, "why": html(filled(one.why, scene))}
            for one in step.asks.choices
        ]
    return found


def filled(text: Text, scene: Scene) -> str:
    """A text with the numbers of a scene."""
    return text.filled([quantity.written(scene) for quantity in text.quantities])


def reference(lesson: Lesson) -> str:
    """What to read: an entry of the project's references, or the lesson's own words."""
    return cited(lesson.paper) if lesson.paper in entries() else lesson.paper


def html(text: str) -> Markup:
    """The little Markdown that lessons use, everything else escaped.

    >>> html("a *b* <i> **c**")
    Markup('a <em>b</em> &lt;i&gt; <strong>c</strong>')
    """
    safe = str(escape(text.strip()))
    for pattern, tag in ((r"\*\*(.+?)\*\*", "strong"), (r"\*(.+?)\*", "em"), (r"`(.+?)`", "code")):
        safe = re.sub(pattern, rf"<{tag}>\1</{tag}>", safe, flags=re.DOTALL)
    return Markup(re.sub(r"\n\s*\n", "<br><br>", safe))
