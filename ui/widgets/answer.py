"""The answer beside the mechanism: the partition that a page's settings come to, small, and its score."""

import numpy as np

from ui.figures import scatter
from ui.figures.style import painted
from ui.pictures.objects import colors_of, words_of_answer
from ui.scene import Scene
from ui.session.state import theme
from ui.widgets.around import remember_colors
from ui.widgets.chart import chart
from ui.widgets.terms import say

HEIGHT = 180


def answer(scene: Scene, labels: np.ndarray, of: str, key: str, height: int = HEIGHT) -> None:
    """Draw a partition (N,) in the colours it has on every page, its score above it; `of` says what answers."""
    if scene.placed is None:
        return
    say(f"**The answer** of {of}: {words_of_answer(scene, labels)}")
    remember_colors(scene, painted(labels, colors_of(scene, labels)))
    small(scene, labels, key, height)


def small(scene: Scene, labels: np.ndarray, key: str, height: int = HEIGHT) -> None:
    """A partition (N,), without numbers along its axes; objects that it does not label are grey."""
    points, _, equal = scene.placed
    options = {"colors": colors_of(scene, labels), "truth": scene.truth, "selected": scene.picked_mask}
    figure = scatter(points, labels, theme(), remarks=False, equal=equal, height=height, **options)
    figure.update_xaxes(showticklabels=False)
    figure.update_yaxes(showticklabels=False)
    figure.layout["margin"] |= {"t": 4}
    chart(figure, key, scene.mark)
