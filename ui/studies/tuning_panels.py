"""What the page Compare shows of settings."""

from functools import partial
from itertools import product

import numpy as np
import streamlit as st

from engine import Ensemble, Monitor, Params, consensus_methods
from engine.choosing_method.tuning import ChosenSetting, choose_setting, tuning_losses
from engine.metrics import MEASURES
from engine.selection.judging import STABILITY
from engine.statistics import paired_verdict, spread
from ui.compute.work import start
from ui.figures import tuning_heatmap, tuning_line
from ui.figures.numbering import carried
from ui.saying import ROUNDING, counted, score_words
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.state import change_by, theme
from ui.studies import sweeps
from ui.widgets.chart import chart
from ui.widgets.progress import settle
from ui.widgets.terms import inform, note, say


def picture(chosen: RunConfig, table: np.ndarray, name: str = "", key: str = "tuning") -> None:
    """A line with its spread, or a heatmap; a click loads the setting. What has a `name` has no draws."""
    first, second = sweeps.axes(chosen)
    n = (~np.isnan(table)).sum(axis=2)
    with np.errstate(invalid="ignore"):
        mean = np.where(n, np.nansum(table, axis=2) / np.maximum(n, 1), np.nan)
        sd = np.sqrt(np.nansum((table - mean[:, :, None]) ** 2, axis=2) / np.maximum(n - 1, 1))
    sd[n < 2] = np.nan
    if name:
        sd[:] = np.nan
    if second is None:
        figure = tuning_line(
            first.values,
            mean[:, 0],
            sd[:, 0],
            None if name else n[:, 0],
            theme(),
            x_name=first.label,
            y_name=name or sweeps.score_title(chosen, [chosen.data]),
            marked=sweeps.present(chosen, first),
            log_x=getattr(first.spec.kind, "log", False),
        )
    else:
        marked = sweeps.present(chosen, first), sweeps.present(chosen, second)
        figure = tuning_heatmap(
            first.values,
            second.values,
            mean,
            sd,
            theme(),
            row_name=first.label,
            col_name=second.label,
            marked=marked,
            name=name or sweeps.score_title(chosen, [chosen.data]),
        )
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, key, on_select=partial(_take_cell, key), selection_mode="points")


def _take_cell(key: str) -> None:
    points = [p for p in st.session_state[key].selection.points if "customdata" in p]
    if not points:
        return
    change_by(lambda now: sweeps.moved_to(now, zip(filter(None, sweeps.axes(now)), carried(points[0]), strict=False)))


def sentence(chosen: RunConfig, table: np.ndarray) -> None:
    """The best setting, the present one, and whether they can be told apart."""
    full = ~np.isnan(table).any(axis=2)
    if not full.any():
        return
    named, over = [axis for axis in sweeps.axes(chosen) if axis], f"over {counted(table.shape[2], 'draw')}"
    some = "" if full.all() else f" of the {full.sum():,} of {full.size:,} settings that have all scores"
    if full.sum() == 1 < full.size:
        say(f"One of {full.size:,} settings has all its scores: {mean_and_sd(table[full][0])} {over}.")
        return
    if full.sum() > 1 and np.ptp(table[full], axis=0).max() < ROUNDING:
        every = some.replace(" of the", " one of the", 1) or " setting"
        say(f"Every{every} scores {mean_and_sd(table[full][0])} {over}: it makes no difference here.")
        return
    at = np.unravel_index(int(np.where(full, table.mean(axis=2), -np.inf).argmax()), full.shape)
    best = tuple(map(int, at))
    now = tuple(axis.values.index(sweeps.present(chosen, axis)) for axis in named) + (0,) * (2 - len(named))
    if full[now] and table[now].mean() > table[best].mean() - ROUNDING:
        best = now  # of equals the one that is there
    setting = _named(named, best)
    equal = int((table[full].mean(axis=1) > table[best].mean() - ROUNDING).sum()) - 1
    also = f" (and {counted(equal, 'other')})" if equal else ""
    words = f"Best{some} {over}: {mean_and_sd(table[best])} at {setting}{also}. "
    if now == best:
        words += "That is the present setting. "
    elif full[now]:
        verdict = paired_verdict(table[best], table[now])
        told = "no sure difference" if verdict.outcome == "tie" else "worse by a paired t-test"
        p = f" (p = {verdict.p:.2g})" if np.isfinite(verdict.p) else ""
        words += f"The present setting has {mean_and_sd(table[now])}: {told}{p}. "
    say(words + "Click a point or a cell to use its setting on every page.")


