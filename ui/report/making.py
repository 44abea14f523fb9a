"""A session as one HTML page: read without a network, without a script."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from data import Pool
from engine import consensus_methods
from engine.choosing_k import find_criterion
from engine.generators import known_generators
from ui.learn.references import bibtex, cited
from ui.lessons.handout import html
from ui.report import pictures, tables
from ui.report.session import Session

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def report(session: Session) -> str:
    """The report as HTML; all words that came from outside are escaped.

    Parameters
    ----------
    session : Session

    Returns
    -------
    str
    """
    method = consensus_methods()[session.result.method]
    return _TEMPLATES.get_template("report.html").render(
        session=session,
        method=method,
        tables=tables,
        draw={name: list(getattr(pictures, name)(session)) for name in _DRAWN},
        references=[(html(cited(key)), bibtex(key)) for key in cited_keys(session)],
        words=summary(session),
    )


_DRAWN = ("objects", "ensemble", "scores", "matrix", "tree", "silhouettes", "criteria")


def summary(session: Session) -> str:
    """The answer in two sentences."""
    made, result = session.ensemble, session.result
    title = consensus_methods()[result.method].title
    words = f"{title} puts {made.n_objects:,} objects into {result.n_clusters:,} clusters, by the votes of "
    words += f"{made.n_clusterings:,} base clusterings."
    if session.truth is not None:
        rows = {title: cells for title, *cells in tables.score_rows(session)}
        measure = tables.MEASURES[session.config.measure]
        found, best, mean, sd = rows[measure]
        words += f" It scores {found} ({measure}) against the classes; the best base clustering {best}, their mean "
        words += f"{mean} (sd {sd})."
    return words


def cited_keys(session: Session) -> list[str]:
    """What a text that uses this answer should cite: the method, what made the base clusterings, the criteria for k."""
    keys = [consensus_methods()[session.result.method].reference]
    if not isinstance(session.source, Pool):
        keys.append(known_generators()[session.config.generator].reference)
    if session.chosen is not None:
        keys += [find_criterion(key).reference for key in session.chosen.curves]
    return list(dict.fromkeys(key for key in keys if key))
