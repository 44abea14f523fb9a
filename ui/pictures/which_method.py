"""Pictures of a choice among methods: what all answers have in common, and the opinions they fall into."""

import numpy as np

from engine import consensus_methods
from engine.choosing_method import ChosenMethod, known_criteria
from engine.statistics.differences import Interval
from ui.figures.spec import Figure
from ui.pictures.catalog import picture
from ui.pictures.objects import colors_of, dots
from ui.saying import counted
from ui.scene import Scene

#: What stands above and below the table of methods.
LOST = "Mean ARI below the best method, on the sets of the league without the one at hand."
Z_VALUES = (
    "z: an index as a z-value among 200 partitions of the same k and sizes that know nothing of the answer; 0 is "
    "chance. No index without a truth chooses better than the record of the league."
)
ONE_OPINION = "The answers form one group: no second opinion stands out from chance."
#: How faint an object is that the answers put into different clusters.
FAINT = 0.15


def verdict(found: ChosenMethod) -> str:
    """The one we would take."""
    if found.method is None:
        return "No method: nothing shows that there is anything to find."
    return f"We would take {consensus_methods()[found.rows[0].method].title}."


def several(found: ChosenMethod) -> str:
    """What two or three groups of answers are; empty for one."""
    groups = len(found.opinions.medoids)
    return "" if groups < 2 else f"**{'Two' if groups == 2 else 'Three'} honest answers**, not a mean of both"


def _ranked(rank: Interval) -> str:
    return f"{rank.mean:.1f} ({rank.low:.1f} to {rank.high:.1f})"


def columns_of(found: ChosenMethod) -> dict[str, list]:
    """The table of methods by column: the record of each in the league, and what can be said without a truth."""
    titles = {key: one.title for key, one in known_criteria().items() if one.index}
    there = [key for key in titles if any(key in row.calibrated for row in found.rows)]
    return {
        "method": [consensus_methods()[row.method].title for row in found.rows],
        "lost in the league": [row.expected_loss for row in found.rows],
        "95 %": [f"{row.interval[0]:.3f} to {row.interval[1]:.3f}" for row in found.rows],
        "rank there": ["" if row.rank is None else _ranked(row.rank) for row in found.rows],
        "agreement": [row.agreement for row in found.rows],
        "stability": [row.stability for row in found.rows],
        **{f"z: {titles[key]}": [row.calibrated.get(key, np.nan) for row in found.rows] for key in there},
        "seconds": [row.seconds for row in found.rows],
        **{f"raw: {titles[key]}": [row.raw.get(key, np.nan) for row in found.rows] for key in there},
    }


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
