"""What a picture is, and the list of all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

import numpy as np

from engine.runtime.discovery import functions
from ui.figures.spec import Figure
from ui.scene import Scene

Draw = Callable[[Scene, str], Figure | None]
D = TypeVar("D", bound=Callable[..., Figure | None])


@dataclass(frozen=True)
class Reading:
    """How the number of a fact is read off a figure: None where it does not stand there.

    `read` takes the figure, the scene of the quantity and what stands in its brackets; at other values of the settings
    `along` the figure's axis the number stands there, too.
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
    """A figure by name; `draw` gives None where there is nothing to draw, or not yet.

    `what` it shows, whatever the scene; `sentence`: what it says of a scene, in Markdown, the same on a page, in a
    lesson and in a report; `flat`: it stands below another one; `reads`: facts whose numbers a text beside it must
    repeat; `unringed`: its title where no classes are known, and so nothing is ringed.
    """

    name: str
    title: str
    draw: Draw
    what: str
    sentence: Callable[[Scene], str]
    flat: bool = False
    reads: Mapping[str, Reading] = field(default_factory=dict)
    unringed: str = ""


@cache
def pictures() -> Mapping[str, Picture]:
    """All of them by name, found in the files of this folder."""
    found = functions("ui.pictures", lambda draw: hasattr(draw, "picture"))
    return {name: draw.picture for name, draw in found.items()}  # type: ignore[attr-defined]


def picture(
    title: str,
    *,
    says: Callable[[Scene], str] | None = None,
    flat: bool = False,
    reads: Mapping[str, Reading] | None = None,
    ringed: str = "",
) -> Callable[[D], D]:
    """Make a function a picture, under its own name; `says` is the sentence of a scene, `ringed` whom it rings."""

    def enter(draw: D) -> D:
        name = draw.__name__  # type: ignore[attr-defined]
        what = (draw.__doc__ or "").split("\n")[0]
        whole = f"{title}, ringed {ringed}" if ringed else title
        draw.picture = Picture(  # type: ignore[attr-defined]
            name, whole, draw, what, says or (lambda scene: what), flat, reads or {}, title if ringed else ""
        )
        return draw

    return enter


def drawn(name: str, scene: Scene, theme: str) -> Figure | None:
    """A picture of a scene."""
    figure = pictures()[name].draw(scene, theme)
    if figure is not None and pictures()[name].unringed and scene.truth is None:
        figure.layout["meta"]["title"] = pictures()[name].unringed
    return figure


def title_of(name: str, figure: Figure) -> str:
    """What stands above a picture: what the figure itself is called, else the picture."""
    return figure.layout["meta"].get("title", pictures()[name].title)
