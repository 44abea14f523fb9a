"""RunConfig: the one frozen value that is cache key, URL, session state and exported snippet."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import data
from engine import InvalidParameterError, consensus_methods
from engine.generators import K_POLICIES
from ui.url_values import (
    as_text,
    from_text,
    one_of,
    read_axis,
    read_data,
    read_krange,
    read_name,
    read_names,
    read_numbers,
    read_off,
    read_positive,
    read_share,
    read_switch,
    whole,
)

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
        """The query string that `from_query` reads back: data, seed and whatever is not the default."""
        always = ("data", "m", "seed", "method")
        fields = [f for f in dataclasses.fields(self) if f.name != "params"]
        chosen = {
            f.name: getattr(self, f.name) for f in fields if f.name in always or getattr(self, f.name) != f.default
        }
        return {name: as_text(value) for name, value in {**chosen, **dict(self.params)}.items()}


#: Fields that decide the base clusterings: when one changes, switched-off ones come back.
_ENSEMBLE_FIELDS = ("data", "scaling", "m", "krange", "generator", "init", "ninit", "subspace", "hlow",
                    "hhigh", "lack", "seed")  # fmt: skip


def from_query(query: Mapping[str, str]) -> tuple[RunConfig, list[str]]:
    """Read a query string; every value is checked, and what cannot be used is replaced and reported.

    Returns
    -------
    config : RunConfig
    problems : list of str
        One sentence for each value that was unknown or out of range.
    """
    values: dict[str, Any] = {}
    problems: list[str] = []
    params = {name: text for name, text in query.items() if name not in _READERS}
    for name in _READERS.keys() & query.keys():
        try:
            values[name] = _READERS[name](query[name])
        except ValueError as error:
            problems.append(f"{name}={query[name]}: {error}. Using {_default(name)} instead.")
    config = RunConfig(**values)
    return _read_params(config, params, problems), sorted(problems)


def _read_params(config: RunConfig, texts: Mapping[str, str], problems: list[str]) -> RunConfig:
    """Values of the method's own parameters; the rest of the query is unknown."""
    specs = {spec.name: spec for spec in consensus_methods()[config.method].params.specs()}
    for name, text in texts.items():
        if name not in specs:
            problems.append(f"{name}={text}: nothing here has that name. It was left out.")
            continue
        try:
            config = config.with_param(name, from_text(text, specs[name].kind))
        except InvalidParameterError as error:
            problems.append(f"{name}={text}: {error}. Using {as_text(specs[name].default)} instead.")
    return config


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


def _default(name: str) -> str:
    return as_text(getattr(RunConfig, name))


def _known_method(text: str) -> str:
    return one_of(consensus_methods())(text)


_READERS: dict[str, Callable[[str], Any]] = {
    "data": read_data,
    "scaling": one_of(SCALINGS),
    "m": whole(1, MAX_CLUSTERINGS),
    "krange": read_krange,
    "init": one_of(INITS),
    "ninit": whole(1, 50),
    "generator": one_of(GENERATORS),
    "subspace": read_share,
    "hlow": read_positive,
    "hhigh": read_positive,
    "lack": whole(2, 100, optional=True),
    "h": read_positive,
    "axes": read_numbers(2),
    "x": read_axis,
    "y": read_axis,
    "draws": whole(1, 1000),
    "policy": one_of(POLICIES),
    "methods": read_names(_known_method),
    "sets": read_names(read_data),
    "flow": read_names(_known_method),
    "table": one_of(data.published_tables()),
    "only": read_names(read_data),
    "seed": whole(0, 2**31 - 1),
    "method": _known_method,
    "k": whole(2, optional=True),
    "measure": one_of(MEASURES),
    "view": one_of(VIEWS),
    "off": read_off,
    "left": read_name,
    "right": read_name,
    "order": one_of(ORDERS),
    "zoom": read_numbers(4),
    "pair": read_numbers(2),
    "eci": read_positive,
    "elite": whole(1, optional=True),
    "steps": whole(1, 1000, optional=True),
    "roots": read_off,
    "truth": read_switch,
    "bright": read_share,
    "glow": read_share,
    "minus": read_switch,
    "ablation": one_of(ABLATIONS),
    "warm": read_switch,
    "color": one_of(NODE_COLORS),
    "panel": whole(1, MAX_CLUSTERINGS),
    "round": whole(1),
    "nearest": read_switch,
}
