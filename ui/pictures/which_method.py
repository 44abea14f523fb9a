"""Pictures of a choice among methods: what all answers have in common, and the opinions they fall into."""

import numpy as np

from engine import consensus_methods
from ui.figures.spec import Figure
from ui.pictures.catalog import picture
from ui.pictures.objects import colors_of, dots
from ui.saying import counted
from ui.scene import Scene

#: How faint an object is that the answers put into different clusters.
FAINT = 0.15


def _shared(scene: Scene) -> str:
    """How many objects nine of ten methods put alike, and between which clusters most others shift."""
    chosen = scene.method_choice
    if chosen is None or chosen.common is None:
        return ""
    common, labels = chosen.common, chosen.rows[0].labels
    words = f"Nine of ten answers put **{common.core.mean():.0%}** of the objects where "
    words += f"{consensus_methods()[chosen.rows[0].method].title} does: these stand in full colour."
    shifting = np.flatnonzero(~common.core & (common.other >= 0))
    if not len(shifting):
        return words
    pairs = np.sort(np.stack([labels[shifting], common.other[shifting]]), axis=0)
    places, sizes = np.unique(pairs, axis=1, return_counts=True)
    one, other = places[:, sizes.argmax()] + 1
    return f"{words} {counted(len(shifting), 'object')} shift, most often between clusters {one} and {other}."


@picture("What all agree on", says=_shared)
def common_ground(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of the first method, those the answers do not agree on pale."""
    chosen = scene.method_choice
    if chosen is None or chosen.common is None:
        return None
    labels = chosen.rows[0].labels
    opacity = FAINT + (1 - FAINT) * np.where(chosen.common.core, 1.0, 0.5 * chosen.common.share)
    return dots(scene, labels, theme, colors=colors_of(scene, labels), opacity=opacity)


def _opinion(scene: Scene, place: int, theme: str) -> Figure | None:
    chosen = scene.method_choice
    if chosen is None or len(chosen.opinions.medoids) <= place:
        return None
    labels = chosen.rows[int(chosen.opinions.medoids[place])].labels
    return dots(scene, labels, theme, colors=colors_of(scene, labels), height=260)


def _said(place: int):
    def say(scene: Scene) -> str:
        chosen = scene.method_choice
        if chosen is None or len(chosen.opinions.medoids) <= place:
            return ""
        title = consensus_methods()[chosen.rows[int(chosen.opinions.medoids[place])].method].title
        return f"**{chosen.opinions.shares[place]:.0%}** of the answers lie around that of {title}."

    return say


@picture("The first opinion", says=_said(0))
def first_opinion(scene: Scene, theme: str) -> Figure | None:
    """The answer in the middle of the largest group of answers."""
    return _opinion(scene, 0, theme)


@picture("A second opinion", says=_said(1))
def second_opinion(scene: Scene, theme: str) -> Figure | None:
    """The answer in the middle of the second group, where there is one."""
    return _opinion(scene, 1, theme)


@picture("A third opinion", says=_said(2))
def third_opinion(scene: Scene, theme: str) -> Figure | None:
    """The answer in the middle of the third group, where there is one."""
    return _opinion(scene, 2, theme)