def mean_and_sd(values: np.ndarray) -> str:
    """Mean and standard deviation over draws, where there are several."""
    found = spread(values)
    return f"**{score_words(found.mean)}**" + (f" (sd {found.sd:.3f})" if found.n > 1 else "")


def _named(axes: list, places: tuple) -> str:
    """Values of parameters in words."""
    pairs = zip(axes, places, strict=False)
    return ", ".join(f"{axis.spec.symbol} = {axis.spec.kind.text(axis.values[at])}" for axis, at in pairs)


def without_classes(scene: Scene) -> None:
    """The setting with the largest stability, beside that of the classes, and what such a choice costs."""
    chosen, axes = scene.config, [axis for axis in sweeps.axes(scene.config) if axis]
    if any(axis.name in ("M", "k") for axis in axes):
        inform("M and k are no parameters of the method: stability compares settings of the method alone.")
        return
    made = scene.ensemble
    if made is None:
        return
    places = list(product(*(range(len(axis.values)) for axis in axes)))
    values = [{axis.name: axis.values[at] for axis, at in zip(axes, place, strict=True)} for place in places]
    kind = consensus_methods()[chosen.method].params
    settings = tuple(kind.of({**chosen.method_params.as_dict(), **one}) for one in values)
    asked = made, chosen.method, scene.n_clusters, settings, chosen.seed
    found = settle(start(by_stability, *asked), "Comparing settings without the classes", "by_stability")
    if found is None:
        return
    table = found.stability.reshape([len(axis.values) for axis in axes] + [1] * (3 - len(axes)))
    if found.chosen >= 0:
        _say_choice(scene, found, axes, places)
    picture(chosen, table, STABILITY, "tuning_blind")


def by_stability(
    ensemble: Ensemble, method: str, n_clusters: int, settings: tuple[Params, ...], seed: int, monitor: Monitor
) -> ChosenSetting:
    """`choose_setting` as a job."""
    return choose_setting(ensemble, method, n_clusters, settings, seed, monitor)


def _say_choice(scene: Scene, found: ChosenSetting, axes: list, places: list) -> None:
    """What stability chose, what the classes would have, and what the rule lost on the sets of the league."""
    words = f"**Without the classes: {_named(axes, places[found.chosen])}.** Its answers to halves of the base "
    words += f"clusterings agree most, by {found.stability[found.chosen]:.2f} (ARI: 0 is chance). "
    if scene.truth is not None:
        scores = [np.nan if labels is None else scene.score(labels) for labels in found.answers]
        best, measure = int(np.nanargmax(scores)), MEASURES[scene.config.measure]
        words += "The classes would have chosen "
        if scores[best] > scores[found.chosen]:
            words += f"{_named(axes, places[best])} on this ensemble: {measure} {scores[best]:.3f} instead of "
            words += f"{scores[found.chosen]:.3f}."
        else:
            words += f"no better on this ensemble: {measure} {scores[found.chosen]:.3f}."
    say(words)
    note(_cost(scene, axes))
    st.button(
        f"Use {_named(axes, places[found.chosen])} on every page",
        key="use_blind",
        on_click=lambda: change_by(lambda now: sweeps.moved_to(now, zip(axes, places[found.chosen], strict=True))),
    )


def _cost(scene: Scene, axes: list) -> str:
    """What the rule lost on the sets of the league, without the one at hand, beside keeping the default."""
    lost = tuning_losses(scene.config.method, axes[0].name, scene.at_hand) if len(axes) == 1 else None
    if lost is None:
        return "What such a choice costs was not measured for what is swept here."
    rule, default, above = (lost[name] for name in ("stability", "default", "above one group"))
    return (
        f"On {rule.n} sets of the league such a choice lost {rule.mean:.3f} of ARI to the best value of each set "
        f"({rule.low:.3f} to {rule.high:.3f}); the default lost {default.mean:.3f} ({default.low:.3f} to "
        f"{default.high:.3f}). Stability less what it is on sets of one group would have lost {above.mean:.3f}."
    )
