"""A session as one HTML page, read without a network, without a script, and the pictures in it, by room; or as PDF."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from data import Pool
from engine import Monitor, consensus_methods
from engine.choosing_k import find_criterion
from engine.choosing_method import known_criteria as method_criteria
from engine.consensus import check_n_clusters
from engine.monitor import SILENT
from engine.runtime.errors import EngineError, TooLargeError
from ui.export.script import beside, script
from ui.figures.stills import still
from ui.learn import bibtex, cited
from ui.lessons.handout import html
from ui.pictures import drawn, methods, title_of
from ui.pictures import pictures as pictures_by_name
from ui.report import tables
from ui.saying import counted
from ui.scene import AtOnce, Scene
from ui.session.run_config import RunConfig

WIDE, HALF = 720, 470
#: Dots drawn one by one, and base clusterings that are compared.
_DOTS, _COMPARED = 5_000, 400
#: What stands in which part of a report: pictures by name, with their height where it is another than their own.
ROOMS: dict[str, Sequence[tuple[str, int | None]]] = {
    "objects": (("truth", 380), ("consensus", 380)),
    "ensemble": (("clusters_of_each", 300), ("agreement", 420)),
    "scores": (("strip", 140), ("confusion", None)),
    "matrix": (("pairs_by_cluster", None),),
    "tree": (("dendrogram", None),),
    "silhouettes": (("silhouettes", None),),
    "criteria": (("criteria", None),),
    "common": (("common_ground", 380),),
    "opinions": (("first_opinion", 260), ("second_opinion", 260), ("third_opinion", 260)),
}
#: Two of these stand side by side.
_HALVES = {"truth", "consensus", "clusters_of_each", "agreement", "first_opinion", "second_opinion", "third_opinion"}


class Drawn(NamedTuple):
    """A figure as SVG, what stands above it, and whether it takes the paper's whole width."""

    caption: str
    svg: Markup
    wide: bool


def drawn_in(scene: Scene, names: Sequence[tuple[str, int | None]]) -> Iterator[Drawn]:
    """The pictures of a room, as far as there is something to draw."""
    scene = scene.with_given(most_dots=_DOTS, criteria=scene.asked)
    for name, height in names:
        if name == "agreement" and not 1 < scene.ensemble.n_clusterings <= _COMPARED:
            continue
        if name == "criteria" and (scene.asked is None or len(scene.asked.ks) < 2):
            continue
        if name.endswith("_opinion") and (scene.method_choice is None or len(scene.method_choice.opinions.medoids) < 2):
            continue
        try:
            figure = drawn(name, scene, "light")
        except TooLargeError:
            continue  # the rest of the report is worth having
        if figure is not None:
            alone = name == "consensus" and scene.truth is None
            width = HALF if name in _HALVES and not alone else WIDE
            yield Drawn(title_of(name, figure), Markup(still(figure, width, height)), width > HALF)


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def gathered(config: RunConfig, monitor: Monitor = SILENT, methods: bool = False) -> Scene:
    """The scene of a session, as the command reports it; k is the criteria's where nobody chose and none is known.

    With `methods` every method is asked too.
    """
    scene = Scene(config, AtOnce(monitor))
    finds_k = consensus_methods()[config.method].finds_k
    if config.k and not finds_k:
        check_n_clusters(config.k, scene.ensemble)
    if not config.k and not finds_k:
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
        draw={room: list(drawn_in(scene, names)) for room, names in ROOMS.items()},
        script=script(scene, beside(scene)),
        references=[(html(cited(key)), bibtex(key)) for key in cited_keys(scene)],
        words=summary(scene),
        which=methods,
        counted=counted,
        html=html,
        sentence=lambda name: html(pictures_by_name()[name].sentence(scene)),
    )


def summary(scene: Scene) -> str:
    """The answer in two sentences."""
    made, result = scene.ensemble, scene.consensus
    title = consensus_methods()[result.method].title
    words = f"{title} puts {counted(made.n_objects, 'object')} into {counted(result.n_clusters, 'cluster')}, "
    words += f"by the votes of {counted(made.n_clusterings, 'base clustering')}."
    if scene.truth is not None:
        rows = {title: cells for title, *cells in tables.score_rows(scene)}
        measure = tables.MEASURES[scene.config.measure]
        found, best, mean, sd = rows[measure]
        words += f" It scores {found} ({measure}) against the classes; "
        several = f"the best base clustering {best}, their mean {mean} (sd {sd})."
        words += several if made.n_clusterings > 1 else f"its only base clustering {best}."
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


_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_SECONDS = 120


@cache
def browser() -> str | None:
    """Where a Chromium is; None without one."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def printed(page: str) -> bytes:
    """A page as PDF, from HTML that needs no network; EngineError without a Chromium, or if it fails."""
    program = browser()
    if program is None:
        raise EngineError("a report as PDF needs Chromium or Chrome on the path. Open the HTML and print it instead")
    with tempfile.TemporaryDirectory(prefix="concord-") as aside:
        source, out = Path(aside) / "report.html", Path(aside) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [
            f"--user-data-dir={aside}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={out}",
            source.as_uri(),
        ]
        try:
            subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise EngineError(f"Chromium did not print the report within {_SECONDS} seconds") from error
        if not out.is_file():
            raise EngineError("Chromium could not print the report. Open the HTML and print it instead")
        return out.read_bytes()
