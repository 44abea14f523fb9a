"""Base clusterings as the sidebar describes them: made, or drawn from a pool; and the script for each."""

import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from data import Dataset, Graph, Pool
from data.records import Content
from engine import Ensemble, Monitor
from engine.completion import completed
from engine.generators import Recipe, draw
from engine.monitor import Part
from ui.compute.data_sets import linked, scaled
from ui.compute.keeping import Kept

#: Base clusterings made between two looks at what is there: a cancel loses at most these.
_BATCH = 10
#: Seconds between two looks, by whoever waits for another's base clusterings, at whether to go on waiting.
_LOOK = 0.1


def base_clusterings(
    source: Content,
    scaling: str,
    recipe: Recipe,
    m: int,
    seed: int,
    off: Sequence[int],
    lend: bool,
    monitor: Monitor,
) -> Ensemble:
    """The ensemble of a data set or pool without those base clusterings that are switched off.

    With `lend`, missing labels are lent by the most similar object.
    """
    if isinstance(source, Pool):
        whole = drawn(source, m, seed)
    else:
        whole = _held(source, scaling, recipe, seed).first(m, monitor)
    on = np.setdiff1d(np.arange(m), off)
    made = completed(whole, monitor) if lend else whole
    made = made.select(on) if len(off) else made
    if "completed" in made.provenance and len(off):  # what was lent to those that are off is no part of it
        made = replace(made, provenance=made.provenance | {"completed": int((whole.labels[:, on] < 0).sum())})
    return made.tossed(seed)


def drawn(pool: Pool, m: int, seed: int) -> Ensemble:
    """M base clusterings of a pool: all of them in their order, or a random draw."""
    said = [note for note in pool.notes if note.endswith(" are set aside.")]
    aside = {"objects": said[-1]} if said else {}
    if m >= pool.n_clusterings:
        return Ensemble.from_labels(pool.members, provenance={"generator": "pool", "columns": "all", **aside})
    made = draw(pool.members, m, seed)
    return replace(made, provenance=made.provenance | aside) if aside else made


class BaseClusterings:
    """The base clusterings of one data set under one recipe and seed; they grow when more are asked for."""

    def __init__(self, source: Dataset | Graph, scaling: str, recipe: Recipe, seed: int):
        self._made_of = linked(source) if on_edges(source, recipe) else scaled(source, scaling)
        self._n_classes = None if source.labels is None else max(2, len(np.unique(source.labels)))
        self._recipe, self._seed = recipe, seed
        self._batches: list[Ensemble] = []
        self._whole: dict[int, Ensemble] = {}
        self._lock = threading.Lock()

    def first(self, m: int, monitor: Monitor) -> Ensemble:
        """The first m as an Ensemble; what is missing is made now, in batches that a cancel leaves in place.

        Where the first ones depend on how many there are, each m is made for itself.
        """
        while not self._lock.acquire(timeout=_LOOK):
            monitor.tick("waiting for base clusterings that are being made", 0, m)
        try:
            if m not in self._whole:
                self._whole = {m: self._made(m, monitor)}
            return self._whole[m]
        finally:
            self._lock.release()

    def _made(self, m: int, monitor: Monitor) -> Ensemble:
        if not self._recipe.made_by.nested:
            return self._recipe.ensemble(self._made_of, self._n_classes, m, self._seed, monitor)
        while (have := sum(batch.n_clusterings for batch in self._batches)) < m:
            n = min(_BATCH, m - have)
            part = Part(monitor, have, m, n, "clustering")
            self._batches.append(self._recipe.ensemble(self._made_of, self._n_classes, n, self._seed, part, first=have))
        labels = np.column_stack([batch.labels for batch in self._batches])[:, :m]
        return Ensemble.from_labels(labels, self._memberships(labels, m), provenance=self._recipe.essentials)

    def _memberships(self, labels: np.ndarray, m: int) -> np.ndarray | None:
        """Soft rows of the first m, where the generator makes them."""
        soft = [batch.memberships for batch in self._batches if batch.memberships is not None]
        if len(soft) < len(self._batches):
            return None
        return np.hstack(soft)[:, : int((labels.max(axis=0) + 1).sum())]


_HELD: Kept[BaseClusterings] = Kept(8)


def on_edges(source: Content, recipe: Recipe) -> bool:
    """Whether base clusterings are made of the edges that came with the data, not of features."""
    return isinstance(source, Graph) and recipe.made_by.takes_graph


def _held(source: Dataset | Graph, scaling: str, recipe: Recipe, seed: int) -> BaseClusterings:
    key = source.fingerprint, scaling, recipe, seed
    return _HELD.get(key, lambda: BaseClusterings(source, scaling, recipe, seed))


def script(source: Content, scaling: str, recipe: Recipe, m: int, seed: int) -> list[str]:
    """Lines of Python that make the same ensemble from `source`."""
    if isinstance(source, Pool):
        if m >= source.n_clusterings:
            return ["ensemble = Ensemble.from_labels(source.members)"]
        return [f"ensemble = generators.draw(source.members, {m}, seed={seed})"]
    chosen = {s.name: value for s in recipe.params.specs() if (value := getattr(recipe.params, s.name)) != s.default}
    params = f", {chosen!r}" if chosen else ""
    automatic = None in recipe.values.values()
    n_classes = ", n_classes=max(2, len(set(source.labels)))" if automatic and source.labels is not None else ""
    if on_edges(source, recipe):
        edges = "source.sources, source.targets, source.weights, source.n_objects"
        made_of = "graph", f"graph = Graph.of_edges({edges})"
    else:
        made_of = "features", f"features = scale(source.features, {scaling!r})"
    call = f"{recipe.generator!r}, {made_of[0]}, {m}{params}, seed={seed}{n_classes}"
    return [made_of[1], f"ensemble = generators.make_ensemble({call})"]
