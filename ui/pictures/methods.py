"""Pictures of what several methods answer on one ensemble."""

import numpy as np

from engine.metrics import MEASURES
from ui.figures import agreement_figure, flow_figure, scatter, small_multiples
from ui.figures.spec import Figure
from ui.figures.style import alike, painted
from ui.outside import html
from ui.pictures.catalog import picture
from ui.saying import three_digits
from ui.scene import Scene

#: Answers side by side.
_MOST = 12


def titles_of(scene: Scene, keys: tuple[str, ...] | None = None) -> list[str]:
    """What answers are called in a figure, by default all of them: names of columns come from outside."""
    return [html(title) for title in scene.answers.titles(keys)]


def _colors(scene: Scene) -> dict[str, np.ndarray]:
    """Colours of the clusters of every answer: after the classes, else the first answer."""
    found = scene.answers.labels
    reference = next(iter(found.values())) if scene.truth is None else scene.truth
    return {key: alike(labels, reference) for key, labels in found.items()}


@picture("Who agrees with whom? (NMI, max)")
def method_agreement(scene: Scene, theme: str) -> Figure | None:
    """How alike the answers of any two methods are."""
    found = scene.answers
    return found and agreement_figure(found.agreement, titles_of(scene), theme)


@picture("Their answers")
def answers(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster in the answer of every method, with its score."""
    found = scene.answers
    if found is None or scene.placed is None:
        return None
    points, _, equal = scene.placed
    titles = titles_of(scene)
    if scene.truth is not None:
        scores = [three_digits(scene.score(labels)) for labels in found.labels.values()]
        titles = [f"{title}, {score}" for title, score in zip(titles, scores, strict=True)]
    options = {"colors": list(_colors(scene).values())[:_MOST], "columns": 4, "equal": equal, "panel_height": 140}
    options["selected"] = scene.picked_mask
    panels = list(found.labels.values())[:_MOST]
    figure = small_multiples(points, panels, titles[:_MOST], theme, **options)
    if scene.truth is not None:
        figure.layout["meta"]["title"] = f"Their answers, each with its {MEASURES[scene.config.measure]}"
    return figure


def paired(scene: Scene) -> tuple[list[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """The two answers looked at, and their colours: those of the first, and of the second after it."""
    both = [scene.answers.labels[key] for key in scene.two_methods]
    first = _colors(scene)[scene.two_methods[0]]
    return both, (first, alike(both[1], painted(both[0], first)))


def differing(scene: Scene) -> np.ndarray:
    """Which objects have another colour in one answer than in the other: (N,) bool."""
    one, other = (painted(labels, colors) for labels, colors in zip(*paired(scene), strict=True))
    return one != other


@picture("Where two methods differ: the first")
def differs_first(scene: Scene, theme: str) -> Figure | None:
    """The first of two answers, only those objects in colour in which they differ."""
    return _differs(scene, 0, theme)


@picture("Where two methods differ: the second")
def differs_second(scene: Scene, theme: str) -> Figure | None:
    """The second of two answers, only those objects in colour in which they differ."""
    return _differs(scene, 1, theme)


def _differs(scene: Scene, place: int, theme: str) -> Figure | None:
    if scene.answers is None or len(scene.answers.labels) < 2 or scene.placed is None:
        return None
    points, axes, equal = scene.placed
    both, colors = paired(scene)
    shown = np.where(differing(scene), both[place], -1)
    options = {"colors": colors[place], "axis_names": axes, "equal": equal, "height": 320}
    return scatter(points, shown, theme, title=titles_of(scene, scene.two_methods)[place], **options)


@picture("Who goes where?")
def flows(scene: Scene, theme: str) -> Figure | None:
    """Which objects go where from one answer to another."""
    if scene.answers is None or len(scene.answers.labels) < 2:
        return None
    both, colors = paired(scene)
    options = {"titles": tuple(titles_of(scene, scene.two_methods)), "colors": colors, "height": 300}
    return flow_figure(both[0], both[1], theme, **options)
