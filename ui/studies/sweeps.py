"""What Compare sweeps of settings: its knobs, axes of values, the study they come to, and its records as a table."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from data import Pool
from data.records import Content
from engine import consensus_methods
from engine.confidence import INTERNAL
from engine.metrics import MEASURES
from engine.params import Int, Number, ParamSpec
from engine.studies.records import Record
from engine.studies.study import Study, k_criteria
from ui import outside
from ui.scene import Scene
from ui.scene.ensemble import n_clusterings
from ui.session.bound import bound, show
from ui.session.run_config import RunConfig
from ui.session.state import change
from ui.widgets import method_menu
from ui.widgets.terms import meanings, note

#: Axes every method has: base clusterings of the ensemble, and clusters of the consensus.
ENSEMBLE_SIZE = ParamSpec("M", Int(low=1, slider=(2, 50)), 20, "M", "Base clusterings kept of the ensemble.")
CLUSTERS = ParamSpec("k", Int(low=2, slider=(2, 20)), 3, "k", "Clusters of the consensus.")
#: Ways to choose k that need classes.
BY_CLASSES = {
    "true": "as many as classes",
    "best": "the best of 2 to 30 or more, by NMI",
    "best-sqrt": "the best of 2 to √N, by NMI",
}
#: Values along an axis that nobody has chosen yet.
DEFAULT_VALUES = 7


@dataclass(frozen=True)
class Axis:
    """One parameter and the values it takes."""

    spec: ParamSpec
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Of the parameter."""
        return self.spec.name

    @property
    def label(self) -> str:
        """For people."""
        return {"M": "M, base clusterings", "k": "k, clusters"}.get(self.name) or self.spec.label

    @property
    def text(self) -> str:
        """As it stands in the URL."""
        return f"{self.name}:" + ",".join(self.spec.kind.text(value) for value in self.values)


def candidates(method: str, data: str = "") -> dict[str, ParamSpec]:
    """What can be swept with a method on a data set, by name; a file of base clusterings has no more than it has."""
    source = _source(data) if data else None
    size = ENSEMBLE_SIZE
    if isinstance(source, Pool):
        m = source.n_clusterings
        size = replace(size, kind=Int(low=1, high=m, slider=(min(2, m), min(50, m))), default=min(size.default, m))
    return {spec.name: spec for spec in (*consensus_methods()[method].params.specs(), size, CLUSTERS)}


def read(text: str, method: str, data: str = "") -> Axis | None:
    """The axis a URL describes, as far as the method and the data have it and take its values; None without."""
    name, _, listed = text.partition(":")
    spec = candidates(method, data).get(name)
    if spec is None:
        return None
    values = [spec.kind.parse(part) for part in listed.split(",")]
    legal = tuple(value for value in dict.fromkeys(values) if _legal(spec, value))
    return Axis(spec, legal or default(spec).values)


def _legal(spec: ParamSpec, value: Any) -> bool:
    try:
        spec.validate(value)
    except ValueError:
        return False
    return True


def default(spec: ParamSpec) -> Axis:
    """An axis over the useful range of a parameter."""
    return Axis(spec, spec.kind.ladder(n=DEFAULT_VALUES))


def axes(config: RunConfig) -> tuple[Axis, Axis | None]:
    """What is swept: the axes asked for, each with the present value among its own."""
    first, second = asked(config)
    return _with_present(config, first), second and _with_present(config, second)


def _with_present(config: RunConfig, axis: Axis) -> Axis:
    value = present(config, axis)
    if value in axis.values:
        return axis
    numbers = [one for one in (*axis.values, value) if one is not None]
    return Axis(axis.spec, (None,) * (None in (*axis.values, value)) + tuple(sorted(numbers)))


def asked(config: RunConfig) -> tuple[Axis, Axis | None]:
    """The first parameter of the method unless the URL says otherwise, and perhaps a second one."""
    first = read(config.x, config.method, config.data) or default(next(iter(candidates(config.method).values())))
    second = read(config.y, config.method, config.data)
    return first, second if second and second.name != first.name else None


def without_classes(names: Sequence[str]) -> list[str]:
    """Those of these data sets whose classes are not known, as far as they are here."""
    return [name for name in names if (found := _source(name)) is not None and found.labels is None]


def has_classes(names: Sequence[str]) -> bool:
    """Whether the classes of all these data sets are known, as far as they are here."""
    return not without_classes(names)


def _source(name: str) -> Content | None:
    return Scene(RunConfig(data=name)).source_if_here


def policy_of(config: RunConfig, classes: bool) -> str:
    """How k is chosen: as asked, but for what needs classes that are not known; then it is the page's."""
    return "page" if not classes and config.policy in BY_CLASSES else config.policy


POLICY_NAMES = {
    **BY_CLASSES,
    "page": "as on the pages",
    **{key: f"by {title}" for key, title in k_criteria().items()},
}


