"""The tables of a report: rows of words."""

import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version

import numpy as np

from data import Pool
from engine import __version__, confidence, consensus_methods
from engine.choosing_k import find_criterion
from engine.confidence import INTERNAL, internal_scores
from engine.evidence import clustering_agreement
from engine.metrics import MEASURES, score
from ui.figures.numbering import FIRST, number
from ui.pictures.methods import columns_of
from ui.saying import groups_of
from ui.scene import Scene
from ui.session.settings import method_concepts, settings
from ui.widgets import method_menu
from ui.widgets.knobs import automatic

Rows = Sequence[tuple[str, ...]]
#: Packages whose versions decide numbers.
_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")
#: Objects of a cluster are named up to so many in all.
_NAMED = 5_000
_LEAST_SURE = 10
#: Sizes of classes that are told.
_SIZES = 20


def data_rows(scene: Scene) -> Rows:
    """What was read."""
    source = scene.source
    rows: list[tuple[str, ...]] = [("Name", scene.title), ("Objects", f"{source.n_objects:,}")]
    if isinstance(source, Pool):
        rows.append(("Base clusterings in the file", f"{source.n_clusterings:,}"))
    if scene.linked is not None:
        rows.append(("Edges", f"{scene.linked.n_edges:,}"))
    if scene.has_features:
        rows += [("Features", f"{source.n_features:,}"), ("Scaling", scene.config.scaling)]
    if scene.truth is not None:
        rows.append(("Classes", sizes_told(np.bincount(scene.truth))))
    rows += [("Source", source.source), *(("Note", note) for note in scene.data_notes)]
    return [*rows, ("Fingerprint", source.fingerprint)]


def sizes_told(sizes: np.ndarray) -> str:
    """How many classes of how many objects."""
    if (sizes == sizes[0]).all():
        each = " each" * (len(sizes) > 1)
        return f"{len(sizes):,}, of {sizes[0]:,} object{'s' if sizes[0] > 1 else ''}{each}"
    more = f"; {len(sizes) - _SIZES:,} more classes" * (len(sizes) > _SIZES)
    return f"{len(sizes):,}, of {', '.join(f'{size:,}' for size in sizes[:_SIZES])} objects{more}"


def ensemble_rows(scene: Scene) -> Rows:
    """How the base clusterings were made, and what they are like."""
    made, config = scene.ensemble, scene.config
    rows: list[tuple[str, ...]] = [("Base clusterings M", f"{made.n_clusterings:,}")]
    if isinstance(scene.source, Pool):
        rows.append(("From", "the file"))
    else:
        generator = scene.making.made_by
        rows.append(("From", f"{generator.title}: {generator.summary}"))
        rows += _parameters(scene, scene.making_specs, lambda name: getattr(scene.making.params, name))
    each = made.n_clusters_each
    alike = each.min() == each.max()
    spread = f"{each.min()} to {each.max()}, mean {each.mean():.1f}"
    rows.append(("Clusters in each", str(each[0]) if alike else spread))
    if made.n_clusterings > 1:
        pairs = clustering_agreement(made)[np.triu_indices(made.n_clusterings, 1)]
        rows.append(("NMI (max) of two of them", f"mean {pairs.mean():.3f}, sd {pairs.std():.3f}"))
    rows.append(("Microclusters", f"{len(made.microclusters):,}: {groups_of(made)}"))
    if made.n_missing:
        rows.append(("Missing labels", f"{made.n_missing:,}"))
    if lent := made.provenance.get("completed"):
        rows.append(("Missing labels lent", f"{lent:,}, each that of the most similar object which has one"))
    if scene.off:
        rows.append(("Switched off", ", ".join(map(str, scene.off_keys))))
    return [*rows, ("Seed", str(config.seed)), ("Fingerprint", made.fingerprint)]


def method_rows(scene: Scene) -> Rows:
    """The method and all its parameters."""
    result, one = scene.consensus, consensus_methods()[scene.consensus.method]
    rows: list[tuple[str, ...]] = [("Method", f"{one.title}: {one.summary}"), ("Clusters k", f"{result.n_clusters:,}")]
    rows += _parameters(scene, result.params.specs(), lambda name: getattr(result.params, name))
    if words := method_menu.sample_words(result.trace, scene.ensemble.n_objects):
        rows.append(("Run on", words))
    return [*rows, ("Seed", str(result.seed)), ("Time", f"{result.seconds:.3g} s")]


def _parameters(scene: Scene, specs: list, value: Callable) -> Rows:
    """Every parameter as pages call it, an automatic one with what it comes to."""
    rows: list[tuple[str, ...]] = []
    for spec in specs:
        given = value(spec.name)
        words = str(given)
        if given is None:
            comes_to = automatic(scene, spec)
            words = "automatic" if comes_to is None else f"automatic: {comes_to}"
        rows.append((spec.label, words))
    return rows


