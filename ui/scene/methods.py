"""What several methods answer on one ensemble, and which of them to believe."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from data.errors import shortened
from data.records import MISSING, Content, Pool
from engine import EngineError, Ensemble, Monitor, Params, consensus_methods, metrics
from engine.choosing_method import ChosenMethod, choose_method
from engine.choosing_method.league import league_sets
from engine.consensus import FAMILIES
from engine.monitor import Quiet
from engine.params import Int, Switch
from ui.compute import uploads
from ui.figures.numbering import distinct
from ui.saying import counted
from ui.scene.consensus import TREES
from ui.session.run_config import RunConfig
from ui.session.settings import Among, Setting, Several

#: What a method may take, as a filter: its name in a URL, and in words.
TAKES = {
    "any": "anything",
    "labels": "the labels alone",
    "dense": "a matrix between all microclusters",
    "memberships": "soft memberships",
    "graph": "a graph",
    "gaps": "missing labels as they are",
}

SETTINGS = (
    Setting("budget", 20, Int(low=1, high=3600), "Seconds that asking every method may take."),
    Setting(
        "about", "", Among(offered=("", *consensus_methods())), "The method that is looked at; at first the chosen one."
    ),
    Setting("families", (), Several(of=Among(offered=FAMILIES)), "Families of methods that are listed; none: all."),
    Setting("takes", "any", Among(offered=TAKES), "What the methods listed take."),
    Setting("pictured", True, Switch(), "Every method stands beside what it makes of a small example."),
)


@dataclass(frozen=True, eq=False)
class Answers:
    """What every method says on one ensemble: labels by key, or why there are none; `own` names those of a person."""

    labels: dict[str, np.ndarray]
    reasons: dict[str, str]
    own: dict[str, str] = field(default_factory=dict)

    def titles(self, keys: Iterable[str] | None = None) -> list[str]:
        """What answers are called, by default all of them; a person's by their column."""
        asked = self.labels if keys is None else keys
        return [self.own.get(key) or consensus_methods()[key].title for key in asked]

    @cached_property
    def agreement(self) -> np.ndarray:
        """NMI (max) between the answers: (n, n)."""
        found = list(self.labels.values())
        return np.array([[metrics.nmi(a, b, "max") for b in found] for a in found])


def asked_methods(config: RunConfig) -> tuple[tuple[str, Params], ...]:
    """The methods compared, each with its knobs as they stand."""
    return tuple((method, config.params_of(method)) for method in config.methods)


def own_answers(source: Content, own: str) -> Answers:
    """A person's own labels: columns of the data, those of a file beside them, and why some are left out."""
    held, reasons = dict(source.answers), dict[str, str]()
    if own and not uploads.is_here(own):
        reasons["The file of own labels"] = "it is not here any more. Bring it again"
    elif own:
        file = uploads.find(own).content
        members = _labels_here(file, source)
        if isinstance(members, str):
            reasons[file.name] = members
        else:
            names = file.clustering_names or [f"{file.name} {place + 1}" for place in range(file.n_clusterings)]
            held |= dict(zip(distinct([*held, *names])[len(held) :], members.T, strict=True))
    found = dict[str, np.ndarray]()
    for name, labels in held.items():
        if gaps := int((labels == MISSING).sum()):
            reasons[name] = f"it has no label for {counted(gaps, 'object')}"
        else:
            found[name] = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    taken = {one.title for one in consensus_methods().values()}
    titles = [shortened(f"{name} (own)" if name in taken else name) for name in found]
    keys = [f"own{place + 1}" for place in range(len(found))]
    return Answers(
        dict(zip(keys, found.values(), strict=True)), reasons, dict(zip(keys, distinct(titles), strict=True))
    )


def _labels_here(file: Content, source: Content) -> np.ndarray | str:
    """Labels (N, m) that a file has for the objects of the data, or why it has none: by name where both name them."""
    rows = getattr(source, "rows", None)
    if not isinstance(file, Pool):
        return "it holds no labels"
    if file.identifiers is not None and source.identifiers is not None:
        place = dict(zip(file.identifiers, range(file.n_objects), strict=True))
        found = [place[name] for name in source.identifiers if name in place]
        if len(found) == source.n_objects:
            return file.members[found]
        if found:
            return f"it names {len(found):,} of the {source.n_objects:,} objects"
    if file.n_objects == source.n_objects:
        return file.members
    if rows is not None and file.n_objects > rows[-1]:
        return file.members[rows]
    return f"it has {counted(file.n_objects, 'row')}, and there are {source.n_objects:,} objects"


def answers(method_answers: Answers, own_answers: Answers) -> Answers:
    """The answers of the methods, and a person's own beside them."""
    labels = {**method_answers.labels, **own_answers.labels}
    return Answers(labels, {**method_answers.reasons, **own_answers.reasons}, own_answers.own)


def method_answers(
    ensemble: Ensemble,
    asked_methods: Sequence[tuple[str, Params]],
    n_clusters: int,
    seed: int,
    monitor: Monitor,
) -> Answers:
    """Asking every method: what each answers under its parameters, or why it does not."""
    found = Answers({}, {})
    for done, (method, params) in enumerate(asked_methods):
        monitor.tick("asking every method", done, len(asked_methods))
        quiet = Quiet(partial(monitor.tick, "asking every method", done, len(asked_methods)))
        try:
            found.labels[method] = TREES.run(method, ensemble, n_clusters, params, seed, quiet).labels
        except EngineError as error:
            found.reasons[consensus_methods()[method].title] = str(error)
    return found


def two_methods(answers: Answers, flow: tuple[str, ...]) -> tuple[str, str]:
    """The two that are looked at: those chosen; else those whose answers agree least, and so have something to show."""
    chosen = [method for method in flow if method in answers.labels]
    if len(chosen) == 2:
        return chosen[0], chosen[1]
    methods, apart = list(answers.labels), answers.agreement.copy()
    np.fill_diagonal(apart, np.inf)
    row = methods.index(chosen[0]) if chosen else int(apart.min(axis=1).argmin())
    return methods[row], methods[int(apart[row].argmin())]


def at_hand(data: str) -> tuple[str, ...]:
    """The data as a set of the league, where it is one: it does not speak for itself there."""
    return (data,) if data in league_sets() else ()


def method_choice(
    ensemble: Ensemble,
    n_clusters: int,
    features_if_any: np.ndarray | None,
    at_hand: tuple[str, ...],
    budget: int,
    seed: int,
    monitor: Monitor,
) -> ChosenMethod:
    """Asking every method that fits into the time: answers, how stable they are, and which we would take."""
    return choose_method(ensemble, n_clusters, features_if_any, float(budget), seed, monitor, leave_out=at_hand)


def in_common(method_choice: ChosenMethod | None) -> np.ndarray | None:
    """How firmly the answers of all methods put an object where the first does: shares, (N,); None for one answer."""
    return None if method_choice is None or method_choice.common is None else method_choice.common.share
