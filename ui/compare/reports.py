"""A whole comparison as one HTML file that needs nothing else: table, figures, study, records."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from engine import __version__
from ui.figures.copies import standalone

_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)


def report(
    title: str, words: Sequence[str], table: str, figures: Sequence[tuple[str, Any]], study: str, csv: str
) -> bytes:
    """The report as bytes: paragraphs, figures with captions, and `table`, which is HTML; all other text is escaped."""
    drawn = [(caption, Markup(standalone(figure, first=place == 0))) for place, (caption, figure) in enumerate(figures)]
    template = _TEMPLATES.get_template("report.html")
    text = template.render(
        title=title, words=words, table=Markup(table), figures=drawn, study=study, csv=csv, version=__version__
    )
    return text.encode()