def score_rows(scene: Scene) -> Rows:
    """Every measure against the truth: consensus, best, mean and spread of the base clusterings."""
    if scene.truth is None:
        return []
    rows: list[tuple[str, ...]] = []
    for key, title in MEASURES.items():
        base = scene.varied(measure=key).base_scores
        found = score(scene.consensus.labels, scene.truth, key)
        rows.append((title, *(f"{value:.3f}" for value in (found, base.max(), base.mean(), base.std()))))
    return rows


def internal_rows(scene: Scene) -> Rows:
    """Scores that need no truth."""
    found = internal_scores(scene.ensemble, scene.consensus.labels)
    if scene.measured is not None:
        found["stability"] = float(scene.measured.stability.mean())
    return [(INTERNAL[key], f"{value:.3f}") for key, value in found.items()]


def cluster_rows(scene: Scene) -> Rows:
    """Size of every cluster, and how firmly its objects sit."""
    labels, found = scene.consensus.labels, scene.profile
    if found is None:
        return [(number(cluster), f"{int((labels == cluster).sum()):,}", "", "") for cluster in np.unique(labels)]
    order = list(dict.fromkeys(labels.tolist()))
    support, margin = (confidence.cluster_means(values, labels) for values in (found.own, found.margin))
    rows = zip(order, support.sizes, support.mean, margin.mean, margin.sd, strict=True)
    return [
        (number(c), f"{size:,}", f"{own:.2f}", f"{mean:.2f} (sd {sd:.2f})") for c, size, own, mean, sd in sorted(rows)
    ]


def members(scene: Scene) -> list[tuple[str, str]]:
    """The objects of every cluster by name; empty where they are too many to read."""
    if len(scene.consensus.labels) > _NAMED:
        return []
    names = np.array(called(scene), dtype=object)
    return [(number(c), ", ".join(names[scene.consensus.labels == c])) for c in np.unique(scene.consensus.labels)]


def called(scene: Scene, in_file: bool = False) -> list[str]:
    """What every object is called: by its file, else by its number as on the pages, or `in_file` by that of its row."""
    own, rows = scene.identifiers, getattr(scene.source, "rows", None)
    numbers = np.arange(scene.ensemble.n_objects) if rows is None or not in_file else rows
    named = numbers + (0 if in_file else FIRST)
    return [str(own[i]) if own is not None and own[i] else str(one) for i, one in enumerate(named.tolist())]


def least_sure(scene: Scene) -> Rows:
    """The objects with the lowest margins."""
    found = scene.profile
    if found is None:
        return []
    order, names = np.argsort(found.margin, kind="stable")[:_LEAST_SURE], called(scene)
    cells = ((i, f"{found.margin[i]:z.2f}", f"{found.own[i]:.2f}") for i in order.tolist())
    return [(names[i], number(scene.consensus.labels[i]), margin, own) for i, margin, own in cells]


def criteria_rows(scene: Scene) -> Rows:
    """What every criterion picks, and why."""
    found = scene.asked
    if found is None:
        return []
    counted = {key: "" if key in found.counted else " (not counted)" for key in found.curves}
    asked = [
        (find_criterion(key).title, f"{found.picks.get(key, 'none')}{counted[key]}", found.readings[key])
        for key in found.curves
    ]
    return asked + [(find_criterion(key).title, "not asked", reason) for key, reason in found.left_out.items()]


def method_columns(scene: Scene) -> tuple[list[str], Rows]:
    """The table of the page Which method: names of its columns, and a row a method."""
    columns = {name: values for name, values in columns_of(scene.method_choice).items() if not name.startswith("raw: ")}
    digits = {"agreement": 2, "stability": 2} | dict.fromkeys([name for name in columns if name.startswith("z: ")], 1)
    cells = [
        [one if isinstance(one, str) else "" if np.isnan(one) else f"{one:.{digits.get(name, 3)}f}" for one in values]
        for name, values in columns.items()
    ]
    return list(columns), list(zip(*cells, strict=True))


def left_out_rows(scene: Scene) -> Rows:
    """Methods that were not asked or gave no answer, and why."""
    return [(consensus_methods()[key].title, why) for key, why in scene.method_choice.left_out.items()]


def setting_rows(scene: Scene) -> Rows:
    """What the URL of the session holds, each with what it is."""
    known, concepts = settings(), method_concepts()
    query = scene.config.to_query()
    return [
        (name, text, concepts[name].doc if name in concepts else known[name].sentence) for name, text in query.items()
    ]


def version_rows() -> Rows:
    """Everything whose version decides a number."""
    own = [("Concord", __version__), ("Python", platform.python_version())]
    return own + [(name, version(name)) for name in _PACKAGES]
