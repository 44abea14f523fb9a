"""What a picture is, and the list of all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ui.figures.spec import Figure
from ui.lessons.scene import Scene


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
    """

    name: str
    title: str
    draw: Callable[[Scene, str], Figure]
    sentence: str
    flat: bool = False


_pictures: dict[str, Picture] = {}


def pictures() -> Mapping[str, Picture]:
    """All of them by name."""
    return _pictures


def picture(
    title: str, flat: bool = False
) -> Callable[[Callable[[Scene, str], Figure]], Callable[[Scene, str], Figure]]:
    """Enter a function into the list, under its own name."""

    def enter(draw: Callable[[Scene, str], Figure]) -> Callable[[Scene, str], Figure]:
        name = draw.__name__  # type: ignore[attr-defined]
        _pictures[name] = Picture(name, title, draw, (draw.__doc__ or "").split("\n")[0], flat)
        return draw

    return enter


def drawn(name: str, scene: Scene, theme: str) -> Figure:
    """A picture of a scene."""
    return _pictures[name].draw(scene, theme)


def title_of(name: str, figure: Figure) -> str:
    """What stands above a picture: what the figure itself is called, else the picture."""
    return figure.layout["meta"].get("title", _pictures[name].title)
