"""A lesson on paper: one HTML file with pictures and questions, the answers at its end, and no network."""

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from data import DataError
from engine import EngineError
from ui.figures.copies import standalone
from ui.learn import cited, entries
from ui.lessons.lesson import Lesson, Step, Text
from ui.lessons.staging import given, stage
from ui.pictures import pictures, title_of

_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
#: Pixels of a picture on paper, and of a flat one.
TALL, FLAT = 380, 170


def handout(lesson: Lesson) -> str:
    """The lesson as HTML, its numbers those of its own states; a step that cannot be shown says why."""
    steps: list[dict] = []
    for number, step in enumerate(lesson.steps, 1):
        try:
            steps.append(_printed(number, step, not any(one["pictures"] for one in steps)))
        except (EngineError, DataError) as error:
            why = html(f"This step cannot be shown here: {str(error).rstrip('.')}.")
            steps.append({"number": number, "heading": step.heading, "text": why, "pictures": []})
    page = _TEMPLATES.get_template("handout.html")
    return page.render(lesson=lesson, paper=html(reference(lesson)), steps=steps)


def _printed(number: int, step: Step, first: bool) -> dict:
    """What the template needs of a step; the first with pictures brings their library."""
    ready = stage(*given(step, step.config), "light")
    drawings: list[tuple[str, Markup]] = []
    for name, figure in ready.figures.items():
        figure.layout["height"] = FLAT if pictures()[name].flat else TALL
        drawings.append((title_of(name, figure), Markup(standalone(figure, first and not drawings))))

    def filled(text: Text) -> str:
        return text.filled([ready.numbers[quantity.text] for quantity in text.quantities])

    found = {"number": number, "heading": step.heading, "text": html(filled(step.text)), "pictures": drawings}
    if step.asks is not None:
        found["question"] = html(step.asks.text)
        found["choices"] = [
            {"text": html(one.text), "right": one.right, "why": html(filled(one.why))} for one in step.asks.choices
        ]
    return found


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
