"""What a state of the session comes to, computed plainly: no page, no job, nothing but the engine and the data."""

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

import data
from data import Dataset, Pool
from engine import Consensus, Ensemble, Monitor
from engine.ensemble import frozen
from engine.evidence import co_association
from engine.generators import LACResult, lac
from engine.monitor import SILENT
from engine.partition import leaf_order, linkage
from ui.compute import generating, layouts, pipeline
from ui.enhanced import views as enhanced_views
from ui.growth import views as growth_views
from ui.matrices import views as matrix_views
from ui.session.run_config import RunConfig
from ui.walks import views as walk_views


@lru_cache(maxsize=8)
def load(name: str) -> Dataset | Pool:
    """A data set of the catalog."""
    return data.load(name)


class Scene:
    """A RunConfig and whatever is asked of it, each computed once; scenes of one family share their ensembles.

    Parameters
    ----------
    config : RunConfig
    monitor : Monitor
        Hears about progress and may stop it.
    family : dict, optional
        Scenes by their config, and ensembles by what makes them.
    source : Dataset or Pool, optional
        By default the data set of the catalog that the config names.
    """

    def __init__(
        self,
        config: RunConfig,
        monitor: Monitor = SILENT,
        family: dict | None = None,
        source: Dataset | Pool | None = None,
    ):
        self.config, self.monitor, self._source = config, monitor, source
        self.family = {} if family is None else family
        self._answers: dict[str, Consensus] = {}
        self.kept: dict[str, Any] = {}  # what costs much and is asked for twice

    def varied(self, **changes) -> "Scene":
        """The scene with some settings changed."""
        config = self.config.with_(**changes)
        if config == self.config:
            return self
        return self.family.setdefault(config, Scene(config, self.monitor, self.family))

    @cached_property
    def source(self) -> Dataset | Pool:
        """The data set."""
        return self._source or load(self.config.data)

    @cached_property
    def truth(self) -> np.ndarray:
        """Classes from 0: (N,).

        Raises
        ------
        LookupError
            If none are known.
        """
        if self.source.labels is None:
            raise LookupError(f"{self.config.data} has no classes")
        return frozen(pipeline.numbered_classes(self.source.labels))

    @cached_property
    def features(self) -> np.ndarray:
        """The scaled features: (N, D)."""
        return frozen(data.scale(self.source.features, self.config.scaling))

    @property
    def k(self) -> int:
        """Clusters of the consensus: as chosen, else as many as classes, 3 where none are known; as far as possible."""
        classes = None if self.source.labels is None else self.truth
        return max(2, min(pipeline.wanted_of(classes, self.config.k), len(self.ensemble.microclusters)))

    @cached_property
    def m(self) -> int:
        """How many base clusterings there are."""
        return pipeline.clusterings_of(self.source, self.config.m)

    @cached_property
    def ensemble(self) -> Ensemble:
        """The base clusterings that are switched on."""
        chosen, source = self.config, self.source
        off = [place for place in chosen.switched_off if place < self.m]
        inputs = chosen.scaling, chosen.recipe, self.m, chosen.seed, tuple(off), chosen.lend
        if inputs not in self.family:
            self.family[inputs] = generating.base_clusterings(source, *inputs[:4], off, chosen.lend, self.monitor)
        return self.family[inputs]

    def answer(self, method: str = "") -> Consensus:
        """The consensus of a method, by default the chosen one."""
        method = method or self.config.method
        if method not in self._answers:
            given = method, self.ensemble, self.k, self.config.params_of(method), self.config.seed, ()
            sample = pipeline.sample_size(self.config, self.ensemble)
            self._answers[method] = pipeline.found_consensus(*given, sample, self.monitor)
        return self._answers[method]

    def score(self, labels: np.ndarray) -> float:
        """Agreement of labels (N,) with the truth, as the setting `measure` counts it."""
        return pipeline.score(labels, self.truth, self.config.measure)

    @cached_property
    def placed(self) -> tuple:
        """Points (N, 2), names of the axes, whether they share a unit."""
        if isinstance(self.source, Pool):
            return layouts.from_labels(self.source, self.m, self.config.seed, self.monitor)
        return layouts.from_features(self.source, self.config.scaling, self.config.view, self.monitor)

    @cached_property
    def walking(self) -> tuple[int, int]:
        """K and T of random walks, automatic ones filled in."""
        return walk_views.settings(self.config, len(self.ensemble.microclusters))

    @cached_property
    def graph(self):
        """The K-elite neighbour graph, CSR (n, n)."""
        return walk_views.microcluster_elite_graph(self.ensemble, self.walking[0], self.monitor)

    @cached_property
    def pruning(self):
        """LinkQuality of all links, and of those kept."""
        return walk_views.pruning(self.ensemble, self.graph, self.truth, self.monitor)

    @cached_property
    def class_names(self) -> list[str]:
        """What the data set calls its classes."""
        return pipeline.class_names(self.config)

    def matrix(self, name: str) -> matrix_views.Named:
        """A kind of evidence between microclusters."""
        if name == "truth":
            return matrix_views.truth_matrix(self.truth, self.monitor)
        return matrix_views.evidence_matrix(
            self.ensemble, name, matrix_views.params_of(self.config, name), self.monitor
        )

    @cached_property
    def given(self) -> enhanced_views.Inputs:
        """What EC-CMS starts from."""
        evidence = self.config.evidence
        return enhanced_views.inputs(
            self.ensemble, evidence, matrix_views.params_of(self.config, evidence), self.monitor
        )

    @cached_property
    def enhanced(self) -> enhanced_views.Enhanced:
        """What EC-CMS makes of it."""
        chosen = self.config
        settings = chosen.alpha, chosen.lam, chosen.tol, chosen.max_iter, chosen.ablation
        return enhanced_views.enhance_once(self.given, self.ensemble, self.object_order, settings, None, self.monitor)

    @cached_property
    def enhanced_labels(self) -> np.ndarray:
        """The partition cut from the enhanced matrix: (N,)."""
        return enhanced_views.labels(self.ensemble, self.enhanced.tree, self.k)

    @cached_property
    def tree_order(self) -> np.ndarray:
        """Objects by class, inside it by the average-link tree of the co-association: (N,)."""
        tree = linkage(co_association(self.ensemble), self.ensemble.microclusters.sizes, "average", overwrite=True)
        rank = np.empty(tree.n_leaves, np.int64)
        rank[leaf_order(tree)] = np.arange(tree.n_leaves)
        return np.lexsort((rank[self.ensemble.microclusters.assignment], self.truth))

    @cached_property
    def object_order(self) -> np.ndarray:
        """Objects by class, inside it by the tree of the matrix that EC-CMS starts from: (N,)."""
        rank = np.empty(len(self.given.order), np.int64)
        rank[self.given.order] = np.arange(len(self.given.order))
        return np.lexsort((rank[self.ensemble.microclusters.assignment], self.truth))

    @cached_property
    def ground(self) -> growth_views.Ground:
        """What trees grow on."""
        return growth_views.ground(self.ensemble, self.monitor)

    @cached_property
    def roots(self) -> np.ndarray:
        """Prototypes: those picked by hand, or the k most representative microclusters."""
        n = len(self.ensemble.microclusters)
        picked = [root for root in self.config.roots if root < n]
        return np.array(picked) if len(picked) >= 2 else self.ground.ranking[: self.k]

    @cached_property
    def growth(self):
        """The forest grown from them."""
        return growth_views.growth(self.ground, self.ensemble.microclusters.sizes, self.roots, self.monitor)

    @cached_property
    def weighed(self) -> LACResult:
        """The LAC run at the 1/h that is looked at."""
        k = self.config.lac_k or self.varied(k=None).k
        return lac(self.features, k, self.config.lac_inverse_h, self.config.seed)
