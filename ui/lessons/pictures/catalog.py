"""What a picture is, and the list of all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ui.figures.spec import Figure
from ui.lessons.scene import Scene


@dataclass(frozen=True)
class Reading:
    """How the number of a fact is read off a figure: None where it does not stand there.

    Attributes
    ----------
    read : callable
        From the figure, the scene of the quantity and what stands in its brackets to the number.
    along : tuple of str
        Settings that the figure's axis runs over: at other values of these the number stands there, too.
    """

    read: Callable[[Figure, Scene, tuple[str, ...]], float | None]
    along: tuple[str, ...] = ()


def on_line(figure: Figure, name: str, x: float) -> float | None:
    """The height of a line over a place on the axis; None where no point of it stands."""
    for trace in figure.data:
        if trace.get("name") == name:
            there = np.flatnonzero(np.isclose(np.asarray(trace["x"], float), x))
            return float(np.asarray(trace["y"], float)[there[0]]) if len(there) else None
    return None


@dataclass(frozen=True)
class Picture:
    """A figure by name.

    Attributes
    ----------
    name : str
    title : str
        Above it.
    draw : callable
        From a scene and a theme to the figure.
    sentence : str
        What it shows.
    flat : bool
        It is wide and low, and stands below another one.
    reads : mapping of str to Reading
        The facts whose numbers a reader finds in it: a text beside it must say the same.
    """

    name: str
    title: str
    draw: Callable[[Scene, str], Figure]
    sentence: str
    flat: bool = False
    reads: Mapping[str, Reading] = field(default_factory=dict)


_pictures: dict[str, Picture] = {}


def pictures() -> Mapping[str, Picture]:
    """All of them by name."""
    return _pictures


def picture(
    title: str, flat: bool = False, reads: Mapping[str, Reading] | None = None
) -> Callable[[Callable[[Scene, str], Figure]], Callable[[Scene, str], Figure]]:
    """Enter a function into the list, under its own name."""

    def enter(draw: Callable[[Scene, str], Figure]) -> Callable[[Scene, str], Figure]:
        name = draw.__name__  # type: ignore[attr-defined]
        _pictures[name] = Picture(name, title, draw, (draw.__doc__ or "").split("\n")[0], flat, reads or {})
        return draw

    return enter


def drawn(name: str, scene: Scene, theme: str) -> Figure:
    """A picture of a scene."""
    return _pictures[name].draw(scene, theme)


def title_of(name: str, figure: Figure) -> str:
    """What stands above a picture: what the figure itself is called, else the picture."""
    return figure.layout["meta"].get("title", _pictures[name].title)
