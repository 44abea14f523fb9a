"""Pictures of what several methods answer: side by side, in common, and in the opinions they fall into."""

import numpy as np

from engine import consensus_methods
from engine.choosing_method import ChosenMethod, known_criteria
from engine.metrics import MEASURES
from engine.statistics import Interval
from ui.figures import agreement_figure, flow_figure, scatter, small_multiples
from ui.figures.numbering import on_hover
from ui.figures.spec import Figure
from ui.figures.style import alike, painted
from ui.outside import html
from ui.pictures.catalog import picture
from ui.pictures.objects import colors_of, dots
from ui.saying import counted, three_digits
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
    title, grey = titles_of(scene, scene.two_methods)[place], "in the same cluster of both"
    return on_hover(scatter(points, shown, theme, title=title, grey=grey, **options), scene.identifiers)


@picture("Who goes where?")
def flows(scene: Scene, theme: str) -> Figure | None:
    """Which objects go where from one answer to another."""
    if scene.answers is None or len(scene.answers.labels) < 2:
        return None
    both, colors = paired(scene)
    options = {"titles": tuple(titles_of(scene, scene.two_methods)), "colors": colors, "height": 300}
    return flow_figure(both[0], both[1], theme, **options)


#: What stands above and below the table of methods.
LOST = "Mean ARI below the best method of each draw, on the sets of the league without the one at hand."
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
        k = len(np.unique(found.rows[0].labels))
        return f"No method: the answers alone do not show whether there are {k} clusters."
    return f"We would take {consensus_methods()[found.rows[0].method].title}."


def several(found: ChosenMethod) -> str:
    """What two or three groups of answers are; empty for one."""
    groups = len(found.opinions.medoids)
    if groups < 2:
        return ""
    return f"**{'Two' if groups == 2 else 'Three'} honest answers**, not a mean of {'both' if groups == 2 else 'them'}"


def _ranked(rank: Interval) -> str:
    return f"{rank.mean:.1f} ({rank.low:.1f} to {rank.high:.1f})"


def columns_of(found: ChosenMethod) -> dict[str, list]:
    """The table of methods by column: the record of each in the league, and what can be said without a truth."""
    titles = {key: one.title for key, one in known_criteria().items() if one.index}
    there = [key for key in titles if any(key in row.calibrated for row in found.rows)]
    return {
        "method": [consensus_methods()[row.method].title for row in found.rows],
        "lost in the league": [row.expected_loss for row in found.rows],
        "95 %": ["" if np.isnan(row.expected_loss) else "{:.3f} to {:.3f}".format(*row.interval) for row in found.rows],
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
    words = f"Nine of ten answers put **{common.core_percent}%** of the objects where "
    words += f"{consensus_methods()[chosen.rows[0].method].title} does: these stand in full colour."
    shifting = np.flatnonzero(~common.core & (common.other >= 0))
    if not len(shifting):
        return words
    pairs, k = np.sort(np.stack([labels[shifting], common.other[shifting]]), axis=0), int(labels.max()) + 1
    one, other = np.add(divmod(int(np.bincount(pairs[0] * k + pairs[1]).argmax()), k), 1)
    shift = counted(len(shifting), "object shifts", "objects shift")
    return f"{words} {shift}, most often between clusters {one} and {other}."


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