def policy_name(config: RunConfig, names: Sequence[str]) -> str:
    """How k is chosen on these data sets, in words, with the number where it is one for all."""
    policy = policy_of(config, has_classes(names))
    if policy != "page":
        return POLICY_NAMES[policy]
    return (
        f"k = {Scene(config).wanted_k:,}{', as on the pages' if [*names] == [config.data] else ' for every data set'}"
    )


def note_without_classes(names: Sequence[str], here: str) -> None:
    """Say which data sets have no classes, and what their scores are then; `here` is that of the sidebar."""
    if lacking := without_classes(names):
        of = [outside.name(Scene(RunConfig(data=name)).title) for name in lacking]
        note(
            f"No classes are known {'here' if [*names] == [here] else 'of ' + ', '.join(of)}. The score is *internal*: "
            "how well the partition sits in its ensemble, which is not whether it is right."
        )


def m_of(config: RunConfig, names: Sequence[str]) -> int:
    """Base clusterings of every ensemble: as chosen, and no more than the smallest file of them has."""
    return min(n_clusterings(_source(name), config.m) for name in names)


def drawn(study: Study) -> str:
    """How draws are taken from files of base clusterings, in words; empty without any."""
    words = []
    for name in study.datasets:
        source = _source(name)
        if not isinstance(source, Pool):
            continue
        m, most, title = max(study.n_clusterings), source.n_clusterings, Scene(RunConfig(data=name)).title
        how = f"{m:,} with replacement" if m == most else f"{m:,} without replacement"
        words.append(f"of the {most:,} base clusterings of {title} each draw takes {how}")
    return "; ".join(words)


def k_of(config: RunConfig, names: Sequence[str]) -> str | tuple[int, ...]:
    """The k of a study on these data sets."""
    policy = policy_of(config, has_classes(names))
    return (Scene(config).wanted_k,) if policy == "page" else policy


def score_of(config: RunConfig, names: Sequence[str]) -> str:
    """The column of the records that is shown: internal where classes are not known."""
    return config.measure if has_classes(names) else config.internal


def score_title(config: RunConfig, names: Sequence[str]) -> str:
    """What that column is called."""
    return (MEASURES | INTERNAL)[score_of(config, names)]


#: Draws of base clusterings, where studies score by stability.
STABILITY_DRAWS = 20


def draws_of(config: RunConfig, names: Sequence[str]) -> int:
    """Draws of base clusterings for stability, which are only made where it is the score."""
    return STABILITY_DRAWS if score_of(config, names) == "stability" else 0


def study(config: RunConfig) -> Study:
    """The study of the page: this data set and method, its axes, and all else as it is set."""
    swept = {axis.name: axis.values for axis in axes(config) if axis}
    grid = {name: (value,) for name, value in config.chosen_params(config.method).items() if name not in swept}
    grid |= {name: values for name, values in swept.items() if name not in ("M", "k")}
    policy = swept.get("k") or k_of(config, [config.data])
    return Study(
        datasets=(config.data,),
        methods=(config.method,),
        name=f"{consensus_methods()[config.method].title} on {Scene(config).title}",
        n_clusterings=swept.get("M", (Scene(config).n_clusterings,)),
        repeats=config.draws,
        k=policy,
        seed=config.seed,
        grid={config.method: grid},
        scaling=config.scaling,
        recipe=Scene(config).making,
        stability=draws_of(config, [config.data]),
    )


def scores(config: RunConfig, records: Sequence[Record]) -> np.ndarray:
    """Score of every cell and draw: (first axis, second axis or 1, draws); nan where there is none yet."""
    first, second = axes(config)
    across = second.values if second else (None,)
    table = np.full((len(first.values), len(across), config.draws), np.nan)
    column = score_of(config, [config.data])
    for record in records:
        at = _place(record, first, second)
        value = getattr(record, column)
        if at is not None and value is not None and record.repeat < config.draws:
            table[*at, record.repeat] = value
    return table


def _place(record: Record, first: Axis, second: Axis | None) -> tuple[int, int] | None:
    asked = int(record.k_asked) if record.k_asked.isdecimal() else record.k  # a method may have found another
    known = {"M": record.n_clusterings, "k": asked, **json.loads(record.params)}
    i = _index(first, known)
    j = _index(second, known) if second else 0
    return None if i is None or j is None else (i, j)


def _index(axis: Axis, known: dict[str, Any]) -> int | None:
    value = known.get(axis.name)
    return axis.values.index(value) if value in axis.values else None


def present(config: RunConfig, axis: Axis) -> Any:
    """What the session uses now."""
    return {"M": Scene(config).n_clusterings, "k": Scene(config).wanted_k, **config.method_params.as_dict()}[axis.name]


def moved_to(config: RunConfig, places: Iterable[tuple[Axis, int]]) -> RunConfig:
    """The session with the values at these places."""
    for axis, place in places:
        value = axis.values[place]
        if axis.name in ("M", "k"):
            config = config.with_(**{axis.name.lower(): value})
        else:
            config = config.with_params(config.method, {axis.name: value})
    return config


