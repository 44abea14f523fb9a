"""Objects in the plane, dots or their density: they can be picked, and a bar above every page says which are.

Also the answer beside the mechanism: the partition that a page's settings come to, small, and its score.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ui.figures import scatter
from ui.figures.numbering import carried, number, object_keys, place_of
from ui.figures.objects.density import MOST_DOTS, density
from ui.figures.style import painted
from ui.outside import markdown
from ui.pictures import drawn
from ui.pictures.objects import colors_of, words_of_answer
from ui.saying import counted
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.selection import clear, origin, pick
from ui.session.state import theme
from ui.widgets.chart import chart
from ui.widgets.terms import note, say

_WINDOW = "_density_window"
_DOES = "_density_box"
_SHOWN = "_shown_labels"
#: Pixels of a partition that stands beside something else.
SMALL_HEIGHT = 180


def dots(scene: Scene, name: str, key: str, words: str, height: int | None = None) -> bool:
    """Draw a picture of objects; what is picked in it comes "from `words`". False while there is nothing to draw."""
    figure = drawn(name, scene, theme())
    if figure is None:
        return False
    if height is not None:
        figure.update_layout(height=height)
    points = scene.placed[0]
    if len(points) <= MOST_DOTS:
        picking_chart(figure, key, words, scene.mark)
        return True
    figure.update_layout(dragmode="select")
    take = partial(_take, key, points, words, _plane(scene.config))
    chart(figure, key, scene.mark, on_select=take, selection_mode="box")
    if not scene.mark:
        _switch(scene, key)
    return True


def _switch(scene: Scene, key: str) -> None:
    """What a box does, and the way back to all objects."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "A box drawn in the picture",
            ["zooms in", "picks"],
            default="zooms in",
            key=f"{_DOES}_{key}",
            persist_state="session",
            label_visibility="collapsed",
        )
        if scene.extent is not None:
            st.button("Show all", key=f"{_WINDOW}_{key}", on_click=_forget, icon=":material/zoom_out_map:")
        note("A box drawn in the picture " + _does(key) + ".")


def _does(key: str) -> str:
    return st.session_state.get(f"{_DOES}_{key}") or "zooms in"


def window(chosen: RunConfig) -> tuple[float, ...] | None:
    """The part of the plane that all pictures of a data set show; None: all of it."""
    plane, shown = st.session_state.get(_WINDOW, ((), None))
    return shown if plane == _plane(chosen) else None


def _plane(chosen: RunConfig) -> tuple:
    """What decides the places of objects, for all but labels alone."""
    return chosen.data, chosen.labelled, chosen.scaling, chosen.view


def _forget() -> None:
    st.session_state.pop(_WINDOW, None)


def _take(key: str, points: np.ndarray, words: str, plane: tuple) -> None:
    """Zoom into the box, or pick what stands in it."""
    boxes = st.session_state[key].selection.box
    if not boxes:
        return
    (left, right), (bottom, top) = (sorted(boxes[0][axis]) for axis in "xy")
    if _does(key) == "zooms in":
        if right > left and top > bottom:
            st.session_state[_WINDOW] = plane, (left, right, bottom, top)
        return
    x, y = points.T
    pick(np.flatnonzero((x >= left) & (x <= right) & (y >= bottom) & (y <= top)), words)


def picking_chart(figure, key: str, words: str, mark: str = "") -> None:
    """A scatter whose points can be picked by a click, or by drawing a loop around them."""
    figure.update_layout(dragmode="lasso", clickmode="event+select")
    chart(figure, key, mark, on_select=lambda: _take_points(key, words), selection_mode=("points", "lasso", "box"))


def _take_points(key: str, words: str) -> None:
    """Pick what plotly reports: the objects in the points' customdata."""
    points = st.session_state[key].selection.points
    objects = [place_of(point) for point in points if "customdata" in point]
    pick(objects, words)


def bar(scene: Scene) -> None:
    """What is picked, and the way out: above every page, where one sees it."""
    objects = scene.picked
    if objects is None:
        return
    source = scene.source_if_here
    if source is not None and objects[-1] >= source.n_objects:  # a link may say anything
        said = f"Picked: {counted(len(objects), 'object')}, not all of which these data have"
    else:
        shown = ", ".join(markdown(str(key)) for key in object_keys(objects[:4], scene.identifiers))
        shown += ", ..." if len(objects) > 4 else ""
        said = f"Picked: {counted(len(objects), 'object')} ({shown}) from {markdown(origin())}"
    with st.container(horizontal=True, vertical_alignment="center", key="picked_bar"):
        note(said, width="stretch")
        st.button("Clear", key="clear_selection", on_click=clear, width="content")


def pick_node(key: str, rows: Mapping[str, np.ndarray]) -> int | None:
    """Pick the objects of the cluster that was clicked in a tree of partitions; of a ring its row, and None else."""
    points = [one for one in st.session_state[key].selection.points if "customdata" in one]
    where = carried(points[0]) if points else []
    if len(where) == 2:
        name, labels = list(rows.items())[where[0]]
        pick(np.flatnonzero(labels == where[1]), f"cluster {number(where[1])} of {name}")
    return where[0] if len(where) == 1 else None


def answer(scene: Scene, labels: np.ndarray, of: str, key: str, height: int = SMALL_HEIGHT) -> None:
    """Draw a partition (N,) in the colours it has on every page, its score above it; `of` says what answers."""
    if scene.placed is None:
        return
    say(f"**The answer** of {of}: {words_of_answer(scene, labels)}")
    remember_colors(scene, painted(labels, colors_of(scene, labels)))
    small(scene, labels, key, height)


def small(scene: Scene, labels: np.ndarray, key: str, height: int = SMALL_HEIGHT) -> None:
    """A partition (N,), without numbers along its axes; objects that it does not label are grey."""
    points, _, equal = scene.placed
    options = {"colors": colors_of(scene, labels), "truth": scene.truth, "selected": scene.picked_mask}
    shaded = len(points) > MOST_DOTS
    draw = partial(density, extent=scene.extent) if shaded else partial(scatter, remarks=False)
    figure = draw(points, labels, theme(), equal=equal, height=height, **options)
    figure.update_xaxes(showticklabels=False)
    figure.update_yaxes(showticklabels=False)
    if not shaded:
        figure.layout["margin"] |= {"t": 4}
    chart(figure, key, scene.mark)


def remember_colors(scene: Scene, colors: Any) -> None:
    """Note the colours (N,) in which objects are shown: without classes, clusters keep them when they change."""
    if scene.truth is None:
        st.session_state[_SHOWN] = (scene.config.data, scene.config.labelled), colors


def earlier(chosen: RunConfig) -> Any:
    """The colours (N,) in which objects of a data set were shown last; None before."""
    objects, colors = st.session_state.get(_SHOWN, ((), None))
    return colors if objects == (chosen.data, chosen.labelled) else None
