"""The pictures of a report, by room: those of the pages, drawn without a browser."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from engine.runtime.errors import TooLargeError
from ui.figures.stills import still
from ui.pictures import drawn, pictures
from ui.scene import Scene

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
            yield Drawn(pictures()[name].title, Markup(still(figure, width, height)), width > HALF)