def taken_over(config: RunConfig, study: Study) -> RunConfig:
    """The session as a study has it: its first data set and method, up to two swept parameters, and all else."""
    method = study.methods[0]
    specs = candidates(method)
    lists = {**study.grid.get(method, {}), "M": study.n_clusterings, "k": study.k}
    swept = [Axis(specs[name], tuple(v)) for name, v in lists.items() if not isinstance(v, str) and len(v) > 1]
    x, y = (swept[i].text if i < len(swept) else "" for i in (0, 1))
    fields = common_fields(study) | {"data": study.datasets[0], "method": method, "x": x, "y": y}
    taken = with_fixed_params(config.with_(**fields).with_defaults(method), study, method)
    outside = [(axis, 0) for axis in swept[:2] if present(taken, axis) not in axis.values]
    return moved_to(taken, outside)


def with_fixed_params(config: RunConfig, study: Study, method: str) -> RunConfig:
    """The session with those parameters of a method that a study holds at one value."""
    fixed = {name: values[0] for name, values in study.grid.get(method, {}).items() if len(values) == 1}
    return config.with_params(method, fixed)


def common_fields(study: Study) -> dict[str, Any]:
    """Fields of the session that every page of studies sets alike."""
    fields = {"draws": study.repeats, "seed": study.seed, "m": max(study.n_clusterings), "scaling": study.scaling}
    fields |= {"generator": study.recipe.generator, **study.recipe.values}
    fields |= {"internal": "stability"} if study.stability else {}
    return fields | ({"policy": study.k} if isinstance(study.k, str) else {"policy": "page", "k": study.k[0]})


def score_and_k(chosen: RunConfig, names: Sequence[str], swept: bool = False, width: int = 240) -> None:
    """The score, and how k is chosen: without classes, internal scores and what needs no classes."""
    classes = has_classes(names)
    name, scores = ("measure", MEASURES) if classes else ("internal", INTERNAL)
    told = meanings(*scores.values())
    bound(st.selectbox, "Score", name, options=list(scores), format_func=scores.get, width=width, help=told)
    if swept:
        return
    options, policy = [key for key in POLICY_NAMES if classes or key not in BY_CLASSES], policy_of(chosen, classes)
    bound(
        st.selectbox,
        "Clusters k",
        "policy",
        instead=policy,
        options=options,
        format_func=POLICY_NAMES.get,  # names stay as they are: a browser sends the words it has drawn
        width=width,
        help=meanings(*map(POLICY_NAMES.__getitem__, options)),
    )
    if policy == "page":
        note(policy_name(chosen, names) + ".")


def draws(told: str, most: int = 30, width: Any = "stretch") -> None:
    """How many ensembles of every data set: two or more, unless a link or a study file says one."""
    bound(st.slider, "Draws", "draws", min_value=2, max_value=most, stretches=True, width=width, help=told)


def knobs(chosen: RunConfig, first, second) -> None:
    """Method, what is swept, and how often."""
    left, middle, right = st.columns(3, gap="large")
    with left:
        method_menu.choose()
        draws("Ensembles made or drawn anew, each with a seed of its own.")
    with middle:
        axis_knobs(chosen, "x", "Sweep", first, [])
    with right:
        axis_knobs(chosen, "y", "and", second, [first.name])
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        score_and_k(chosen, [chosen.data], swept="k" in (first.name, second and second.name))


def axis_knobs(chosen: RunConfig, field: str, label: str, axis, taken: list[str]) -> None:
    """Which parameter, over which range, at how many values."""
    specs = candidates(chosen.method, chosen.data)
    names = [name for name in specs if name not in taken]
    options = names if field == "x" else ["", *names]
    show(f"sweep_{field}", axis.name if axis else "")
    st.selectbox(
        label,
        options,
        key=f"sweep_{field}",
        on_change=_store_name,
        args=(field, specs),
        format_func=lambda name: Axis(specs[name], ()).label if name else "nothing else",
    )
    if axis is None or not isinstance(axis.spec.kind, Number):
        return
    numbers = [value for value in axis.values if value is not None]
    if not numbers:  # "auto" alone
        return
    stops = sorted({*axis.spec.kind.stops(axis.spec.default), *numbers})
    if len(stops) < 2:  # a file of two base clusterings
        return
    show(f"range_{field}", (numbers[0], numbers[-1]))
    st.select_slider(
        "from … to", stops, (stops[0], stops[-1]), key=f"range_{field}", on_change=_store_range, args=(field, axis.spec)
    )
    help_ = "Where the present value is none of them, it is run, too."
    least, most, key = min(2, len(numbers)), max(20, len(numbers)), f"count_{field}"
    show(key, len(numbers), (least, most))
    st.slider("values", least, most, key=key, help=help_, on_change=_store_range, args=(field, axis.spec))


def _store_name(field: str, specs: dict[str, ParamSpec]) -> None:
    name = st.session_state[f"sweep_{field}"]
    change(**{field: default(specs[name]).text if name else ""})


def _store_range(field: str, spec: ParamSpec) -> None:
    low, high = st.session_state[f"range_{field}"]
    if low < high:
        count = max(2, st.session_state[f"count_{field}"])
        change(**{field: Axis(spec, spec.kind.ladder(low, high, count)).text})
