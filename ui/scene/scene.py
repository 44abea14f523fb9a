"""A state of the session and whatever is asked of it, each computed once, on a page as jobs, elsewhere here and now."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from engine import Monitor
from engine.monitor import SILENT
from engine.runtime.discovery import functions
from ui.compute.work import key_of, remember
from ui.session.run_config import RunConfig

#: Stands for a value that is being made.
PENDING = object()


@dataclass(frozen=True)
class Node:
    """Something a scene can be asked for: `make` takes the nodes and settings named by `inputs`, in this order.

    A `long` one takes a Monitor, too, and on a page it is a job; a `patient` one takes minutes; one that
    `keeps` goes on after a cancel with what was finished.
    """

    name: str
    make: Callable[..., Any]
    inputs: tuple[str, ...]
    long: bool
    patient: bool = False
    keeps: bool = False

    @property
    def doing(self) -> str:
        """What a page says while it is made."""
        return (self.make.__doc__ or self.name).partition(":")[0].strip()


@cache
def nodes() -> Mapping[str, Node]:
    """Every node by name."""
    return {name: _node(make) for name, make in functions("ui.scene", _is_node).items()}


def _is_node(make: Callable) -> bool:
    return make.__module__ != __name__


def _node(make: Callable) -> Node:
    takes = tuple(inspect.signature(make).parameters)
    inputs = tuple(taken for taken in takes if taken != "monitor")
    patient, keeps = (make.__name__ in getattr(inspect.getmodule(make), of, ()) for of in ("PATIENT", "KEEPING"))
    return Node(make.__name__, make, inputs, "monitor" in takes, patient, keeps)


@cache
def rests_on(name: str) -> frozenset[str]:
    """Everything that a node is made from, directly or not: nodes, settings, `scene`."""
    inputs = nodes()[name].inputs if name in nodes() else ()
    return frozenset(inputs).union(*(rests_on(one) for one in inputs))


#: Inputs that may hold any setting or node, and those of the RunConfig that hold several settings.
_ANYTHING, _SEVERAL = frozenset({"scene", "config"}), ("recipe", "graph_recipe", "method_params")


class Run(Protocol):
    """How what takes long is made."""

    def __call__(self, node: Node, inputs: tuple, slot: str) -> Any:
        """The value, or `PENDING` while it is made; `slot` is the place in a session that it takes."""

    def known(self, node: Node, inputs: tuple) -> Any:
        """The value if it is there, else `PENDING`; nothing is begun."""


class AtOnce:
    """Makes everything here and now; scenes that share one share what they have in common."""

    def __init__(self, monitor: Monitor = SILENT):
        self.monitor = monitor
        self._kept: dict[tuple, Any] = {}

    def __call__(self, node: Node, inputs: tuple, slot: str = "") -> Any:
        """The value, the one of before for the same inputs."""
        key = key_of(node.make, *inputs)
        if key not in self._kept:
            self._kept[key] = found = node.make(*inputs, monitor=self.monitor)
            remember(found, key)
        return self._kept[key]

    def known(self, node: Node, inputs: tuple) -> Any:
        """The value if it was made."""
        return self._kept.get(key_of(node.make, *inputs), PENDING)


class Scene:
    """A RunConfig and what it comes to: `scene.growth` is the node of this name, None as long as it is being made.

    `run` makes what takes long, by default here and now; `mark` keeps figures of scenes on one page apart, `place`
    their jobs; `given` are nodes whose values are known already.
    """

    def __init__(self, config: RunConfig, run: Run | None = None, mark: str = "", place: str = "", **given: Any):
        self.config, self.run, self.mark, self.place = config, run or AtOnce(), mark, place
        self._given, self._found = given, dict[str, Any]()
        self._family: dict[RunConfig, Scene] = {}
        self._waits = [0]  # how often something was asked for that is being made; of this scene and those made of it

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in nodes() and name not in self._given:
            raise AttributeError(f"a scene has no {name!r}")
        return self.get(name)

    def get(self, name: str) -> Any:
        """The value of a node, or None while it, or something it is made from, is being made."""
        return self._or_none(self._value(name, begin=True))

    def known(self, name: str) -> Any:
        """The value of a node if it is there; None otherwise, and nothing that takes long is begun."""
        return self._or_none(self._value(name, begin=False))

    def _or_none(self, value: Any) -> Any:
        if value is PENDING:
            self._waits[0] += 1
            return None
        return value

    def inputs(self, name: str) -> tuple | None:
        """What a node is made from, or None while some of it is being made."""
        found = self._inputs(nodes()[name], begin=True)
        return None if any(one is PENDING for one in found) else found

    def _value(self, name: str, begin: bool) -> Any:
        if name in self._given:
            return self._given[name]
        if name not in self._found:
            found = self._made(nodes()[name], begin)
            if not begin and found is PENDING:
                return PENDING  # asked again, it may be begun
            self._found[name] = found
        return self._found[name]

    def _made(self, node: Node, begin: bool) -> Any:
        inputs = self._inputs(node, begin)
        if any(one is PENDING for one in inputs):
            return PENDING
        if not node.long:
            waits = self._waits[0]
            found = node.make(*inputs)
            return PENDING if found is None and self._waits[0] > waits else found
        return self.run(node, inputs, self.slot(node.name)) if begin else self.run.known(node, inputs)

    def _inputs(self, node: Node, begin: bool) -> tuple:
        return tuple(self._input(name, begin) for name in node.inputs)

    def _input(self, name: str, begin: bool) -> Any:
        if name in self._given or name in nodes():
            return self._value(name, begin)
        return {"scene": self, "config": self.config}.get(name) or getattr(self.config, name)  # a node comes first

    def slot(self, name: str) -> str:
        """The place that a job of this name takes in a session."""
        return f"{name}_{self.place}" if self.place else name

    def varied(self, mark: str = "", **changes: Any) -> "Scene":
        """The scene with some settings changed; it shares whatever does not depend on them.

        `mark` keeps its figures apart from those of this one; its jobs are kept apart anyhow.
        """
        config = self.config.with_(**changes)
        if config == self.config:
            return self
        if config not in self._family:
            place = "_".join(filter(None, [self.place, *([mark] if mark else sorted(changes))]))
            given = self._given if config.data == self.config.data else {}
            one = Scene(config, self.run, mark or self.mark, place, **given)
            several = {name for name in _SEVERAL if getattr(config, name) != getattr(self.config, name)}
            one._found = self._spared(config.differs_in(self.config) | several)
            one._family, one._waits = self._family, self._waits
            self._family[config] = one
        return self._family[config]

    def with_given(self, place: str = "", **given: Any) -> "Scene":
        """The scene with values for some nodes; `place` keeps its jobs apart from those of this one."""
        place = "_".join(filter(None, [self.place, place]))
        one = Scene(self.config, self.run, self.mark, place, **{**self._given, **given})
        one._found, one._waits = self._spared(set(given)), self._waits
        return one

    def at_once(self) -> "Scene":
        """The same state with what was found already; whatever else is asked for is made here and now."""
        one = Scene(self.config, AtOnce(), **self._given)
        one._found = {
            name: found for name, found in self._found.items() if found is not PENDING and not isinstance(found, Scene)
        }
        return one

    def _spared(self, changed: set[str]) -> dict[str, Any]:
        """What was found already and does not rest on what has changed."""
        lost = changed | _ANYTHING
        return {name: found for name, found in self._found.items() if name not in lost and not lost & rests_on(name)}

    def score(self, labels) -> float:
        """Agreement of labels (N,) with the classes, as the setting `measure` counts it; they must be known."""
        from engine.metrics import score

        return score(labels, self.classes, self.config.measure)
