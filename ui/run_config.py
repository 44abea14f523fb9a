"""RunConfig: the one frozen value that is cache key, URL, session state and exported snippet."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from engine import InvalidParameterError, consensus_methods
from engine.generators import K_POLICIES
from ui.url_values import as_text

MAX_CLUSTERINGS = 1000
SCALINGS = ("standard", "minmax", "none")
#: Where base clusterings come from: k-means, k-means on random features, LAC.
GENERATORS = ("kmeans", "subspaces", "lac")
INITS = ("random", "k-means++")
#: Layouts: the data themselves or their principal components (labels only: spectral), or t-SNE.
VIEWS = ("plain", "tsne")
#: Orders of the objects along a matrix.
ORDERS = ("truth", "consensus", "tree", "input")
#: Versions of EC-CMS: as published, and with a part left out.
ABLATIONS = ("full", "no_laplacian", "no_completion")
#: What may colour the nodes of the elite-neighbour graph.
NODE_COLORS = ("truth", "consensus", "density")
#: How studies choose k: as many as classes, the best of a range, or as on the page.
POLICIES = ("true", "best", "page")
#: Agreement measures a page may show, by the names of `engine.metrics.scores`.
MEASURES = {
    "nmi_max": "NMI (max)",
    "nmi_arithmetic": "NMI (arithmetic)",
    "nmi_sqrt": "NMI (sqrt)",
    "ari": "ARI",
    "pairwise_f": "pairwise F",
    "accuracy": "accuracy",
    "purity": "purity",
}


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides what the pages show.

    `data` is a catalog name or `upload-<content hash>`; `m` the number of base clusterings; `krange` a policy
    of `engine.generators` or "low-high"; `k` None means as many clusters as the data set has classes (3 if
    unknown); `generator` what makes base clusterings, `subspace` the share of features in random subspaces, `hlow`,
    `hhigh` and `lack` the range of 1/h and the clusters of LAC; `h` the 1/h and `axes` the two features that are
    looked at; `view` how objects are laid out; `params` the method's parameters that differ from its defaults;
    `off` the base clusterings that are switched off, 0-based. `left`, `right` name the matrices beside each other,
    `order` and `zoom` (first and past-the-last row, then column) what part of them is seen; `pair` two objects that
    are looked at; `eci` the theta under which clusters are weighed where no method does; `elite` and `steps` are K and
    T of random walks where no method has them (None: automatic); `roots` are prototypes picked by hand. The rest are
    switches of single pictures: `truth` shows the truth, `bright` and `glow` are the values with the brightest colour
    (of matrices, of enhanced ones), `minus` shows right minus left, `ablation` and `warm` the version and the start of
    EC-CMS, `color` what colours nodes, `panel` the page of small multiples, `round` the round whose margins are shown,
    `nearest` what assigning everybody to the nearest prototype would have done. Of studies, `x` and `y` are what is
    swept ("theta:0.2,0.4"), `draws` the ensembles, `policy` how k is chosen, `methods` and `sets` what is compared,
    `flow` the two methods whose answers flow into each other, `table` a published table, `only` those of its
    data sets that are run.
    """

    data: str = "moons"
    scaling: str = "standard"
    m: int = 20
    krange: str = "sqrt"
    init: str = "random"
    ninit: int = 1
    generator: str = "kmeans"
    subspace: float = 0.5
    hlow: float = 0.1
    hhigh: float = 1000.0
    lack: int | None = None
    seed: int = 7
    method: str = "lwea"
    k: int | None = None
    measure: str = "nmi_max"
    view: str = "plain"
    off: tuple[int, ...] = ()
    left: str = "co_association"
    right: str = "lwca"
    order: str = "truth"
    zoom: tuple[int, ...] = ()
    pair: tuple[int, ...] = ()
    eci: float = 0.4
    elite: int | None = None
    steps: int | None = None
    roots: tuple[int, ...] = ()
    truth: bool = True
    bright: float = 1.0
    glow: float = 0.3
    minus: bool = False
    ablation: str = "full"
    warm: bool = False
    color: str = "truth"
    panel: int = 1
    round: int = 1
    nearest: bool = False
    h: float = 5.0
    axes: tuple[int, ...] = ()
    x: str = ""
    y: str = ""
    draws: int = 5
    policy: str = "true"
    methods: tuple[str, ...] = ("eac", "lwea", "lwgp", "pta", "ptgp")
    sets: tuple[str, ...] = ("iris", "wine", "moons", "spirals", "uneven_blobs", "digits")
    flow: tuple[str, ...] = ()
    table: str = "huang2018lwea-5"
    only: tuple[str, ...] = ()
    params: tuple[tuple[str, Any], ...] = ()

    def with_(self, **changes: Any) -> "RunConfig":
        """A copy with some fields changed; what no longer fits goes back to its default."""
        if changes.get("method", self.method) != self.method:
            changes.setdefault("params", _kept_params(self, changes["method"]))
        if any(name in changes and changes[name] != getattr(self, name) for name in _ENSEMBLE_FIELDS):
            changes = {"off": (), "panel": 1} | changes
        if changes.get("data", self.data) != self.data:
            changes = {"k": None, "lack": None, "zoom": (), "pair": (), "axes": ()} | changes
        if any(name in changes and changes[name] != getattr(self, name) for name in (*_ENSEMBLE_FIELDS, "off")):
            changes = {"roots": (), "round": 1} | changes
        if changes.get("order", self.order) != self.order:
            changes.setdefault("zoom", ())
        return dataclasses.replace(self, **changes)

    def with_param(self, name: str, value: Any) -> "RunConfig":
        """A copy with one parameter of the method changed."""
        params = consensus_methods()[self.method].params.of({**dict(self.params), name: value})
        return dataclasses.replace(self, params=_non_defaults(params))

    @property
    def method_params(self):
        """The method's full, validated parameters."""
        return consensus_methods()[self.method].params.of(dict(self.params))

    @property
    def k_range(self) -> str | tuple[int, int]:
        """The policy, or the pair, that `engine.generators` takes."""
        if self.krange in K_POLICIES:
            return self.krange
        low, high = self.krange.split("-")
        return int(low), int(high)

    def to_query(self) -> dict[str, str]:
        """The query string that `ui.query.from_query` reads back: data, seed and whatever is not the default."""
        always = ("data", "m", "seed", "method")
        fields = [f for f in dataclasses.fields(self) if f.name != "params"]
        chosen = {
            f.name: getattr(self, f.name) for f in fields if f.name in always or getattr(self, f.name) != f.default
        }
        return {name: as_text(value) for name, value in {**chosen, **dict(self.params)}.items()}


#: Fields that decide the base clusterings: when one changes, switched-off ones come back.
_ENSEMBLE_FIELDS = ("data", "scaling", "m", "krange", "generator", "init", "ninit", "subspace", "hlow",
                    "hhigh", "lack", "seed")  # fmt: skip


def _kept_params(config: RunConfig, method: str) -> tuple[tuple[str, Any], ...]:
    """Parameters the new method shares with the old one keep their values (theta of LWEA and LWGP)."""
    kept: dict[str, Any] = {}
    specs = {spec.name: spec for spec in consensus_methods()[method].params.specs()}
    for name, value in config.params:
        if name in specs:
            try:
                kept[name] = specs[name].validate(value)
            except InvalidParameterError:
                continue  # the same name with another range: the new method's default holds
    return _non_defaults(consensus_methods()[method].params.of(kept))


def _non_defaults(params) -> tuple[tuple[str, Any], ...]:
    defaults = {spec.name: spec.default for spec in params.specs()}
    return tuple((name, value) for name, value in params.as_dict().items() if value != defaults[name])
