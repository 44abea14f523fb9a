"""A session as one HTML page: read without a network, without a script."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from data import Pool
from engine import Monitor, consensus_methods
from engine.choosing_k import find_criterion
from engine.choosing_method import known_criteria as method_criteria
from engine.monitor import SILENT
from ui.export.script import beside, script
from ui.learn.references import bibtex, cited
from ui.lessons.handout import html
from ui.pictures import pictures as pictures_by_name
from ui.pictures import which_method
from ui.report import pictures, tables
from ui.scene import AtOnce, Scene
from ui.session.run_config import RunConfig

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def gathered(config: RunConfig, monitor: Monitor = SILENT, methods: bool = False) -> Scene:
    """The scene of a session, as the command reports it; k is the criteria's where nobody chose and none is known.

    With `methods` every method is asked too.
    """
    scene = Scene(config, AtOnce(monitor))
    if not config.k:
        asked = scene.quick_look if len(scene.ensemble.microclusters) > 1 else None
        scene = scene.varied(k=scene.started_k)
    else:
        asked = None
    scene.get("consensus")
    if methods:
        scene.get("method_choice")
    return scene.with_given(asked=asked)


def report(scene: Scene) -> str:
    """The report as HTML; all words that came from outside are escaped. Which method, where anybody asked."""
    scene = scene.with_given(method_choice=scene.known("method_choice"))
    method = consensus_methods()[scene.consensus.method]
    return _TEMPLATES.get_template("report.html").render(
        scene=scene,
        method=method,
        tables=tables,
        draw={room: list(pictures.drawn_in(scene, names)) for room, names in pictures.ROOMS.items()},
        script=script(scene, beside(scene)),
        references=[(html(cited(key)), bibtex(key)) for key in cited_keys(scene)],
        words=summary(scene),
        which=which_method,
        html=html,
        sentence=lambda name: html(pictures_by_name()[name].sentence(scene)),
    )


def summary(scene: Scene) -> str:
    """The answer in two sentences."""
    made, result = scene.ensemble, scene.consensus
    title = consensus_methods()[result.method].title
    words = f"{title} puts {made.n_objects:,} objects into {result.n_clusters:,} clusters, by the votes of "
    words += f"{made.n_clusterings:,} base clusterings."
    if scene.truth is not None:
        rows = {title: cells for title, *cells in tables.score_rows(scene)}
        measure = tables.MEASURES[scene.config.measure]
        found, best, mean, sd = rows[measure]
        words += f" It scores {found} ({measure}) against the classes; the best base clustering {best}, their mean "
        words += f"{mean} (sd {sd})."
    return words


def cited_keys(scene: Scene) -> list[str]:
    """What a text that uses this answer should cite: the method, what made the base clusterings, the criteria for k."""
    keys = [consensus_methods()[scene.consensus.method].reference]
    if not isinstance(scene.source, Pool):
        keys.append(scene.making.made_by.reference)
    if scene.asked is not None:
        keys += [find_criterion(key).reference for key in scene.asked.curves]
    if scene.known("method_choice") is not None:
        keys += [one.reference for one in method_criteria().values()]
    return list(dict.fromkeys(key for key in keys if key))
