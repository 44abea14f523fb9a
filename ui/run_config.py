"""RunConfig: the one frozen value that is cache key, URL, session state and exported snippet."""

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine import InvalidParameterError, consensus_methods
from engine.generators import K_POLICIES

MAX_CLUSTERINGS = 1000
SCALINGS = ("standard", "minmax", "none")
INITS = ("random", "k-means++")
#: Layouts: the data themselves or their principal components (labels only: spectral), or t-SNE.
VIEWS = ("plain", "tsne")
#: Orders of the objects along a matrix.
ORDERS = ("truth", "consensus", "tree", "input")
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
    unknown); `view` how objects are laid out; `params` the method's parameters that differ from its defaults;
    `off` the base clusterings that are switched off, 0-based. `left`, `right` name the matrices beside each other,
    `order` and `zoom` (first and past-the-last row, then column) what part of them is seen; `pair` two objects that
    are looked at; `eci` the theta under which clusters are weighed where no method does; `elite` and `steps` are K and
    T of random walks where no method has them (None: automatic).
    """

    data: str = "moons"
    scaling: str = "standard"
    m: int = 20
    krange: str = "sqrt"
    init: str = "random"
    ninit: int = 1
    subspace: float = 1.0
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
    params: tuple[tuple[str, Any], ...] = ()

    def with_(self, **changes: Any) -> "RunConfig":
        """A copy with some fields changed; what no longer fits goes back to its default."""
        if changes.get("method", self.method) != self.method:
            changes.setdefault("params", _kept_params(self, changes["method"]))
        if any(name in changes and changes[name] != getattr(self, name) for name in _ENSEMBLE_FIELDS):
            changes.setdefault("off", ())
        if changes.get("data", self.data) != self.data:
            changes = {"k": None, "zoom": (), "pair": ()} | changes
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
        return {name: _as_text(value) for name, value in {**chosen, **dict(self.params)}.items()}


#: Fields that decide the base clusterings: when one changes, switched-off ones come back.
_ENSEMBLE_FIELDS = ("data", "scaling", "m", "krange", "init", "ninit", "subspace", "seed")


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
            config = config.with_param(name, _from_text(text, specs[name].kind))
        except InvalidParameterError as error:
            problems.append(f"{name}={text}: {error}. Using {_as_text(specs[name].default)} instead.")
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


def _as_text(value: Any) -> str:
    if isinstance(value, tuple):
        return ".".join(map(str, value))
    if value is None or isinstance(value, bool):
        return {None: "auto", True: "yes", False: "no"}[value]
    return str(value)


def _from_text(text: str, kind: str) -> Any:
    """Text to the type of a parameter; what cannot be read stays text, which the parameter then refuses."""
    if text == "auto":
        return None
    if kind == "bool":
        return {"yes": True, "no": False}.get(text, text)
    if kind in ("int", "float"):
        try:
            return int(text) if kind == "int" else float(text)
        except ValueError:
            return text
    return text


def _default(name: str) -> str:
    return _as_text(getattr(RunConfig, name))


def _one_of(options) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in options:
            raise ValueError(f"must be one of {', '.join(options)}")
        return text

    return read


def _whole(low: int, high: float = float("inf"), optional: bool = False) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        if optional and text == "auto":
            return None
        if not re.fullmatch(r"\d{1,12}", text) or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low:,}" + (f" to {high:,}" if high < 1e15 else ""))
        return int(text)

    return read


def _read_krange(text: str) -> str:
    match = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text)
    if text not in K_POLICIES and not (match and 2 <= int(match[1]) <= int(match[2])):
        raise ValueError(f"must be one of {', '.join(K_POLICIES)}, or a range such as 2-10")
    return text


def _read_share(text: str) -> float:
    if not re.fullmatch(r"[01](\.\d+)?", text) or not 0 < float(text) <= 1:
        raise ValueError("must be a share above 0 and at most 1")
    return float(text)


def _read_data(text: str) -> str:
    if not re.fullmatch(r"[\w./+ ()-]{1,200}", text):
        raise ValueError("is no name of a data set")
    return text


def _read_off(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4})*", text):
        raise ValueError("must be numbers joined by dots, such as 0.3.7")
    return tuple(sorted({int(part) for part in text.split(".")}))


def _read_numbers(n: int) -> Callable[[str], tuple[int, ...]]:
    def read(text: str) -> tuple[int, ...]:
        if not re.fullmatch(r"\d{1,9}" + r"\.\d{1,9}" * (n - 1), text):
            raise ValueError(f"must be {n} numbers joined by dots")
        return tuple(int(part) for part in text.split("."))

    return read


def _read_name(text: str) -> str:
    if not re.fullmatch(r"\w{1,40}", text):
        raise ValueError("is no name")
    return text


def _read_positive(text: str) -> float:
    if not re.fullmatch(r"\d{1,4}(\.\d{1,6})?", text) or float(text) == 0:
        raise ValueError("must be a number above 0")
    return float(text)


def _known_method(text: str) -> str:
    return _one_of(consensus_methods())(text)


_READERS: dict[str, Callable[[str], Any]] = {
    "data": _read_data,
    "scaling": _one_of(SCALINGS),
    "m": _whole(1, MAX_CLUSTERINGS),
    "krange": _read_krange,
    "init": _one_of(INITS),
    "ninit": _whole(1, 50),
    "subspace": _read_share,
    "seed": _whole(0, 2**31 - 1),
    "method": _known_method,
    "k": _whole(2, optional=True),
    "measure": _one_of(MEASURES),
    "view": _one_of(VIEWS),
    "off": _read_off,
    "left": _read_name,
    "right": _read_name,
    "order": _one_of(ORDERS),
    "zoom": _read_numbers(4),
    "pair": _read_numbers(2),
    "eci": _read_positive,
    "elite": _whole(1, optional=True),
    "steps": _whole(1, 1000, optional=True),
}
